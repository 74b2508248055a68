"""Writing the files of a schedule: what others made is never overwritten, and keys stay."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..suggest import shown

MARK = "Made by `prt schedule`; run that again to change it."
_MADE = (f"# {MARK}\n", '{\n  "made_by": "prt schedule"')
_CONFIG = re.compile(r'^(?:# Config: (.+)|  "config": "(.*)",)$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class UnitFile:
    """A file of a schedule.

    Attributes:
        path: Where it goes, absolute.
        text: What is in it.
        mode: Its permissions, where it is made.
        once: Whether it is the user's from then on, and is never written again.
    """

    path: Path
    text: str
    mode: int = 0o644
    once: bool = False


def head(config: object) -> str:
    """The first lines of each file."""
    return f"# {MARK}\n# Config: {config}\n"


def config_of(text: str) -> str:
    """The config that a file says it is made from; empty where it says none."""
    found = _CONFIG.search(text)
    return (found[1] or found[2]) if found else ""


def write_files(files: Sequence[UnitFile]) -> list[tuple[UnitFile, bool]]:
    """Write all files, or none where one can't be.

    Returns:
        Each file, and whether it was written; one that says the same already, or is the user's, is left alone.

    Raises:
        UsageError: A file is there that `prt schedule` did not make, or made for another config; or none can be
            written.
    """
    wanted = [(file, _is_wanted(file)) for file in files]
    for file, write in wanted:
        if write:
            _write(file)
    return wanted


def _is_wanted(file: UnitFile) -> bool:
    try:
        there = file.path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file.path}: this is there, and can't be read ({error})") from None
    if file.once or there == file.text:
        return False
    if not there.startswith(_MADE):
        raise UsageError(
            f"{file.path}: this file is there, and `prt schedule` did not make it; move it away, or name another "
            "folder as --out"
        )
    theirs, ours = config_of(there), config_of(file.text)
    if theirs != ours:
        raise UsageError(
            f"{file.path}: this is the schedule of the config {shown(theirs)}; give this one another name by --name"
        )
    return True


def _write(file: UnitFile) -> None:
    part = file.path.with_name(f"{file.path.name}.part")
    try:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        # Never readable by more than it shall be, not even for a moment.
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode), "w", encoding="utf-8") as out:
            out.write(file.text)
        part.replace(file.path)
    except OSError as error:
        raise UsageError(f"{file.path}: it can't be written ({error.strerror})") from None
