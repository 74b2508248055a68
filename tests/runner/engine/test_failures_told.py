"""Telling of cells without a result: the first of each kind at once, then the counts."""

from dataclasses import replace

from prt.runner.config.limits import PricesConfig
from prt.runner.engine.failures_told import FailuresTold
from prt.runner.engine.spent import spent
from prt.runner.engine.summary import CellDone, RunSummary
from prt.runner.records import ErrorKind, Grade, Reply, ReplyError

from ..run_fakes import graded, make_world

CELLS = make_world(4, 1).cells()


def failed(at: int, kind: ErrorKind, message: str) -> CellDone:
    return CellDone(CELLS[at], Grade(None, "error", reason=message), Reply(error=ReplyError(kind, message)))


def test_the_first_of_each_kind_is_told_at_once_and_the_counts_at_the_end() -> None:
    lines: list[str] = []
    told = FailuresTold(lines.append)
    told.add(failed(0, "timeout", "no answer within 5 s"))
    told.add(failed(1, "timeout", "no answer within 5 s"))
    told.add(failed(2, "bad_request", "400: context too long"))
    told.add(CellDone(CELLS[3], graded("3", passed=True), Reply(text="3")))
    told.add(CellDone(CELLS[4], Grade(None, "judge_error", reason="check raised KeyError: 'x'")))
    assert lines == [
        "first timeout, q0, baseline: no answer within 5 s",
        "first bad_request, q1, baseline: 400: context too long",
        "first judge_error, q2, baseline: check raised KeyError: 'x'",
    ]
    lines.clear()
    told.conclude()
    assert lines == [
        "timeout: 2 cells without a result, the first q0, baseline: no answer within 5 s",
        "bad_request: 1 cell without a result, the first q1, baseline: 400: context too long",
        "judge_error: 1 cell without a result, the first q2, baseline: check raised KeyError: 'x'",
    ]


def test_what_an_endpoint_says_does_not_steer_the_terminal() -> None:
    lines: list[str] = []
    FailuresTold(lines.append).add(failed(0, "server", "500: \x1b]0;title\x07"))
    assert "\x1b" not in lines[0]


def summary(*, calls: int, tokens: tuple[int, int], unanswered: int = 0, elapsed_s: float = 2.0) -> RunSummary:
    return RunSummary(
        state="complete",
        reason="",
        total=9,
        done=9,
        missing=0,
        by_status={},
        asked=9,
        reused=0,
        failed=0,
        calls=calls,
        unanswered=unanswered,
        prompt_tokens=tokens[0],
        completion_tokens=tokens[1],
        elapsed_s=elapsed_s,
    )


def test_a_run_says_at_its_end_what_it_took() -> None:
    prices = PricesConfig(input=0.15, output=0.6)
    assert spent(summary(calls=2000, tokens=(40_000, 2_000)), prices) == (
        "2,000 calls in 0:02 (1,000.0/s), 40,000 tokens in, 2,000 out, 0.0072 USD"
    )
    assert spent(summary(calls=1, tokens=(0, 0)), prices) == "1 call in 0:02 (30.0/min)"
    assert spent(summary(calls=371, unanswered=118, tokens=(0, 0)), None) == (
        "371 calls in 0:02 (185.5/s), 118 of them without an answer stored"
    )
    assert spent(summary(calls=0, tokens=(0, 0)), None) == ""
    partly = replace(summary(calls=2, tokens=(7, 3)), unsaid=1)
    assert spent(partly, None) == "2 calls in 0:02 (1.0/s), 7 tokens in, 3 out (1 answer without)"
