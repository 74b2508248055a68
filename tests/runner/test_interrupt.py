"""Ctrl-C: no further call is made, those in flight are waited for, what came is kept, and it says how to go on."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from prt.runner.commands.interrupting import TOGETHER_S, interruptible, waiting_for
from prt.runner.engine.stopping import Stop
from rich.console import Console

from .command_line import KEY, CommandLine
from .fault_server import Behaviour, Call, FaultServer, stalls, waits
from .faults import answers_on_disk
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


def waited_for(process: subprocess.Popen[str]) -> str:
    """What a process says that it waits for; by then the signal has come."""
    # What a function prints in another thread may stand before it in the line.
    return next(line for line in process.stderr or () if "Stopping: " in line)


def dropped(process: subprocess.Popen[str]) -> None:
    """Interrupt a process twice; by then it waits for nothing."""
    process.send_signal(signal.SIGINT)
    waited_for(process)
    sleep(TOGETHER_S)
    process.send_signal(signal.SIGINT)


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


@pytest.mark.parametrize(("signum", "grace_s"), [(signal.SIGINT, 10), (signal.SIGTERM, 5)])
def test_an_interrupt_waits_for_calls_in_flight_and_the_same_command_does_the_rest(
    prt: CommandLine, signum: signal.Signals, grace_s: int
) -> None:
    with FaultServer(by=lambda call: waits(1.0, knows_capitals(call))) as server:
        config = prt.config(server.base_url, limits={"concurrency": 12})
        with started(prt.folder, config) as process:
            until(server, 12, process)
            process.send_signal(signum)
            assert (
                waited_for(process)
                == f"Stopping: waiting for 12 calls in flight, at most {grace_s} s. Once more drops them.\n"
            )
            out, err = process.communicate(timeout=30)
        assert process.returncode == 3
        assert "Resume with: prt run prt.yaml" in err
        assert "stopped" in out
        assert "12 calls in " in err
        assert "without an answer" not in err
        assert answers_on_disk(prt.folder / "prt.db") == len(server.calls) == 12
        asked = {call.body for call in server.calls}
        assert prt("run", config).code == 0
        later = [call.body for call in server.calls[12:]]
    assert asked.isdisjoint(later)
    assert len(later) == 24


def test_a_second_interrupt_drops_the_calls_in_flight_and_keeps_what_came(prt: CommandLine) -> None:
    halting = Halting(after=10)
    with FaultServer(by=halting) as server:
        config = prt.config(server.base_url, model={"timeout_s": 60}, limits={"concurrency": 1})
        with started(prt.folder, config) as process:
            until(server, 11, process)
            dropped(process)
            out, err = process.communicate(timeout=9)
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
        dropped(process)
        _, err = process.communicate(timeout=9)
    assert process.returncode == 3
    assert "Resume with: prt run prt.yaml" in err


class Signals:
    """Signals to this process, a second apart unless told otherwise, while it can be interrupted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: list[int] = []
        self.seconds = 0.0
        self.told = StringIO()
        monkeypatch.setattr("os._exit", self.left.append)

    def send(self, signum: signal.Signals, *, later_s: float = 1.0) -> None:
        self.seconds += later_s
        signal.raise_signal(signum)

    def interrupting(self, scenario: Callable[[Stop], Awaitable[None]]) -> None:
        async def interrupted() -> None:
            console = Console(file=self.told, width=200)
            with interruptible(console, clock=lambda: self.seconds) as stop:
                await asyncio.wait_for(scenario(stop), 10)

        before = signal.getsignal(signal.SIGTERM)
        asyncio.run(interrupted())
        assert signal.getsignal(signal.SIGTERM) == before


@pytest.fixture
def signals(monkeypatch: pytest.MonkeyPatch) -> Signals:
    return Signals(monkeypatch)


@pytest.mark.parametrize(
    ("first", "second", "third", "code"),
    [
        (signal.SIGINT, signal.SIGINT, signal.SIGINT, 130),
        (signal.SIGTERM, signal.SIGTERM, signal.SIGINT, 130),
        (signal.SIGINT, signal.SIGINT, signal.SIGTERM, 143),
    ],
)
def test_the_first_signal_stops_the_second_drops_calls_and_the_third_leaves_at_once(
    signals: Signals, first: signal.Signals, second: signal.Signals, third: signal.Signals, code: int
) -> None:
    async def three_times(stop: Stop) -> None:
        stop.count(lambda: 3)
        signals.send(first)
        await stop.wait()
        assert not stop.dropped.is_set()
        signals.send(second)
        await stop.dropped.wait()
        assert signals.left == []
        signals.send(third)

    signals.interrupting(three_times)
    assert signals.left == [code]
    grace = "10 s" if first == signal.SIGINT else "5 s"
    assert signals.told.getvalue().splitlines() == [
        f"Stopping: waiting for 3 calls in flight, at most {grace}. Once more drops them.",
        "Nothing is waited for any longer; what came is kept. Once more leaves at once.",
    ]


def test_a_signal_that_reaches_the_process_twice_is_one(signals: Signals) -> None:
    async def twice(stop: Stop) -> None:
        signals.send(signal.SIGTERM)
        signals.send(signal.SIGTERM, later_s=TOGETHER_S / 2)
        await stop.wait()
        await asyncio.sleep(0)
        assert not stop.dropped.is_set()
        signals.send(signal.SIGTERM)
        await stop.dropped.wait()

    signals.interrupting(twice)
    assert signals.left == []


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        (0, "no call is in flight; what came is graded, for at most 10 s. Once more ends that."),
        (1, "waiting for 1 call in flight, at most 10 s. Once more drops it."),
        (2, "waiting for 2 calls in flight, at most 10 s. Once more drops them."),
    ],
)
def test_it_says_what_is_waited_for(calls: int, told: str) -> None:
    assert waiting_for(calls, 10.0) == f"Stopping: {told}"


class OneLineAtATime(StringIO):
    """A stream that refuses a line in the middle of another, as standard error does; a signal comes in its first."""

    def __init__(self) -> None:
        super().__init__()
        self.writing = False

    def write(self, text: str) -> int:
        if self.writing:
            raise RuntimeError("reentrant call inside a stream")
        self.writing = True
        if not self.getvalue():
            signal.raise_signal(signal.SIGINT)
        self.writing = False
        return super().write(text)


def test_a_signal_that_comes_while_a_line_is_printed_is_told_after_it() -> None:
    told = OneLineAtATime()

    async def interrupted() -> None:
        with interruptible(Console(file=told, width=200)) as stop:
            print("a call failed", file=told)
            await stop.wait()

    asyncio.run(interrupted())
    assert told.getvalue().splitlines()[0] == "a call failed"
    assert told.getvalue().splitlines()[1].startswith("Stopping: ")


def test_a_quiet_command_says_what_it_waits_for_too(signals: Signals, capsys: pytest.CaptureFixture[str]) -> None:
    async def interrupted() -> None:
        with interruptible(Console(quiet=True)) as stop:
            signals.send(signal.SIGINT)
            await stop.wait()

    asyncio.run(interrupted())
    assert capsys.readouterr().err.startswith("Stopping: no call is in flight")


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
            dropped(process)
            process.communicate(timeout=9)
        halting.after = 1000
        assert prt("run", config).code == 0
        assert len(server.calls) == 11 + 26
