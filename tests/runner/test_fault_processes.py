"""Faults of the process and the machine, each met by a whole `prt run` in a process of its own."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest
from prt.runner.commands.interrupting import TOGETHER_S

from .command_line import KEY, CommandLine
from .fault_server import Behaviour, Call, FaultServer, answers, stalls, waits
from .faults import ANSWERED_FIRST, Struck, answers_on_disk, check_rest, stored
from .test_cli import knows_capitals

LIMITED = """
import resource, sys
for limit in sys.argv.pop(1).split(","):
    name, _, most = limit.partition("=")
    resource.setrlimit(getattr(resource, name), (int(most), int(most)))
from prt.runner.cli import main
main()
"""
OPEN_FILES = 256
KEPT_FREE = 64
ROOM = 300_000
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these limits nor these signals")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def started(folder: Path, config: str, *, limits: str = "") -> subprocess.Popen[str]:
    """Start `prt run` in a process of its own, which may be under limits of the system."""
    program = ["-c", LIMITED, limits] if limits else ["-m", "prt.runner"]
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, *program, "run", config],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until a process has got somewhere; it must not have ended before."""
    ends = monotonic() + 30
    while not condition():
        assert process.poll() is None, process.communicate()
        assert monotonic() < ends
        sleep(0.01)


def test_more_calls_than_open_files_are_made_all_the_same(prt: CommandLine) -> None:
    with FaultServer(by=lambda call: waits(0.2, knows_capitals(call))) as server:
        config = prt.config(server.base_url, items=100, limits={"concurrency": 400})
        with started(prt.folder, config, limits=f"RLIMIT_NOFILE={OPEN_FILES}") as process:
            _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert 100 < server.most_at_once <= OPEN_FILES - KEPT_FREE
        assert len({call.body for call in server.calls}) == len(server.calls) == 300
    assert "192 calls in flight instead of 400: this system allows no more open files (ulimit -n)" in err
    assert answers_on_disk(prt.folder / "prt.db") == len(stored(prt.folder / "prt.db")) == 300


@pytest.mark.sqlite
def test_a_third_interrupt_leaves_at_once_and_what_was_stored_is_kept(prt: CommandLine) -> None:
    path = prt.folder / "prt.db"
    endpoint = Struck(stalls())
    with FaultServer(by=endpoint) as server:
        config = prt.config(server.base_url, items=4, model={"timeout_s": 60}, limits={"concurrency": 1})
        with started(prt.folder, config) as process:
            until(lambda: len(server.calls) > ANSWERED_FIRST, process)
            until(lambda: answers_on_disk(path) == ANSWERED_FIRST, process)
            # A store that another program holds keeps the second interrupt from ending the run.
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            assert process.stderr
            for said in ("Stopping: waiting for 1 call in flight, at most 10 s.", "Once more leaves at once."):
                process.send_signal(signal.SIGINT)
                assert any(said in line for line in process.stderr)
                sleep(TOGETHER_S)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
            holder.close()
        assert process.returncode == 130
        assert answers_on_disk(path) == ANSWERED_FIRST
        answered = list(endpoint.answered)
        endpoint.mended = True
        check_rest(prt, config, server, total=12, answered=answered)


@pytest.mark.sqlite
def test_a_disk_without_room_stops_the_run_and_the_same_command_does_the_rest(prt: CommandLine) -> None:
    path = prt.folder / "prt.db"
    with FaultServer(answers("A" + "\n" * 20_000)) as server:
        config = prt.config(server.base_url, items=20, limits={"concurrency": 2})
        with started(prt.folder, config, limits=f"RLIMIT_FSIZE={ROOM}") as process:
            _, err = process.communicate(timeout=60)
        assert process.returncode == 3, err
        verdict = next(line for line in err.splitlines() if line.startswith("stopped: "))
        assert "check the disk and its free space" in verdict or "free some space" in verdict
        kept = answers_on_disk(path)
        assert 0 < kept < 60
        before = len(server.calls)
        assert prt("run", config).code == 0
        assert len(server.calls) - before == 60 - kept, "exactly what is not in the store is asked"
    assert answers_on_disk(path) == len(stored(path)) == 60


def test_two_processes_write_into_one_store_and_neither_loses_anything(prt: CommandLine) -> None:
    def slowly(call: Call) -> Behaviour:
        return waits(0.01, knows_capitals(call))

    with FaultServer(by=slowly) as server:
        other = prt.config(server.base_url, items=20, name="other", model={"name": "other"})
        (prt.folder / other).rename(prt.folder / "other.yaml")
        config = prt.config(server.base_url, items=20, name="mine")
        with started(prt.folder, "other.yaml") as process:
            until(lambda: len(server.calls) > ANSWERED_FIRST, process)
            mine = prt("run", config)
            _, err = process.communicate(timeout=60)
        assert (mine.code, process.returncode) == (0, 0), (mine.err, err)
        models = [call.json["model"] for call in server.calls]
        assert (models.count("m"), models.count("other")) == (60, 60)
        assert len({call.body for call in server.calls}) == 120
        assert prt("run", "other.yaml").code == prt("run", config).code == 0
        assert len(server.calls) == 120
    assert answers_on_disk(prt.folder / "prt.db") == 120
