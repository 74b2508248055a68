"""How many calls an endpoint is given at once, and when: one throttle an endpoint, around each attempt.

A cell that waits before its next attempt holds no place. Places are given in the order in which they are asked for.
Where an endpoint asks to wait, by `Retry-After` or by saying that nothing is left of a rate, all calls to it wait.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from ..records import Reply
from .attempts import Gate
from .failure import FailedAttempt
from .growth import Growth
from .open_files import allowed_connections
from .pace import Pace
from .rate import Rate, Start
from .rate_headers import exhausted_for_s

MOST_BY_ITSELF = 256
"""Calls in flight that `auto` may reach where `max_in_flight` says nothing."""
FIRST_GUESS_TOKENS = 256
"""Tokens that an answer takes, before any has come and where nothing bounds it."""
WORTH_TELLING_S = 5.0
SPREAD_S = 0.5
"""Calls that waited for the same moment come back spread over so many seconds by chance."""

Weigh = Callable[[], tuple[int, int | None]]
"""Tokens of a prompt, and the most that its answer may have; None where nothing bounds it."""


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
        most = self.concurrency or own or self.max_in_flight or MOST_BY_ITSELF
        return min(most, self.max_in_flight or most)


class Place:
    """One attempt's place among the calls in flight.

    Attributes:
        began_s: When the attempt began, by the clock.
    """

    __slots__ = ("began_s", "era", "held", "number", "tokens", "waited")

    def __init__(self, number: int) -> None:
        self.number = number
        self.held = False
        self.began_s = 0.0
        self.era = 0
        self.waited = False
        self.tokens: Start | None = None


class Throttle:
    """Lets attempts through to one endpoint.

    Attributes:
        most: Calls in flight that are never exceeded.
        in_flight: Places that are taken now.
    """

    def __init__(
        self,
        endpoint: str,
        growth: Growth,
        caps: Caps,
        *,
        pace: Pace,
        tell: Callable[[str], None],
        before_attempt: Callable[[], None],
        longest_pause_s: float,
    ) -> None:
        """Begin with nothing in flight.

        Args:
            endpoint: How messages call it.
            growth: How many calls may be in flight.
            caps: Bounds on calls and tokens a minute.
            pace: Time and chance.
            tell: Told in a sentence of a long wait.
            before_attempt: Called before each attempt, which is not made where this raises.
            longest_pause_s: An endpoint that asks to wait for longer is asked all the same, so that its cells fail with
                what it says.
        """
        self.most = growth.most
        self.in_flight = 0
        self._endpoint = endpoint
        self._growth = growth
        self._calls = Rate(caps.rpm) if caps.rpm else None
        self._tokens = Rate(caps.tpm) if caps.tpm else None
        self._pace = pace
        self._tell = tell
        self._before_attempt = before_attempt
        self._longest_pause_s = longest_pause_s
        self._paused_until_s = -1.0
        self._waiting: list[tuple[int, Place, asyncio.Future[None]]] = []
        self._numbers = 0
        self._largest_answer = FIRST_GUESS_TOKENS
        self._tokens_a_call = 0.0

    @property
    def limit(self) -> int:
        """Calls in flight now allowed."""
        return self._growth.limit

    async def begin(self, weigh: Weigh, gate: Gate | None = None) -> Place:
        """Wait for a place, for the end of a pause and for the rates; then the attempt begins.

        Args:
            weigh: Weighs the call; only called where tokens are bounded.
            gate: What may hold it back, without a place; None for nothing.
        """
        self._numbers += 1
        place = Place(self._numbers)
        try:
            await self._place(place)
            while gate is not None and gate.closed:
                self._leave(place)
                await gate.opened()
                await self._place(place)
            if self._calls or self._tokens or self._paused_until_s > self._pace.clock():
                await self._wait_until_due(place, weigh)
            self._before_attempt()
        except BaseException:
            self._leave(place)
            raise
        place.era = self._growth.era
        place.began_s = self._pace.clock()
        return place

    def answered(self, place: Place, reply: Reply) -> float:
        """The attempt has an answer; its place is free.

        Returns:
            How long the attempt took, in seconds.
        """
        latency_s = self._pace.clock() - place.began_s
        if self.in_flight >= self._growth.limit and not place.waited:
            self._growth.answered(place.era, latency_s)
        prompt, answer = reply.prompt_tokens, reply.completion_tokens
        if prompt is not None and answer is not None:
            self._tokens_a_call += (prompt + answer - self._tokens_a_call) / (8 if self._tokens_a_call else 1)
            if place.tokens is not None and self._tokens is not None:
                self._largest_answer = max(self._largest_answer, answer)
                self._tokens.correct(place.tokens, prompt + answer)
        self._leave(place)
        return latency_s

    def failed(self, place: Place, failure: BaseException) -> None:
        """The attempt has none; its place is free."""
        if isinstance(failure, FailedAttempt):
            if failure.overloaded:
                self._growth.refused(place.era)
            elif failure.again:
                self._growth.failed(place.era)
            if failure.retry_after_s is not None:
                self.pause(failure.retry_after_s)
        self._leave(place)

    def heed(self, headers: Mapping[str, str]) -> None:
        """Pause where the headers of a response say that nothing is left of a rate."""
        wait_s = exhausted_for_s(headers, self._tokens_a_call)
        if wait_s:
            self.pause(wait_s)

    def pause(self, seconds: float) -> None:
        """Let no attempt begin for so long, unless that is too long to wait for."""
        now_s = self._pace.clock()
        if seconds <= 0 or seconds > self._longest_pause_s:
            return
        if seconds >= WORTH_TELLING_S and self._paused_until_s <= now_s:
            self._tell(f"{self._endpoint} asks to wait {seconds:.0f} s; no call goes there before that")
        self._paused_until_s = max(self._paused_until_s, now_s + seconds)

    async def _wait_until_due(self, place: Place, weigh: Weigh) -> None:
        due_s: float | None = None
        while True:
            now_s = self._pace.clock()
            if self._paused_until_s > now_s:
                due_s = None
                await self._pace.sleep(self._paused_until_s - now_s + self._pace.rng.uniform(0, SPREAD_S))
                await self._queue_again(place)
                continue
            due_s = self._due_s(place, now_s, weigh) if due_s is None else due_s
            if due_s <= now_s:
                return
            place.waited = True
            await self._pace.sleep(due_s - now_s)

    def _due_s(self, place: Place, now_s: float, weigh: Weigh) -> float:
        """Reserve a call and its tokens; when both are due."""
        due_s = now_s
        if self._tokens is not None:
            prompt, answer = weigh()
            place.tokens = self._tokens.reserve(now_s, prompt + (self._largest_answer if answer is None else answer))
            due_s = place.tokens.at_s
        return due_s if self._calls is None else self._calls.reserve(due_s, 1).at_s

    async def _queue_again(self, place: Place) -> None:
        """After a pause fewer may be allowed than have waited for its end."""
        if self.in_flight > self._growth.limit:
            self._leave(place)
            await self._queue(place)

    async def _place(self, place: Place) -> None:
        if self._waiting or self.in_flight >= self._growth.limit:
            await self._queue(place)
        else:
            self._take(place)

    async def _queue(self, place: Place) -> None:
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (place.number, place, turn))
        await turn

    def _take(self, place: Place) -> None:
        place.held = True
        self.in_flight += 1

    def _leave(self, place: Place) -> None:
        self.in_flight -= place.held
        place.held = False
        while self._waiting and self.in_flight < self._growth.limit:
            _, next_place, turn = heappop(self._waiting)
            if not turn.done():
                self._take(next_place)
                turn.set_result(None)


class Limits:
    """The throttles of one command, one an endpoint; every model that calls an endpoint shares its throttle.

    Attributes:
        caps: The bounds, which hold for each endpoint by itself.
        before_attempt: Called before each attempt, retries included; what it raises ends the cell's `ask`, and the
            attempt is not made.
    """

    def __init__(
        self, caps: Caps | None = None, *, pace: Pace | None = None, before_attempt: Callable[[], None] = lambda: None
    ) -> None:
        self.caps = caps or Caps()
        self.before_attempt = before_attempt
        self._pace = pace or Pace()
        self._throttles: dict[str, Throttle] = {}

    def throttle(
        self,
        endpoint: str,
        *,
        own: int | None = None,
        longest_pause_s: float = 600.0,
        tell: Callable[[str], None] = lambda _: None,
    ) -> Throttle:
        """The throttle of an endpoint; the first that asks makes it.

        Args:
            endpoint: What all who share it call it: the root of its address, without credentials.
            own: Calls in flight that suit a model that is no network endpoint, where the user says nothing.
            longest_pause_s: The longest wait that an endpoint may ask for.
            tell: Told in a sentence of a long wait, and of fewer connections than wanted.
        """
        if endpoint not in self._throttles:
            self._throttles[endpoint] = self._made(endpoint, own, longest_pause_s, tell)
        return self._throttles[endpoint]

    def _made(self, endpoint: str, own: int | None, longest_pause_s: float, tell: Callable[[str], None]) -> Throttle:
        wanted = self.caps.most(own)
        most = wanted if own else allowed_connections(wanted)
        if most < wanted and self.caps.concurrency:
            tell(f"{most} calls in flight instead of {wanted}: this system allows no more open files (ulimit -n)")
        return Throttle(
            endpoint,
            Growth(most, adapts=not (own or self.caps.concurrency)),
            self.caps,
            pace=self._pace,
            tell=tell,
            before_attempt=self._before,
            longest_pause_s=longest_pause_s,
        )

    def _before(self) -> None:
        self.before_attempt()
