"""What a store holds of a run before it goes on."""

from dataclasses import replace
from pathlib import Path

import pytest
from prt.runner.plan import plan_cells
from prt.runner.records import AnswerKey, Grade, Reply, ReplyError, Request
from prt.runner.store.earlier import Kind, Settled, has_replies_for, settled_cells
from prt.runner.store.results import cell_id

from ..run_fakes import IDENTITY, Bench, FakeGrader, FakeModel, equals_gold, make_world, number_in


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(6, 2, repeats=2))


async def fails_on_q1(request: Request) -> Reply:
    return Reply(error=ReplyError("server", "503")) if request.item_id == "q1" else await number_in(request)


def settled(bench: Bench, *, version: str = "1", keys_version: str = "1", grader: FakeGrader | None = None) -> Settled:
    with bench.open() as store:
        run = replace(bench.begin(store, grader=grader), prt_version=version, keys_version=keys_version)
        return settled_cells(store, run)


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
