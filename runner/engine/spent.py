"""What a command took, in lines: calls, their speed, tokens and what they cost; each model apart, and all together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..config.limits import PricesConfig
from ..costs import NO_PRICES
from .progress import duration, rate

NO_TOKENS = "no reply says how many tokens it took"


class Took(Protocol):
    """What asking a model took, this time.

    Attributes:
        calls: Calls made, retries included.
        unanswered: Those of them of which no answer is stored.
        prompt_tokens: Tokens in.
        completion_tokens: Tokens out.
        elapsed_s: Seconds it took; 0 where that is not known.
        unsaid: Answers that don't say their tokens.
    """

    @property
    def calls(self) -> int: ...  # noqa: D102 - as above

    @property
    def unanswered(self) -> int: ...  # noqa: D102 - as above

    @property
    def prompt_tokens(self) -> int: ...  # noqa: D102 - as above

    @property
    def completion_tokens(self) -> int: ...  # noqa: D102 - as above

    @property
    def elapsed_s(self) -> float: ...  # noqa: D102 - as above

    @property
    def unsaid(self) -> int: ...  # noqa: D102 - as above


@dataclass(frozen=True, slots=True)
class Spender:
    """A model that was asked, this time.

    Attributes:
        who: What it is, in words: `judge gpt-4.1`.
        summary: What that took.
        prices: What its tokens cost; None where that is not known.
    """

    who: str
    summary: Took
    prices: PricesConfig | None

    @property
    def cost(self) -> float | None:
        """What it cost; None where that is not known."""
        tokens = self.summary.prompt_tokens, self.summary.completion_tokens
        return self.prices.cost(*tokens) if self.prices is not None and any(tokens) else None

    @property
    def unknown(self) -> str:
        """Why it is not known what it cost; empty where it is, and where nothing was answered."""
        if self.cost is not None or self.summary.calls == self.summary.unanswered:
            return ""
        return NO_PRICES if self.prices is None else NO_TOKENS


def spent(summary: Took, prices: PricesConfig | None) -> str:
    """Say what a run took, this time.

    Args:
        summary: What it took.
        prices: What tokens cost; without them no cost is said.

    Returns:
        `2,003 calls in 0:02 (950.3/s), 3 of them without an answer stored, 40,000 tokens in, 2,000 out,
        0.0072 USD`; empty where nothing was asked.
    """
    if not summary.calls:
        return ""
    speed = f" ({rate(summary.calls / summary.elapsed_s)})" if summary.elapsed_s > 0 else ""
    within = f" in {duration(summary.elapsed_s)}{speed}" if summary.elapsed_s > 0 else ""
    parts = [calls_words(summary.calls) + within]
    if summary.unanswered:
        parts.append(f"{summary.unanswered:,} of them without an answer stored")
    if summary.prompt_tokens or summary.completion_tokens:
        lacking = f" ({answers_words(summary.unsaid)} without)" if summary.unsaid else ""
        parts.append(tokens_words(summary.prompt_tokens, summary.completion_tokens) + lacking)
        if prices is not None:
            parts.append(cost_words(prices.cost(summary.prompt_tokens, summary.completion_tokens), prices.currency))
    return ", ".join(parts)


def spent_apart(spenders: Sequence[Spender]) -> list[str]:
    """Say what each of several models took, this time, and all of them together.

    Args:
        spenders: The models; those that were not asked are left out.

    Returns:
        A line each, such as `judge gpt-4.1: 40 calls in 0:02 (20.0/s), 40,000 tokens in, 2,000 out, cost not known: no
        prices`, where another one's cost is known; and one for all, where several were asked.
    """
    asked = [each for each in spenders if each.summary.calls]
    priced = any(each.prices is not None for each in spenders)
    lines = []
    for each in asked:
        unknown = f", cost not known: {each.unknown}" if priced and each.unknown else ""
        lines.append(f"{each.who}: {spent(each.summary, each.prices)}{unknown}")
    if len(asked) > 1:
        lines.append(f"together: {together(asked)}")
    return lines


def together(asked: Sequence[Spender]) -> str:
    """What several models took: `80 calls, 44,000 tokens in, 2,200 out, 1.1 USD`."""
    parts = [calls_words(sum(each.summary.calls for each in asked))]
    tokens_in, tokens_out = (
        sum(getattr(each.summary, name) for each in asked) for name in ("prompt_tokens", "completion_tokens")
    )
    if tokens_in or tokens_out:
        parts.append(tokens_words(tokens_in, tokens_out))
    known = [(each.cost, each.prices.currency) for each in asked if each.cost is not None and each.prices is not None]
    if known:
        without = " and ".join(each.who for each in asked if each.unknown)
        lacking = f" without {without}" if without else ""
        parts.append(cost_words(sum(cost for cost, _ in known), known[0][1]) + lacking)
    return ", ".join(parts)


def calls_words(calls: int) -> str:
    """`1,220 calls`."""
    return "1 call" if calls == 1 else f"{calls:,} calls"


def answers_words(answers: int) -> str:
    """`1,220 answers`."""
    return "1 answer" if answers == 1 else f"{answers:,} answers"


def tokens_words(prompt: int, completion: int) -> str:
    """`40,000 tokens in, 2,000 out`."""
    return f"{prompt:,} tokens in, {completion:,} out"


def cost_words(cost: float, currency: str) -> str:
    """`0.0072 USD`."""
    return f"{cost:.4g} {currency}"
