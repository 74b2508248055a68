"""A store that is only read: the database itself refuses to write, nothing is made, nothing upgraded."""

from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.store.database import open_store
from prt.runner.store.listing import item_counts, page_of_runs, run_of_id
from prt.runner.store.read import load_run
from prt.runner.store.runs import finish_run
from prt.runner.store.schema import meta
from prt.runner.store.watching import watch
from sqlalchemy import update

from ..run_fakes import Bench, FakeModel, make_world


def test_nothing_can_be_written(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel())
    with open_store(str(bench.path), may_write=False) as store:
        run = load_run(store, "latest")
        assert run.replied() == bench.world.total
        with pytest.raises(StoreError):
            finish_run(store, run.record, "stopped", "by mistake")
    with bench.open() as store:
        assert load_run(store, "latest").record.state == "complete"


def test_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no such store|no results in it yet"):
        open_store(str(tmp_path / "none.db"), may_write=False)
    assert not (tmp_path / "none.db").exists()


def test_an_older_store_is_not_upgraded(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    with bench.open() as store, store.writing() as connection:
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value="3"))
    with pytest.raises(StoreError, match=r"an older prt \(schema 3\)"):
        open_store(str(bench.path), may_write=False)


def test_runs_come_by_the_page_and_by_id(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=3))
    for number in range(5):
        bench.run(FakeModel(), name=f"r{number}", fresh=True)
    with open_store(str(bench.path), may_write=False) as store:
        pages = [page_of_runs(store, start=start, size=2) for start in (0, 2, 4, 6)]
        assert [[run.name for run in page.runs] for page in pages] == [["r4", "r3"], ["r2", "r1"], ["r0"], []]
        assert {page.total for page in pages} == {5}
        first = pages[0].runs[0]
        assert item_counts(store, {first.suite}) == {first.suite: 3}
        assert run_of_id(store, first.id) == first
        assert run_of_id(store, "../prt.db") is None


def test_a_run_is_watched(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=3, variants=2))
    with bench.open() as store:
        begun = bench.begin(store)
        seen = watch(store, begun)
        assert (seen.cells, seen.with_result, seen.statuses, seen.arrived, seen.since) == (9, 0, {}, 0, None)
    bench.run(FakeModel())
    with bench.open() as store:
        seen = watch(store, load_run(store, "latest").record)
        assert (seen.cells, seen.with_result, seen.statuses, seen.arrived) == (9, 9, {"graded": 9}, 9)
        assert seen.since == bench.clock.moment
