"""Beginning the night that is due: once, in its own environment, with a log that does not grow without bound."""

import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType

from ..errors import UsageError
from ..file_lock import HELD, try_lock
from .entry import Entry, read_entry
from .environment_file import PRIVATE, read_env_file, unprotected
from .nights import CUT_OFF, Known, read_known, to_begin, write_known

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Begun:
    """What `prt due` did.

    Attributes:
        entry: The schedule.
        code: Exit code of the night; None where none was begun.
        busy: Whether that is since one is still under way.
        known: What is known of the newest night; None where nothing is.
        warning: A sentence about the environment file; empty where all is well.
    """

    entry: Entry
    code: int | None
    busy: bool = False
    known: Known | None = None
    warning: str = ""


def state_file(schedule: Path) -> Path:
    """Where a schedule keeps what is known of its newest night."""
    return schedule.with_suffix(".state.json")


def begin_due(schedule: Path, *, now: Clock = utc_now) -> Begun:
    """Begin the night of a schedule that is due and not done, and wait for its end.

    Args:
        schedule: The file that `prt schedule` wrote.
        now: Tells the time.

    Raises:
        UsageError: The schedule or its environment file can't be used, or the log or the state can't be written.
    """
    entry, state = read_entry(schedule), state_file(schedule)
    try:
        with _alone(schedule.with_suffix(".lock")) as lock:
            if lock is None:
                return Begun(entry, None, busy=True, known=read_known(state))
            known = read_known(state)
            night = to_begin(entry.times, now(), known, tries=entry.tries)
            if night is None:
                if known is None:  # nights count from the first call on
                    write_known(state, Known(entry.times.last(now()), done=True))
                return Begun(entry, None, known=known)
            return _night(entry, night, state, now, lock)
    except OSError as error:
        raise UsageError(f"{error.filename or schedule}: it can't be used ({error.strerror})") from error


@contextmanager
def _alone(path: Path) -> Iterator[int | None]:
    """Hold the lock of a schedule, as the descriptor of its file; None where another process holds it."""
    with path.open("ab") as file:
        try:
            try_lock(file.fileno())
        except HELD:
            yield None
        else:
            yield file.fileno()


def _night(entry: Entry, night: Known, state: Path, now: Clock, lock: int) -> Begun:
    environment = read_env_file(entry.env_file)
    warning = unprotected(entry.env_file)
    write_known(state, night)  # before it begins, so that one that takes the machine down is not begun for ever
    with _log(entry) as log:
        log(f"--- {_moment(now())} night due {_moment(night.due)}, try {night.tries} of {entry.tries}")
        if warning:
            log(warning)
        code = _asked(entry, environment, log, lock)
        ended = night.ended_with(code, now(), tries=entry.tries)
        log(f"--- {_moment(now())} ended with {code}{'' if ended.done else '; the next check begins it again'}")
    write_known(state, ended)
    return Begun(entry, code, known=ended, warning=warning)


def _asked(entry: Entry, environment: dict[str, str], log: Callable[[str], None], lock: int) -> int:
    """Run the command of a night and log what it says; its exit code, with 128 added to the signal that ended it."""
    night = subprocess.Popen(  # noqa: S603 - what the user scheduled
        entry.command,
        cwd=entry.folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
        start_new_session=True,  # so that Ctrl-C reaches it once: by this process, which passes it on
        # The lock goes on while the night does, even if this process is killed.
        pass_fds=() if sys.platform == "win32" else (lock,),
    )
    with night, _passed_on(night):
        for line in night.stdout or ():
            log(line.rstrip("\n"))
        code = night.wait()
    return CUT_OFF - code if code < 0 else code


@contextmanager
def _passed_on(night: "subprocess.Popen[str]") -> Iterator[None]:
    """Let what stops this process stop the night, which waits for its calls in flight, stores what came and says so."""

    def stop(signum: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            if sys.platform == "win32":
                night.terminate()  # the only way there to stop a process that is no console's
            else:
                night.send_signal(signum)

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Log(RotatingFileHandler):
    """A log that is put aside once it is long; the oldest of those is removed. What can't be written is said once."""

    lost = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """A night goes on without its log."""
        del record
        if not self.lost:
            self.lost = True
            sys.stderr.write(f"prt: {self.baseFilename}: the log can't be written ({sys.exception()})\n")


@contextmanager
def _log(entry: Entry) -> Iterator[Callable[[str], None]]:
    if not entry.log.exists():
        entry.log.touch(mode=PRIVATE)
    handler = _Log(
        entry.log, maxBytes=entry.log_bytes, backupCount=entry.logs_kept, encoding="utf-8", errors="backslashreplace"
    )
    try:
        yield lambda line: handler.emit(logging.makeLogRecord({"msg": line}))
    finally:
        handler.close()


def _moment(moment: datetime) -> str:
    return moment.astimezone().isoformat(sep=" ", timespec="seconds")
