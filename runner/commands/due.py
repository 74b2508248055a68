"""`prt due`: the night that is due, which the lines of a crontab begin."""

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from ..problems import counted
from ..reports.text import visible
from ..scheduling.beginning import begin_due, utc_now
from ..scheduling.entry import Entry
from ..scheduling.nights import INCOMPLETE, Known
from .store import print_lines

WELL = 0


def due_command(schedule: Path, *, quiet: bool) -> int:
    """Begin the night of a schedule that is due and not done; its exit code."""
    begun = begin_due(schedule)
    if begun.warning:
        _complain(begun.warning)
    if begun.busy:
        if not quiet:
            _complain(f"a night of `{begun.entry.name}` is under way, so none is begun")
        return INCOMPLETE
    if begun.code is None:
        if not quiet:
            print_lines(["no night is due", *night_lines(begun.entry, begun.known)])
        return WELL
    if begun.code:
        _complain(f"the night of `{begun.entry.name}` ended with {begun.code}; see {begun.entry.log}")
    elif not quiet:
        print_lines([f"the night of `{begun.entry.name}` is done; see {begun.entry.log}"])
    return begun.code


def night_lines(entry: Entry, known: Known | None) -> Iterator[str]:
    """What is known of the nights of a schedule, for a person."""
    yield f"next night: {moment(entry.times.next(utc_now()))}"
    if known is None or (known.code is None and known.done):
        yield "last night: none yet"
    elif known.code is None:
        yield f"last night: due {moment(known.due)}, begun {counted(known.tries, 'time')}, not ended"
    else:
        ended = f", {moment(known.ended)}" if known.ended else ""
        again = "" if known.done else f"; it is begun again, {known.tries} of {entry.tries} tries are used"
        yield f"last night: due {moment(known.due)}, ended with {known.code}{ended}{again}"


def moment(when: datetime) -> str:
    """A moment by the clock of this machine, to the minute: `2026-03-01 02:00 +0100`."""
    return f"{when.astimezone():%Y-%m-%d %H:%M %z}"


def _complain(sentence: str) -> None:
    sys.stderr.write(f"prt: {visible(sentence)}\n")
