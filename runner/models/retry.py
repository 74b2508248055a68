"""The one layer that asks again: attempts, waits and time limits of one cell, by tenacity.

A provider makes a single attempt and raises `FailedAttempt`; whether, when and how often to ask again is decided here
and nowhere else. Most cells are answered by their first attempt, so tenacity is only asked about those that are not.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..config.schema import ModelSection
from ..records import Reply, ReplyError
from .attempts import ATTEMPTS
from .deadlines import Deadlines
from .failure import FailedAttempt
from .pace import Pace
from .throttle import Throttle, Weigh
from .valid_text import valid_reply

if TYPE_CHECKING:
    from tenacity import RetryCallState

LOG = logging.getLogger(__name__)
Attempt = Callable[[], Awaitable[Reply]]


def weightless() -> tuple[int, int | None]:
    """The weight of a call that takes no tokens."""
    return 0, 0


class Means(NamedTuple):
    """What all cells of a model share."""

    config: ModelSection
    pace: Pace
    throttle: Throttle
    deadlines: Deadlines


class Retrier:
    """Asks until there is an answer, an error that asking again can't mend, or no retry or time left."""

    def __init__(self, config: ModelSection, pace: Pace, throttle: Throttle) -> None:
        self._means = Means(config, pace, throttle, Deadlines())

    async def ask(self, attempt: Attempt, weigh: Weigh = weightless) -> Reply:
        """Make attempts.

        Args:
            attempt: One call. Raises `FailedAttempt` where it has no answer.
            weigh: Tokens of a call; asked only where they are bounded.

        Returns:
            The reply with its latency and the number of attempts; its `error` is set where all of them failed.

        Raises:
            FatalReplyError: From an attempt, at once.
        """
        cell = _Cell(self._means, attempt, weigh)
        try:
            try:
                return valid_reply(await cell.attempt())
            except FailedAttempt as failure:
                return valid_reply(await self._again(cell, failure))
        except FailedAttempt as failure:
            return valid_reply(Reply(error=cell.conclude(failure.error), attempts=cell.attempts))

    async def _again(self, cell: "_Cell", failure: FailedAttempt) -> Reply:
        """Let tenacity decide what follows a failed first attempt: it is told of that as of its own."""
        from tenacity import AsyncRetrying, retry_if_exception  # noqa: PLC0415 - most runs have no failed attempt

        first = [failure]

        async def attempt() -> Reply:
            if first:
                raise first.pop()
            return await cell.attempt()

        retrying = AsyncRetrying(
            sleep=self._means.pace.sleep,
            stop=cell.ends,
            wait=cell.wait_s,
            retry=retry_if_exception(cell.asks_again),
            reraise=True,
        )
        return await retrying(attempt)


class _Cell:
    """The attempts of one cell."""

    __slots__ = (
        "_attempt",
        "_config",
        "_deadlines",
        "_ends_s",
        "_pace",
        "_throttle",
        "_weigh",
        "_why_ended",
        "attempts",
    )

    def __init__(self, means: Means, attempt: Attempt, weigh: Weigh) -> None:
        self._config, self._pace, self._throttle, self._deadlines = means
        self._attempt = attempt
        self._weigh = weigh
        self._ends_s: float | None = None
        self._why_ended = ""
        self.attempts = 0

    async def attempt(self) -> Reply:
        """Make one attempt, once the endpoint's throttle lets it through."""
        queued_s = self._pace.clock()
        noted = ATTEMPTS.get()
        # A cell that was asked before, with parameters that the model refused, is no new one.
        gate = noted.gate if noted is not None and not noted.made else None
        if noted is not None:
            noted.wait()
        place = await self._throttle.begin(self._weigh, gate)
        self.attempts += 1
        if noted is not None:
            noted.begin()
        # What a cell waits for others is no time of its own.
        waited_s = place.began_s - queued_s
        total_s = self._config.total_timeout_s
        self._ends_s = place.began_s + total_s if self._ends_s is None else self._ends_s + waited_s
        try:
            reply = await self._bounded(place.began_s)
        except BaseException as failure:
            if noted is not None and isinstance(failure, FailedAttempt):
                noted.fail()
            self._throttle.failed(place, failure)
            self._log(failure)
            raise
        latency_s = self._throttle.answered(place, reply)
        return measured(reply, self.attempts, latency_s)

    def _log(self, failure: BaseException) -> None:
        if isinstance(failure, FailedAttempt) and LOG.isEnabledFor(logging.DEBUG):
            said = {"kind": failure.error.kind, "error": failure.error.message, "retry_after_s": failure.retry_after_s}
            LOG.debug("a call failed", extra={"fields": {"attempt": self.attempts, **said}})

    async def _bounded(self, now_s: float) -> Reply:
        allowed_s, limit = self._config.timeout_s, "timeout_s"
        left_s = self._left_s(now_s)
        if left_s < allowed_s:
            allowed_s, limit = left_s, "total_timeout_s"
        try:
            return await self._deadlines.within(allowed_s, self._attempt())
        except TimeoutError:
            message = f"no answer within {allowed_s:.4g} s, as model.{limit} allows"
            raise FailedAttempt("timeout", message, again=True) from None

    def asks_again(self, error: BaseException) -> bool:
        """Whether a failure is of a kind that is asked again."""
        return isinstance(error, FailedAttempt) and error.again and error.error.kind in self._config.retry.errors

    def wait_s(self, state: "RetryCallState") -> float:
        """Seconds before the next attempt."""
        retry, rng = self._config.retry, self._pace.rng
        longest_s = min(retry.first_wait_s * 2.0 ** (self.attempts - 1), retry.max_wait_s)
        wait_s = longest_s * rng.uniform(1 - retry.jitter, 1)
        asked_s = _failure(state).retry_after_s
        if asked_s is None:
            return wait_s
        # Later than asked by a little chance, or all workers come back in the same instant.
        return max(wait_s, asked_s + rng.uniform(0, retry.jitter) * retry.first_wait_s)

    def ends(self, state: "RetryCallState") -> bool:
        """Whether no retry or no time is left."""
        if self.attempts > self._config.retry.retries:
            return True
        noted = ATTEMPTS.get()
        if noted is not None and noted.last:
            self._why_ended = "not asked again, since the run was stopped"
            return True
        if state.upcoming_sleep < self._left_s(self._pace.clock()):
            return False
        asked_s = _failure(state).retry_after_s
        due = f"it asks to wait {asked_s:.0f} s" if asked_s else f"the next would be in {state.upcoming_sleep:.0f} s"
        self._why_ended = f"{due}, beyond model.total_timeout_s ({self._config.total_timeout_s:g} s)"
        return True

    def conclude(self, error: ReplyError) -> ReplyError:
        """The last error, with how often it was asked and why no more."""
        often = f"asked {self.attempts} times" if self.attempts > 1 else ""
        details = "; ".join(text for text in (often, self._why_ended) if text)
        return replace(error, message=f"{error.message} ({details})" if details else error.message)

    def _left_s(self, now_s: float) -> float:
        return self._config.total_timeout_s if self._ends_s is None else max(0.0, self._ends_s - now_s)


def measured(reply: Reply, attempts: int, latency_s: float) -> Reply:
    """The reply with what it took; like `dataclasses.replace`, in half the time."""
    return Reply(
        text=reply.text,
        finish_reason=reply.finish_reason,
        refusal=reply.refusal,
        reasoning=reply.reasoning,
        model=reply.model,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        latency_s=latency_s,
        attempts=attempts,
        error=reply.error,
        fingerprint=reply.fingerprint,
    )


def _failure(state: "RetryCallState") -> FailedAttempt:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, FailedAttempt):
        raise TypeError(f"only a FailedAttempt is retried, not {error!r}")
    return error
