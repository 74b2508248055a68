"""Running: every cell is asked, graded and stored once, and what is stored is never asked again."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prt.runner.analysis import analyse_run
from prt.runner.engine.chunks import CHUNK
from prt.runner.engine.running import run_cells
from prt.runner.engine.stopping import Stop
from prt.runner.engine.work import UNSAVED_AT_MOST
from prt.runner.records import AnswerKey, Cell, Grade, Reply, ReplyError, Request
from prt.runner.store.read import load_run

from ..run_fakes import (
    Bench,
    FakeGrader,
    FakeModel,
    equals_gold,
    graded,
    make_variant,
    make_world,
    number_in,
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


async def broken(_request: Request) -> Reply:
    return Reply(error=ReplyError("server", "503 after 5 attempts"), attempts=5)


def test_every_cell_is_asked_once_graded_and_stored(bench: Bench) -> None:
    model = FakeModel()
    summary = bench.run(model)
    assert Counter(model.asked_cells()) == Counter((cell.item_id, cell.condition, 0) for cell in bench.world.cells())
    assert (summary.state, summary.reason, summary.complete) == ("complete", "", True)
    assert (summary.total, summary.done, summary.missing, summary.asked, summary.reused) == (8, 8, 0, 8, 0)
    assert summary.by_status == {"graded": 8}
    assert (summary.prompt_tokens, summary.completion_tokens) == (40, 8)
    stored = bench.results()
    assert stored["q3", "baseline", 0].reply == Reply(text="3", model="m-1", prompt_tokens=5, completion_tokens=1)
    assert stored["q3", "baseline", 0].grade == graded("3", passed=True)
    assert stored["q3", "typo.1", 0].grade == graded("?", passed=False)


def test_a_request_carries_the_messages_and_says_which_cell_it_is(bench: Bench) -> None:
    bench.world = make_world(1, 1, repeats=2)
    model = FakeModel()
    bench.run(model, concurrency=1)
    planned = {(cell.item_id, cell.condition, cell.repeat): cell.messages for cell in bench.world.cells()}
    assert {(r.item_id, r.condition, r.repeat): r.messages for r in model.asked} == planned


def test_the_same_command_again_asks_nothing_and_changes_nothing(bench: Bench) -> None:
    bench.run(FakeModel())
    before = bench.results()
    again = FakeModel()
    summary = bench.run(again)
    assert again.asked == []
    assert (summary.state, summary.asked, summary.reused, summary.prompt_tokens) == ("complete", 0, 8, 0)
    assert bench.results() == before


def test_a_run_resumes_under_its_own_id(bench: Bench) -> None:
    with bench.open() as store:
        assert bench.begin(store).id == bench.begin(store).id


def test_errors_are_data_and_are_asked_again_while_answers_are_not(bench: Bench) -> None:
    async def flaky(request: Request) -> Reply:
        return await (broken if request.item_id == "q1" else number_in)(request)

    first = bench.run(FakeModel(flaky))
    assert (first.state, first.failed, first.missing) == ("incomplete", 2, 2)
    assert first.by_status == {"graded": 6, "error": 2}
    assert bench.results()["q1", "baseline", 0].reply.error == ReplyError("server", "503 after 5 attempts")

    model = FakeModel()
    second = bench.run(model)
    assert sorted(model.asked_cells()) == [("q1", "baseline", 0), ("q1", "typo.1", 0)]
    assert (second.state, second.failed, second.missing, second.reused) == ("complete", 0, 0, 6)
    assert bench.results()["q1", "baseline", 0].grade == graded("1", passed=True)


def test_an_error_that_recurs_stays_the_cells_current_reply(bench: Bench) -> None:
    bench.run(FakeModel(broken))
    summary = bench.run(FakeModel(broken))
    assert (summary.asked, summary.failed, summary.missing) == (8, 8, 8)
    assert {row.reply.attempts for row in bench.results().values()} == {5}


@pytest.mark.parametrize(
    ("allowed", "state"), [(None, "incomplete"), (0.24, "incomplete"), (0.25, "complete"), (1.0, "complete")]
)
def test_a_run_is_complete_when_no_more_cells_lack_a_result_than_allowed(
    bench: Bench, allowed: float | None, state: str
) -> None:
    async def flaky(request: Request) -> Reply:
        return await (broken if request.item_id == "q3" else number_in)(request)

    summary = bench.run(FakeModel(flaky), max_error_rate=allowed)
    assert summary.state == state
    assert (summary.reason == "") == (state == "complete")
    with bench.open() as store:
        record = load_run(store, "latest").record
    assert (record.state, record.reason) == (summary.state, summary.reason)


def test_cells_of_equal_key_share_one_reply(bench: Bench) -> None:
    bench.world = make_world(25, 3, same=True)
    model = FakeModel()
    summary = bench.run(model)
    assert len(model.asked) == 1
    assert (summary.done, summary.asked, summary.reused) == (100, 1, 99)
    stored = bench.results()
    assert len(stored) == 100
    assert sum(bool(row.grade and row.grade.passed) for row in stored.values()) == 4, (
        "each cell is graded by its own gold"
    )


@pytest.mark.parametrize("items", [1, 200, 201, 401])
def test_each_distinct_key_is_asked_once_wherever_the_chunks_end(bench: Bench, items: int) -> None:
    bench.world = make_world(items, 0)
    doubled = [*bench.world.cells(), *bench.world.cells()]
    model = FakeModel()
    with bench.open() as store:
        run = bench.begin(store)
        asyncio.run(
            run_cells(
                doubled,
                model=model,
                grader=FakeGrader(),
                store=store,
                run=run,
                total=len(doubled),
                concurrency=16,
                stop=Stop(),
            )
        )
    assert Counter(model.asked_cells()).most_common(1)[0][1] == 1
    assert len(model.asked) == items == len(bench.results())


def test_a_reply_of_another_run_serves_an_equal_cell(bench: Bench) -> None:
    bench.run(FakeModel(), name="monday")
    model = FakeModel()
    summary = bench.run(model, name="tuesday")
    assert (model.asked, summary.reused) == ([], 8)
    assert bench.results("tuesday") == bench.results("monday")


def test_a_changed_word_costs_exactly_its_own_calls(bench: Bench) -> None:
    bench.run(FakeModel())
    variants = dict(bench.world.variants)
    variants["q2"] = [variants["q2"][0], make_variant(bench.world.items[2], "typo.1", "What si 2?")]
    bench.world = replace(bench.world, variants=variants)
    model = FakeModel()
    bench.run(model)
    assert model.asked_cells() == [("q2", "typo.1", 0)]


def test_a_fresh_run_uses_only_replies_of_its_own(bench: Bench) -> None:
    bench.run(FakeModel())

    async def fails_late(request: Request) -> Reply:
        return await (broken if request.item_id == "q3" else number_in)(request)

    fresh = FakeModel(fails_late)
    assert bench.run(fresh, fresh=True).asked == 8
    resumed = FakeModel()
    summary = bench.run(resumed)
    assert sorted(resumed.asked_cells()) == [("q3", "baseline", 0), ("q3", "typo.1", 0)], "resumed as fresh as it began"
    assert summary.reused == 6


def test_another_grader_grades_the_stored_replies_without_a_call(bench: Bench) -> None:
    bench.run(FakeModel())
    lenient = FakeGrader(lambda _reply, _key: graded("x", passed=True), note="lenient")
    model = FakeModel()
    summary = bench.run(model, grader=lenient)
    assert (model.asked, summary.by_status) == ([], {"graded": 8})
    assert all(row.grade == graded("x", passed=True) for row in bench.results().values())
    bench.run(model)
    assert sum(bool(row.grade and row.grade.passed) for row in bench.results().values()) == 4, (
        "the first grades were kept"
    )
    assert model.asked == []


def test_what_no_judge_could_grade_is_graded_again_without_a_call(bench: Bench) -> None:
    def unsure(reply: Reply, key: AnswerKey) -> Grade:
        return Grade(None, "judge_error", reason="no verdict") if key.item.id == "q0" else equals_gold(reply, key)

    first = bench.run(FakeModel(), grader=FakeGrader(unsure))
    assert (first.state, first.missing, first.failed) == ("incomplete", 2, 0)
    model = FakeModel()
    assert bench.run(model).state == "complete"
    assert model.asked == []


def test_calls_in_flight_never_exceed_the_concurrency(bench: Bench) -> None:
    bench.world = make_world(40, 1)
    flying, most = 0, 0

    async def slow(request: Request) -> Reply:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        for _ in range(3):
            await asyncio.sleep(0)
        flying -= 1
        return await number_in(request)

    bench.run(FakeModel(slow), concurrency=5)
    assert most == 5


def test_cells_are_made_as_they_are_needed(bench: Bench) -> None:
    bench.world = make_world(4000, 0)
    made = 0
    ahead: list[int] = []

    def counted() -> Iterator[Cell]:
        nonlocal made
        for cell in bench.world.cells():
            made += 1
            yield cell

    with bench.open() as store:
        asyncio.run(
            run_cells(
                counted(),
                model=FakeModel(),
                grader=FakeGrader(),
                store=store,
                run=bench.begin(store),
                total=4000,
                concurrency=32,
                stop=Stop(),
                on_done=lambda _: ahead.append(made - len(ahead)),
            )
        )
    assert len(ahead) == 4000
    assert max(ahead) <= 2 * CHUNK + 32 + 3 * UNSAVED_AT_MOST


def test_each_cell_is_announced_once_when_it_is_on_the_disk(bench: Bench) -> None:
    with bench.open() as store, bench.open() as reader:
        seen: list[tuple[int, int]] = []

        def look(_done: object) -> None:
            on_disk = sum(1 for _ in load_run(reader, "latest").graded_cells())
            seen.append((len(seen) + 1, on_disk))

        asyncio.run(
            run_cells(
                bench.world.cells(),
                model=FakeModel(),
                grader=FakeGrader(),
                store=store,
                run=bench.begin(store),
                total=8,
                concurrency=3,
                stop=Stop(),
                on_done=look,
            )
        )
    assert len(seen) == 8
    assert all(on_disk >= announced for announced, on_disk in seen)


def test_an_empty_run_is_complete(bench: Bench) -> None:
    bench.world = make_world(0, 0)
    summary = bench.run(FakeModel())
    assert (summary.state, summary.total, summary.done) == ("complete", 0, 0)


def test_elapsed_time_is_by_the_clock_given(bench: Bench) -> None:
    ticks = iter([100.0, 107.5])
    with bench.open() as store:
        summary = asyncio.run(
            run_cells(
                bench.world.cells(),
                model=FakeModel(),
                grader=FakeGrader(),
                store=store,
                run=bench.begin(store),
                total=8,
                concurrency=2,
                stop=Stop(),
                clock=lambda: next(ticks),
            )
        )
    assert summary.elapsed_s == 7.5


class Adapting(FakeModel):
    """A model that was refused a parameter."""

    adaptations = ("m does not take the parameter seed: it is not sent",)


def test_what_a_model_was_refused_is_kept_with_the_run_also_when_it_goes_on(bench: Bench) -> None:
    bench.run(Adapting(broken))
    bench.run(FakeModel())
    with bench.open() as store:
        stored = load_run(store, "latest")
        assert stored.record.state == "complete"
        assert stored.record.environment["adaptations"] == [*Adapting.adaptations]
        assert analyse_run(stored).notes == ("By model.adapt: m does not take the parameter seed: it is not sent.",)
