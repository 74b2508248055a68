"""What is asked of a store about one item, or about runs, is found by an index: a million cells are never gone through.

SQLite says of each statement how it would go about it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prt.runner.flipped import most_flipped
from prt.runner.reports.items import item_view
from prt.runner.store.read import StoredRun, load_run
from prt.runner.store.runs import list_runs
from prt.runner.store.schema import items, variants
from prt.stats import Outcomes
from sqlalchemy import event, select

from ..run_fakes import Bench, FakeModel, make_world


def steps_of(bench: Bench, work: Callable[[StoredRun], object]) -> list[str]:
    """How SQLite goes about each statement of some work on a stored run."""
    asked: list[tuple[str, Any]] = []
    with bench.open() as store:
        engine = store._engine
        if engine.dialect.name != "sqlite":
            pytest.skip("the plans of SQLite are meant")
        run = load_run(store, "latest")
        event.listen(engine, "before_cursor_execute", lambda *seen: asked.append((seen[2], seen[3])))
        work(run)
        statements = [(statement, values) for statement, values in asked if statement.startswith("SELECT")]
        with store.reading() as connection:
            plans = [
                connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                for statement, values in statements
            ]
    return [str(row[3]) for plan in plans for row in plan]


def wide(steps: list[str]) -> list[str]:
    """The steps that go through a whole table, or through all rows of a run or of a suite."""
    return [step for step in steps if "SCAN" in step or step.endswith(("(run=?)", "(suite=?)"))]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "prt.db", make_world(items=6, variants=2))
    bench.run(FakeModel())
    return bench


def test_one_item_of_a_run_is_shown_without_going_through_the_others(bench: Bench) -> None:
    steps = steps_of(bench, lambda run: item_view(run, "q2", condition=None))
    assert len(steps) > 4
    assert wide(steps) == []


def test_the_items_that_flip_most_are_shown_without_going_through_the_others(bench: Bench) -> None:
    outcomes = Outcomes.from_array(
        [[1, 0, 0]] * 6, items=[f"q{at}" for at in range(6)], conditions=["baseline", "typo.1", "typo.2"]
    )
    shown: list[object] = []
    steps = steps_of(bench, lambda run: shown.extend(most_flipped(run, outcomes)))
    assert len(shown) == 5
    assert wide(steps) == []


def test_one_item_is_read(bench: Bench) -> None:
    with bench.open() as store:
        run = load_run(store, "latest")
        assert run.item("q2") == bench.world.items[2]
        with pytest.raises(KeyError, match="no such item"):
            run.item("no such item")


def test_cells_with_a_reply_are_counted(bench: Bench) -> None:
    with bench.open() as store:
        run = load_run(store, "latest")
        assert run.replied() == len([*run.graded_cells()]) == bench.world.total


def test_runs_are_listed_without_a_look_at_their_results(bench: Bench) -> None:
    steps = steps_of(bench, lambda run: list_runs(run.store))
    assert steps
    assert all("runs" in step for step in steps)


def test_going_through_all_rows_would_be_seen(bench: Bench) -> None:
    def all_of_a_suite(run: StoredRun) -> None:
        with run.store.reading() as connection:
            in_order = select(variants.c.payload).where(variants.c.suite == 1, variants.c.item_id == "q2")
            connection.execute(in_order.order_by(variants.c.position)).all()
            connection.execute(select(items.c.payload)).all()

    assert len(wide(steps_of(bench, all_of_a_suite))) == 2
