"""What judges said of a run's answers goes with the run that is pruned, and stays with one that stays."""

import asyncio
import io
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.engine.budget import Budget
from prt.runner.engine.stopping import Stop
from prt.runner.judging.asking import Judge, JudgeCall, Session, ask_judge
from prt.runner.judging.prompts import Matter, pass_fail
from prt.runner.records import Reply, Request
from prt.runner.store.baselines import set_baseline
from prt.runner.store.checking import checked
from prt.runner.store.database import Store
from prt.runner.store.nights import put_night
from prt.runner.store.pruning import Pruning, prune
from prt.runner.store.runs import RunRecord, list_runs
from prt.runner.store.schema import runs
from rich.console import Console
from sqlalchemy import select, update

from ..run_fakes import Bench, FakeModel, HandClock, another_process, make_world

DAY = 24 * 3600
JUDGED = 2


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", make_world(3, 1), HandClock())


async def passes(_: Request) -> Reply:
    return Reply(text='{"reason": "so it is", "verdict": "pass"}')


def judge(store: Store, owner: str, about: str) -> None:
    """Have a judge asked about some answers."""
    calls = [
        JudgeCall(id=str(at), prompt=pass_fail("Right?", f"{about} {at}", Matter("Q?")), item=f"q{at}")
        for at in range(JUDGED)
    ]
    session = Session(store=store, stop=Stop(), console=Console(file=io.StringIO()), budget=Budget())
    asking = ask_judge(
        calls,
        judge=Judge(model=FakeModel(passes)),
        session=session,
        total=JUDGED,
        name="triage-night: judge",
        owner=owner,
        on_judged=lambda _: None,
    )
    assert asyncio.run(asking).complete


def a_night(bench: Bench, *, about: str = "") -> RunRecord:
    """A night whose answers are judged; the judge is shown texts that no other night has unless `about` says which."""
    bench.clock.advance(DAY)
    bench.run(FakeModel(), name="triage-night", fresh=True)
    with bench.open() as store:
        run = list_runs(store)[0]
        judge(store, run.id, about or run.id)
        put_night(store, "triage", run.number, {"verdict": "quiet", "run": run.id})
    return run


def states(store: Store) -> Mapping[str, str]:
    """The states of all runs, those of judges by whose answers they judged."""
    with store.reading() as connection:
        rows = connection.execute(select(runs.c.id, runs.c.model, runs.c.state)).all()
    return {f"judge of {model['asked']}" if "asked" in model else run: state for run, model, state in rows}


def rows(store: Store) -> Mapping[str, int]:
    found = checked(store)
    assert found.faults == ()
    return found.rows


def test_what_judges_said_goes_with_the_nights_that_are_pruned(bench: Bench) -> None:
    old, *kept = (a_night(bench) for _ in range(3))
    with bench.open() as store:
        before = rows(store)
        said = prune(store, Pruning(keep_nights=2), dry_run=True)
        assert rows(store) == before
        done = prune(store, Pruning(keep_nights=2))
        assert done.runs == said.runs == (old.id,)
        assert done.judging == said.judging
        assert len(done.judging) == 1
        assert (done.replies, done.grades) == (said.replies, said.grades) == (6 + JUDGED, 6 + JUDGED)
        assert rows(store)["replies"] == rows(store)["cells"] == rows(store)["grades"] == 2 * (6 + JUDGED)
        assert states(store) == {
            old.id: "pruned",
            **{run.id: "complete" for run in kept},
            **{f"judge of {run.id}": "complete" for run in kept},
        }
        assert prune(store, Pruning(keep_nights=2)).judging == ()


def test_what_was_left_of_nights_that_were_pruned_before_goes_too(bench: Bench) -> None:
    old, _ = a_night(bench), a_night(bench)
    with bench.open() as store:
        prune(store, Pruning(keep_nights=1))
        # An earlier version left it behind.
        judge(store, old.id, "left")
        done = prune(store, Pruning(keep_nights=1))
        assert (done.runs, len(done.judging), done.replies) == ((), 1, JUDGED)
        assert f"judge of {old.id}" not in states(store)


def test_a_verdict_that_a_later_night_took_over_stays(bench: Bench) -> None:
    old, last = a_night(bench, about="same"), a_night(bench, about="same")
    with bench.open() as store:
        assert rows(store)["replies"] == 6 + 6 + JUDGED
        assert prune(store, Pruning(keep_nights=1)).replies == 6
        assert rows(store)["cells"] == 6 + JUDGED
        assert states(store)[f"judge of {old.id}"] == "pruned"
        assert states(store)[f"judge of {last.id}"] == "complete"


def test_what_judges_said_of_a_pinned_baseline_stays_whatever_its_age(bench: Bench) -> None:
    pinned, other = a_night(bench), a_night(bench)
    bench.clock.advance(DAY)
    with bench.open() as store:
        set_baseline(store, "triage", pinned)
        done = prune(store, Pruning(before=store.now() - timedelta(hours=1), all_runs=True))
        assert (done.runs, done.pinned, len(done.judging)) == ((other.id,), (pinned.id,), 1)
        assert states(store) == {
            pinned.id: "complete",
            f"judge of {pinned.id}": "complete",
            other.id: "pruned",
        }


def test_a_run_is_pruned_with_verdicts_that_are_younger_than_the_age(bench: Bench) -> None:
    bench.run(FakeModel(), name="own")
    with bench.open() as store:
        (own,) = list_runs(store)
        bench.clock.advance(2 * DAY)
        judge(store, own.id, "late")
        judge(store, "calibration 12ab", "of a file")
        done = prune(store, Pruning(before=store.now() - timedelta(days=1), all_runs=True))
        assert (done.runs, len(done.judging), done.replies) == ((own.id,), 1, 6 + JUDGED)
        assert states(store) == {"judge of calibration 12ab": "complete"}


def test_verdicts_on_two_runs_go_once_both_do(bench: Bench) -> None:
    bench.run(FakeModel(), name="one")
    bench.clock.advance(2 * DAY)
    bench.run(FakeModel(), name="other", fresh=True)
    with bench.open() as store:
        other, one = list_runs(store)
        judge(store, f"{one.id} {other.id}", "both")
        done = prune(store, Pruning(before=store.now() - timedelta(days=1), all_runs=True))
        assert (done.runs, done.judging) == ((one.id,), ())
        bench.clock.advance(2 * DAY)
        done = prune(store, Pruning(before=store.now() - timedelta(days=1), all_runs=True))
        assert (done.runs, len(done.judging)) == ((other.id,), 1)
        assert (rows(store)["runs"], rows(store)["replies"]) == (0, 0)


def test_a_run_whose_answers_are_being_judged_stays(bench: Bench) -> None:
    old, _ = a_night(bench), a_night(bench)
    with another_process() as owner, bench.open() as store:
        at_work = runs.c.name == "triage-night: judge", runs.c.number == old.number + 1
        with store.writing() as connection:
            assert connection.execute(update(runs).where(*at_work).values(state="running", owner=owner)).rowcount == 1
        done = prune(store, Pruning(keep_nights=1))
        assert (done.runs, done.busy, done.judging) == ((), (old.id,), ())
    with bench.open() as store:
        assert prune(store, Pruning(keep_nights=1)).runs == (old.id,)


def test_texts_of_verdicts_go_with_those_of_the_answers(bench: Bench) -> None:
    old, last = a_night(bench), a_night(bench)
    with bench.open() as store:
        done = prune(store, Pruning(keep_nights=1, texts_only=True))
        assert (done.runs, done.replies, done.grades) == ((old.id,), 6 + JUDGED, 0)
        assert {*states(store).values()} == {"complete"}
        assert rows(store)["grades"] == 2 * (6 + JUDGED)
        again = prune(store, Pruning(keep_nights=1, texts_only=True))
        assert (again.runs, again.judging) == ((), ())
        everything = prune(store, Pruning(before=store.now() + timedelta(days=1), texts_only=True))
        assert (everything.runs, everything.replies) == ((last.id,), 6 + JUDGED)
