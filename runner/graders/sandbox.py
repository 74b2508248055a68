"""Running a reply's code in a process of its own, with limits, and without what code has no need of."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ..errors import GraderError

Protection = Literal["time", "memory", "processes", "network", "files"]
PROTECTIONS: dict[Protection, str] = {
    "time": "running on",
    "memory": "taking all memory",
    "processes": "starting and disturbing processes",
    "network": "the network",
    "files": "writing files outside of a temporary folder",
}
"""What code may be kept from, in words that follow "kept from"."""
_START_S = 5.0
"""Seconds that the process may take besides the code's own limit, to start and to end on a busy machine."""
_MOST_READ = 1 << 16
_TIMED_OUT = {-signal.SIGALRM, -signal.SIGXCPU} if os.name == "posix" else set[int]()


class SandboxError(Exception):
    """The process could not be started, or ended before it ran the code; the text says how."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be run.

    Attributes:
        blocks: The blocks of code of a reply.
        fenced: Whether they were fenced off; else there is one, the whole reply, which may be no code at all.
        stub: Code that the reply goes on from; empty where there is none.
        entry_point: The name that the code must define; empty where any code will do.
        tests: Programs that raise where the code is wrong, run after it in its module.
        time_limit_s: Seconds that it may run.
        memory_limit_mb: Memory that it may take, in MiB.
    """

    blocks: tuple[str, ...]
    fenced: bool
    stub: str
    entry_point: str
    tests: tuple[str, ...]
    time_limit_s: float
    memory_limit_mb: int


_TRIAL = Job(("pass",), fenced=True, stub="", entry_point="", tests=("pass",), time_limit_s=5.0, memory_limit_mb=1024)


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a job.

    Attributes:
        block: The number of the block that was run; None where none could be told.
        error: What was raised, or how it ended otherwise; why no block could be told; empty where all tests passed.
        kind: `passed`, an exception's name, `time limit`, `ended`; empty where nothing was run.
        held: What the code was kept from.
    """

    block: int | None
    error: str
    kind: str
    held: frozenset[Protection]


@lru_cache(maxsize=4096)
def run_job(job: Job) -> Ran:
    """Run a reply's code and its tests; equal jobs are run once in a process.

    Raises:
        SandboxError: The process did not come to run the code.
    """
    folder = tempfile.mkdtemp(prefix="prt-code-")
    try:
        code, told = _run(job, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not told:
        raise SandboxError(f"the process for the code ended before it ran it ({_ending(code)})")
    held: frozenset[Protection] = frozenset(told[0]["held"])
    if told[0]["reason"]:
        return Ran(None, told[0]["reason"], "", held)
    error, kind = _outcome(code, told, job.time_limit_s)
    return Ran(told[0]["block"], error, kind, held)


def _run(job: Job, folder: str) -> tuple[int | None, list[dict[str, Any]]]:
    """Start the process, wait for it, and read what it told; the exit code is None where it had to be killed."""
    token = secrets.token_hex(16)
    given = json.dumps({**asdict(job), "folder": folder, "token": token}).encode()
    reading, writing = os.pipe()
    try:
        child = Path(__file__).with_name("sandbox_child.py")
        process = subprocess.Popen(  # noqa: S603 - our own script under our own interpreter
            [sys.executable, "-s", "-P", "-B", str(child), str(writing)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            pass_fds=(writing,),
            start_new_session=True,
        )
        os.close(writing)
        writing = -1
        code = _waited(process, given, job.time_limit_s + _START_S)
        os.set_blocking(reading, False)  # nobody writes any more, or nobody may
        return code, _told(reading, token)
    except OSError as error:
        raise SandboxError(f"the process for the code could not be started: {error.strerror or error}") from error
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


def _waited(process: subprocess.Popen[bytes], given: bytes, limit_s: float) -> int | None:
    """Wait for the end of the process, and kill all of its group where that does not come."""
    try:
        process.communicate(given, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None
    except BrokenPipeError:  # it ended before it read the job
        process.wait()
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode


def _told(reading: int, token: str) -> list[dict[str, Any]]:
    """The lines that the process wrote before and after it ran the code; whatever else stands there is passed over."""
    told: list[dict[str, Any]] = []
    with suppress(BlockingIOError):
        for line in os.read(reading, _MOST_READ).splitlines():
            with suppress(ValueError):
                read = json.loads(line)
                if isinstance(read, dict) and read.get("token") == token:
                    told.append(read)
    return told


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours: keys and paths stay here. Hashes are the same each time, so that grades are."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return {"PATH": os.defpath, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **threads}


def _outcome(code: int | None, told: list[dict[str, Any]], limit_s: float) -> tuple[str, str]:
    if len(told) > 1:
        error = str(told[1]["error"])
        return error, error.partition(":")[0] if error else "passed"
    if code is None or code in _TIMED_OUT:
        return f"it took longer than {limit_s:g} s", "time limit"
    return f"it ended the process before its tests were done ({_ending(code)})", "ended"


def _ending(code: int | None) -> str:
    if code is None:
        return "it hung"
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


@lru_cache(maxsize=1)
def protections() -> frozenset[Protection]:
    """What code is kept from on this machine.

    Raises:
        GraderError: No code can be run here.
    """
    if os.name != "posix":
        raise GraderError(
            "the grader 'code' runs on Linux and macOS alone, since Windows has no limits for what it runs; use WSL or "
            "a container"
        )
    try:
        return run_job(_TRIAL).held
    except SandboxError as error:
        raise GraderError(f"the grader 'code' can't run code on this machine: {error}") from error
