"""What a run took, in a line: calls, how fast they were, tokens and what they cost."""

from ..config.limits import PricesConfig
from .progress import duration, rate
from .summary import RunSummary


def spent(summary: RunSummary, prices: PricesConfig | None) -> str:
    """Say what a run took, this time.

    Args:
        summary: How it ended.
        prices: What tokens cost; without them no cost is said.

    Returns:
        `2,003 calls in 0:02 (950.3/s), 3 of them without an answer stored, 40,000 tokens in, 2,000 out,
        0.0072 USD`; empty where nothing was asked.
    """
    if not summary.calls:
        return ""
    speed = f" ({rate(summary.calls / summary.elapsed_s)})" if summary.elapsed_s > 0 else ""
    calls = "1 call" if summary.calls == 1 else f"{summary.calls:,} calls"
    parts = [f"{calls} in {duration(summary.elapsed_s)}{speed}"]
    if summary.unanswered:
        parts.append(f"{summary.unanswered:,} of them without an answer stored")
    if summary.prompt_tokens or summary.completion_tokens:
        parts.append(f"{summary.prompt_tokens:,} tokens in, {summary.completion_tokens:,} out")
        if prices is not None:
            money = prices.cost(summary.prompt_tokens, summary.completion_tokens)
            parts.append(f"{money:.4g} {prices.currency}")
    return ", ".join(parts)
