"""Which night is to be begun now: the newest that is due, if it was not done; and what is known of it between calls."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from .times import Times

INCOMPLETE = 3
"""Exit code of a night that the same command goes on with."""
CUT_OFF = 128
"""From this exit code on, a process was ended by a signal."""
LATE = timedelta(hours=1)
"""How old a night may be that is begun where nothing is known of earlier ones."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the newest night.

    Attributes:
        due: When it was due.
        tries: How often it was begun.
        done: Whether it is over, with whatever result.
        code: Exit code of the last try that ended; None where none did.
        ended: When that was.
    """

    due: AwareDatetime
    tries: int = 0
    done: bool = False
    code: int | None = None
    ended: AwareDatetime | None = None

    def ended_with(self, code: int, ended: datetime, *, tries: int) -> "Known":
        """The same once a try has ended; `tries` are allowed in all."""
        resumes = code == INCOMPLETE or code >= CUT_OFF
        return Known(self.due, self.tries, not resumes or self.tries >= tries, code, ended)


KNOWN = TypeAdapter(Known)


def to_begin(times: Times, now: datetime, known: Known | None, *, tries: int) -> Known | None:
    """The night to begin now, counted as tried once more; None where there is nothing to do.

    A night that was missed is begun late, but only the newest of several. One that was incomplete or cut off is begun
    again, `tries` times in all.

    Args:
        times: When nights are due.
        now: The present moment.
        known: What is known of the newest night so far; None where nothing is.
        tries: How often one night may be begun.
    """
    due = times.last(now)
    if known is None:
        return Known(due, 1) if now - due < LATE else None
    if due > known.due:
        return Known(due, 1)
    if known.done or known.tries >= tries or due < known.due:  # the last: the clock was set back
        return None
    return Known(known.due, known.tries + 1, code=known.code, ended=known.ended)


def read_known(path: Path) -> Known | None:
    """What a file says of the newest night; None where there is none, or none that can be read."""
    try:
        return KNOWN.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def write_known(path: Path, known: Known) -> None:
    """Write what is known, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(KNOWN.dump_json(known, indent=2) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
