"""Throttles, by endpoints that are simulated in virtual time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.config.schema import OpenAIModel, ReplayModel
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.growth import FIRST, STEP
from prt.runner.models.retry import Retrier, weightless
from prt.runner.models.throttle import MOST_BY_ITSELF, Caps, Limits, Throttle
from prt.runner.records import Reply
from pydantic import JsonValue as Json

from ..fault_server import FaultServer, answers, sends_json
from .asking import FakeTime, chat, opened, replies, request
from .virtual_time import run_at_once, virtual_pace

LATENCY_S = 0.5
REFUSAL_S = 0.05


@dataclass(slots=True)
class Endpoint:
    """Serves so many calls at once; one more is refused, or waits where it queues.

    Attributes:
        begun: When each call arrived, whatever became of it.
        refused: How many were refused.
        most: The largest number in flight.
        answered: How many were answered.
    """

    capacity: int
    queues: bool = False
    retry_after_s: float | None = None
    begun: list[float] = field(default_factory=list)
    refused: int = 0
    in_flight: int = 0
    most: int = 0
    answered: int = 0
    served: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.served = asyncio.Semaphore(self.capacity)

    async def call(self) -> Reply:
        self.begun.append(asyncio.get_running_loop().time())
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            return await (self._queued() if self.queues else self._served())
        finally:
            self.in_flight -= 1

    async def _queued(self) -> Reply:
        async with self.served:
            await asyncio.sleep(LATENCY_S)
        self.answered += 1
        return Reply(text="A")

    async def _served(self) -> Reply:
        if self.in_flight > self.capacity:
            await asyncio.sleep(REFUSAL_S)
            self.refused += 1
            raise FailedAttempt("rate_limit", "429", again=True, overloaded=True, retry_after_s=self.retry_after_s)
        await asyncio.sleep(LATENCY_S)
        self.answered += 1
        return Reply(text="A")


@dataclass(slots=True)
class Ran:
    """What came of a load."""

    endpoint: Endpoint
    throttle: Throttle
    replies: list[Reply]
    limits: list[int]
    took_s: float


def load(calls: int, caps: Caps, endpoint: Callable[[], Endpoint]) -> Ran:
    """Ask so many times, by as many workers as the throttle can ever use and some more."""

    async def run() -> Ran:
        there, pace = endpoint(), virtual_pace()
        throttle = Limits(caps, pace=pace).throttle("there")
        config = OpenAIModel.model_validate({"name": "m", "retry": {"retries": 50, "max_wait_s": 5}})
        retrier = Retrier(config, pace, throttle)
        left = iter(range(calls))
        done: list[Reply] = []
        limits: list[int] = []

        async def work() -> None:
            for _ in left:
                done.append(await retrier.ask(there.call))
                limits.append(throttle.limit)

        began_s = pace.clock()
        await asyncio.gather(*(work() for _ in range(throttle.most + 8)))
        return Ran(there, throttle, done, limits, pace.clock() - began_s)

    return run_at_once(run())


@pytest.mark.parametrize("capacity", [3, 20, 100])
def test_auto_converges_to_what_an_endpoint_that_refuses_bears(capacity: int) -> None:
    ran = load(6000, Caps(), lambda: Endpoint(capacity))
    assert all(reply.error is None for reply in ran.replies)
    settled = ran.limits[len(ran.limits) // 3 :]
    assert capacity / 3 <= sum(settled) / len(settled) <= 1.1 * capacity
    assert ran.endpoint.refused < 0.06 * ran.endpoint.answered
    assert ran.took_s < 2 * 6000 * LATENCY_S / capacity


@pytest.mark.parametrize("capacity", [3, 20, 100])
def test_auto_converges_to_what_an_endpoint_that_queues_can_use(capacity: int) -> None:
    ran = load(6000, Caps(), lambda: Endpoint(capacity, queues=True))
    settled = ran.limits[len(ran.limits) // 3 :]
    assert 0.5 * capacity <= sum(settled) / len(settled) <= max(2 * capacity, STEP * FIRST)
    assert ran.took_s < 1.6 * 6000 * LATENCY_S / capacity


def test_auto_reaches_its_most_where_nothing_holds_it() -> None:
    assert load(8000, Caps(), lambda: Endpoint(10_000)).throttle.limit == MOST_BY_ITSELF
    ran = load(4000, Caps(max_in_flight=50), lambda: Endpoint(10_000))
    assert (ran.throttle.limit, ran.throttle.most, ran.endpoint.most) == (50, 50, 50)


@pytest.mark.parametrize(("caps", "most"), [(Caps(concurrency=7), 7), (Caps(concurrency=70, max_in_flight=9), 9)])
def test_a_number_that_was_set_is_used_at_once_and_never_exceeded(caps: Caps, most: int) -> None:
    ran = load(500, caps, lambda: Endpoint(10_000))
    assert (ran.endpoint.most, ran.throttle.limit, ran.throttle.most) == (most, most, most)
    assert ran.took_s == pytest.approx(-(-500 // most) * LATENCY_S)


def test_a_storm_of_refusals_halves_the_limit_once() -> None:
    async def run() -> list[int]:
        pace = virtual_pace()
        throttle = Limits(pace=pace).throttle("there")
        storm = FailedAttempt("rate_limit", "429", again=True, overloaded=True)
        seen = []
        for _ in range(2):
            places = [await throttle.begin(weightless) for _ in range(throttle.limit)]
            for place in places:
                throttle.failed(place, storm)
            seen.append(throttle.limit)
        return seen

    assert run_at_once(run()) == [4, 2]


@pytest.mark.parametrize(
    ("caps", "weight", "in_a_minute"), [(Caps(rpm=90), 1, 90), (Caps(tpm=3000), 100, 30), (Caps(rpm=5, tpm=900), 10, 5)]
)
def test_rates_are_kept_exactly_whatever_the_concurrency(caps: Caps, weight: int, in_a_minute: int) -> None:
    async def run() -> list[float]:
        pace = virtual_pace()
        throttle = Limits(caps, pace=pace).throttle("there")
        begun: list[float] = []

        async def ask() -> None:
            place = await throttle.begin(lambda: (weight, 0))
            begun.append(pace.clock())
            await pace.sleep(LATENCY_S)
            throttle.answered(place, Reply(prompt_tokens=weight, completion_tokens=0))

        await asyncio.gather(*(ask() for _ in range(3 * in_a_minute)))
        return begun

    begun = run_at_once(run())
    assert max(sum(first <= each < first + 60 - 1e-6 for each in begun) for first in begun) == in_a_minute
    assert begun[-1] - begun[0] == pytest.approx(180 - 60 / in_a_minute)


def test_tokens_that_were_not_used_are_not_counted() -> None:
    async def run() -> float:
        pace = virtual_pace()
        throttle = Limits(Caps(tpm=1000), pace=pace).throttle("there")
        for _ in range(20):
            place = await throttle.begin(lambda: (10, 500))
            throttle.answered(place, Reply(prompt_tokens=10, completion_tokens=5))
        return pace.clock() - 1000

    assert run_at_once(run()) < 20


@given(
    waits=st.lists(st.tuples(st.floats(0, 3), st.floats(0.1, 3), st.floats(0.05, 9)), min_size=1, max_size=60),
    most=st.integers(1, 6),
)
def test_places_are_given_in_order_none_is_lost_and_none_too_many(
    waits: list[tuple[float, float, float]], most: int
) -> None:
    """Calls that come, last, and may be cancelled at any time: while they wait for a place or hold it."""

    async def run() -> None:
        pace = virtual_pace()
        throttle = Limits(Caps(concurrency=most), pace=pace).throttle("there")
        came: list[int] = []
        served: list[int] = []

        async def ask(number: int, after_s: float, lasts_s: float) -> None:
            await pace.sleep(after_s)
            came.append(number)
            place = await throttle.begin(weightless)
            served.append(number)
            assert throttle.in_flight <= most
            try:
                await pace.sleep(lasts_s)
            except asyncio.CancelledError as error:
                throttle.failed(place, error)
                raise
            throttle.answered(place, Reply())

        async def cancelled(number: int, after_s: float, lasts_s: float, patience_s: float) -> None:
            try:
                async with asyncio.timeout(patience_s):
                    await ask(number, after_s, lasts_s)
            except TimeoutError:
                pass

        await asyncio.gather(*(cancelled(number, *wait) for number, wait in enumerate(waits)))
        assert throttle.in_flight == 0
        assert served == [number for number in came if number in served]

    run_at_once(run())


def test_an_endpoint_that_asks_to_wait_gets_no_call_meanwhile() -> None:
    ran = load(400, Caps(concurrency=20), lambda: Endpoint(19, retry_after_s=54))
    first_refusal_s = ran.endpoint.begun[0] + REFUSAL_S
    assert not [at_s for at_s in ran.endpoint.begun if first_refusal_s < at_s < first_refusal_s + 54]
    assert all(reply.error is None for reply in ran.replies)
    assert ran.endpoint.answered == 400


def paused(seconds: float, longest_s: float) -> tuple[float, list[str]]:
    """How long a call waits after an endpoint asked for a pause, and what was told."""

    async def run() -> tuple[float, list[str]]:
        told: list[str] = []
        pace = virtual_pace()
        throttle = Limits(pace=pace).throttle("there", longest_pause_s=longest_s, tell=told.append)
        throttle.pause(seconds)
        throttle.pause(seconds)
        await throttle.begin(weightless)
        return pace.clock() - 1000, told

    return run_at_once(run())


def test_a_long_pause_is_told_once() -> None:
    waited_s, told = paused(54, 600)
    assert 54 <= waited_s <= 54.5
    assert told == ["there asks to wait 54 s; no call goes there before that"]


def test_a_short_pause_is_kept_and_not_told() -> None:
    waited_s, told = paused(2, 600)
    assert 2 <= waited_s <= 2.5
    assert told == []


def test_a_pause_that_no_cell_could_wait_for_is_not_waited_for() -> None:
    assert paused(3600, 600) == (0, [])


@pytest.mark.parametrize(
    ("remaining", "reset", "waited_s"),
    [
        ({"x-ratelimit-remaining-requests": "0"}, {"x-ratelimit-reset-requests": "6m0s"}, 360),
        ({"x-ratelimit-remaining-requests": "0"}, {"x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "9"}, {"x-ratelimit-reset-tokens": "1s"}, 1),
        ({"x-ratelimit-remaining-tokens": "10"}, {"x-ratelimit-reset-tokens": "1s"}, 0),
        ({"x-ratelimit-remaining-requests": "1"}, {"x-ratelimit-reset-requests": "1s"}, 0),
        ({"x-ratelimit-remaining-requests": "0"}, {}, 0),
        ({}, {"x-ratelimit-reset-requests": "1s"}, 0),
    ],
)
def test_headers_that_say_that_nothing_is_left_pause_the_next_call(
    remaining: dict[str, str], reset: dict[str, str], waited_s: float
) -> None:
    async def run() -> float:
        pace = virtual_pace()
        throttle = Limits(pace=pace).throttle("there")
        place = await throttle.begin(weightless)
        throttle.answered(place, Reply(prompt_tokens=7, completion_tokens=3))
        throttle.heed({**remaining, **reset})
        before_s = pace.clock()
        await throttle.begin(weightless)
        return pace.clock() - before_s

    found_s = run_at_once(run())
    assert waited_s <= found_s <= waited_s + 0.5 * bool(waited_s)


def test_the_headers_of_a_real_response_are_heeded() -> None:
    time = FakeTime()
    nothing_left = {"X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "1m2.5s"}
    body: Json = {"choices": [{"message": {"content": "B"}}]}
    with FaultServer(sends_json(body, headers=nothing_left), answers("B")) as server:
        answered = replies(opened(chat(server.base_url), time=time), request(), request())
    assert [reply.text for reply in answered] == ["B", "B"]
    assert len(time.slept) == 1
    assert 62.5 <= time.slept[0] <= 63


def test_models_of_one_endpoint_share_its_throttle_and_others_do_not() -> None:
    limits = Limits(Caps(concurrency=3))
    assert limits.throttle("http://a") is limits.throttle("http://a")
    assert limits.throttle("http://a") is not limits.throttle("http://b")
    same = [opened(chat("http://a/v1", name=name), limits=limits) for name in ("writer", "judge")]
    assert [model.concurrency for model in same] == [3, 3]


def test_what_a_budget_raises_before_an_attempt_ends_the_cell_and_frees_its_place() -> None:
    class SpentError(Exception):
        pass

    left = [1, 1]

    def spend() -> None:
        if not left:
            raise SpentError
        left.pop()

    async def run(attempt: Callable[[], Awaitable[Reply]]) -> int:
        pace = virtual_pace()
        limits = Limits(pace=pace, before_attempt=spend)
        retrier = Retrier(OpenAIModel(name="m"), pace, limits.throttle("there"))
        with pytest.raises(SpentError):
            await retrier.ask(attempt)
        return limits.throttle("there").in_flight

    made = []

    async def fails() -> Reply:
        made.append(1)
        raise FailedAttempt("server", "500", again=True)

    assert run_at_once(run(fails)) == 0
    assert len(made) == 2


def test_a_function_and_a_file_of_replies_keep_their_own_number(tmp_path: Path) -> None:
    (tmp_path / "replies.jsonl").write_text('{"item": "1", "reply": "A"}\n')
    for limits, expected in ((Limits(), 8), (Limits(Caps(concurrency=3)), 3), (Limits(Caps(max_in_flight=2)), 2)):
        assert opened(ReplayModel(path="replies.jsonl"), base=tmp_path, limits=limits).concurrency == expected
