"""What a stop ends at once, what it waits for, and for how long."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from prt.perturbations.question import Message
from prt.runner.config.limits import LimitsConfig
from prt.runner.config.models import OpenAIModel, RetryConfig
from prt.runner.engine.budget import Budget, Purse
from prt.runner.engine.calls import Calls
from prt.runner.engine.stopping import Stop
from prt.runner.errors import BudgetSpentError
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.pace import Pace
from prt.runner.models.retry import Retrier
from prt.runner.models.throttle import Caps, Limits
from prt.runner.records import Reply, Request

from ..run_fakes import FakeModel

REQUEST = Request((Message("user", "What is 1?"),))
Attempt = Callable[[], Awaitable[Reply]]


async def for_ever(_: float = 0.0) -> None:
    await asyncio.Event().wait()


async def stalls() -> Reply:
    await for_ever()
    return Reply()


async def is_overloaded() -> Reply:
    raise FailedAttempt("server", "it is overloaded", again=True)


def asking(*attempts: Attempt, caps: Caps | None = None) -> FakeModel:
    """A model whose attempts are these, one after the other, and whose waits never end."""
    pace = Pace(sleep=for_ever)
    throttle = Limits(caps or Caps(concurrency=2), pace=pace).throttle("endpoint")
    config = OpenAIModel(name="m", retry=RetryConfig(retries=5))
    retrier, left = Retrier(config, pace, throttle), iter(attempts)
    return FakeModel(lambda _: retrier.ask(next(left)))


async def begun(calls: Calls, count: int) -> "list[asyncio.Task[Reply | None]]":
    """So many cells, all as far as they get."""
    tasks = [asyncio.create_task(calls.make(REQUEST)) for _ in range(count)]
    for _ in range(20):
        await asyncio.sleep(0)
    return tasks


def is_left(tasks: "list[asyncio.Task[Reply | None]]") -> list[bool]:
    return [not task.done() for task in tasks]


@pytest.mark.parametrize(
    ("attempts", "caps", "in_flight"),
    [
        ([stalls, stalls], Caps(concurrency=2), 2),
        ([is_overloaded, stalls, stalls], Caps(concurrency=2), 2),
        ([is_overloaded] * 3, Caps(concurrency=3), 0),
        ([stalls], Caps(concurrency=9, rpm=1), 1),
    ],
    ids=["a turn", "a turn and a retry", "a retry", "a rate"],
)
def test_who_waits_for_anything_ends_at_once_and_calls_in_flight_go_on(
    attempts: list[Attempt], caps: Caps, in_flight: int
) -> None:
    async def scenario() -> None:
        calls = Calls(asking(*attempts, caps=caps), Purse())
        tasks = await begun(calls, 3)
        assert calls.in_flight == in_flight
        calls.stop("it was interrupted")
        await asyncio.sleep(0)
        assert sum(is_left(tasks)) == calls.in_flight == in_flight
        calls.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert calls.in_flight == 0

    asyncio.run(scenario())


def test_who_waits_for_tokens_of_others_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        budget = Budget(LimitsConfig(max_tokens=100))
        calls = Calls(asking(stalls), Purse(budget, 50))
        tasks = await begun(calls, 3)
        assert calls.in_flight == 1
        calls.stop("it was interrupted")
        await asyncio.sleep(0)
        assert sum(is_left(tasks)) == 1
        calls.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    monkeypatch.setattr("prt.runner.engine.budget.most_tokens", lambda _: 40)
    asyncio.run(scenario())


def test_a_call_that_fails_after_a_stop_is_not_made_again_and_says_so() -> None:
    failed = asyncio.Event()

    async def fails_late() -> Reply:
        await failed.wait()
        return await is_overloaded()

    async def scenario() -> Reply | None:
        calls = Calls(asking(fails_late), Purse())
        (task,) = await begun(calls, 1)
        calls.stop("it was interrupted")
        failed.set()
        reply = await task
        assert calls.made == 1
        return reply

    reply = asyncio.run(scenario())
    assert reply is not None
    assert reply.error is not None
    assert reply.error.message == "it is overloaded (not asked again, since the run was stopped)"


def test_a_cell_whose_call_was_made_and_that_would_make_another_one_after_a_stop_makes_none() -> None:
    """As one that is asked anew with other parameters, or whose model is only loaded."""
    loaded = asyncio.Event()

    async def scenario() -> None:
        asked = asking(stalls)

        async def once_loaded(request: Request) -> Reply:
            await loaded.wait()
            return await asked.ask(request)

        calls = Calls(FakeModel(once_loaded), Purse())
        (task,) = await begun(calls, 1)
        calls.stop("it was interrupted")
        loaded.set()
        with pytest.raises(BudgetSpentError, match="since the run was stopped"):
            await task
        assert calls.made == 0

    asyncio.run(scenario())


def test_no_call_is_made_after_a_stop() -> None:
    async def scenario() -> None:
        calls = Calls(asking(), Purse())
        calls.stop("it was interrupted")
        assert await calls.make(REQUEST) is None
        assert calls.made == 0

    asyncio.run(scenario())


def test_a_stop_drops_what_is_left_when_its_time_is_over() -> None:
    async def scenario() -> None:
        stop = Stop()
        stop.gently(0.01)
        assert stop.is_set()
        assert not stop.dropped.is_set()
        await asyncio.wait_for(stop.dropped.wait(), 10)

    asyncio.run(scenario())


def test_what_is_waited_for_is_waited_for_until_it_is_done_or_dropped() -> None:
    async def scenario() -> None:
        stop = Stop()
        done, hung = asyncio.create_task(asyncio.sleep(0)), asyncio.create_task(for_ever())
        stop.gently(3600)
        await stop.while_not_dropped([done])
        waiting = asyncio.create_task(stop.while_not_dropped([done, hung]))
        await asyncio.sleep(0)
        assert not waiting.done()
        stop.drop()
        await waiting
        assert not hung.done(), "whoever waits decides what becomes of it"
        hung.cancel()

    asyncio.run(scenario())


def test_work_that_goes_on_after_the_first_interrupt_stops_at_the_second() -> None:
    async def scenario() -> None:
        stop = Stop()
        stop.gently(3600)
        later = stop.later()
        assert not later.is_set()
        stop.drop()
        assert later.is_set()
        assert later.dropped.is_set()
        assert stop.later().is_set()

    asyncio.run(scenario())


def test_calls_of_all_who_make_them_are_counted() -> None:
    async def scenario() -> None:
        stop = Stop()
        for count in (3, 4):
            stop.count(lambda count=count: count)  # type: ignore[misc]  # bound here, not when it is called
        assert stop.in_flight == 7

    asyncio.run(scenario())
