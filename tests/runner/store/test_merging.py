"""Merging stores: all of a run comes over once, whatever database keeps it, and what is here stays as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.records import Grade, Reply, ReplyError
from prt.runner.store.baselines import list_baselines, set_baseline
from prt.runner.store.checking import checked
from prt.runner.store.database import Store, open_store
from prt.runner.store.merging import Merged, merge
from prt.runner.store.read import StoredRun, load_run
from prt.runner.store.recipes import find_recipe, put_recipe
from prt.runner.store.results import NewReply, NewResult, add_results, cell_id, look_up
from prt.runner.store.runs import RunRecord, finish_run, list_runs
from prt.runner.store.schema import metadata, nights, runs
from prt.runner.store.verdicts import JudgedReply, put_verdicts, verdicts_on
from sqlalchemy import func, insert, select

from ..run_fakes import Bench, FakeGrader, FakeModel, another_process, graded, make_world

COUNTED = ("suites", "items", "variants", "runs", "replies", "cells", "grades", "verdicts", "recipes")


@pytest.fixture
def here(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "here.db", world=make_world(3, 1))


@pytest.fixture
def there(tmp_path: Path) -> Bench:
    """Another store: a run with a failure in its history, one that reused its replies, and one of other items."""
    bench = Bench(tmp_path / "there.db", world=make_world(4, 2, repeats=2))
    first = bench.world.cells()[0]
    with bench.open() as store:
        run = bench.begin(store)
        error = Reply(error=ReplyError("timeout", "no answer \ud800\0"))
        (number,) = add_results(store, run, [NewReply(first.key, error)], [])
        add_results(store, run, [], [NewResult(*cell_id(first), number, Grade(None, "error"))])
    bench.run(FakeModel())
    bench.run(FakeModel(), name="reusing", grader=FakeGrader(note="strict"))
    bench.world = make_world(2, 1)
    bench.run(FakeModel(), name="smaller")
    with bench.open() as store:
        stored = load_run(store, "bench")
        put_recipe(store, "ab" * 32, stored.record.suite, {"notes": ["none"]})
        cell = next(iter(stored.results()))
        put_verdicts(store, stored.record, {JudgedReply(0, cell.item_id, cell.condition, 0, 2): "pass"})
    return bench


def merged(here: Bench, there: Bench) -> Merged:
    with here.open() as store, there.open() as other:
        return merge(store, other)


def contents(run: StoredRun) -> tuple[object, ...]:
    """All that a run has, but for the numbers of its rows."""
    said = [(each.variant, each.repeat, verdict) for each, verdict in verdicts_on(run.store, run.record).items()]
    return list(run.items()), list(run.variants()), list(run.results()), said


def counts(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {
            name: connection.scalar(select(func.count()).select_from(metadata.tables[name])) or 0 for name in COUNTED
        }


def test_every_run_comes_over_with_all_that_it_has(here: Bench, there: Bench) -> None:
    here.run(FakeModel(), name="own")
    done = merged(here, there)
    with here.open() as store, there.open() as other:
        assert {run.id for run in list_runs(store)} == {*done.added, load_run(store, "own").record.id}
        assert len(done.added) == 3
        for run in list_runs(other):
            assert contents(StoredRun(store, load_run(store, run.id).record)) == contents(StoredRun(other, run))
        assert checked(store).faults == ()
        assert checked(store).replies_without_cell == checked(other).replies_without_cell == 1
        assert len(verdicts_on(store, load_run(store, "bench").record)) == 1
        recipe = find_recipe(store, "ab" * 32)
        assert recipe is not None
        assert recipe.number == load_run(store, "bench").record.suite


def test_the_same_merge_again_adds_nothing(here: Bench, there: Bench) -> None:
    first = merged(here, there)
    with here.open() as store:
        before = counts(store)
    again = merged(here, there)
    assert (again.added, again.known, again.rows) == ((), first.added, {})
    with here.open() as store:
        assert counts(store) == before


def note_night(store: Store, series: str, night: int, run: RunRecord) -> None:
    with store.writing() as connection:
        row = {"series": series, "night": night, "run": run.number, "decided_at": store.now(), "summary": {"n": night}}
        connection.execute(insert(nights).values(**row))


def nights_of(store: Store) -> list[tuple[str, int, str]]:
    chosen = select(nights.c.series, nights.c.night, runs.c.id).join(runs, runs.c.number == nights.c.run)
    with store.reading() as connection:
        return sorted((series, night, run) for series, night, run in connection.execute(chosen))


def test_baselines_and_nights_come_over_once_and_what_is_here_stays(here: Bench, there: Bench) -> None:
    here.run(FakeModel(), name="own")
    with here.open() as store:
        own = load_run(store, "own").record
        set_baseline(store, "main", own)
        note_night(store, "other", 1, own)
    with there.open() as other:
        theirs = {name: load_run(other, name).record for name in ("bench", "smaller")}
        set_baseline(other, "main", theirs["bench"])
        set_baseline(other, "pinned", theirs["smaller"])
        for series, night in (("nightly", 1), ("nightly", 2), ("other", 1), ("other", 2)):
            note_night(other, series, night, theirs["bench"])
    done = merged(here, there)
    assert (done.other_baselines, done.other_series) == (("main",), ("other",))
    assert (done.rows["baselines"], done.rows["nights"]) == (1, 2)
    with here.open() as store:
        assert {each.name: each.run.id for each in list_baselines(store)} == {
            "main": own.id,
            "pinned": theirs["smaller"].id,
        }
        bench = theirs["bench"].id
        assert nights_of(store) == [("nightly", 1, bench), ("nightly", 2, bench), ("other", 1, own.id)]
        assert checked(store).faults == ()
    assert merged(here, there).rows == {}
    with there.open() as other:
        note_night(other, "nightly", 3, theirs["smaller"])
    assert merged(here, there).rows == {"nights": 1}


def test_a_merged_run_is_resumed_without_a_call(here: Bench, there: Bench) -> None:
    merged(here, there)
    here.world = make_world(4, 2, repeats=2)
    model = FakeModel()
    assert here.run(model).state == "complete"
    assert model.asked == []
    with here.open() as store:
        assert len(list_runs(store)) == 3


def test_a_run_that_reuses_replies_of_one_that_is_here_uses_those(here: Bench, tmp_path: Path) -> None:
    early = Bench(tmp_path / "early.db", world=make_world(4, 2, repeats=2), tokens=iter(range(7, 99)))
    early.run(FakeModel())
    with here.open() as store, early.open() as other:
        merge(store, other)
        before = counts(store)["replies"]
    early.run(FakeModel(), name="reusing", grader=FakeGrader(note="strict"))
    done = merged(here, early)
    with here.open() as store:
        assert (len(done.added), len(done.known), counts(store)["replies"]) == (1, 1, before)
        assert len(list(load_run(store, "reusing").results())) == early.world.total


def test_a_run_that_went_on_elsewhere_stays_as_it_is_and_that_is_said(here: Bench, there: Bench) -> None:
    cell = there.world.cells()[0]
    with there.open() as store:
        run = there.begin(store, name="half")
        (known,) = look_up(store, run, [cell]).replies.values()
        add_results(store, run, [], [NewResult(*cell_id(cell), known.id, graded("1", passed=True))])
        finish_run(store, run, "stopped", "it was interrupted")
    merged(here, there)
    there.run(FakeModel(), name="half")
    done = merged(here, there)
    assert done.behind == {run.id: there.world.total - 1}
    with here.open() as store:
        assert len(list(load_run(store, "half").results())) == 1


def test_a_run_that_is_worked_on_is_not_taken_half(here: Bench, there: Bench) -> None:
    with another_process() as owner, here.open() as store, there.open() as other, there.open() as third:
        third.owner = owner
        there.begin(third, name="going on")
        with pytest.raises(StoreError, match="is being worked on"):
            merge(store, other)
        assert list_runs(store) == []


def test_a_store_is_not_merged_with_itself(here: Bench) -> None:
    with here.open() as store, here.open() as same, pytest.raises(StoreError, match="this is the store itself"):
        merge(store, same)


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Iterator[Store]:
    """A store in a file, whatever database keeps the others."""
    with open_store(f"sqlite:///{tmp_path}/file.db") as store:
        yield store


def test_stores_of_different_databases_are_merged_both_ways(here: Bench, there: Bench, sqlite_file: Store) -> None:
    with there.open() as other, here.open() as store:
        merge(sqlite_file, other)
        done = merge(store, sqlite_file)
        assert len(done.added) == 3
        for run in list_runs(other):
            assert contents(StoredRun(store, load_run(store, run.id).record)) == contents(StoredRun(other, run))
