"""Budgets: never exceeded, by whatever concurrency and however often calls fail; and used up as far as they go."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.question import Message
from prt.runner.config.limits import LimitsConfig, PricesConfig, completion_limit
from prt.runner.engine.budget import Budget, Purse, Use, most_tokens
from prt.runner.engine.stopping import Stop
from prt.runner.errors import BudgetSpentError
from prt.runner.records import Reply, ReplyError, Request

from ..run_fakes import Bench, FakeModel, make_world

PROMPT, LONGEST = 40, 30
PRICES = PricesConfig(input=2.0, output=8.0, currency="EUR")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", world=make_world(100, 1))


class Counting:
    """A model that makes up to three attempts a cell, and counts what its endpoint sees."""

    def __init__(self, budget: Budget, *, fails: float = 0.3) -> None:
        self.budget = budget
        self.calls = 0
        self.used = Use()
        self.in_flight = 0
        self.most_in_flight = 0
        self._rng = random.Random(7)  # noqa: S311 - which calls fail, not secrets
        self._fails = fails

    async def __call__(self, request: Request) -> Reply:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            for attempt in range(1, 4):
                self.budget.before_attempt()
                self.calls += 1
                await asyncio.sleep(0)
                if self._rng.random() >= self._fails:
                    return self._answer(request, attempt)
            return Reply(error=ReplyError("server", "503"), attempts=3)
        finally:
            self.in_flight -= 1

    def _answer(self, request: Request, attempt: int) -> Reply:
        use = Use(PROMPT, self._rng.randint(1, LONGEST))
        self.used += use
        return Reply(
            text=request.item_id[1:], prompt_tokens=use.prompt, completion_tokens=use.completion, attempts=attempt
        )


@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("allowed", [1, 37, 100])
def test_calls_are_never_more_than_allowed_retries_included(bench: Bench, allowed: int, concurrency: int) -> None:
    budget = Budget(LimitsConfig(max_calls=allowed))
    counting = Counting(budget)
    summary = bench.run(FakeModel(counting), concurrency=concurrency, purse=Purse(budget))
    assert counting.calls == budget.calls == allowed, "and they are used up"
    assert summary.state == "stopped"
    assert summary.reason == (
        f"limits.max_calls allows {allowed} calls; the same command goes on, with the whole budget again"
    )


def test_the_same_command_goes_on_until_all_is_asked(bench: Bench) -> None:
    calls: list[int] = []
    while sum(calls) < 200:
        budget = Budget(LimitsConfig(max_calls=30))
        counting = Counting(budget, fails=0.0)
        summary = bench.run(FakeModel(counting), concurrency=64, purse=Purse(budget))
        calls.append(counting.calls)
        assert summary.complete == (sum(calls) == 200)
    assert calls == [30] * 6 + [20]


@pytest.mark.parametrize("concurrency", [1, 64])
@pytest.mark.parametrize("limit", [LONGEST, 10 * LONGEST])
def test_tokens_are_never_more_than_allowed_where_replies_are_bounded(
    bench: Bench, limit: int, concurrency: int
) -> None:
    allowed = 4000
    budget = Budget(LimitsConfig(max_tokens=allowed))
    counting = Counting(budget)
    summary = bench.run(FakeModel(counting), concurrency=concurrency, purse=Purse(budget, completion_limit=limit))
    used = counting.used.prompt + counting.used.completion
    assert used <= allowed
    assert used > allowed - limit - 2 * PROMPT - 100, "what is left would not have been enough for one more call"
    assert (summary.prompt_tokens, summary.completion_tokens) == (counting.used.prompt, counting.used.completion)
    assert summary.state == "stopped"
    assert summary.reason.startswith("limits.max_tokens allows 4,000 tokens, and another call could exceed them; ")


def test_the_wrong_twin_that_reserves_nothing_goes_over(bench: Bench) -> None:
    class Careless(Purse):
        async def reserve(self, request: Request) -> Use | None:  # noqa: ARG002 - as its base
            return await self.budget.reserve(self.account, Use)

    budget = Budget(LimitsConfig(max_tokens=1000))
    counting = Counting(budget)
    bench.run(FakeModel(counting), concurrency=64, purse=Careless(budget, completion_limit=LONGEST))
    assert counting.used.prompt + counting.used.completion > 1000


@pytest.mark.parametrize("concurrency", [1, 64])
def test_the_cost_is_never_more_than_allowed(bench: Bench, concurrency: int) -> None:
    budget = Budget(LimitsConfig(max_cost=0.01))
    counting = Counting(budget)
    purse = Purse(budget, completion_limit=LONGEST, prices=PRICES)
    summary = bench.run(FakeModel(counting), concurrency=concurrency, purse=purse)
    spent = PRICES.cost(counting.used.prompt, counting.used.completion)
    assert 0.009 < spent <= 0.01
    assert budget.cost() == spent
    assert summary.reason.startswith("limits.max_cost allows 0.01 EUR, and another call could exceed that; ")


def test_where_nothing_bounds_a_reply_the_first_is_waited_for_alone(bench: Bench) -> None:
    budget = Budget(LimitsConfig(max_tokens=100_000))
    counting = Counting(budget, fails=0.0)
    alone: list[int] = []

    async def answer(request: Request) -> Reply:
        reply = await counting(request)
        if not alone:
            alone.append(counting.most_in_flight)
        return reply

    assert bench.run(FakeModel(answer), concurrency=64, purse=Purse(budget)).complete
    assert alone == [1]
    assert counting.most_in_flight == 64


def test_a_budget_that_is_enough_stops_nothing(bench: Bench) -> None:
    budget = Budget(LimitsConfig(max_calls=200, max_tokens=200 * (PROMPT + LONGEST), max_cost=1.0))
    counting = Counting(budget, fails=0.0)
    purse = Purse(budget, completion_limit=LONGEST, prices=PRICES)
    assert bench.run(FakeModel(counting), concurrency=64, purse=purse).state == "complete"


def test_calls_in_flight_are_waited_for_when_the_budget_is_spent(bench: Bench) -> None:
    budget = Budget(LimitsConfig(max_calls=10))

    async def last_answers_late(request: Request) -> Reply:
        budget.before_attempt()
        await asyncio.sleep(0.01 if budget.calls == 10 else 0)
        return Reply(text=request.item_id[1:])

    summary = bench.run(FakeModel(last_answers_late), concurrency=4, purse=Purse(budget))
    assert (summary.state, summary.asked, summary.done) == ("stopped", 10, 10)


def test_calls_that_were_cancelled_give_back_what_was_reserved(bench: Bench) -> None:
    budget = Budget(LimitsConfig(max_tokens=1000))

    async def scenario() -> None:
        stop = Stop()

        async def stalls(_: Request) -> Reply:
            stop.drop()
            await asyncio.Event().wait()
            return Reply()

        with bench.open() as store:
            await bench.settle(store, FakeModel(stalls), concurrency=64, stop=stop, purse=Purse(budget, 10))

    asyncio.run(scenario())
    assert [(account.reserved, account.used) for account in budget.accounts] == [(Use(), Use())]


def test_a_reply_that_does_not_say_what_it_used_is_reckoned_by_its_characters() -> None:
    async def scenario() -> Use:
        budget = Budget(LimitsConfig(max_tokens=10_000))
        purse = Purse(budget, 100)
        request = Request((Message("user", "x" * 401),))
        purse.give_back(request, await purse.reserve(request), Reply(text="y" * 10, reasoning="z" * 10))
        return purse.account.used

    assert asyncio.run(scenario()) == Use(101, 5)


@pytest.mark.parametrize(
    ("params", "limit"),
    [
        ({}, None),
        ({"max_tokens": 7}, 7),
        ({"max_tokens": 7, "max_completion_tokens": 9}, 9),
        ({"max_tokens": "7"}, None),
    ],
)
def test_the_limit_of_a_reply_is_read_from_the_parameters(params: dict[str, int | str], limit: int | None) -> None:
    assert completion_limit(params) == limit


@given(st.text(max_size=50))
def test_a_prompt_has_no_more_tokens_than_bytes_and_frame(text: str) -> None:
    assert most_tokens(Request((Message("user", text),))) >= len(text.encode("utf-8", "replace"))


def test_a_model_whose_prompts_take_more_than_was_reserved_is_reckoned_by_that_from_then_on() -> None:
    async def scenario() -> None:
        budget = Budget(LimitsConfig(max_tokens=4000))
        purse = Purse(budget, 10)
        request = Request((Message("user", "hello"),))
        purse.give_back(request, await purse.reserve(request), Reply(prompt_tokens=1500, completion_tokens=1))
        purse.give_back(request, await purse.reserve(request), Reply(prompt_tokens=1500, completion_tokens=1))
        with pytest.raises(BudgetSpentError):
            await purse.reserve(request)
        assert purse.account.used == Use(3000, 2)

    asyncio.run(scenario())


def test_waiting_calls_go_on_one_after_another_as_others_give_back() -> None:
    async def scenario() -> list[int]:
        budget = Budget(LimitsConfig(max_tokens=1000))
        account = budget.account()
        order: list[int] = []

        async def call(number: int, work: Callable[[], Awaitable[None]]) -> None:
            reserved = await budget.reserve(account, lambda: Use(300, 0))
            await work()
            order.append(number)
            budget.give_back(account, reserved, Use(10, 0))

        async def work() -> None:
            await asyncio.sleep(0)

        await asyncio.gather(*(call(number, work) for number in range(20)))
        assert (account.used, account.reserved) == (Use(200, 0), Use())
        return order

    assert sorted(asyncio.run(scenario())) == list(range(20))


def test_each_model_counts_by_its_own_prices_and_all_of_them_towards_one_bound() -> None:
    async def scenario() -> None:
        budget = Budget(LimitsConfig(max_cost=0.01, max_tokens=10_000))
        request = Request((Message("user", "hello"),))
        cheap, dear = Purse(budget, 10, PRICES), Purse(budget, 10, PricesConfig(input=20, output=80, currency="EUR"))
        cheap.give_back(request, await cheap.reserve(request), Reply(prompt_tokens=100, completion_tokens=10))
        assert budget.cost() == pytest.approx(280e-6)
        dear.give_back(request, await dear.reserve(request), Reply(prompt_tokens=100, completion_tokens=10))
        assert budget.cost() == pytest.approx(280e-6 + 2800e-6)
        dear.give_back(request, await dear.reserve(request), Reply(prompt_tokens=200, completion_tokens=10))
        with pytest.raises(BudgetSpentError, match=r"limits.max_cost allows 0.01 EUR"):
            await dear.reserve(request)
        assert await cheap.reserve(request) is not None

    asyncio.run(scenario())


def test_a_model_without_prices_counts_tokens_and_makes_the_cost_unknown() -> None:
    async def scenario() -> None:
        budget = Budget(LimitsConfig(max_tokens=500))
        request = Request((Message("user", "hello"),))
        priced, unpriced = Purse(budget, 10, PRICES), Purse(budget, 10)
        priced.give_back(request, await priced.reserve(request), Reply(prompt_tokens=100, completion_tokens=10))
        assert budget.cost() == pytest.approx(280e-6)
        unpriced.give_back(request, await unpriced.reserve(request), Reply(prompt_tokens=380, completion_tokens=10))
        assert budget.cost() is None
        with pytest.raises(BudgetSpentError, match=r"limits.max_tokens allows 500 tokens"):
            await priced.reserve(request)

    asyncio.run(scenario())
