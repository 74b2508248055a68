"""The crontab of this user: a marked block for each schedule, and all else kept byte for byte."""

import re
import shutil
import subprocess
from collections.abc import Sequence

from ..errors import UsageError

BEGIN = b"# BEGIN prt schedule "
END = b"# END prt schedule "


def block(name: str, lines: Sequence[str]) -> bytes:
    """The block of a schedule."""
    told = b"".join(line.encode() + b"\n" for line in lines)
    return BEGIN + name.encode() + b"\n" + told + END + name.encode() + b"\n"


def block_of(table: bytes, name: str) -> bytes | None:
    """The block of a schedule in a crontab; None where it has none.

    Raises:
        UsageError: The block's marks do not stand once each and in order.
    """
    begin, end = (re.escape(mark + name.encode()) for mark in (BEGIN, END))
    marks = re.findall(rb"^(?:" + begin + rb"|" + end + rb")$", table, re.MULTILINE)
    if not marks:
        return None
    found = re.search(rb"^" + begin + rb"\n.*?^" + end + rb"(?:\n|\Z)", table, re.MULTILINE | re.DOTALL)
    if found is None or len(marks) != 2:
        raise UsageError(
            f"the crontab's block `{BEGIN.decode()}{name}` to `{END.decode()}{name}` is damaged; mend or remove it by "
            "`crontab -e`, then try again"
        )
    return found[0]


def with_block(table: bytes, name: str, wanted: bytes) -> bytes:
    """A crontab with this block in place of the schedule's former one, else at its end."""
    there = block_of(table, name)
    if there is not None:
        return table.replace(there, wanted, 1)
    return table + (b"" if not table or table.endswith(b"\n") else b"\n") + wanted


def without_block(table: bytes, name: str) -> bytes:
    """A crontab without the block of a schedule."""
    there = block_of(table, name)
    return table if there is None else table.replace(there, b"", 1)


def is_here() -> bool:
    """Whether there is a cron."""
    return shutil.which("crontab") is not None


def read_crontab() -> bytes:
    """This user's crontab; empty where there is none.

    Raises:
        UsageError: There is no cron here, or it refuses this user.
    """
    done = _crontab("-l")
    if done.returncode == 0:
        return done.stdout
    if b"no crontab for" in done.stderr:
        return b""
    raise _refused(done)


def write_crontab(table: bytes) -> None:
    """Give this user another crontab; an empty one is removed.

    Raises:
        UsageError: cron refuses it.
    """
    done = _crontab("-", given=table) if table else _crontab("-r")
    if done.returncode != 0:
        raise _refused(done)


def _crontab(*arguments: str, given: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
    program = shutil.which("crontab")
    if program is None:
        raise UsageError(
            "there is no cron here: the program `crontab` is not found; install it (Debian: apt install cron), or take "
            "another scheduler by --for"
        )
    return subprocess.run([program, *arguments], input=given, capture_output=True, check=False)  # noqa: S603 - cron's own


def _refused(done: "subprocess.CompletedProcess[bytes]") -> UsageError:
    said = " ".join(done.stderr.decode(errors="replace").split())
    return UsageError(f"cron refuses: {said or f'`crontab` ended with {done.returncode}'}")
