"""Giving up: calls that all fail end a run early, errors that are scattered among answers never do."""

from pathlib import Path

import pytest
from prt.runner.engine.giving_up import Failures
from prt.runner.engine.summary import verdict
from prt.runner.records import Cell, ErrorKind, Reply, ReplyError, Request

from ..run_fakes import Bench, FakeModel, make_world, number_in

CELLS = make_world(60, 4).cells()


def failed(kind: ErrorKind = "connection") -> Reply:
    return Reply(error=ReplyError(kind, f"{kind} it is."))


ANSWERED = Reply(text="1")


def failures_until_given_up(failures: Failures, cells: list[Cell], kind: ErrorKind = "connection") -> int | None:
    """How many of these failures it takes; None where all of them are borne."""
    return next((at for at, cell in enumerate(cells, 1) if failures.add(cell, failed(kind))), None)


@pytest.mark.parametrize("kind", ["connection", "timeout", "rate_limit", "server"])
def test_an_endpoint_that_answers_nothing_is_given_up_after_so_many_cells(kind: ErrorKind) -> None:
    assert failures_until_given_up(Failures(5), CELLS, kind) == 5


@pytest.mark.parametrize("kind", ["bad_request", "bad_response", "callable"])
def test_what_the_prompt_may_cause_counts_once_an_item(kind: ErrorKind) -> None:
    assert failures_until_given_up(Failures(5), CELLS, kind) == 4 * 5 + 1


def test_the_sentence_has_the_words_of_the_error_and_what_to_do() -> None:
    failures = Failures(2)
    assert failures.add(CELLS[0], failed()) is None
    sentence = failures.add(CELLS[1], failed())
    assert sentence is not None
    assert sentence.startswith("the first 2 calls failed: connection it is; mend that and run the same command")
    assert "limits.give_up_after" in sentence


def test_the_first_call_alone_can_be_enough() -> None:
    assert (Failures(1).add(CELLS[0], failed()) or "").startswith("the first call failed: ")


def test_errors_of_several_kinds_are_no_single_fault() -> None:
    failures = Failures(5)
    kinds: list[ErrorKind] = ["connection", "timeout", "rate_limit", "server"]
    assert [failures.add(cell, failed(kind)) for kind in kinds for cell in CELLS[:4]] == [None] * 16


def test_after_an_answer_four_times_as_many_in_a_row_are_needed() -> None:
    failures = Failures(5)
    assert failures.add(CELLS[0], ANSWERED) is None
    assert failures_until_given_up(failures, CELLS[1:20]) is None
    assert failures.add(CELLS[20], ANSWERED) is None
    assert failures_until_given_up(failures, CELLS[21:]) == 20


def test_an_outage_that_strikes_all_calls_in_flight_at_once_is_borne() -> None:
    failures = Failures(5, concurrency=32)
    failures.add(CELLS[0], ANSWERED)
    assert failures_until_given_up(failures, CELLS[1:]) == 64


def test_no_more_than_128_in_a_row_are_borne_however_many_are_in_flight() -> None:
    failures = Failures(5, concurrency=320)
    failures.add(CELLS[0], ANSWERED)
    assert failures_until_given_up(failures, CELLS[1:]) == 128


def test_prompts_that_are_refused_after_others_were_answered_are_borne() -> None:
    failures = Failures(5)
    failures.add(CELLS[0], ANSWERED)
    assert failures_until_given_up(failures, CELLS[1:], "bad_request") is None


def test_a_reply_that_was_there_already_says_nothing_of_the_endpoint(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(30, 1))

    async def first_ten(request: Request) -> Reply:
        return await (number_in if int(request.item_id[1:]) < 10 else dead)(request)

    bench.run(FakeModel(first_ten), concurrency=1)
    again = FakeModel(dead)
    assert bench.run(again, concurrency=1, give_up_after=5).reason.startswith("the first 5 calls failed: ")
    assert len(again.asked) == 5


def test_failures_that_the_config_tolerates_end_no_run() -> None:
    assert failures_until_given_up(Failures(5, max_error_rate=0.25, total=50), CELLS) == 13
    assert failures_until_given_up(Failures(None), CELLS) is None


async def dead(_: Request) -> Reply:
    return Reply(error=ReplyError("connection", "nobody listens there."))


def test_a_run_that_was_given_up_is_resumed_by_the_same_command(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(30, 1))
    model = FakeModel(dead)
    summary = bench.run(model, concurrency=4, give_up_after=5)
    assert (summary.state, summary.complete) == ("stopped", False)
    assert summary.reason.startswith("the first 5 calls failed: nobody listens there; ")
    assert len(model.asked) <= 5 + 2 * 4
    again = FakeModel()
    assert bench.run(again, give_up_after=5).state == "complete"
    assert len(again.asked) == bench.world.total


def test_a_run_that_was_complete_with_errors_stays_so_when_they_come_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(30, 1))

    async def refuses_eight(request: Request) -> Reply:
        return await (dead if int(request.item_id[1:]) < 4 else number_in)(request)

    for _ in range(2):
        summary = bench.run(FakeModel(refuses_eight), give_up_after=5, max_error_rate=0.2)
        assert (summary.state, summary.failed) == ("complete", 8)


@pytest.mark.parametrize("allowed", [0.0, 0.05])
def test_more_errors_than_the_config_allows_stop_the_run_with_the_reason(tmp_path: Path, allowed: float) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(300, 0))

    async def every_tenth_fails(request: Request) -> Reply:
        return await (dead if int(request.item_id[1:]) % 10 == 0 else number_in)(request)

    model = FakeModel(every_tenth_fails)
    summary = bench.run(model, concurrency=4, max_error_rate=allowed)
    failures = int(allowed * 300) + 1
    assert summary.state == "stopped"
    assert summary.reason == (
        f"{failures} of 300 cells have no result already, and limits.max_error_rate allows {allowed:.1%}"
    )
    assert len(model.asked) <= 10 * failures + 4, "calls in flight"
    again = FakeModel()
    assert bench.run(again).state == "complete"


def test_as_many_errors_as_the_config_allows_stop_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(40, 0))

    async def first_fails(request: Request) -> Reply:
        return await (dead if request.item_id == "q0" else number_in)(request)

    assert bench.run(FakeModel(first_fails), max_error_rate=1 / 40).state == "complete"


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        (None, "any cell without a result makes a run incomplete where limits.max_error_rate is not set"),
        (0.0, "limits.max_error_rate allows 0.0%"),
        (0.1, "limits.max_error_rate allows 10.0%"),
    ],
)
def test_an_incomplete_run_says_which_bound_was_set_or_that_none_was(allowed: float | None, said: str) -> None:
    state, reason = verdict(20, total=100, halted=None, max_error_rate=allowed)
    assert (state, reason) == ("incomplete", f"20 of 100 cells have no result (20.0%; {said})")
