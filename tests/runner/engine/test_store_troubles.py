"""A store that is busy while a run goes on: two runs in one store, a lock that passes, a lock that stays."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from prt.runner.engine.summary import RunSummary
from prt.runner.engine.work import UNSAVED_AT_MOST
from prt.runner.store.database import Store, open_store

from ..run_fakes import Bench, FakeModel, make_world


def bench_of(tmp_path: Path, items: int = 50) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(items, 1))


def test_two_runs_write_into_one_store_at_once_and_neither_loses_anything(tmp_path: Path) -> None:
    first, second = bench_of(tmp_path), bench_of(tmp_path, items=80)
    models = [FakeModel(), FakeModel()]

    async def both() -> tuple[RunSummary, RunSummary]:
        with first.open() as one, second.open() as other:
            return await asyncio.gather(
                first.settle(one, models[0], name="one"), second.settle(other, models[1], name="other", fresh=True)
            )

    assert [summary.state for summary in asyncio.run(both())] == ["complete", "complete"]
    assert [len(model.asked) for model in models] == [100, 160]
    assert len(first.results("one")) == 100
    assert len(second.results("other")) == 160


def locked_at(bench: Bench, count: int, then: Callable[[sqlite3.Connection], object]) -> sqlite3.Connection:
    """Let another program lock the store once so many cells are done."""
    holder = sqlite3.connect(bench.path, isolation_level=None, check_same_thread=False)

    def lock() -> None:
        if len(bench.done) == count:
            holder.execute("BEGIN IMMEDIATE")
            then(holder)

    bench.on_done = lock
    return holder


@pytest.mark.sqlite
def test_a_lock_that_passes_costs_a_moment_and_nothing_else(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path), FakeModel()

    async def scenario(store: Store) -> RunSummary:
        loop = asyncio.get_running_loop()
        locked_at(bench, 10, lambda holder: loop.call_later(0.1, holder.execute, "ROLLBACK"))
        return await bench.settle(store, model)

    with bench.open() as store:
        assert asyncio.run(scenario(store)).state == "complete"
    assert len(model.asked) == len(bench.results()) == 100


@pytest.mark.sqlite
def test_a_lock_that_stays_stops_the_run_with_the_cause_and_the_same_command_resumes(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path, items=1000), FakeModel()
    with open_store(str(bench.path), now=bench.clock, busy_timeout_s=0.05) as store:
        holder = locked_at(bench, 10, lambda _: None)
        summary = asyncio.run(bench.settle(store, model))
    assert summary.state == "stopped"
    assert summary.reason.endswith(
        "the store stayed locked by another program; wait until that has finished, or name another store."
    )
    assert 10 <= summary.done < 2000
    holder.close()
    bench.on_done = lambda: None
    again = FakeModel()
    assert bench.run(again).state == "complete"
    assert len(bench.results()) == 2000
    assert len(model.asked) + len(again.asked) <= 2000 + 4 + UNSAVED_AT_MOST, (
        "only what was in flight or unsaved is asked again"
    )
