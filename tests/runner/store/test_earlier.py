"""What a store holds of a run before it goes on."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.plan import plan_cells
from prt.runner.records import AnswerKey, Grade, Reply, ReplyError, Request
from prt.runner.store.earlier import Kind, Settled, has_replies_for, settled_cells
from prt.runner.store.results import cell_id
from sqlalchemy import event

from ..run_fakes import IDENTITY, Bench, FakeGrader, FakeModel, equals_gold, make_world, number_in


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(6, 2, repeats=2))


async def fails_on_q1(request: Request) -> Reply:
    return Reply(error=ReplyError("server", "503")) if request.item_id == "q1" else await number_in(request)


def settled(bench: Bench, *, version: str = "1", keys_version: str = "1", grader: FakeGrader | None = None) -> Settled:
    with bench.open() as store:
        run = replace(bench.begin(store, grader=grader), prt_version=version, keys_version=keys_version)
        return settled_cells(store, run, total=bench.world.total)


def test_a_cell_is_settled_where_it_has_a_result(bench: Bench) -> None:
    bench.run(FakeModel(fails_on_q1))
    found = settled(bench)
    missing = {cell_id(cell) for cell in bench.world.cells() if not found.has(*cell_id(cell))}
    assert missing == {cell_id(cell) for cell in bench.world.cells() if cell.item_id == "q1"}
    assert len(found) == 30
    assert found.counts == {
        Kind("baseline", "graded", passed=True): 10,
        Kind("typo.1", "graded", passed=False): 10,
        Kind("typo.2", "graded", passed=False): 10,
    }


def test_what_no_judge_could_grade_and_what_another_grader_graded_is_not_settled(bench: Bench) -> None:
    def unsure(reply: Reply, key: AnswerKey) -> Grade:
        return Grade(None, "judge_error") if key.item.id == "q2" else equals_gold(reply, key)

    bench.run(FakeModel(), grader=FakeGrader(unsure))
    assert len(settled(bench)) == 30
    assert len(settled(bench, grader=FakeGrader(note="another"))) == 0


@pytest.mark.parametrize(("version", "keys_version"), [("2", "1"), ("2", ""), ("", "")])
def test_where_keys_may_have_changed_each_cell_has_to_be_looked_up(
    bench: Bench, version: str, keys_version: str
) -> None:
    bench.run(FakeModel())
    assert len(settled(bench, version=version, keys_version=keys_version)) == 0


def test_settled_cells_are_not_made_again(bench: Bench) -> None:
    bench.run(FakeModel(fails_on_q1))
    world, found = bench.world, settled(bench)
    made = plan_cells(world.items, world.variants, identity=IDENTITY, repeats=2, is_settled=found.has)
    assert list(made) == [cell for cell in world.cells() if cell.item_id == "q1"]


def test_a_fresh_run_has_no_use_for_replies_of_others(bench: Bench) -> None:
    with bench.open() as store:
        assert not has_replies_for(store, bench.begin(store))
    bench.run(FakeModel())
    with bench.open() as store:
        assert has_replies_for(store, bench.begin(store, name="another"))
        assert not has_replies_for(store, bench.begin(store, fresh=True))
    bench.run(FakeModel(), fresh=True)
    with bench.open() as store:
        assert has_replies_for(store, bench.begin(store)), "resumed"


def test_a_complete_run_is_known_by_its_counts_alone(bench: Bench) -> None:
    bench.run(FakeModel())
    asked: list[str] = []
    with bench.open() as store:
        run = replace(bench.begin(store), prt_version="1", keys_version="1")
        event.listen(store._engine, "before_cursor_execute", lambda *seen: asked.append(seen[2]))
        found = settled_cells(store, run, total=bench.world.total)
        assert ["count(" in statement for statement in asked if statement.startswith("SELECT")] == [True]
        assert all(found.has(*cell_id(cell)) for cell in bench.world.cells())
        cut_short = settled_cells(store, run, total=bench.world.total + 1)
    assert len(found) == len(cut_short) == bench.world.total
    beyond = max(cell.variant for cell in bench.world.cells()) + 1
    assert not cut_short.has(beyond, 0)


@given(st.sets(st.integers(0, 200)))
def test_each_settled_cell_has_a_bit(numbers: set[int]) -> None:
    found = Settled({}, repeats=3, numbers=numbers)
    assert {number for number in range(210) if found.has(*divmod(number, 3))} == numbers
