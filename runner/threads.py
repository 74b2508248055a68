"""Running code of the user's own, which may block or hang, beside the event loop."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar

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
        hand_over(loop, outcome(work, done))

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="prt-user-code", daemon=True).start()
    return await done


class Lane:
    """A thread that does one piece of work after another; nobody waits for it, should it hang.

    Use it by `async with`; leaving drops the work that has not begun.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._closed = False
        self._queue: SimpleQueue[Callable[[], None]] = SimpleQueue()

    async def __aenter__(self) -> Self:
        """Start the thread."""
        threading.Thread(target=self._go, name=self._name, daemon=True).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the thread end after what it is doing."""
        self._closed = True
        self._queue.put(lambda: None)

    async def do(self, work: Callable[[], T]) -> T:
        """Do some work when its turn comes, and give what it returns.

        Raises:
            BaseException: What it raises.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            if not done.cancelled():
                hand_over(loop, outcome(work, done))

        self._queue.put(run)
        return await done

    def _go(self) -> None:
        while not self._closed:
            self._queue.get()()


def hand_over(loop: asyncio.AbstractEventLoop, settle: Callable[[], None]) -> None:
    """Let the loop settle a future; a loop that is closed by now has nobody who waits for it."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(settle)


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
