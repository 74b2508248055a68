"""Which process works on a run, and whether it is still there, as far as that can be told from here.

The number of a process says little by itself: it means something else on another machine and in another container, and
is given again. So a process is known by where it runs and by when it began, too.
"""

import hashlib
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

PROC = Path("/proc")
PLACE_DIGITS = 12
RANDOM_NODE = 1 << 40
"""The bit of a network address that no card has; Python sets it where it found none and made one up."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process.

    Attributes:
        host: Its host, for people.
        pid: Its number.
        place: What tells the machine, its start and the container from others; empty where that is not known.
        started: When it began, by what the system counts from its own start; empty where that is not known.
    """

    host: str
    pid: int
    place: str = ""
    started: str = ""

    @classmethod
    def this(cls) -> Self:
        """The present process."""
        pid = os.getpid()
        return cls(socket.gethostname(), pid, place_here(), began(pid) or "")

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what `str` makes of a process."""
        name, _, rest = text.partition(" ")
        host, _, pid = name.rpartition(":")
        place, _, started = rest.partition(" ")
        return cls(host, int(pid) if pid.isdecimal() else 0, place, started)

    def __str__(self) -> str:
        """`host:123`, with what else it is known by."""
        return " ".join(part for part in (self.name, self.place, self.started) if part)

    @property
    def name(self) -> str:
        """`host:123`."""
        return f"{self.host}:{self.pid}"

    def is_there(self) -> bool | None:
        """Whether it still runs; None where that can't be told from here."""
        if not self.place or self.place != place_here():
            return None
        now = began(self.pid)
        if now is None:
            return False if is_free(self.pid) else None
        return now == self.started if self.started else None


@dataclass(frozen=True, slots=True)
class Watch:
    """How signs of life of other processes are waited for.

    Attributes:
        clock: Tells seconds that pass; never set back or forward.
        sleep: Waits so many seconds.
        tell: Told, in a sentence, of a wait.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = lambda _: None


def place_here() -> str:
    """What tells this machine since its start, and this container, from others; empty where nothing does."""
    if sys.platform == "win32":
        return ""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        known = f"{boot} {(PROC / 'self/ns/pid').readlink()}"
    except OSError:
        from uuid import getnode  # noqa: PLC0415 - not needed on Linux

        node = getnode()
        known = "" if node & RANDOM_NODE or sys.platform == "linux" else f"{node:x}"
    return hashlib.sha256(known.encode()).hexdigest()[:PLACE_DIGITS] if known else ""


def began(pid: int) -> str | None:
    """When a process began; None where it has ended or that is not known."""
    try:
        told = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name of the program, in parentheses, may hold anything.
    state, *others = told.rpartition(")")[2].split()
    return None if state in "ZX" else others[18]


def is_free(pid: int) -> bool:
    """Whether a number is that of no running process, or of one that has ended and is only not forgotten yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return (PROC / str(pid) / "stat").exists()
