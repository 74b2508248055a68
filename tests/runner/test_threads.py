"""User code in threads: its result comes back, its errors too, and what hangs holds up nobody."""

import asyncio
import contextvars
import subprocess
import sys
import threading

import pytest
from prt.runner.threads import Lane, in_thread

VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")


def test_the_result_comes_back_from_another_thread_in_the_same_context() -> None:
    async def scenario() -> tuple[str, int]:
        VARIABLE.set("set")
        return await in_thread(lambda: (VARIABLE.get(), threading.get_ident()))

    value, thread = asyncio.run(scenario())
    assert value == "set"
    assert thread != threading.get_ident()


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
def test_what_is_raised_comes_back(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def scenario() -> BaseException | None:
        try:
            await in_thread(fail)
        except BaseException as caught:  # noqa: BLE001 - the very thing that is looked at
            return caught
        return None

    assert asyncio.run(scenario()) is error


def test_a_stop_iteration_comes_back_as_an_error_that_a_future_can_hold() -> None:
    async def scenario() -> None:
        await in_thread(lambda: next(iter(())))

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(scenario())


def test_work_that_hangs_neither_outlives_its_caller_nor_keeps_the_process() -> None:
    script = (
        "import asyncio, time\n"
        "from prt.runner.threads import in_thread\n"
        "async def scenario():\n"
        "    try:\n"
        "        await asyncio.wait_for(in_thread(lambda: time.sleep(60)), 0.01)\n"
        "    except TimeoutError:\n"
        "        print('given up')\n"
        "asyncio.run(scenario())\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)  # noqa: S603 - our own script
    assert done.stdout == "given up\n"


def test_a_lane_does_one_thing_after_another_in_one_thread() -> None:
    inside: list[int] = []
    seen: list[tuple[int, int]] = []

    def work(number: int) -> int:
        inside.append(number)
        seen.append((len(inside), threading.get_ident()))
        inside.pop()
        return number

    async def scenario() -> list[int]:
        async with Lane("lane") as lane:
            return await asyncio.gather(*(lane.do(lambda n=number: work(n)) for number in range(50)))  # type: ignore[misc]  # a lambda's default has no type

    assert asyncio.run(scenario()) == list(range(50))
    assert {most for most, _ in seen} == {1}
    assert len({thread for _, thread in seen}) == 1


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), StopIteration()])
def test_an_error_in_a_lane_comes_back_and_the_lane_goes_on(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def scenario() -> int:
        async with Lane("lane") as lane:
            with pytest.raises((type(error), RuntimeError)):
                await lane.do(fail)
            return await lane.do(lambda: 7)

    assert asyncio.run(scenario()) == 7


def test_a_lane_skips_what_was_given_up_before_its_turn_and_is_left_without_waiting() -> None:
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def hang() -> None:
        began.set()
        go_on.wait(10)

    async def scenario() -> None:
        async with Lane("given-up lane") as lane:
            first = asyncio.create_task(lane.do(hang))
            await asyncio.to_thread(began.wait)
            second = asyncio.create_task(lane.do(lambda: done.append("second")))
            await asyncio.sleep(0)
            for task in (first, second):
                task.cancel()

    asyncio.run(scenario())
    (thread,) = [each for each in threading.enumerate() if each.name == "given-up lane"]
    go_on.set()
    thread.join(10)
    assert done == []
