"""Ending what takes too long, by one timer for all that is under way.

`asyncio.timeout` sets and cancels a timer each time, which takes a fifth of what a whole call does. Here the timer is
that of the earliest end there was when it was set; when it fires, it is set anew for the earliest that is left.
"""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Deadline:
    """When something is to end, and the task that waits for it."""

    __slots__ = ("at_s", "cancelling", "passed", "task")

    def __init__(self, at_s: float, task: "asyncio.Task[object]") -> None:
        self.at_s = at_s
        self.task = task
        self.cancelling = task.cancelling()
        self.passed = False


class Deadlines:
    """Bounds the time of whatever is awaited by it, in one event loop at a time."""

    def __init__(self) -> None:
        self._open: set[Deadline] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def within(self, seconds: float, work: Awaitable[T]) -> T:
        """Wait for something, but not for longer.

        Args:
            seconds: How long it may take.
            work: What to wait for; it is cancelled after that time.

        Returns:
            What it returns.

        Raises:
            TimeoutError: It took longer.
        """
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        if task is None:
            raise RuntimeError("only a task can be ended")
        deadline = Deadline(loop.time() + seconds, task)
        self._open.add(deadline)
        if self._timer is None or deadline.at_s < self._timer.when():
            self._set_timer(loop, deadline.at_s)
        try:
            return await work
        except asyncio.CancelledError:
            # Someone else may have cancelled the task, too; that counts then.
            if deadline.passed and task.cancelling() == deadline.cancelling + 1:
                raise TimeoutError from None
            raise
        finally:
            if deadline.passed:
                task.uncancel()
            self._close(deadline)

    def _close(self, deadline: Deadline) -> None:
        self._open.discard(deadline)
        if not self._open and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self, loop: asyncio.AbstractEventLoop, at_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(at_s, self._end, loop, at_s)

    def _end(self, loop: asyncio.AbstractEventLoop, at_s: float) -> None:
        self._timer = None
        left = [deadline for deadline in self._open if not deadline.passed]
        for deadline in left:
            if deadline.at_s <= at_s:
                deadline.passed = True
                deadline.task.cancel()
        ends = [deadline.at_s for deadline in left if not deadline.passed]
        if ends:
            self._set_timer(loop, min(ends))
