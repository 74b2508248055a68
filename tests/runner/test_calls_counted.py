"""The calls that a run says it made are those that the endpoint saw, and a dead endpoint sees few of them."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from .command_line import KEY, CommandLine, Ended
from .fault_server import Behaviour, Call, FaultServer, fails
from .faults import PassingTime
from .test_cli import knows_capitals


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    PassingTime().passes_in(monkeypatch)
    return CommandLine(tmp_path, capsys, monkeypatch)


def said(ended: Ended) -> tuple[int, int]:
    """Calls, and those without an answer, as the closing line has them."""
    line = re.search(r"([\d,]+) calls? in [^,]*(?:, ([\d,]+) of them without an answer stored)?", ended.err + ended.out)
    assert line is not None, ended.err
    calls, unanswered = (int((text or "0").replace(",", "")) for text in line.groups())
    return calls, unanswered


@pytest.mark.parametrize("behaviour", [fails(500), fails(401), fails(429, code="insufficient_quota")])
def test_a_run_that_is_stopped_counts_the_calls_that_never_came_to_an_end(
    prt: CommandLine, behaviour: Behaviour
) -> None:
    with FaultServer(behaviour) as server:
        ended = prt("run", prt.config(server.base_url, items=27, model={"retry": {"retries": 1}}))
        assert ended.code == 3
        assert said(ended) == (len(server.calls), len(server.calls))


def test_calls_that_a_retry_made_good_are_counted_as_those_without_an_answer(prt: CommandLine) -> None:
    def fails_at_first(call: Call) -> Behaviour:
        return fails(503) if call.number <= 3 else knows_capitals(call)

    with FaultServer(by=fails_at_first) as server:
        ended = prt("run", prt.config(server.base_url, items=4, model={"retry": {"retries": 2}}))
        assert ended.code == 0
        assert said(ended) == (len(server.calls), 3) == (15, 3)


@pytest.mark.parametrize("limits", [{}, {"concurrency": 12}])
def test_a_dead_endpoint_is_not_sent_new_cells_while_the_first_are_asked_again(
    prt: CommandLine, limits: Mapping[str, int]
) -> None:
    in_flight, retries, enough = limits.get("concurrency", 8), 4, 5
    with FaultServer(fails(500)) as server:
        ended = prt("run", prt.config(server.base_url, items=667, model={"retry": {}}, limits={**limits}))
        assert ended.code == 3
        assert said(ended)[0] == len(server.calls)
        assert len({call.body for call in server.calls}) <= in_flight + enough - 1
        assert len(server.calls) <= (in_flight + enough - 1) * (retries + 1)


def test_an_endpoint_that_wakes_up_while_cells_are_held_back_is_asked_all(prt: CommandLine) -> None:
    def wakes(call: Call) -> Behaviour:
        return fails(503) if call.number <= 20 else knows_capitals(call)

    with FaultServer(by=wakes) as server:
        assert prt("run", prt.config(server.base_url, items=20, model={"retry": {}})).code == 0
        assert len(server.calls) == 80
