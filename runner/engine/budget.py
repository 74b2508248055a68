"""Budgets of one command: calls, tokens and money that it may spend, none of which is ever exceeded.

A call that may fail is counted when it is made. What it will use is known afterwards only, so the most that it can use
is reserved before: a token for each byte of the prompt, and the model's own limit on a reply. Calls that do not fit
wait for those in flight, which give back what they did not use; where none is in flight, the budget is spent.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from ..config.limits import CHARACTERS_PER_TOKEN, LimitsConfig, PricesConfig
from ..errors import BudgetSpentError
from ..records import Reply, Request

FRAME_TOKENS = 16
"""What the roles and marks around each message come to at most."""
HOW_TO_GO_ON = "the same command goes on, with the whole budget again"


@dataclass(frozen=True, slots=True)
class Use:
    """Tokens in and out."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: "Use") -> "Use":
        return Use(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: "Use") -> "Use":
        return Use(self.prompt - other.prompt, self.completion - other.completion)


@dataclass(slots=True)
class Account:
    """What one model has used of a budget.

    Attributes:
        prices: What its tokens cost; None where that is not known, and they count nothing towards `max_cost`.
        used: Tokens of the replies that came.
        reserved: The most that the calls in flight can use.
        batched: What requests in batches have used, or can use at most.
    """

    prices: PricesConfig | None = None
    used: Use = Use()
    reserved: Use = Use()
    batched: Use = Use()

    @property
    def tokens(self) -> int:
        """Tokens that were used, or can be."""
        planned = self.used + self.reserved + self.batched
        return planned.prompt + planned.completion

    def cost(self, *, calls: Use = Use(), batched: Use = Use()) -> float:
        """What was used, or can be, costs, with some more calls or requests in batches."""
        if self.prices is None:
            return 0.0
        one_by_one, together = self.used + self.reserved + calls, self.batched + batched
        in_batches = self.prices.in_batches.cost(together.prompt, together.completion)
        return self.prices.cost(one_by_one.prompt, one_by_one.completion) + in_batches


@dataclass(slots=True)
class Budget:
    """What one command may spend, and has spent, on all of its models together.

    Attributes:
        limits: The bounds: `max_calls`, `max_tokens`, `max_cost`.
        calls: Calls made, retries included.
        accounts: What each model has used.
    """

    limits: LimitsConfig = field(default_factory=LimitsConfig)
    calls: int = 0
    accounts: list[Account] = field(default_factory=list)
    _stopped: str = ""
    _in_flight: int = 0
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    def before_attempt(self) -> None:
        """Count a call that is about to be made.

        Raises:
            BudgetSpentError: It would be one too many, or no further call is to be made at all.
        """
        if self._stopped:
            raise BudgetSpentError(self._stopped)
        if self.limits.max_calls is not None and self.calls >= self.limits.max_calls:
            raise BudgetSpentError(f"limits.max_calls allows {self.limits.max_calls:,} calls; {HOW_TO_GO_ON}")
        self.calls += 1

    def stop(self, reason: str) -> None:
        """Let no further call be made, even by those who wait for their turn at an endpoint."""
        self._stopped = self._stopped or reason

    @property
    def bounds_tokens(self) -> bool:
        """Whether it is of any use to reserve."""
        return self.limits.max_tokens is not None or self.limits.max_cost is not None

    def account(self, prices: PricesConfig | None = None) -> Account:
        """Begin to count what a model uses.

        Args:
            prices: What its tokens cost; None where that is not known.
        """
        self.accounts.append(Account(prices))
        return self.accounts[-1]

    async def reserve(self, account: Account, most_of: Callable[[], Use | None]) -> Use:
        """Wait until a call fits.

        Args:
            account: That of the model which is asked.
            most_of: Tells the most that it can use, by what is known now; None where that is nothing, and the call has
                to be the only one in flight.

        Returns:
            What was reserved.

        Raises:
            BudgetSpentError: It does not fit, and no call is in flight that could give anything back.
        """
        while why := self._lacking(account, most := most_of()):
            if not self._in_flight:
                raise BudgetSpentError(f"{why}; {HOW_TO_GO_ON}")
            await self._freed.wait()
        taken = most or Use()
        account.reserved += taken
        self._in_flight += 1
        return taken

    def give_back(self, account: Account, reserved: Use, used: Use) -> None:
        """Note what a call has used; every reservation is given back once, whatever became of its call."""
        account.reserved -= reserved
        account.used += used
        self._in_flight -= 1
        self._freed.set()
        self._freed = asyncio.Event()

    def take(self, account: Account, most: Use) -> None:
        """Count a request of a batch, and reserve what it can use at most, without waiting for others.

        Raises:
            BudgetSpentError: It does not fit now.
        """
        if self.bounds_tokens and (why := self._lacking(account, Use(), batched=most)):
            raise BudgetSpentError(f"{why}; {HOW_TO_GO_ON}")
        self.before_attempt()
        account.batched += most

    def cost(self) -> float | None:
        """What was spent, in the currency of the prices; None where those of a model that was asked are not known."""
        if any(each.prices is None and each.tokens for each in self.accounts):
            return None
        return sum(each.cost() for each in self.accounts) if any(each.prices for each in self.accounts) else None

    def _lacking(self, account: Account, most: Use | None, *, batched: Use = Use()) -> str:
        """Why a call, or a request of a batch, does not fit now; empty where it does."""
        limits, more = self.limits, (most or Use()) + batched
        if most is None and self._in_flight:
            return "the length of replies is not known yet"
        planned = sum(each.tokens for each in self.accounts) + more.prompt + more.completion
        if limits.max_tokens is not None and self._over(planned, limits.max_tokens, most):
            return f"limits.max_tokens allows {limits.max_tokens:,} tokens, and another call could exceed them"
        if limits.max_cost is not None and account.prices is not None:
            others = sum(each.cost() for each in self.accounts if each is not account)
            if self._over(others + account.cost(calls=most or Use(), batched=batched), limits.max_cost, most):
                allowed = f"{limits.max_cost:g} {account.prices.currency}"
                return f"limits.max_cost allows {allowed}, and another call could exceed that"
        return ""

    @staticmethod
    def _over(planned: float, allowed: float, most: Use | None) -> bool:
        return planned > allowed or (most is None and planned >= allowed)


@dataclass(slots=True)
class Purse:
    """A budget as it is spent on one model, whose replies are so long at most.

    Attributes:
        budget: The budget, which other models may share.
        completion_limit: The most tokens of a reply; None where the model's parameters set no limit. The longest reply
            so far stands for it then.
        prices: What its tokens cost; None where that is not known.
    """

    budget: Budget = field(default_factory=Budget)
    completion_limit: int | None = None
    prices: PricesConfig | None = None
    account: Account = field(init=False)
    _longest: int | None = None
    _per_byte: float = 1.0

    def __post_init__(self) -> None:
        """Open the model's account."""
        self.account = self.budget.account(self.prices)

    async def reserve(self, request: Request) -> Use | None:
        """Wait until a call fits; None where nothing bounds its tokens.

        Raises:
            BudgetSpentError: It does not fit, nor will it.
        """
        if not self.budget.bounds_tokens:
            return None
        return await self.budget.reserve(self.account, lambda: self._most(request))

    def give_back(self, request: Request, reserved: Use | None, reply: Reply | None) -> None:
        """Note what a call has used: what its reply says, else by its characters; nothing where it has no answer."""
        if reserved is None:
            return
        used = Use() if reply is None else self._used(request, reply)
        if reply is not None and reply.error is None:
            self._longest = max(self._longest or 0, used.completion)
            self._per_byte = max(self._per_byte, used.prompt / most_tokens(request))
        self.budget.give_back(self.account, reserved, used)

    def take(self, request: Request) -> Use:
        """Reserve what a request of a batch can use at most, and count it as a call; nothing where nothing bounds that.

        Raises:
            BudgetSpentError: It does not fit now.
        """
        most = (self._most(request) or Use()) if self.budget.bounds_tokens else Use()
        self.budget.take(self.account, most)
        return most

    def settle(self, reserved: Use, used: Use, *, not_asked: int = 0) -> None:
        """Note what requests of a batch used, of what was reserved for them, and how many were not asked at all."""
        self.account.batched += used - reserved
        self.budget.calls -= not_asked

    def _most(self, request: Request) -> Use | None:
        completion = self.completion_limit or self._longest
        return None if completion is None else Use(ceil(self._per_byte * most_tokens(request)), completion)

    @staticmethod
    def _used(request: Request, reply: Reply) -> Use:
        asked, answered = reply.prompt_tokens, reply.completion_tokens
        if reply.error is not None:
            return Use(asked or 0, answered or 0)
        characters = sum(len(message.content) for message in request.messages)
        return Use(
            ceil(characters / CHARACTERS_PER_TOKEN) if asked is None else asked,
            ceil((len(reply.text) + len(reply.reasoning)) / CHARACTERS_PER_TOKEN) if answered is None else answered,
        )


def most_tokens(request: Request) -> int:
    """The most tokens that the text of a prompt can have: one a byte; attachments are not known."""
    return sum(len(message.content.encode("utf-8", "replace")) + FRAME_TOKENS for message in request.messages)
