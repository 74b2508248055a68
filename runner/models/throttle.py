"""How many calls an endpoint is given at once, and when: one throttle an endpoint, around each attempt.

A cell that waits before its next attempt holds no place. Places are given in the order in which they are asked for.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from .pace import Pace

MOST_BY_ITSELF = 256
"""Calls in flight that `auto` may reach where `max_in_flight` says nothing."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What bounds the calls to each endpoint; None where nothing does.

    Attributes:
        concurrency: Calls in flight; None to find out how many the endpoint bears (`auto`).
        max_in_flight: Calls in flight that are never exceeded, whatever `concurrency` says.
        rpm: Calls that may begin in any minute, retries included.
        tpm: Tokens, in and out, of the calls that may begin in any minute.
    """

    concurrency: int | None = None
    max_in_flight: int | None = None
    rpm: int | None = None
    tpm: int | None = None

    def most(self, own: int | None) -> int:
        """Calls in flight at most.

        Args:
            own: What the model bears by itself; None for an endpoint that has to be found out about.
        """
        return min(self.concurrency or own or self.max_in_flight or MOST_BY_ITSELF, self.max_in_flight or 1 << 30)


class Throttle:
    """Lets attempts through to one endpoint.

    Attributes:
        most: Calls in flight that are never exceeded.
        in_flight: Calls in flight now.
    """

    def __init__(self, most: int, before_attempt: Callable[[], None]) -> None:
        self.most = most
        self.in_flight = 0
        self._before_attempt = before_attempt
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for one attempt."""
        await self._take()
        try:
            self._before_attempt()
            yield
        finally:
            self.in_flight -= 1
            self._admit()

    async def _take(self) -> None:
        if not self._waiting and self.in_flight < self.most:
            self.in_flight += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self.in_flight < self.most:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)


class Limits:
    """The throttles of one command, one an endpoint; every model that calls an endpoint shares its throttle."""

    def __init__(
        self, caps: Caps | None = None, *, pace: Pace | None = None, before_attempt: Callable[[], None] = lambda: None
    ) -> None:
        """Set the bounds; they hold for each endpoint by itself.

        Args:
            caps: The bounds.
            pace: Time and chance.
            before_attempt: Called before each attempt, retries included; what it raises ends the cell's `ask`, and
                the attempt is not made.
        """
        self.caps = caps or Caps()
        self.before_attempt = before_attempt
        self._pace = pace or Pace()
        self._throttles: dict[str, Throttle] = {}

    def throttle(self, endpoint: str, *, own: int | None = None) -> Throttle:
        """The throttle of an endpoint; the first that asks makes it.

        Args:
            endpoint: What all who share it call it: the root of its address, without credentials.
            own: Calls in flight that suit it where the user says nothing; None to find out.
        """
        if endpoint not in self._throttles:
            self._throttles[endpoint] = Throttle(self.caps.most(own), lambda: self.before_attempt())  # noqa: PLW0108  may be set later
        return self._throttles[endpoint]
