"""Ctrl-C: the run stops at once, keeps what came, and says how to go on."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from prt.runner.commands.run import interruptible
from rich.console import Console

from .command_line import KEY, CommandLine
from .fault_server import Behaviour, Call, FaultServer, stalls
from .test_cli import knows_capitals


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return CommandLine(tmp_path, capsys, monkeypatch)


class Halting:
    """Answers the first calls, lets the others wait until told otherwise."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, call: Call) -> Behaviour:
        return knows_capitals(call) if call.number <= self.after else stalls()


def started(folder: Path, config: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "prt.runner", "run", config],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until(server: FaultServer, calls: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many calls have arrived."""
    while len(server.calls) < calls:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_came_and_the_same_command_does_the_rest(
    prt: CommandLine, signum: signal.Signals
) -> None:
    halting = Halting(after=10)
    with FaultServer(by=halting) as server:
        config = prt.config(server.base_url, model={"timeout_s": 60}, limits={"concurrency": 1})
        with started(prt.folder, config) as process:
            until(server, 11, process)
            process.send_signal(signum)
            out, err = process.communicate(timeout=30)
        assert process.returncode == 3
        assert "Resume with: prt run prt.yaml" in err
        assert "stopped" in out
        assert re.search(r"11 calls in .*, 1 of them without an answer stored", err)
        asked = [call.body for call in server.calls[:10]]
        halting.after = 1000
        assert prt("run", config).code == 0
        later = [call.body for call in server.calls[11:]]
    assert not set(asked) & set(later)
    assert len(later) == 26


def test_a_function_that_never_returns_does_not_hold_up_the_end(prt: CommandLine) -> None:
    config = prt.python_config(
        "import time\n\ndef answer(messages):\n    print('asked', flush=True)\n    while True: time.sleep(1)\n"
    )
    with started(prt.folder, config) as process:
        assert process.stderr
        assert "asked\n" in iter(process.stderr.readline, "")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "Resume with: prt run prt.yaml" in err


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (signal.SIGINT, signal.SIGINT, 130),
        (signal.SIGTERM, signal.SIGINT, 130),
        (signal.SIGINT, signal.SIGTERM, 143),
    ],
)
def test_the_first_signal_stops_and_the_second_leaves_at_once(
    monkeypatch: pytest.MonkeyPatch, first: signal.Signals, second: signal.Signals, code: int
) -> None:
    left: list[int] = []
    monkeypatch.setattr("os._exit", left.append)

    async def interrupted_twice() -> None:
        stop = asyncio.Event()
        with interruptible(stop, Console(file=StringIO())):
            signal.raise_signal(first)
            await asyncio.wait_for(stop.wait(), 10)
            assert left == []
            signal.raise_signal(second)

    before = signal.getsignal(signal.SIGTERM)
    asyncio.run(interrupted_twice())
    assert left == [code]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_second_process_is_refused_while_a_run_is_being_worked_on(prt: CommandLine) -> None:
    halting = Halting(after=10)
    with FaultServer(by=halting) as server:
        config = prt.config(server.base_url, model={"timeout_s": 60}, limits={"concurrency": 1})
        with started(prt.folder, config) as process:
            until(server, 11, process)
            refused = prt("run", config)
            assert refused.code == 2
            assert "is being worked on by another process" in refused.err
            assert len(server.calls) == 11
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        halting.after = 1000
        assert prt("run", config).code == 0
        assert len(server.calls) == 11 + 26
