"""What was worked out for a page and may be wanted again: so many results at most, none worked out twice at once."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """The results that were asked for last, by their keys; for the coroutines of one event loop.

    Whoever asks for what is being worked out waits for it. A failure is told to all who wait, and is not kept.
    """

    def __init__(self, most: int) -> None:
        """Keep nothing yet.

        Args:
            most: How many results are kept.
        """
        self._most = most
        self._tasks: OrderedDict[Hashable, asyncio.Future[Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tasks)

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Value]]) -> Value:
        """Give the result of a key.

        Args:
            key: What decides the result.
            make: Works it out, where it is not known.
        """
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.ensure_future(make())
            task.add_done_callback(lambda done: self._ended(key, done))
            self._put(key, task)
        self._tasks.move_to_end(key)
        # One who goes away must not take the result from the others who wait for it.
        return await asyncio.shield(task)

    def put(self, key: Hashable, value: Value) -> None:
        """Keep a result that was worked out on the way to another."""
        if key not in self._tasks:
            known: asyncio.Future[Value] = asyncio.get_running_loop().create_future()
            known.set_result(value)
            self._put(key, known)

    def _put(self, key: Hashable, task: "asyncio.Future[Value]") -> None:
        self._tasks[key] = task
        while len(self._tasks) > self._most:
            self._tasks.popitem(last=False)

    def _ended(self, key: Hashable, task: "asyncio.Future[Value]") -> None:
        failed = task.cancelled() or task.exception() is not None
        if failed and self._tasks.get(key) is task:
            del self._tasks[key]
