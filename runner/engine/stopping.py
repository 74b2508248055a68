"""How a user stops a command: first no further call is made, then those in flight are dropped, too."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any


class Stop(asyncio.Event):
    """Set once no further call is to be made; calls in flight may come to their end until `dropped` is set.

    Attributes:
        dropped: Set once calls in flight are to be cancelled, and nothing that goes on is waited for any longer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.dropped = asyncio.Event()
        self._counts: list[Callable[[], int]] = []
        self._later: list[Stop] = []

    @property
    def in_flight(self) -> int:
        """Calls in flight now."""
        return sum(count() for count in self._counts)

    def count(self, in_flight: Callable[[], int]) -> None:
        """Take in who makes calls.

        Args:
            in_flight: Tells how many of its calls are in flight.
        """
        self._counts.append(in_flight)

    def gently(self, grace_s: float) -> None:
        """Let no further call be made.

        Args:
            grace_s: Seconds that calls in flight have to come to their end.
        """
        self.set()
        asyncio.get_running_loop().call_later(grace_s, self.drop)

    def drop(self) -> None:
        """Let calls in flight be cancelled."""
        self.set()
        self.dropped.set()
        for each in self._later:
            each.drop()

    async def while_not_dropped(self, tasks: Iterable[asyncio.Future[Any]]) -> None:
        """Wait for tasks, but no longer than until calls in flight are dropped."""
        dropped = asyncio.ensure_future(self.dropped.wait())
        left: set[asyncio.Future[Any]] = {*tasks}
        try:
            while left and not dropped.done():
                done, _ = await asyncio.wait({*left, dropped}, return_when=asyncio.FIRST_COMPLETED)
                left -= done
        finally:
            dropped.cancel()

    def later(self) -> "Stop":
        """For work that goes on when this is set, such as grading what was paid for: it stops once this drops all."""
        later = Stop()
        self._later.append(later)
        if self.dropped.is_set():
            later.drop()
        return later
