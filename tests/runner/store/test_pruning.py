"""Pruning gives up old results alone: pinned runs, the history and what other runs use stay; the store is whole."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.analysis import analyse_run
from prt.runner.errors import StoreError, UsageError
from prt.runner.store.baselines import set_baseline
from prt.runner.store.checking import checked
from prt.runner.store.database import Store
from prt.runner.store.find import find_run
from prt.runner.store.nights import list_nights, put_night, run_of
from prt.runner.store.pruning import Pruning, prune
from prt.runner.store.read import load_run
from prt.runner.store.runs import RunRecord, list_runs, refuse_without_texts
from prt.runner.store.schema import suites
from sqlalchemy import func, select

from ..run_fakes import Bench, FakeModel, HandClock, another_process, make_world

DAY = 24 * 3600


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", make_world(3, 1), HandClock())


def a_night(bench: Bench, series: str = "triage", verdict: str = "quiet") -> RunRecord:
    """Run a night a day after the one before, and write it down."""
    bench.clock.advance(DAY)
    bench.run(FakeModel(), name=f"{series}-night", fresh=True)
    with bench.open() as store:
        run = list_runs(store)[0]
        put_night(store, series, run.number, {"verdict": verdict, "run": run.id})
    return run


def rows(store: Store) -> Mapping[str, int]:
    found = checked(store)
    assert found.faults == ()
    return found.rows


def test_nights_before_the_last_ones_lose_their_results_and_keep_their_history(bench: Bench) -> None:
    nights = [a_night(bench) for _ in range(4)]
    with bench.open() as store:
        history = list_nights(store, "triage")
        done = prune(store, Pruning(keep_nights=2))
        assert done.runs == (nights[0].id, nights[1].id)
        assert (done.replies, done.grades, done.done) == (12, 12, True)
        assert rows(store)["replies"] == rows(store)["cells"] == rows(store)["grades"] == 12
        assert list_nights(store, "triage") == history
        assert [run_of(store, run.number).state for run in nights] == ["pruned", "pruned", "complete", "complete"]
        assert prune(store, Pruning(keep_nights=2)).runs == ()


def test_a_dry_run_says_the_same_and_removes_nothing(bench: Bench) -> None:
    for _ in range(3):
        a_night(bench)
    with bench.open() as store:
        before = rows(store)
        said = prune(store, Pruning(keep_nights=1), dry_run=True)
        assert rows(store) == before
        done = prune(store, Pruning(keep_nights=1))
        assert (said.runs, said.replies, said.grades, said.characters) == (
            done.runs,
            done.replies,
            done.grades,
            done.characters,
        )
        assert (said.done, done.done) == (False, True)


def test_a_pinned_baseline_is_never_touched(bench: Bench) -> None:
    first, second, _ = (a_night(bench) for _ in range(3))
    with bench.open() as store:
        set_baseline(store, "triage", first)
        done = prune(store, Pruning(keep_nights=1))
        assert (done.runs, done.pinned) == ((second.id,), (first.id,))
        assert run_of(store, first.number).state == "complete"
        assert len(list(load_run(store, "triage").results())) == 6


def test_incomplete_nights_do_not_count_among_those_that_are_kept(bench: Bench) -> None:
    complete = a_night(bench)
    broken = a_night(bench, verdict="incomplete")
    with bench.open() as store:
        assert prune(store, Pruning(keep_nights=1)).runs == ()
        last = a_night(bench)
        assert prune(store, Pruning(keep_nights=1)).runs == (complete.id, broken.id)
        assert run_of(store, last.number).state == "complete"


def test_references_and_runs_that_came_to_no_night_go_with_the_nights_of_their_time(bench: Bench) -> None:
    a_night(bench)
    bench.run(FakeModel(), name="triage-reference", fresh=True)
    bench.run(FakeModel(), name="triage-night", fresh=True)
    with bench.open() as store:
        beside = [run.id for run in list_runs(store)[:2]]
    a_night(bench)
    with bench.open() as store:
        done = prune(store, Pruning(keep_nights=1))
        assert set(beside) < set(done.runs)
        assert not set(beside) & {run.id for run in list_runs(store)}
        assert rows(store)["runs"] == 2


def test_other_series_and_other_runs_stay(bench: Bench) -> None:
    bench.run(FakeModel(), name="own")
    for series in ("triage", "other", "triage", "other"):
        a_night(bench, series)
    with bench.open() as store:
        done = prune(store, Pruning(keep_nights=1, series="triage"))
        assert [run_of(store, night.run).state for night in list_nights(store, "triage")] == ["pruned", "complete"]
        assert [run_of(store, night.run).state for night in list_nights(store, "other")] == ["complete", "complete"]
        assert len(done.runs) == 1
        assert find_run(store, "own").state == "complete"


def test_what_is_older_than_an_age_goes(bench: Bench) -> None:
    nights = [a_night(bench) for _ in range(4)]
    bench.clock.advance(3600)
    with bench.open() as store:
        done = prune(store, Pruning(before=store.now() - timedelta(days=2)))
        assert done.runs == (nights[0].id, nights[1].id)
        assert rows(store)["cells"] == 12


def test_with_all_runs_those_that_no_night_made_go_whole_with_their_suites(bench: Bench) -> None:
    bench.run(FakeModel(), name="own")
    bench.world = make_world(5, 2)
    bench.clock.advance(DAY)
    bench.run(FakeModel(), name="later", fresh=True)
    bench.clock.advance(1)
    with bench.open() as store:
        assert prune(store, Pruning(before=store.now() - timedelta(hours=1))).runs == ()
        (gone,) = prune(store, Pruning(before=store.now() - timedelta(hours=1), all_runs=True)).runs
        assert gone.startswith("own-")
        assert [run.name for run in list_runs(store)] == ["later"]
        assert (rows(store)["items"], rows(store)["variants"], rows(store)["recipes"]) == (5, 15, 0)
        with store.reading() as connection:
            assert connection.scalar(select(func.count()).select_from(suites)) == 1


def test_a_reply_that_another_run_uses_stays(bench: Bench) -> None:
    night = a_night(bench)
    bench.run(FakeModel(), name="own")
    with bench.open() as store:
        assert rows(store)["replies"] == 6
        used = list(load_run(store, "own").results())
        bench.clock.advance(DAY)
        a_night(bench)
        done = prune(store, Pruning(keep_nights=1))
        assert (done.runs, done.replies, done.grades) == ((night.id,), 0, 6)
        assert list(load_run(store, "own").results()) == used
        assert rows(store)["cells"] == 12


def test_texts_alone_can_go_and_the_report_stays_as_it_was(bench: Bench) -> None:
    old, _ = a_night(bench), a_night(bench)
    with bench.open() as store:
        before = analyse_run(load_run(store, old.id))
        done = prune(store, Pruning(keep_nights=1, texts_only=True))
        assert (done.runs, done.replies, done.grades) == ((old.id,), 6, 0)
        assert done.characters == 6
        after = analyse_run(load_run(store, old.id))
        assert after.summary == before.summary
        assert after.baseline_statuses == before.baseline_statuses
        assert [note for note in after.notes if note not in before.notes] == [
            "The texts of the replies were removed on 2026-03-03 by `prt store prune`; the grades are as they were."
        ]
        assert {result.reply.text for result in load_run(store, old.id).results()} == {""}
        assert rows(store)["replies"] == 12
        with pytest.raises(UsageError, match="there is nothing to be read anew"):
            refuse_without_texts(find_run(store, old.id))
        assert prune(store, Pruning(keep_nights=1, texts_only=True)).runs == ()


def test_a_reply_without_its_text_serves_no_other_run(bench: Bench) -> None:
    a_night(bench)
    a_night(bench)
    with bench.open() as store:
        prune(store, Pruning(before=store.now() + timedelta(days=1), texts_only=True))
    model = FakeModel()
    bench.run(model, name="own")
    assert len(model.asked) == 6


def test_a_pruned_run_is_not_found_and_says_why(bench: Bench) -> None:
    old, _ = a_night(bench), a_night(bench)
    with bench.open() as store:
        prune(store, Pruning(keep_nights=1))
        with pytest.raises(
            UsageError, match=r"nothing is left to be read: its replies and grades were removed on 2026"
        ):
            find_run(store, old.id)
        assert find_run(store, "latest").id != old.id
        assert find_run(store, "triage-night").id != old.id


def test_a_run_that_is_worked_on_stays(bench: Bench) -> None:
    a_night(bench)
    with another_process() as owner, bench.open() as working, bench.open() as store:
        working.owner = owner
        running = bench.begin(working, name="triage-night", fresh=True)
        bench.clock.advance(5)
        done = prune(store, Pruning(before=store.now() + timedelta(days=1)))
        assert running.id in done.busy
        assert running.id not in done.runs


def test_nothing_is_pruned_where_nothing_says_what(bench: Bench) -> None:
    a_night(bench)
    with bench.open() as store, pytest.raises(StoreError, match="nothing says which runs are to be pruned"):
        prune(store, Pruning())
