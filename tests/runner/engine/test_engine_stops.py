"""Stopping: whatever ends a run, what came is stored, the reason is said, and the same command resumes."""

import asyncio
import threading
import time
from pathlib import Path

import pytest
from prt.runner.engine.stopping import Stop
from prt.runner.errors import FatalReplyError, GraderError, ModelError, PrtError
from prt.runner.records import AnswerKey, Grade, Reply, Request
from prt.runner.store.database import Store
from prt.runner.store.read import load_run
from sqlalchemy import event

from ..run_fakes import Bench, FakeGrader, FakeModel, equals_gold, make_world, number_in


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(20, 1))


class Stalling:
    """Answers the first few calls; the others have everything dropped, and wait until they are cancelled."""

    def __init__(self, *, answers: int, stop: Stop | None = None) -> None:
        self.left = answers
        self.stop = stop
        self.cancelled = 0

    async def __call__(self, request: Request) -> Reply:
        self.left -= 1
        if self.left >= 0:
            return await number_in(request)
        if self.stop is not None:
            self.stop.drop()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        raise AssertionError("an event that nobody sets was set")


def check_resumes(bench: Bench, *, came: int) -> None:
    """All replies that came are on the disk and not asked again, and the run ends as if nothing had happened."""
    with bench.open() as store:
        assert stored_replies(store) == came
    model = FakeModel()
    assert bench.run(model).state == "complete"
    assert len(model.asked) == bench.world.total - came
    assert len(bench.results()) == bench.world.total


def test_calls_that_are_dropped_are_cancelled_at_once_and_what_came_is_kept(bench: Bench) -> None:
    async def scenario(store: Store) -> None:
        stop = Stop()
        stalling = Stalling(answers=7, stop=stop)
        began = time.monotonic()
        summary = await bench.settle(store, FakeModel(stalling), concurrency=4, stop=stop)
        assert time.monotonic() - began < 1.0
        assert (summary.state, summary.reason) == ("stopped", "it was interrupted")
        assert (summary.asked, summary.done, summary.missing) == (7, 7, 33)
        assert stalling.cancelled >= 1
        assert load_run(store, "latest").record.state == "stopped"

    with bench.open() as store:
        asyncio.run(scenario(store))
    check_resumes(bench, came=7)


def test_a_stop_waits_for_the_calls_in_flight_and_makes_no_other(bench: Bench) -> None:
    async def scenario(store: Store, stop: Stop) -> None:
        begun = asyncio.Event()

        async def late(request: Request) -> Reply:
            if len(model.asked) == 4:
                begun.set()
            await stop.wait()
            await asyncio.sleep(0.01)
            return await number_in(request)

        model = FakeModel(late)
        task = asyncio.create_task(bench.settle(store, model, concurrency=4, stop=stop))
        await begun.wait()
        assert stop.in_flight == 4
        stop.gently(60)
        summary = await task
        assert (len(model.asked), stop.in_flight) == (4, 0)
        assert (summary.state, summary.reason, summary.asked, summary.done, summary.unanswered) == (
            ("stopped", "it was interrupted", 4, 4, 0)
        )

    with bench.open() as store:
        asyncio.run(scenario(store, Stop()))
    check_resumes(bench, came=4)


def test_a_stop_drops_calls_whose_time_is_over(bench: Bench) -> None:
    async def scenario(store: Store, stop: Stop) -> None:
        stalling = Stalling(answers=7)
        bench.on_done = lambda: stop.gently(0.01) if len(bench.done) == 7 else None
        summary = await bench.settle(store, FakeModel(stalling), concurrency=4, stop=stop)
        assert (summary.state, summary.asked, stalling.cancelled) == ("stopped", 7, 4)

    with bench.open() as store:
        asyncio.run(scenario(store, Stop()))
    check_resumes(bench, came=7)


def test_a_stop_before_the_first_call_asks_nothing(bench: Bench) -> None:
    async def scenario(store: Store, model: FakeModel) -> None:
        stop = Stop()
        stop.set()
        summary = await bench.settle(store, model, stop=stop)
        assert (summary.state, summary.asked) == ("stopped", 0)

    model = FakeModel()
    with bench.open() as store:
        asyncio.run(scenario(store, model))
    assert model.asked == []


def test_a_stop_after_the_last_cell_stops_nothing(bench: Bench) -> None:
    async def scenario(store: Store) -> None:
        stop = Stop()
        bench.on_done = lambda: stop.set() if len(bench.done) == bench.world.total else None
        summary = await bench.settle(store, FakeModel(), stop=stop)
        assert stop.is_set()
        assert (summary.state, summary.reason) == ("complete", "")

    with bench.open() as store:
        asyncio.run(scenario(store))


def test_cancelling_the_run_from_outside_stores_what_came_and_says_so(bench: Bench) -> None:
    async def scenario(store: Store) -> None:
        five_done = asyncio.Event()
        bench.on_done = lambda: five_done.set() if len(bench.done) == 5 else None
        task = asyncio.create_task(bench.settle(store, FakeModel(Stalling(answers=5)), concurrency=3))
        await five_done.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert load_run(store, "latest").record.state == "stopped"

    with bench.open() as store:
        asyncio.run(scenario(store))
    check_resumes(bench, came=5)


@pytest.mark.parametrize("kind", [FatalReplyError, ModelError])
def test_a_model_that_can_not_go_on_stops_the_run_with_its_sentence(bench: Bench, kind: type[PrtError]) -> None:
    calls = 0

    async def no_quota(request: Request) -> Reply:
        nonlocal calls
        calls += 1
        if calls > 6:
            raise kind("the quota is used up; top it up and run the same command again")
        return await number_in(request)

    summary = bench.run(FakeModel(no_quota), concurrency=2)
    assert summary.state == "stopped"
    assert summary.reason == "the quota is used up; top it up and run the same command again"
    assert summary.asked == 6
    with bench.open() as store:
        assert load_run(store, "latest").record.reason == summary.reason
    check_resumes(bench, came=6)


def test_a_grader_that_can_not_work_stops_the_run_and_its_reply_is_kept(bench: Bench) -> None:
    def fails_on_q3(reply: Reply, key: AnswerKey) -> Grade:
        if key.item.id == "q3":
            raise GraderError("grade.callable returned 7; return true or false")
        return equals_gold(reply, key)

    bench.world = make_world(600, 1)
    model = FakeModel()
    summary = bench.run(model, grader=FakeGrader(fails_on_q3), concurrency=1)
    assert (summary.state, summary.reason) == ("stopped", "grade.callable returned 7; return true or false")
    assert summary.done < len(model.asked) < bench.world.total
    check_resumes(bench, came=len(model.asked))


@pytest.mark.sqlite
def test_a_full_disk_stops_the_run_with_a_sentence_and_the_same_command_resumes(bench: Bench) -> None:
    eight_done = asyncio.Event()
    bench.on_done = lambda: eight_done.set() if len(bench.done) == 8 else None

    async def long_answer(request: Request) -> Reply:
        if int(request.item_id[1:]) >= 4:
            await eight_done.wait()
        return Reply(text=request.item_id[1:] + "." * 20_000)

    with bench.open() as store:
        bench.begin(store)
        with store.reading() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 200
    with bench.open() as store:
        store.close()
        event.listen(
            store._engine, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count={pages}")
        )
        summary = asyncio.run(bench.settle(store, FakeModel(long_answer), concurrency=2))
    assert summary.state == "stopped"
    assert summary.reason == (
        f"{bench.path}: the disk is full, so no more is stored; free some space and run the same command again."
    )
    assert 0 < len(bench.results()) == summary.done < bench.world.total
    with bench.open() as store:
        came = stored_replies(store)
    assert came > summary.done, "of the transaction that did not fit, what had room was kept"
    check_resumes(bench, came=came)


def test_calls_in_flight_may_still_answer_when_another_finds_the_quota_used_up(bench: Bench) -> None:
    refused = asyncio.Event()

    async def last_answers(request: Request) -> Reply:
        if request.item_id == "q1":
            refused.set()
            raise FatalReplyError("the quota is used up")
        await refused.wait()
        await asyncio.sleep(0.01)
        return await number_in(request)

    model = FakeModel(last_answers)
    summary = bench.run(model, concurrency=3)
    assert (summary.state, summary.asked, len(model.asked)) == ("stopped", 2, 3)
    check_resumes(bench, came=2)


def test_a_second_interrupt_ends_that_wait(bench: Bench) -> None:
    async def scenario(store: Store) -> None:
        stop = Stop()

        async def stalls_or_refuses(request: Request) -> Reply:
            if request.item_id == "q1":
                asyncio.get_running_loop().call_later(0.01, stop.drop)
                raise FatalReplyError("the quota is used up")
            await asyncio.Event().wait()
            return Reply()

        began = time.monotonic()
        summary = await bench.settle(store, FakeModel(stalls_or_refuses), concurrency=3, stop=stop)
        assert time.monotonic() - began < 1.0
        assert (summary.state, summary.reason) == ("stopped", "the quota is used up")

    with bench.open() as store:
        asyncio.run(scenario(store))


def test_an_unexpected_failure_of_a_model_is_not_hidden_and_loses_nothing(bench: Bench) -> None:
    came: list[Reply] = []

    async def defect(request: Request) -> Reply:
        if request.item_id == "q5":
            raise ZeroDivisionError
        came.append(await number_in(request))
        return came[-1]

    with pytest.raises(ExceptionGroup) as caught:
        bench.run(FakeModel(defect), concurrency=1)
    assert caught.group_contains(ZeroDivisionError)
    check_resumes(bench, came=len(came))


def test_a_call_that_the_models_own_code_cancelled_has_failed_like_any_other(bench: Bench) -> None:
    async def cancels_itself(request: Request) -> Reply:
        if request.item_id == "q1":
            raise asyncio.CancelledError
        return await number_in(request)

    summary = bench.run(FakeModel(cancels_itself), concurrency=1)
    assert (summary.state, summary.failed, summary.done) == ("incomplete", 2, 40)


def test_a_slow_grader_neither_holds_up_the_storing_of_replies_nor_the_loop(bench: Bench) -> None:
    bench.world = make_world(1, 2)

    def waits_for_all_replies(reply: Reply, key: AnswerKey) -> Grade:
        give_up = time.monotonic() + 5
        while stored_replies(store) < 3:
            assert time.monotonic() < give_up
            time.sleep(0.001)
        return equals_gold(reply, key)

    with bench.open() as store:
        summary = asyncio.run(bench.settle(store, FakeModel(), grader=FakeGrader(waits_for_all_replies), concurrency=3))
    assert summary.state == "complete"


def test_a_second_interrupt_gives_up_on_a_grader_that_does_not_return(bench: Bench) -> None:
    stuck = threading.Event()
    go_on = threading.Event()

    def hangs(reply: Reply, key: AnswerKey) -> Grade:
        stuck.set()
        go_on.wait(5)
        return equals_gold(reply, key)

    async def scenario(store: Store) -> None:
        stop = Stop()
        task = asyncio.create_task(bench.settle(store, model, grader=FakeGrader(hangs), concurrency=2, stop=stop))
        await asyncio.to_thread(stuck.wait)
        began = time.monotonic()
        stop.drop()
        assert (await task).state == "stopped"
        assert time.monotonic() - began < 1.0
        go_on.set()

    model = FakeModel()
    with bench.open() as store:
        asyncio.run(scenario(store))
        assert stored_replies(store) == len(model.asked) > 0


def stored_replies(store: Store) -> int:
    with store.reading() as connection:
        number: int = connection.exec_driver_sql("SELECT count(*) FROM replies").scalar_one()
        return number


def test_graders_are_called_one_at_a_time(bench: Bench) -> None:
    inside, most = 0, 0

    def counting(reply: Reply, key: AnswerKey) -> Grade:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.0005)
        inside -= 1
        return equals_gold(reply, key)

    bench.run(FakeModel(), grader=FakeGrader(counting), concurrency=8)
    assert most == 1


def test_an_unexpected_failure_of_who_is_told_is_not_hidden_and_loses_nothing(bench: Bench) -> None:
    def fails() -> None:
        if len(bench.done) == 3:
            raise ZeroDivisionError

    bench.on_done = fails
    model = FakeModel()
    with pytest.raises(ExceptionGroup) as caught:
        bench.run(model, concurrency=1)
    assert caught.group_contains(ZeroDivisionError)
    bench.on_done = lambda: None
    check_resumes(bench, came=len(model.asked))


@pytest.mark.parametrize(("defect", "raised"), [(ZeroDivisionError, ZeroDivisionError), (StopIteration, RuntimeError)])
def test_an_unexpected_failure_of_a_grader_is_not_hidden_and_loses_nothing(
    bench: Bench, defect: type[Exception], raised: type[Exception]
) -> None:
    def stops(_reply: Reply, _key: AnswerKey) -> Grade:
        raise defect

    model = FakeModel()
    with pytest.raises(ExceptionGroup) as caught:
        bench.run(model, grader=FakeGrader(stops), concurrency=1)
    assert caught.group_contains(raised)
    check_resumes(bench, came=len(model.asked))
