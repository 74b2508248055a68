"""User code in threads: its result comes back, its errors too, and what hangs holds up nobody."""

import asyncio
import contextvars
import subprocess
import sys
import threading

import pytest
from prt.runner.threads import in_thread

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
