"""The one layer that asks again: attempts, waits and time limits of one cell, by tenacity.

A provider makes a single attempt and raises `FailedAttempt`; whether, when and how often to ask again is decided here
and nowhere else (a client library's own retries are switched off).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from ..config.schema import ModelSection
from ..records import Reply, ReplyError
from .failure import FailedAttempt
from .pace import Pace
from .throttle import Throttle
from .valid_text import valid_reply


class Retrier:
    """Asks until there is an answer, an error that asking again can't mend, or no attempt or time left."""

    def __init__(self, config: ModelSection, pace: Pace, throttle: Throttle) -> None:
        self._config = config
        self._pace = pace
        self._throttle = throttle

    async def ask(self, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        """Make attempts.

        Args:
            attempt: One call. Raises `FailedAttempt` where it has no answer.

        Returns:
            The reply with its latency and the number of attempts; its `error` is set where all of them failed.

        Raises:
            FatalReplyError: From an attempt, at once.
        """
        cell = _Cell(self._config, self._pace, self._throttle)
        retrying = AsyncRetrying(
            sleep=self._pace.sleep,
            stop=cell.ends,
            wait=cell.wait_s,
            retry=retry_if_exception(cell.asks_again),
            reraise=True,
        )
        try:
            return valid_reply(await retrying(cell.attempt, attempt))
        except FailedAttempt as failure:
            return valid_reply(Reply(error=cell.conclude(failure.error), attempts=cell.attempts))


class _Cell:
    """The attempts of one cell."""

    def __init__(self, config: ModelSection, pace: Pace, throttle: Throttle) -> None:
        self._config = config
        self._pace = pace
        self._throttle = throttle
        self._started_s = pace.clock()
        self._why_ended = ""
        self.attempts = 0

    async def attempt(self, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        async with self._throttle.place():
            return await self._made(attempt)

    async def _made(self, attempt: Callable[[], Awaitable[Reply]]) -> Reply:
        self.attempts += 1
        started_s = self._pace.clock()
        left_s = self._left_s()
        allowed_s, limit = min((self._config.timeout_s, "timeout_s"), (left_s, "total_timeout_s"))
        try:
            async with asyncio.timeout(allowed_s):
                reply = await attempt()
        except TimeoutError:
            message = f"no answer within {allowed_s:.4g} s, as model.{limit} allows"
            raise FailedAttempt("timeout", message, again=True) from None
        return replace(reply, attempts=self.attempts, latency_s=self._pace.clock() - started_s)

    def wait_s(self, state: RetryCallState) -> float:
        retry = self._config.retry
        longest_s = min(retry.first_wait_s * 2.0 ** (self.attempts - 1), retry.max_wait_s)
        wait_s = longest_s * self._pace.rng.uniform(1 - retry.jitter, 1)
        asked_s = _failure(state).retry_after_s
        if asked_s is None:
            return wait_s
        # Later than asked by a little chance, or all workers come back in the same instant.
        return max(wait_s, asked_s + self._pace.rng.uniform(0, retry.jitter) * retry.first_wait_s)

    def asks_again(self, error: BaseException) -> bool:
        return isinstance(error, FailedAttempt) and error.again and error.error.kind in self._config.retry.errors

    def ends(self, state: RetryCallState) -> bool:
        failure = _failure(state)
        if self.attempts > self._config.retry.retries:
            return True
        if state.upcoming_sleep < self._left_s():
            return False
        asked_s = failure.retry_after_s
        due = f"it asks to wait {asked_s:.0f} s" if asked_s else f"the next would be in {state.upcoming_sleep:.0f} s"
        self._why_ended = f"{due}, beyond model.total_timeout_s ({self._config.total_timeout_s:g} s)"
        return True

    def conclude(self, error: ReplyError) -> ReplyError:
        often = f"asked {self.attempts} times" if self.attempts > 1 else ""
        details = "; ".join(text for text in (often, self._why_ended) if text)
        return replace(error, message=f"{error.message} ({details})" if details else error.message)

    def _left_s(self) -> float:
        return max(0.0, self._config.total_timeout_s - (self._pace.clock() - self._started_s))


def _failure(state: RetryCallState) -> FailedAttempt:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, FailedAttempt):
        raise TypeError(f"only a FailedAttempt is retried, not {error!r}")
    return error
