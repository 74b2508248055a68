"""The number of calls that reach an endpoint: one and the retries for each cell, by the kind of error, and no more."""

from pathlib import Path

import pytest

from .command_line import KEY, CommandLine
from .fault_server import (
    Behaviour,
    FaultServer,
    answers,
    fails,
    has_choices,
    is_cut_off,
    is_filtered,
    is_malformed,
    refuses_prompt,
    resets,
    shows_a_page,
    stalls,
    waits,
)
from .faults import PassingTime, stored

ITEMS, CELLS = 2, 6
ASKED_AGAIN: dict[str, tuple[str, Behaviour]] = {
    "408": ("timeout", fails(408)),
    "no answer in time": ("timeout", stalls()),
    "dropped": ("connection", resets()),
    "429": ("rate_limit", fails(429)),
    "429 and Retry-After": ("rate_limit", fails(429, headers={"Retry-After": "54"})),
    "500": ("server", fails(500)),
    "502 with a page": ("server", shows_a_page(502)),
    "503": ("server", fails(503)),
    "malformed": ("bad_response", is_malformed()),
    "choices: null": ("bad_response", has_choices(None)),
}
ASKED_ONCE: dict[str, tuple[str, Behaviour]] = {
    "400": ("bad_request", fails(400)),
    "413": ("bad_request", fails(413)),
    "422": ("bad_request", fails(422)),
    "redirection": ("bad_request", fails(307, headers={"Location": "/elsewhere"})),
    "parameter not taken": ("bad_request", fails(400, code="unsupported_parameter", param="temperature")),
    "429 and Retry-After beyond all time": ("rate_limit", fails(429, headers={"Retry-After": "601"})),
}
ANSWERS: dict[str, Behaviour] = {
    "answer": answers("A"),
    "late answer": waits(0.05, answers("A")),
    "empty answer": answers(""),
    "cut off": is_cut_off(),
    "filtered": is_filtered(),
    "prompt filtered": refuses_prompt(),
}
ENDS_THE_RUN: dict[str, Behaviour] = {
    "insufficient_quota": fails(429, code="insufficient_quota"),
    "402": fails(402),
    "bad key": fails(401),
    "no right": fails(403),
    "no such model": fails(404),
}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    PassingTime().passes_in(monkeypatch)
    return CommandLine(tmp_path, capsys, monkeypatch)


def calls_of(
    prt: CommandLine, behaviour: Behaviour, retries: int, *, concurrency: int = CELLS, timeout_s: float = 60
) -> tuple[int, int]:
    """Run against an endpoint that always behaves like this; the calls that it saw, and the exit code."""
    with FaultServer(behaviour) as server:
        config = prt.config(
            server.base_url,
            items=ITEMS,
            model={"timeout_s": timeout_s, "retry": {"retries": retries}},
            limits={"concurrency": concurrency, "give_up_after": None},
        )
        code = prt("run", config).code
        return len(server.calls), code


@pytest.mark.parametrize("retries", [0, 1, 3])
@pytest.mark.parametrize("name", ASKED_AGAIN)
def test_the_endpoint_sees_exactly_the_calls_that_the_retries_allow(prt: CommandLine, name: str, retries: int) -> None:
    kind, behaviour = ASKED_AGAIN[name]
    timeout_s = 0.5 if name == "no answer in time" else 60
    assert calls_of(prt, behaviour, retries, timeout_s=timeout_s) == (CELLS * (retries + 1), 3)
    results = stored(prt.folder / "prt.db").values()
    assert {(reply.error.kind if reply.error else None, reply.attempts) for reply in results} == {(kind, retries + 1)}


@pytest.mark.parametrize("name", ASKED_ONCE)
def test_what_asking_again_cannot_mend_is_one_call_whatever_the_retries(prt: CommandLine, name: str) -> None:
    kind, behaviour = ASKED_ONCE[name]
    assert calls_of(prt, behaviour, 3) == (CELLS, 3)
    results = stored(prt.folder / "prt.db").values()
    assert {(reply.error.kind if reply.error else None, reply.attempts) for reply in results} == {(kind, 1)}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_any_kind_is_one_call(prt: CommandLine, name: str) -> None:
    assert calls_of(prt, ANSWERS[name], 3) == (CELLS, 0)


@pytest.mark.parametrize("name", ENDS_THE_RUN)
def test_what_no_call_can_mend_is_asked_once_in_all(prt: CommandLine, name: str) -> None:
    assert calls_of(prt, ENDS_THE_RUN[name], 3, concurrency=1) == (1, 3)
