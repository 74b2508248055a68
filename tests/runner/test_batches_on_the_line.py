"""Batches from the command line: run, interrupt or kill, collect, cancel; nothing is paid twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import JsonValue as Json

from .batch_server import BatchServer, Line, Plan, answered, not_reached, prompt_of
from .command_line import CAPITALS, KEY, CommandLine
from .fault_server import fails

UNENDING = Plan(steps=["in_progress"] * 1_000_000)


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return CommandLine(tmp_path, capsys, monkeypatch)


def knows_capitals(request: Line) -> Line:
    """The right city, by its name."""
    words = prompt_of(request)
    return answered(request, next((capital for country, capital in CAPITALS if country in words), "none of them"))


def half_reached(request: Line) -> Line:
    """An answer to every other request, by its key."""
    return knows_capitals(request) if request["custom_id"] < "8" else not_reached(request, "batch_cancelled")


def config_of(prt: CommandLine, server: BatchServer, *, mode: str = "batch", prices: Json = None) -> str:
    """A config that is asked in batches, and looks after them all the time."""
    batch: Json = {"poll_s": 0.02} if mode == "batch" else None
    model: dict[str, Json] = {"mode": mode, "batch": batch, "params": {"temperature": 0, "max_tokens": 3}}
    return prt.config(server.base_url, model=model, prices=prices)


def started(folder: Path, config: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "prt.runner", "run", config],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_looked_at(server: BatchServer) -> None:
    """Wait until a batch is under way."""
    ends = time.monotonic() + 60
    while not any(batch.looks for batch in server.batches.values()):
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_a_run_in_batches_ends_as_any_other_and_says_what_it_took_at_their_prices(prt: CommandLine) -> None:
    with BatchServer(plans=[Plan(answer=knows_capitals)]) as server:
        prices: Json = {"input": 10.0, "output": 20.0, "batch": {"input": 5.0, "output": 10.0}}
        config = config_of(prt, server, prices=prices)
        planned = prt("plan", "--json", config)
        ended = prt("run", config)
    assert ended.code == 0
    assert "sent, 36 requests (" in ended.err
    assert "completed, 36 of 36 requests answered" in ended.err
    assert f"252 tokens in, 108 out, {36 * 65e-6:.4g} USD" in ended.err
    assert planned.json["expense"]["cost"] < 36 * 200 * 5e-6
    assert len(set(server.asked())) == len(server.asked()) == 36


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_a_command_that_is_stopped_leaves_its_batch_and_the_same_command_collects_it(
    prt: CommandLine, signum: signal.Signals
) -> None:
    with BatchServer(plans=[UNENDING]) as server:
        config = config_of(prt, server)
        process = started(prt.folder, config)
        until_looked_at(server)
        process.send_signal(signum)
        _, err = process.communicate(timeout=60)
        ((batch, made),) = server.batches.items()
        if signum == signal.SIGINT:
            assert process.returncode == 3
            assert f"it was interrupted; 1 batch goes on at the endpoint ({batch}): the same command collects" in err
            assert f"Resume with: prt run {config}" in err
        made.plan = Plan(answer=knows_capitals)
        ended = prt("run", config)
        assert (ended.code, len(server.batches), server.count("POST", "/files")) == (0, 1, 1)
    assert f"{batch}: found again, 36 requests" in ended.err


def stopped_under_way(prt: CommandLine, server: BatchServer) -> None:
    """Leave a batch under way, as a command does that its endpoint fails."""
    server.plans = [UNENDING]
    server.before = lambda call: fails(503) if "batch_" in call.path else None
    ended = prt("run", config_of(prt, server))
    assert ended.code == 3
    assert "1 batch goes on at the endpoint" in ended.err
    server.before = lambda _: None


def test_calls_do_not_pay_again_for_what_a_batch_is_answering(prt: CommandLine) -> None:
    with BatchServer() as server:
        stopped_under_way(prt, server)
        calls = len(server.calls)
        ended = prt("run", config_of(prt, server, mode="calls"))
        assert ended.code == 2
        assert "1 batch with 36 requests may be under way at the endpoint" in ended.err
        assert len(server.calls) == calls
        assert "running" not in prt("runs").out


def test_cancelling_ends_with_3_and_the_same_command_asks_anew(prt: CommandLine) -> None:
    with BatchServer() as server:
        stopped_under_way(prt, server)
        (made,) = server.batches.values()
        made.plan = Plan(answer=half_reached)
        ended = prt("run", config_of(prt, server), "--cancel")
        assert (ended.code, made.cancelled) == (3, True)
        assert "stopped: no batch is under way any more, as `--cancel` asked" in ended.err
        server.plans = [Plan(), Plan(answer=knows_capitals)]
        assert prt("run", config_of(prt, server)).code == 0
    first, second = ({line["custom_id"] for line in lines} for lines in server.requests())
    assert second < first


def test_cancelling_is_refused_where_there_are_no_batches(prt: CommandLine) -> None:
    with BatchServer() as server:
        ended = prt("run", config_of(prt, server, mode="calls"), "--cancel")
        assert (ended.code, server.calls) == (2, [])
    assert "--cancel is for batches" in ended.err


def test_a_missing_key_is_told_before_anything_is_called(prt: CommandLine) -> None:
    prt.monkeypatch.delenv("OPENAI_API_KEY")
    with BatchServer() as server:
        ended = prt("run", config_of(prt, server))
        assert (ended.code, server.calls) == (2, [])
    assert "the environment variable OPENAI_API_KEY is not set" in ended.err


def test_the_key_is_in_no_file_and_no_output(prt: CommandLine) -> None:
    def repeats_the_key(request: Line) -> Line:
        return answered(request, f"your key is {KEY}")

    with BatchServer(plans=[Plan(answer=repeats_the_key)]) as server:
        ended = prt("run", config_of(prt, server), "--log-file", "log.jsonl", "-v")
    assert ended.code == 0
    assert KEY not in ended.out + ended.err
    for path in prt.folder.iterdir():
        assert KEY.encode() not in path.read_bytes(), path
