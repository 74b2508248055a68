"""Results in the store: what is found before asking, which reply is a cell's current one, and what stays as history."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.plan import plan_cells
from prt.runner.records import Cell, Grade, Reply, ReplyError
from prt.runner.store.database import Store
from prt.runner.store.read import GradedCell, Machinery, StoredRun
from prt.runner.store.results import Known, NewReply, NewResult, StoredReply, add_results, cell_id, look_up, serves
from prt.runner.store.rows import replies
from prt.runner.store.runs import RunRecord
from pydantic import JsonValue as Json
from sqlalchemy import select, text

from ..run_fakes import IDENTITY, Bench, FakeGrader, graded, make_world

GOOD = Reply(text="4", prompt_tokens=9, completion_tokens=1)
BAD = Reply(error=ReplyError("timeout", "no answer in 600 s"), attempts=3)
RIGHT = graded("4", passed=True)
ERROR = Grade(None, "error", reason="no answer in 600 s")


@dataclass(frozen=True, slots=True)
class Desk:
    """An open store with a run in it."""

    bench: Bench
    store: Store
    run: RunRecord

    @property
    def cells(self) -> list[Cell]:
        return self.bench.world.cells()

    def add(self, cell: Cell, reply: Reply, grade: Grade | None = None, *, run: RunRecord | None = None) -> int:
        run = run or self.run
        (number,) = add_results(self.store, run, [NewReply(cell.key, reply)], [])
        if grade is not None:
            add_results(self.store, run, [], [NewResult(*cell_id(cell), number, grade)])
        return number

    def known(self, *cells: Cell, run: RunRecord | None = None) -> Known:
        return look_up(self.store, run or self.run, cells or self.cells)

    def read(self, run: RunRecord | None = None) -> StoredRun:
        return StoredRun(self.store, run or self.run)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    bench = Bench(tmp_path / "prt.db")
    with bench.open() as store:
        yield Desk(bench, store, bench.begin(store))


def test_a_new_run_knows_nothing(desk: Desk) -> None:
    assert desk.known() == Known(graded={}, replies={})
    assert look_up(desk.store, desk.run, []) == Known(graded={}, replies={})


def test_a_graded_answer_needs_nothing_more(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, GOOD, RIGHT)
    assert desk.known() == Known(graded={cell_id(cell): RIGHT}, replies={})


def test_a_reply_without_a_grade_is_found_by_its_key(desk: Desk) -> None:
    cell = desk.cells[0]
    number = desk.add(cell, GOOD)
    assert desk.known() == Known(graded={}, replies={cell.key: StoredReply(number, GOOD)})


def test_an_error_is_never_found(desk: Desk) -> None:
    desk.add(desk.cells[0], BAD, ERROR)
    desk.add(desk.cells[1], BAD)
    assert desk.known() == Known(graded={}, replies={})


def test_of_several_replies_to_a_key_the_newest_without_error_is_found(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, Reply(text="first"))
    second = desk.add(cell, Reply(text="second"))
    desk.add(cell, BAD)
    assert desk.known().replies == {cell.key: StoredReply(second, Reply(text="second"))}


def test_a_cells_own_reply_is_preferred_to_a_newer_one_of_another_run(desk: Desk) -> None:
    cell = desk.cells[0]
    own = desk.add(cell, Reply(text="own"), Grade(None, "judge_error"))
    desk.add(cell, Reply(text="newer"), run=desk.bench.begin(desk.store, fresh=True))
    assert desk.known().replies == {cell.key: StoredReply(own, Reply(text="own"))}


def test_a_fresh_run_finds_no_reply_of_another(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, GOOD, RIGHT)
    fresh = desk.bench.begin(desk.store, fresh=True)
    assert desk.known(run=fresh) == Known(graded={}, replies={})
    own = desk.add(cell, GOOD, run=fresh)
    assert desk.known(run=fresh).replies == {cell.key: StoredReply(own, GOOD)}


def test_a_cell_that_would_now_be_asked_otherwise_counts_as_not_asked(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, GOOD, RIGHT)
    world = desk.bench.world
    renamed = list(plan_cells(world.items, world.variants, identity={**IDENTITY, "name": "n"}))
    assert desk.known(*renamed) == Known(graded={}, replies={})


def test_the_grade_of_another_grader_leaves_the_reply_to_be_graded(desk: Desk) -> None:
    cell = desk.cells[0]
    number = desk.add(cell, GOOD, RIGHT)
    other = desk.bench.begin(desk.store, grader=FakeGrader(note="other"))
    assert desk.known(run=other) == Known(graded={}, replies={cell.key: StoredReply(number, GOOD)})


REFUSED = Reply(text="I can't help with that.", finish_reason="stop")
UNANSWERED = {
    "refused": (
        (Reply(refusal="No."), None),
        (Reply(text="No.", finish_reason="Content_Filter"), None),
        (REFUSED, Grade(False, "refused")),  # noqa: FBT003 - a record in its own order
    ),
    "truncated": ((Reply(text="The answer", finish_reason="length"), None),),
    "empty": ((Reply(), None), (Reply(text=" \n", reasoning="It is 4."), None)),
    "error": ((BAD, ERROR),),
}
CASES = [(kind, reply, grade) for kind, replies in UNANSWERED.items() for reply, grade in replies]


@pytest.mark.parametrize(("kind", "reply", "grade"), CASES)
def test_a_reply_that_answers_nothing_serves_another_run_only_where_that_asks_for_it(
    desk: Desk, kind: str, reply: Reply, grade: Grade | None
) -> None:
    cell = desk.cells[0]
    number = desk.add(cell, reply, grade)
    another = desk.bench.begin(desk.store, name="another")
    assert desk.known(run=another) == Known(graded={}, replies={})
    others: list[Json] = [other for other in UNANSWERED if other != kind]
    strict = desk.bench.begin(desk.store, name="strict", config={"reuse": others})
    assert desk.known(run=strict) == Known(graded={}, replies={})
    asking = desk.bench.begin(desk.store, name="asking", config={"reuse": [*others, kind]})
    assert desk.known(run=asking).replies == {cell.key: StoredReply(number, reply)}


@pytest.mark.parametrize(("kind", "reply", "grade"), CASES)
def test_a_run_keeps_its_own_replies_whatever_they_say_but_for_failed_calls(
    desk: Desk, kind: str, reply: Reply, grade: Grade | None
) -> None:
    graded_cell, other = desk.cells[:2]
    grade = grade or Grade(False, "unparsed")  # noqa: FBT003 - a record in its own order
    desk.add(graded_cell, reply, grade)
    number = desk.add(other, reply)
    kept = Known(graded={cell_id(graded_cell): grade}, replies={other.key: StoredReply(number, reply)})
    assert desk.known() == (Known(graded={}, replies={}) if kind == "error" else kept)
    again = desk.bench.begin(desk.store, config={"reuse": ["error"]})
    assert desk.known(run=again) == kept


def test_an_answer_serves_before_a_newer_failure_where_failures_are_reused_too(desk: Desk) -> None:
    cell = desk.cells[0]
    answered = desk.add(cell, GOOD)
    desk.add(cell, BAD)
    another = desk.bench.begin(desk.store, name="another", config={"reuse": ["error"]})
    assert desk.known(run=another).replies == {cell.key: StoredReply(answered, GOOD)}


@pytest.mark.sqlite
def test_the_look_for_refused_grades_reads_their_index_alone(desk: Desk) -> None:
    statement = select(replies.c.id).where(replies.c.cell_key.in_([b"a"]), serves(desk.run))
    with desk.store.reading() as connection:
        compiled = statement.compile(connection, compile_kwargs={"render_postcompile": True})
        values = tuple(compiled.params[name] for name in compiled.positiontup or ())
        plan = " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values))
    assert "ix_replies_cell_key" in plan
    assert "ix_grades_refused" in plan


def test_the_answer_takes_the_place_of_the_error_which_stays_as_history(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, BAD, ERROR)
    desk.add(cell, GOOD, RIGHT)
    (result,) = desk.read().results()
    assert (result.reply, result.grade) == (GOOD, RIGHT)
    with desk.store.reading() as connection:
        kinds = connection.execute(text("SELECT error_kind FROM replies ORDER BY id")).scalars().all()
    assert kinds == ["timeout", None]


def test_a_grade_never_outlives_the_reply_it_judged(desk: Desk) -> None:
    cell = desk.cells[0]
    desk.add(cell, BAD, ERROR)
    other = desk.bench.begin(desk.store, grader=FakeGrader(note="other"))
    desk.add(cell, GOOD, RIGHT, run=other)
    (result,) = desk.read(desk.run).results()
    assert (result.reply, result.grade) == (GOOD, None), "the first grader has not seen this reply"


def test_replies_get_their_numbers_in_their_order(desk: Desk) -> None:
    new = [NewReply(f"{number:064x}", Reply(text=str(number))) for number in range(300)]
    numbers = add_results(desk.store, desk.run, new, [])
    with desk.store.reading() as connection:
        rows = connection.execute(text("SELECT id, text FROM replies")).all()
    assert {row.id: row.text for row in rows} == {number: str(at) for at, number in enumerate(numbers)}


def test_graded_cells_come_in_the_order_of_the_dataset_without_texts(desk: Desk) -> None:
    for cell in reversed(desk.cells):
        desk.add(cell, BAD if cell.item_id == "q2" else GOOD, ERROR if cell.item_id == "q2" else RIGHT)
    rows = list(desk.read().graded_cells())
    assert [(row.item_id, row.condition) for row in rows] == [(cell.item_id, cell.condition) for cell in desk.cells]
    assert rows[0] == GradedCell("q0", "baseline", 0, RIGHT, None, 9, 1)
    assert rows[4] == GradedCell("q2", "baseline", 0, ERROR, "timeout", None, None)


def test_what_answered_is_told_in_the_order_in_which_it_first_came_without_failures(desk: Desk) -> None:
    clock, answered = desk.bench.clock, ["fp_1", "fp_1", "fp_2", "fp_1"]
    begin = clock()
    for cell, fingerprint in zip(desk.cells, answered, strict=False):
        desk.add(cell, Reply("1", model="m-1", fingerprint=fingerprint), Grade(True, "graded"))  # noqa: FBT003 - a record in its own order
        clock.advance(60)
    desk.add(desk.cells[4], Reply(error=ReplyError("timeout", "late")), Grade(None, "error"))
    minute = timedelta(minutes=1)
    assert desk.read().machinery() == (
        Machinery("m-1", "fp_1", 3, begin, begin + 3 * minute),
        Machinery("m-1", "fp_2", 1, begin + 2 * minute, begin + 2 * minute),
    )


def test_one_items_results_and_variants_are_read_alone(desk: Desk) -> None:
    for cell in desk.cells:
        desk.add(cell, GOOD, RIGHT)
    assert {row.item_id for row in desk.read().results("q2")} == {"q2"}
    assert [variant.condition for variant in desk.read().variants("q2")] == ["baseline", "typo.1"]
    assert list(desk.read().results("no such item")) == []


def test_items_and_variants_come_in_the_order_they_were_given(desk: Desk) -> None:
    assert list(desk.read().items()) == desk.bench.world.items
    assert list(desk.read().variants()) == desk.bench.world.all_variants()


@pytest.mark.sqlite
def test_a_cell_costs_less_than_a_kilobyte_beyond_its_texts(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "size.db", world=make_world(300, 4))
    with bench.open() as store:
        for fresh in (False, True):
            desk = Desk(bench, store, bench.begin(store, fresh=fresh))
            numbers = add_results(store, desk.run, [NewReply(cell.key, GOOD) for cell in desk.cells], [])
            results = [
                NewResult(*cell_id(cell), number, RIGHT) for cell, number in zip(desk.cells, numbers, strict=True)
            ]
            add_results(store, desk.run, [], results)
    both = bench.path.stat().st_size / bench.world.total
    assert both < 2 * 1024
    assert both < 1500, "the items and variants are there once"
