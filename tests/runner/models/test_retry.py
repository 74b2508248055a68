"""Which failures are asked again, after how long, and when it is enough."""

import asyncio
from collections.abc import Callable
from dataclasses import fields, replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.config.models import Retried
from prt.runner.config.schema import OpenAIModel, RetryConfig
from prt.runner.errors import FatalReplyError
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.retry import Retrier, measured
from prt.runner.models.throttle import Limits
from prt.runner.records import Reply, ReplyError

from .asking import FakeTime


def config(**settings: object) -> OpenAIModel:
    return OpenAIModel.model_validate({"name": "m", **settings})


def retrier(config: OpenAIModel, time: FakeTime) -> Retrier:
    return Retrier(config, time.pace(), Limits(pace=time.pace()).throttle("there"))


def outcome(time: FakeTime, config: OpenAIModel, *outcomes: FailedAttempt | Reply, takes_s: float = 0.0) -> Reply:
    """What comes of attempts with these outcomes, the last of which repeats; each takes some time."""
    left = list(outcomes)

    async def attempt() -> Reply:
        time.seconds += takes_s
        result = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(result, FailedAttempt):
            raise result
        return result

    return asyncio.run(retrier(config, time).ask(attempt))


def unavailable(retry_after_s: float | None = None) -> FailedAttempt:
    return FailedAttempt("server", "unavailable", again=True, retry_after_s=retry_after_s)


def test_a_first_answer_is_one_attempt_without_a_wait() -> None:
    time = FakeTime()
    assert outcome(time, config(), Reply(text="A"), takes_s=2.5) == Reply(text="A", attempts=1, latency_s=2.5)
    assert time.slept == []


def test_what_is_measured_changes_nothing_else_of_a_reply() -> None:
    whole = Reply("t", "f", "r", "s", "m", 1, 2, 0.5, 3, ReplyError("server", "e"), "fp")
    assert all(getattr(whole, field.name) != field.default for field in fields(Reply))
    assert measured(whole, 7, 2.5) == replace(whole, attempts=7, latency_s=2.5)


def test_the_latency_is_that_of_the_attempt_that_answered() -> None:
    reply = outcome(FakeTime(), config(), unavailable(), unavailable(), Reply(text="A"), takes_s=3)
    assert (reply.attempts, reply.latency_s) == (3, 3)


def test_waits_double_from_the_first_with_jitter_below() -> None:
    time = FakeTime()
    outcome(time, config(retry=RetryConfig(retries=5, first_wait_s=2, max_wait_s=20)), unavailable())
    longest = [2, 4, 8, 16, 20]
    assert len(time.slept) == len(longest)
    assert all(most / 2 <= wait <= most for wait, most in zip(time.slept, longest, strict=True))
    assert len({wait / most for wait, most in zip(time.slept, longest, strict=True)}) == len(longest)


def test_the_attempts_are_counted_and_told_when_none_is_left() -> None:
    reply = outcome(FakeTime(), config(retry=RetryConfig(retries=2)), unavailable())
    assert reply.error == ReplyError("server", "unavailable (asked 3 times)")
    assert reply.attempts == 3


def test_a_failure_that_asking_again_cannot_mend_is_final() -> None:
    time = FakeTime()
    reply = outcome(time, config(), FailedAttempt("bad_request", "no such parameter", again=False))
    assert reply.error == ReplyError("bad_request", "no such parameter")
    assert (reply.attempts, time.slept) == (1, [])


def test_retry_after_is_waited_even_beyond_the_longest_wait() -> None:
    time = FakeTime()
    settings = config(retry=RetryConfig(first_wait_s=1, max_wait_s=2))
    assert outcome(time, settings, unavailable(90), Reply(text="A")).text == "A"
    assert 90 <= time.slept[0] <= 91


def test_a_retry_after_of_nothing_does_not_shorten_the_wait() -> None:
    time = FakeTime()
    outcome(time, config(retry=RetryConfig(retries=3, first_wait_s=4)), unavailable(0))
    assert [wait >= least for wait, least in zip(time.slept, (2, 4, 8), strict=True)] == [True] * 3


def test_a_retry_after_beyond_the_total_time_ends_the_cell_at_once_and_says_so() -> None:
    time = FakeTime()
    reply = outcome(time, config(timeout_s=5, total_timeout_s=10), unavailable(3600))
    assert time.slept == []
    assert reply.error is not None
    assert "it asks to wait 3600 s, beyond model.total_timeout_s (10 s)" in reply.error.message
    assert reply.error.kind == "server"


def test_attempts_and_waits_together_stay_within_the_total_time() -> None:
    time = FakeTime()
    settings = config(timeout_s=5, total_timeout_s=30, retry=RetryConfig(retries=99, first_wait_s=2))
    outcome(time, settings, unavailable(), takes_s=4)
    assert time.seconds - 1000 <= 30 + 4


def test_an_attempt_without_an_answer_is_broken_off_and_made_again() -> None:
    async def never() -> Reply:
        await asyncio.sleep(3600)
        raise AssertionError("not reached")

    settings = config(timeout_s=0.01, retry=RetryConfig(retries=1))
    reply = asyncio.run(retrier(settings, FakeTime()).ask(never))
    assert reply.error == ReplyError("timeout", "no answer within 0.01 s, as model.timeout_s allows (asked 2 times)")


def test_the_last_attempt_has_only_the_rest_of_the_total_time() -> None:
    time = FakeTime()

    async def slow_then_stalled() -> Reply:
        if time.seconds == 1000:
            time.seconds += 9.95
            raise unavailable()
        await asyncio.sleep(3600)
        raise AssertionError("not reached")

    settings = config(timeout_s=10, total_timeout_s=10, retry=RetryConfig(retries=1, first_wait_s=0))
    reply = asyncio.run(retrier(settings, time).ask(slow_then_stalled))
    assert reply.error is not None
    assert "within 0.05 s, as model.total_timeout_s allows" in reply.error.message


@pytest.mark.parametrize("kind", get_args(Retried))
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_each_kind_is_asked_again_exactly_as_often_as_the_config_says(kind: Retried, retries: int) -> None:
    failure = FailedAttempt(kind, "failed", again=True)
    assert outcome(FakeTime(), config(retry=RetryConfig(retries=retries)), failure).attempts == retries + 1


def test_a_kind_that_the_config_leaves_out_is_not_asked_again() -> None:
    settings = config(retry=RetryConfig(errors=["rate_limit", "timeout"]))
    assert outcome(FakeTime(), settings, FailedAttempt("bad_response", "no JSON", again=True)).attempts == 1
    assert outcome(FakeTime(), settings, FailedAttempt("rate_limit", "slow down", again=True)).attempts == 5


@pytest.mark.parametrize("error", [FatalReplyError("no quota"), RuntimeError("a mistake of ours")])
def test_what_is_not_a_failed_attempt_is_raised_at_once(error: Exception) -> None:
    time = FakeTime()

    async def attempt() -> Reply:
        raise error

    with pytest.raises(type(error), match=str(error)):
        asyncio.run(retrier(config(), time).ask(attempt))
    assert time.slept == []


def test_a_cancelled_cell_is_cancelled_and_not_asked_again() -> None:
    time = FakeTime()

    async def run() -> None:
        task = asyncio.create_task(retrier(config(), time).ask(lambda: asyncio.sleep(3600, Reply())))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert time.slept == []


@pytest.mark.parametrize(
    "with_text",
    [
        lambda text: Reply(text=text),
        lambda text: Reply(reasoning=text),
        lambda text: Reply(refusal=text),
        lambda text: FailedAttempt("server", text, again=False),
    ],
)
def test_half_a_surrogate_pair_becomes_the_replacement_character(
    with_text: Callable[[str], Reply | FailedAttempt],
) -> None:
    reply = outcome(FakeTime(), config(), with_text("a\ud83d b \U0001f600"))
    texts = (reply.text, reply.reasoning, reply.refusal, reply.error.message if reply.error else "")
    assert "a\ufffd b \U0001f600" in texts


@given(
    retries=st.integers(0, 7),
    first_wait_s=st.floats(0, 50),
    asked_s=st.none() | st.floats(0, 500),
    takes_s=st.floats(0, 20),
    total_s=st.floats(20, 400),
)
@settings(max_examples=60, deadline=None)
def test_no_policy_exceeds_its_retries_or_its_time(
    retries: int, first_wait_s: float, asked_s: float | None, takes_s: float, total_s: float
) -> None:
    time = FakeTime()
    retry = RetryConfig(retries=retries, first_wait_s=first_wait_s)
    reply = outcome(
        time, config(timeout_s=20.0, total_timeout_s=total_s, retry=retry), unavailable(asked_s), takes_s=takes_s
    )
    assert reply.error is not None
    assert 1 <= reply.attempts <= retries + 1
    assert len(time.slept) == reply.attempts - 1
    assert time.seconds - 1000 <= total_s + takes_s + 1e-9
    assert all(wait >= (asked_s or 0) for wait in time.slept)
