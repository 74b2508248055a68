"""Many rows: in order, some at once, in batches, and none stopped by another."""

import asyncio
from collections.abc import Iterator

import pytest
from prt.perturbations.question import Question
from prt.runner.errors import BudgetSpentError
from prt.runner.problems import RowError
from prt.runner.scoring.result import Pair, RowParts, Scored
from prt.runner.scoring.rows import Line, Read, ScoreRow
from prt.runner.scoring.stream import INTERRUPTED, Score, score_rows

PARTS = RowParts(1.0, "", 1.0, (Pair("typo.1", "", "", 1.0, 1.0, 0.0),))


def reads(count: int, taken: list[int] | None = None) -> Iterator[Read]:
    for number in range(count):
        if taken is not None:
            taken.append(number)
        name = str(number)
        yield Read(Line(number + 1, number + 1, {}), name, ScoreRow(name, Question("?")))


def scored(
    score: Score, count: int = 20, *, stop: asyncio.Event | None = None, batch: int = 7, total: float = 60.0
) -> tuple[str, list[Scored]]:
    told: list[Scored] = []

    async def run() -> str:
        return await score_rows(
            reads(count),
            score,
            on_scored=told.append,
            stop=stop or asyncio.Event(),
            rows_at_once=4,
            batch_rows=batch,
            total_seconds=total,
        )

    return asyncio.run(run()), told


def test_rows_are_told_in_order_however_long_each_takes() -> None:
    async def score(row: ScoreRow) -> RowParts:
        for _ in range(10 * (int(row.id) % 3)):
            await asyncio.sleep(0)
        return PARTS

    reason, told = scored(score)
    assert reason == ""
    assert [each.id for each in told] == [str(number) for number in range(20)]


@pytest.mark.parametrize(("batch", "most"), [(7, 4), (3, 3), (5000, 4)])
def test_so_many_rows_are_scored_at_once_and_no_more(batch: int, most: int) -> None:
    now, peak = 0, 0

    async def score(row: ScoreRow) -> RowParts:  # noqa: ARG001 - any row
        nonlocal now, peak
        now += 1
        peak = max(peak, now)
        for _ in range(5):
            await asyncio.sleep(0)
        now -= 1
        return PARTS

    scored(score, batch=batch)
    assert peak == most


def test_one_bad_row_stops_no_other_not_even_by_a_mistake_of_prt() -> None:
    async def score(row: ScoreRow) -> RowParts:
        if row.id == "3":
            raise RowError("it is odd")
        if row.id == "4":
            raise KeyError("oops")
        return PARTS

    reason, told = scored(score)
    assert reason == ""
    assert {each.id: each.reason for each in told if each.reason} == {
        "3": "it is odd",
        "4": "prt failed at it: KeyError: 'oops'",
    }


def test_what_nothing_can_go_on_after_leaves_every_other_row_a_reason() -> None:
    async def score(row: ScoreRow) -> RowParts:
        if row.id == "5":
            raise BudgetSpentError("no money left")
        await asyncio.sleep(0)
        return PARTS

    reason, told = scored(score)
    assert reason == "no money left"
    assert [each.id for each in told] == [str(number) for number in range(20)]
    assert [each.reason for each in told[-5:]] == ["not scored: no money left"] * 5
    assert told[5].reason == "no money left"


def test_an_interrupt_ends_rows_under_way_and_keeps_those_that_are_done() -> None:
    stop = asyncio.Event()

    async def score(row: ScoreRow) -> RowParts:
        if row.id == "2":
            stop.set()
            await asyncio.Event().wait()
        return PARTS

    reason, told = scored(score, stop=stop)
    assert reason == INTERRUPTED
    assert [each.parts is not None for each in told[:2]] == [True, True]
    assert told[2].reason == f"not scored: {INTERRUPTED}"
    assert len(told) == 20


def test_the_time_is_that_of_all_rows_together() -> None:
    async def score(row: ScoreRow) -> RowParts:
        if row.id == "9":
            await asyncio.Event().wait()
        return PARTS

    reason, told = scored(score, total=0.05)
    assert reason == "the time for all rows, 0.05 s, is over"
    assert told[8].parts is not None
    assert told[9].reason == f"not scored: {reason}"
    assert len(told) == 20


def test_no_more_than_a_batch_is_read_ahead() -> None:
    taken: list[int] = []
    seen: list[int] = []

    async def score(row: ScoreRow) -> RowParts:
        seen.append(len(taken) - int(row.id))
        return PARTS

    async def run() -> None:
        await score_rows(
            reads(30, taken),
            score,
            on_scored=lambda _: None,
            stop=asyncio.Event(),
            rows_at_once=2,
            batch_rows=5,
            total_seconds=60,
        )

    asyncio.run(run())
    assert max(seen) == 5
