"""Running code of the user's own, which may block or hang, beside the event loop."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a thread of its own, which nobody waits for once its caller has given up.

    A pool's threads would be used up by work that hangs, and would keep the process from ending.

    Args:
        work: What to run.

    Returns:
        What it returns.

    Raises:
        BaseException: What it raises.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        settle = outcome(work, done)
        with suppress(RuntimeError):  # the loop is closed: the run ended while the work still went on
            loop.call_soon_threadsafe(settle)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="prt-user-code", daemon=True).start()
    return await done


def outcome(work: Callable[[], T], done: asyncio.Future[T]) -> Callable[[], None]:
    """Do the work now; what is returned hands its result or error to a future, for the future's own thread to call."""
    try:
        result = work()
    except StopIteration as error:  # a future can't hold one
        failure: BaseException = RuntimeError(f"StopIteration: {error}").with_traceback(error.__traceback__)
    except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
        failure = error
    else:
        return lambda: None if done.done() else done.set_result(result)
    return lambda: None if done.done() else done.set_exception(failure)
