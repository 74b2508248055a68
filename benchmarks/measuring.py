"""Measuring a command from outside: wall time, processor time and memory of the whole tree of its processes."""

import os
import resource
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

KIB = 1024
MIB = 1024 * 1024
LOOK_EVERY_S = 0.02
NO_CACHE = "PYTHONDONTWRITEBYTECODE"
"""A Python that may not keep what it compiled compiles programs anew each time, which no installed one does."""
BUSY = 0.25
"""A load above this share of the processors is somebody else's."""
PAGE = resource.getpagesize()


def machine() -> str:
    """How many processors there are, and how busy they were in the minute before; a busy machine measures badly."""
    busy, processors = os.getloadavg()[0], os.cpu_count() or 1
    told = f"{processors} processors, load {busy:.1f}"
    return told if busy < BUSY * processors else f"{told}: other programs run, so trust no seconds, and ratios little"


@dataclass(frozen=True)
class Measured:
    """What a command took.

    Attributes:
        began_s: When it was started, by the system's monotonic clock.
        ended_s: When it had ended.
        cpu_s: Processor time, user and system, of it and of every process that it started and waited for.
        peak_bytes: The most memory (resident set) that its processes had together, looked at 50 times a second; at
            least that of the largest of them, which the system keeps exactly.
        largest_bytes: The most that one of its processes had. For a command that is one process this is the figure: a
            child that it starts shares all of its pages until another program begins in it, and counts again above.
        code: Its exit code.
        out: What it printed.
        err: What it printed as errors.
    """

    began_s: float
    ended_s: float
    cpu_s: float
    peak_bytes: int
    largest_bytes: int
    code: int
    out: str
    err: str

    @property
    def wall_s(self) -> float:
        """Seconds from its start to its end."""
        return self.ended_s - self.began_s


class CommandFailedError(Exception):
    """A command that is to be measured did not do its work."""


def measure(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None, may_end_with: Sequence[int] = (0,)
) -> Measured:
    """Run a command and measure it; not from several threads at once.

    Args:
        command: The program and its arguments.
        cwd: Where it runs.
        env: Environment variables, beside those of this process.
        may_end_with: Its exit codes that are no failure.

    Raises:
        CommandFailedError: It ended with another exit code; its last words are told.
    """
    out, err = cwd / "measured.out", cwd / "measured.err"
    with out.open("wb") as out_file, err.open("wb") as err_file:
        began_s = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 - the commands that are compared
            command,
            cwd=cwd,
            env={**{name: value for name, value in os.environ.items() if name != NO_CACHE}, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out_file,
            stderr=err_file,
        )
        watch = _Watch(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        ended_s = time.monotonic()
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.end()
    measured = Measured(
        began_s,
        ended_s,
        used.ru_utime + used.ru_stime,
        max(watch.peak_bytes, used.ru_maxrss * KIB),
        used.ru_maxrss * KIB,
        process.returncode,
        out.read_text(encoding="utf-8", errors="replace"),
        err.read_text(encoding="utf-8", errors="replace"),
    )
    if measured.code not in may_end_with:
        said = "\n".join((measured.err or measured.out).strip().splitlines()[-15:])
        raise CommandFailedError(f"{' '.join(command)} ended with {measured.code}:\n{said}")
    return measured


class _Watch:
    """A thread that looks at the memory of a tree of processes."""

    def __init__(self, root: int) -> None:
        self.peak_bytes = 0
        self._root = root
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(LOOK_EVERY_S):
            self.peak_bytes = max(self.peak_bytes, sum(map(_resident_bytes, _tree(self._root))))


def _tree(root: int) -> list[int]:
    """A process and all below it, as far as the system tells (Linux)."""
    found = [root]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found.extend(map(int, children.read_text(encoding="ascii").split()))
            except OSError:  # it ended meanwhile
                continue
    return found


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, IndexError):  # it ended meanwhile, or the system has no such file
        return 0


def size_of(folder: Path, pattern: str = "**/*") -> int:
    """Bytes of all files below a folder whose path matches."""
    return sum(path.stat().st_size for path in folder.glob(pattern) if path.is_file())
