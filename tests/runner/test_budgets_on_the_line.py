"""Budgets from the command line: what the endpoint saw is never more than was allowed, and the same command goes on."""

from pathlib import Path

import pytest
from pydantic import JsonValue as Json

from .command_line import KEY, CommandLine
from .fault_server import Behaviour, Call, FaultServer, fails
from .test_cli import knows_capitals

FAST: Json = {"retries": 2, "first_wait_s": 0.001, "max_wait_s": 0.001}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return CommandLine(tmp_path, capsys, monkeypatch)


def every_third_fails(call: Call) -> Behaviour:
    return fails(503) if call.number % 3 == 0 else knows_capitals(call)


@pytest.mark.parametrize("concurrency", ["auto", 64])
def test_no_more_calls_reach_the_endpoint_than_allowed_and_the_same_command_goes_on(
    prt: CommandLine, concurrency: str | int
) -> None:
    with FaultServer(by=every_third_fails) as server:
        config = prt.config(
            server.base_url, model={"retry": FAST}, limits={"max_calls": 20, "concurrency": concurrency}
        )
        ended = prt("run", config)
        assert (ended.code, len(server.calls)) == (3, 20)
        assert "stopped: limits.max_calls allows 20 calls; the same command goes on" in ended.err
        assert "Resume with: prt run prt.yaml" in ended.err
        calls = [20]
        while ended.code == 3:
            ended = prt("run", config)
            calls.append(len(server.calls) - sum(calls))
            assert calls[-1] <= 20
    assert ended.code == 0
    answered = sum(call.number % 3 != 0 for call in server.calls)
    assert answered == 36, "each of 12 items under 3 conditions, once"


def test_tokens_and_cost_stop_a_run_and_are_said_at_its_end(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        config = prt.config(
            server.base_url,
            model={"params": {"temperature": 0, "max_tokens": 3}},
            limits={"max_cost": 0.002},
            prices={"input": 10.0, "output": 20.0},
        )
        ended = prt("run", config)
    assert ended.code == 3
    assert "stopped: limits.max_cost allows 0.002 USD, and another call could exceed that" in ended.err
    made = len(server.calls)
    assert 0 < made < 36
    assert f"{7 * made} tokens in, {3 * made} out, {made * 130e-6:.4g} USD" in ended.err
    assert made * 130e-6 <= 0.002


def test_a_cost_without_prices_is_refused_before_anything_is_called(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        ended = prt("run", prt.config(server.base_url, limits={"max_cost": 1.0}))
        assert server.calls == []
    assert ended.code == 2
    assert "`limits.max_cost` needs `prices`" in ended.err


def test_the_first_error_of_a_kind_is_shown_even_where_progress_is_not(prt: CommandLine) -> None:
    with FaultServer(by=every_third_fails) as server:
        ended = prt("run", "--quiet", prt.config(server.base_url))
    first, counts = (line for line in ended.err.splitlines() if "server" in line and "scripted failure" in line)
    assert first.startswith("first server, ")
    assert counts.startswith("server: 12 cells without a result, the first ")
