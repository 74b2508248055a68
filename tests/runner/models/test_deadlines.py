"""One timer for many: each is ended in time, none before, and a cancellation from outside stays one."""

import asyncio
from collections.abc import Awaitable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.models.deadlines import Deadlines

from .virtual_time import run_at_once


async def outcome(work: Awaitable[object]) -> tuple[str, float]:
    """How something ended, and when."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    try:
        await work
    except TimeoutError:
        return "ended", loop.time() - began_s
    except ValueError:
        return "failed", loop.time() - began_s
    return "done", loop.time() - began_s


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0.01, 9), st.floats(0.01, 9)), min_size=1, max_size=40))
def test_each_of_many_ends_at_its_own_time(works: list[tuple[float, float, float]]) -> None:
    async def one(deadlines: Deadlines, begins_s: float, lasts_s: float, allowed_s: float) -> tuple[str, float]:
        await asyncio.sleep(begins_s)
        return await outcome(deadlines.within(allowed_s, asyncio.sleep(lasts_s)))

    async def run() -> list[tuple[str, float]]:
        deadlines = Deadlines()
        return await asyncio.gather(*(one(deadlines, *work) for work in works))

    for (_, lasts_s, allowed_s), (how, took_s) in zip(works, run_at_once(run()), strict=True):
        assert took_s == pytest.approx(min(lasts_s, allowed_s), abs=1e-6)
        if abs(lasts_s - allowed_s) > 1e-6:
            assert how == ("done" if lasts_s < allowed_s else "ended")


def test_what_it_returns_or_raises_is_given_on() -> None:
    async def fails() -> None:
        raise ValueError

    async def run() -> tuple[str, str]:
        deadlines = Deadlines()
        value = await deadlines.within(1, asyncio.sleep(0.5, "value"))
        return value, (await outcome(deadlines.within(1, fails())))[0]

    assert run_at_once(run()) == ("value", "failed")


def test_a_cancellation_from_outside_is_no_timeout_even_at_the_same_moment() -> None:
    async def run(after_s: float) -> str:
        deadlines = Deadlines()
        task = asyncio.create_task(outcome(deadlines.within(1, asyncio.sleep(9))))
        asyncio.get_running_loop().call_later(after_s, task.cancel)
        try:
            return (await task)[0]
        except asyncio.CancelledError:
            return "cancelled"

    assert [run_at_once(run(after_s)) for after_s in (0.5, 1.0, 1.5)] == ["cancelled", "cancelled", "ended"]


def test_work_that_cleans_up_when_ended_may_do_so() -> None:
    async def slow_to_end() -> None:
        try:
            await asyncio.sleep(9)
        finally:
            await asyncio.sleep(0.5)

    async def run() -> tuple[str, float]:
        return await outcome(Deadlines().within(1, slow_to_end()))

    assert run_at_once(run()) == ("ended", 1.5)


def test_work_that_will_not_be_ended_leaves_no_trace_in_its_task() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            await asyncio.sleep(0.5)
        return "late"

    async def run() -> tuple[str, int]:
        value = await Deadlines().within(1, stubborn())
        task = asyncio.current_task()
        assert task is not None
        return value, task.cancelling()

    assert run_at_once(run()) == ("late", 0)


def test_one_object_serves_one_loop_after_the_other() -> None:
    deadlines = Deadlines()

    async def run() -> str:
        return (await outcome(deadlines.within(1, asyncio.sleep(2))))[0]

    assert [run_at_once(run()), run_at_once(run())] == ["ended", "ended"]
