"""Finished cells told from numbers alone: the same ones that a look at every cell finds."""

from pathlib import Path

import pytest
from prt.runner.records import Grade, Reply, ReplyError
from prt.runner.store.database import Store
from prt.runner.store.finished import finished_cells
from prt.runner.store.results import NewReply, NewResult, add_results, cell_id, look_up
from prt.runner.store.runs import RunRecord

from ..run_fakes import Bench, FakeGrader, graded, make_world

ANSWERS = (
    (Reply(text="4"), graded("4", passed=True)),
    (Reply(text="no"), Grade(False, "refused")),  # noqa: FBT003 - a record in its own order
    (Reply(error=ReplyError("timeout", "no answer in 600 s")), Grade(None, "error")),
    (Reply(text="5"), Grade(None, "judge_error")),
    (Reply(text="6"), None),
    None,
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(12, 2, repeats=3))


def answer_by_turns(bench: Bench, store: Store, run: RunRecord) -> None:
    """Give the cells the answers above by turns, in an order that is not theirs."""
    for place, cell in reversed(list(enumerate(bench.world.cells()))):
        answer = ANSWERS[place * 5 % len(ANSWERS)]
        if answer is not None:
            (number,) = add_results(store, run, [NewReply(cell.key, answer[0])], [])
            grade = answer[1]
            add_results(store, run, [], [] if grade is None else [NewResult(*cell_id(cell), number, grade)])


@pytest.mark.parametrize("reuse", [[], ["error"]])
def test_it_finds_what_a_look_at_every_cell_finds(bench: Bench, reuse: list[str]) -> None:
    with bench.open() as store:
        run = bench.begin(store, prt_version="1", config={"reuse": list(reuse)})
        answer_by_turns(bench, store, run)
        found, known = finished_cells(store, run), look_up(store, run, bench.world.cells())
        every = [cell_id(cell) for cell in bench.world.cells()]
        assert {cell for cell in every if cell in found} == known.graded.keys()
        assert len(found) == len(known.graded) > 0
        assert ("error" in found.by_status) is bool(reuse)


def test_a_cell_beyond_the_last_finished_one_is_not_finished(bench: Bench) -> None:
    with bench.open() as store:
        run = bench.begin(store, prt_version="1")
        assert (0, 0) not in finished_cells(store, run)
        assert (10_000, 2) not in finished_cells(store, run)


def test_nothing_is_taken_for_finished_where_another_prt_asked_or_another_grader_graded(bench: Bench) -> None:
    with bench.open() as store:
        answer_by_turns(bench, store, bench.begin(store, prt_version="1"))
        assert len(finished_cells(store, bench.begin(store, prt_version="1"))) > 0
        assert len(finished_cells(store, bench.begin(store, prt_version="1", grader=FakeGrader(note="other")))) == 0
        assert len(finished_cells(store, bench.begin(store, prt_version="2"))) == 0
