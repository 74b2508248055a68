"""What several commands print: reports, and what a user should know before any call."""

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

from rich.console import Console
from rich.text import Text

from ..errors import Problem
from ..findings import Report
from ..logs import shown
from ..problems import counted, grouped, of_kinds
from ..reports.machine import report_json
from ..reports.terminal import print_report
from ..reports.text import visible
from ..store.processes import Watch

if TYPE_CHECKING:
    from ..config.show import Row

LOG = logging.getLogger(__name__)
PROBLEMS_SHOWN = 5
PIPED_WIDTH = 110
TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


class Trimmed:
    """A stream without the blanks that tables end their lines with; for pipes and files."""

    encoding = "utf-8"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text whose lines are whole."""
        self._stream.write(TRAILING.sub("", text))
        return len(text)

    def flush(self) -> None:
        """Write out what is buffered."""
        self._stream.flush()


def output_console(out: TextIO | None = None) -> Console:
    """The console of standard output: as wide as the terminal; of a steady width where it is piped, or COLUMNS.

    Args:
        out: Standard output, where it is reserved.
    """
    out = out or sys.stdout
    if out.isatty():
        return Console(highlight=False, emoji=False, file=out)
    width = os.environ.get("COLUMNS", "")
    columns = int(width) if width.isdigit() else PIPED_WIDTH
    return Console(highlight=False, emoji=False, width=columns, file=cast(TextIO, Trimmed(out)))


def print_report_as(report: Report, *, as_json: bool, out: TextIO | None = None) -> None:
    """Print a report for a person or for a program; to `out`, where standard output is reserved."""
    if as_json:
        (out or sys.stdout).write(report_json(report) + "\n")
    else:
        print_report(report, output_console(out))


def print_rows(rows: Iterable["Row"], console: Console) -> None:
    """Print every value of a config with where it is from, and an empty line."""
    for key, value, origin in rows:
        console.print(Text(f"{key}: {value}").append(f"  # {origin}", style="dim"), soft_wrap=True)
    console.print()


def print_notes(notes: Sequence[str], skipped: Sequence[Problem], console: Console) -> None:
    """Say what was skipped, and what is allowed but may not be what is meant."""
    for note in notes:
        console.print(Text(f"note: {visible(note)}"))
        LOG.info("note", extra=shown(text=note))
    if skipped:
        LOG.warning("rows are skipped", extra=shown(rows=len(skipped), first=str(skipped[0])))
        are, they = ("is", "it") if len(skipped) == 1 else ("are", "they")
        console.print(Text(f"note: {counted(len(skipped), 'row')} {are} skipped, since {they} can't be used:"))
        groups = of_kinds(grouped(skipped))
        for problem in groups[:PROBLEMS_SHOWN]:
            console.print(Text(f"  {visible(str(problem))}"))
        if rest := sum(1 + len(group.also) for group in groups[PROBLEMS_SHOWN:]):
            console.print(Text(f"  and {rest} more"))


@contextmanager
def counting(told: Console, doing: str, total: int) -> Iterator[Callable[[], None]]:
    """Show on a terminal how many of so many are done; what is given is called with each."""
    from rich.progress import Progress  # noqa: PLC0415 - a run shows its progress in its own way

    with Progress(console=told, transient=True, disable=not told.is_terminal) as progress:
        task = progress.add_task(doing, total=total)
        yield lambda: progress.advance(task)


def watching(told: Console) -> Watch:
    """How it is found out, for a command, whether processes of other machines still work on runs.

    Args:
        told: Where a wait is told of.
    """
    return Watch(tell=lambda line: told.print(Text(visible(line)), soft_wrap=True))
