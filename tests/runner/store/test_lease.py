"""Two processes don't work on one run, whatever their clocks say, and a run whose process is gone can be taken over."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.engine.alive import kept_alive
from prt.runner.errors import StoreError, TakenOverError
from prt.runner.records import Grade, Reply
from prt.runner.store.database import Store
from prt.runner.store.find import find_run
from prt.runner.store.lease import LEASE_S, LOOK_EVERY_S, SIGN_OF_LIFE_S
from prt.runner.store.processes import Process, began, place_here
from prt.runner.store.pruning import Pruning, prune
from prt.runner.store.regrades import add_grades, use_grader
from prt.runner.store.results import NewReply, NewResult, add_results
from prt.runner.store.runs import RunRecord, finish_run, go_on, is_in_progress, state_now
from prt.runner.store.schema import replies, runs
from prt.runner.store.upkeep import vacuum
from sqlalchemy import event, func, select, update

from ..run_fakes import Bench, FakeGrader, FakeModel, another_process, make_world

ELSEWHERE = "elsewhere:1 0123456789ab 77"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell which process is there")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a process began")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


@pytest.fixture
def store(bench: Bench) -> Iterator[Store]:
    with bench.open() as store:
        yield store


@pytest.fixture
def other(bench: Bench) -> Iterator[Store]:
    """The store as a process of another machine has it open."""
    with bench.open() as other:
        other.owner = ELSEWHERE
        yield other


def sign(store: Store, run: RunRecord) -> None:
    add_results(store, run, [], [])


def waited_s(bench: Bench, work: Callable[[], object]) -> float:
    before = bench.clock.moment
    work()
    return (bench.clock.moment - before).total_seconds()


@LINUX
def test_a_run_that_a_process_of_this_machine_works_on_is_refused_at_once(bench: Bench, store: Store) -> None:
    with another_process() as owner, bench.open() as second:
        second.owner = owner
        run = bench.begin(second)
        bench.clock.advance(3600)
        assert is_in_progress(store, find_run(store, "latest")), "it may be slow, but it is there"
        before = bench.clock.moment
        with pytest.raises(StoreError) as caught:
            bench.begin(store)
        assert bench.clock.moment == before
        assert str(caught.value) == (
            f"{store.place}: the run {run.id} is being worked on by another process ({owner.split()[0]}, last sign of "
            "life 2026-03-01 12:00:00 UTC); let it finish, end it, or start an independent run by `--fresh`."
        )
        assert bench.begin(store, fresh=True).id != run.id
        assert bench.begin(store, name="other").name == "other"


@POSIX
@pytest.mark.parametrize("reaped", [True, False], ids=["gone", "gone and not forgotten by its parent"])
def test_a_run_whose_process_of_this_machine_is_gone_is_resumed_at_once(
    bench: Bench, store: Store, *, reaped: bool
) -> None:
    with another_process() as owner, bench.open() as second:
        second.owner = owner
        run = bench.begin(second)
        process = Process.read(owner)
        ended = subprocess.Popen([sys.executable, "-S", "-c", ""])
        if reaped:
            ended.wait()
        else:
            while began(ended.pid) is not None:
                pass
        second.owner = str(Process("here", ended.pid, process.place, process.started))
        run = bench.begin(second, fresh=True)
        before = bench.clock.moment
        assert state_now(store, find_run(store, run.id)) == "cut off"
        assert bench.begin(store).id == run.id
        assert bench.clock.moment == before
        ended.wait()


@LINUX
def test_another_process_that_was_given_the_number_of_one_that_is_gone_holds_no_run(bench: Bench, store: Store) -> None:
    with another_process() as owner, bench.open() as second:
        process = Process.read(owner)
        second.owner = str(Process("here", process.pid, process.place, "7"))
        run = bench.begin(second)
        assert waited_s(bench, lambda: bench.begin(store)) == 0
        assert find_run(store, run.id).owner == store.owner


@pytest.mark.parametrize(
    "owner", ["{host}:999999999", "{host}:999999999 0123456789ab 7"], ids=["place not known", "of another container"]
)
def test_a_number_that_means_nothing_here_says_nothing(bench: Bench, store: Store, other: Store, owner: str) -> None:
    other.owner = owner.format(host=Process.read(store.owner).host)
    bench.begin(other)
    assert waited_s(bench, lambda: bench.begin(store)) == LEASE_S


@pytest.mark.parametrize("jump_s", [0, 3600, -3600], ids=["equal clocks", "ours is ahead", "ours is behind"])
def test_a_run_of_another_machine_that_gives_signs_of_life_is_refused_whatever_the_clock_says(
    bench: Bench, store: Store, other: Store, jump_s: float
) -> None:
    run = bench.begin(other)
    other.now = lambda: bench.clock.moment - timedelta(seconds=jump_s)
    waited = 0.0

    def signs() -> None:
        nonlocal waited
        waited += LOOK_EVERY_S
        if waited == SIGN_OF_LIFE_S:
            sign(other, run)

    bench.on_wait = signs
    bench.clock.advance(1)
    with pytest.raises(StoreError, match=r"is being worked on by another process \(elsewhere:1, last sign of life"):
        bench.begin(store)
    assert waited == SIGN_OF_LIFE_S, "the first sign of life ends the wait"
    assert bench.told == [f"{run.id}: elsewhere:1 worked on it last; waiting up to 15 s for a sign of life"]
    sign(other, run)


@pytest.mark.parametrize("jump_s", [3600, -3600], ids=["forward", "back"])
def test_a_run_of_another_machine_that_gives_none_is_taken_over_after_the_lease(
    bench: Bench, store: Store, other: Store, jump_s: float
) -> None:
    run = bench.begin(other)
    bench.clock.advance(jump_s)
    assert waited_s(bench, lambda: bench.begin(store)) == LEASE_S
    assert find_run(store, run.id).owner == store.owner


def test_a_run_that_has_ended_is_nobodys(bench: Bench, store: Store, other: Store) -> None:
    run = bench.begin(other)
    finish_run(other, run, "stopped", "it was interrupted")
    assert waited_s(bench, lambda: bench.begin(store)) == 0


def test_a_process_that_ends_its_run_while_it_is_watched_has_let_go(bench: Bench, store: Store, other: Store) -> None:
    run = bench.begin(other)
    bench.on_wait = lambda: finish_run(other, run, "stopped", "it was interrupted")
    assert waited_s(bench, lambda: bench.begin(store)) == LOOK_EVERY_S
    assert find_run(store, run.id).owner == store.owner


def test_all_runs_of_a_process_that_was_watched_are_taken_over_without_another_wait(
    bench: Bench, store: Store, other: Store
) -> None:
    for name in ("one", "two"):
        bench.begin(other, name=name)
    assert waited_s(bench, lambda: bench.begin(store, name="one")) == LEASE_S
    assert waited_s(bench, lambda: bench.begin(store, name="two")) == 0


def test_a_sign_for_one_run_is_one_for_all_of_its_process(bench: Bench, store: Store, other: Store) -> None:
    run = bench.begin(other, name="answers")
    judging = bench.begin(other, name="judging")
    bench.clock.advance(1)
    bench.on_wait = lambda: sign(other, judging)
    with pytest.raises(StoreError, match="is being worked on"):
        bench.begin(store, name="answers")
    assert find_run(store, run.id).owner == ELSEWHERE


def test_of_two_that_waited_one_takes_the_run(bench: Bench, store: Store, other: Store) -> None:
    run = bench.begin(other)
    with bench.open() as third:
        third.owner = "third:1"

        def third_is_quicker() -> None:
            if bench.told[1:] == []:
                bench.on_wait = lambda: None
                bench.begin(third)

        bench.on_wait = third_is_quicker
        with pytest.raises(StoreError, match=r"is being worked on by another process \(third:1"):
            bench.begin(store)
    assert find_run(store, run.id).owner == "third:1"


class TestTakenOver:
    """A process that slept, and whose run another one has taken over meanwhile."""

    @pytest.fixture
    def run(self, bench: Bench, store: Store, other: Store) -> RunRecord:
        run = bench.begin(other)
        bench.begin(store)
        return run

    def test_what_came_is_stored_and_it_learns_who_has_the_run(
        self, bench: Bench, store: Store, other: Store, run: RunRecord
    ) -> None:
        cell = bench.world.cells()[0]
        with pytest.raises(TakenOverError) as caught:
            add_results(other, run, [NewReply(cell.key, Reply(text="0"))], [])
        assert str(caught.value) == (
            f"{store.place}: another process ({Process.read(store.owner).name}) works on the run {run.id} now, since "
            "this one gave no sign of life for a while (it was suspended, or could not reach the store); let that one "
            "finish."
        )
        assert len(caught.value.stored) == 1
        result = NewResult(cell.variant, cell.repeat, caught.value.stored[0], Grade(True, "graded"))  # noqa: FBT003
        with pytest.raises(TakenOverError):
            add_results(other, run, [], [result])
        with pytest.raises(TakenOverError):
            add_grades(other, run, "another", [result], alive=True)
        model = FakeModel()
        assert bench.run(model).state == "complete"
        assert len(model.asked) == bench.world.total - 1, "and the other one need not ask for it"

    def test_it_writes_no_end_of_a_run_that_goes_on(self, store: Store, other: Store, run: RunRecord) -> None:
        finish_run(other, run, "stopped", "it was interrupted")
        with pytest.raises(TakenOverError):
            go_on(other, run)
        found = find_run(store, run.id)
        assert (found.state, found.reason, found.owner) == ("running", "", store.owner)

    def test_the_one_that_has_it_writes_on(self, store: Store, run: RunRecord) -> None:
        sign(store, run)
        finish_run(store, run, "complete")
        go_on(store, run)
        assert find_run(store, run.id).state == "running"


def test_a_run_under_way_that_is_taken_over_stops_and_counts_what_it_stored(bench: Bench) -> None:
    bench.world = make_world(600, 1)
    with bench.open() as store, bench.open() as other:

        def taken() -> None:
            if len(bench.done) == 1:
                with other.writing() as connection:
                    connection.execute(update(runs).values(owner="third:1"))

        bench.on_done = taken
        model = FakeModel()
        summary = asyncio.run(bench.settle(store, model, concurrency=1))
        with store.reading() as connection:
            stored = connection.execute(select(func.count()).select_from(replies)).scalar_one()
    assert summary.state == "stopped"
    assert "another process (third:1) works on the run" in summary.reason
    assert (summary.calls, summary.unanswered) == (len(model.asked), len(model.asked) - stored)


@pytest.mark.parametrize("work", ["vacuum", "prune", "grade"])
def test_nothing_is_done_to_a_run_that_gives_signs_of_life_and_all_to_one_that_gives_none(
    bench: Bench, store: Store, other: Store, work: str
) -> None:
    run = bench.begin(other)

    def do() -> bool:
        if work == "prune":
            done = prune(store, Pruning(before=bench.clock.moment + timedelta(days=1), all_runs=True))
            return run.id in done.runs
        refused = []
        try:
            vacuum(store) if work == "vacuum" else use_grader(store, run, FakeGrader(note="b").identity(), {})
        except StoreError as error:
            refused.append(str(error))
        return not any("is being worked on" in each for each in refused)

    bench.clock.advance(3600)
    bench.on_wait = lambda: sign(other, run)
    assert not do()
    bench.on_wait = lambda: None
    assert do()


def test_a_process_is_read_as_it_was_written() -> None:
    for process in (Process.this(), Process("a:b", 7), Process("host", 7, "0123456789ab", "9"), Process("", 7, "ab")):
        assert Process.read(str(process)) == process
    assert Process.read("no process at all").is_there() is None


@LINUX
def test_this_process_is_there_and_the_first_one_began_before_it() -> None:
    this = Process.this()
    assert this.is_there() is True
    assert this.place == place_here()
    assert Process(this.host, this.pid, this.place).is_there() is None, "a number alone may have been given again"


def test_a_run_gives_signs_of_life_also_while_nothing_is_stored(bench: Bench, store: Store) -> None:
    run, given = bench.begin(store), threading.Event()
    bench.clock.advance(60)
    event.listen(store._engine, "commit", lambda _: given.set())
    with kept_alive(store, run, every_s=0.001):
        assert given.wait(10)
    assert find_run(store, run.id).alive_at == bench.clock()
    bench.clock.advance(60)
    assert find_run(store, run.id).alive_at < bench.clock(), "it ends with the block"


def test_a_store_that_is_gone_ends_no_run_by_the_signs_alone(bench: Bench) -> None:
    tried = threading.Event()
    with bench.open() as store:
        run = bench.begin(store)

        def refused(**_: object) -> None:
            tried.set()
            raise StoreError("it is gone")

        store.writing = refused  # type: ignore[assignment,method-assign]  # stands for a server that is not there
        with kept_alive(store, run, every_s=0.001):
            assert tried.wait(10)
