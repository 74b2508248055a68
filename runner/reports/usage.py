"""What a run took, in a few sentences for the terminal: calls, tokens, cost, seconds."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ..findings import ConditionUsage, Latency, Report, Usage
from ..problems import counted
from .text import visible


def usage(report: Report) -> Iterator[RenderableType]:
    """Say what all replies of a run took together; nothing where that is not known."""
    if report.usage is None:
        return
    yield Text("\nCalls, tokens and seconds", style="bold")
    for sentence in usage_sentences(report.usage):
        yield Text(sentence)


def usage_sentences(found: Usage) -> Iterator[str]:
    """What all replies took: calls and tokens with what they cost, then how long the answers took."""
    total = found.total
    parts = [f"{counted_of(total.calls, 'call')} for {replies(total)}"]
    if total.with_tokens:
        among = "" if total.with_tokens == total.replies else f" ({total.with_tokens:,} of {total.replies:,} say so)"
        parts.append(f"{total.prompt_tokens:,} tokens in, {total.completion_tokens:,} out{among}")
    if total.cost is not None:
        parts.append(money(total.cost, found.currency))
    yield "; ".join(parts) + "."
    if total.latency.n:
        yield latency_sentence(total.latency)


def replies(took: ConditionUsage) -> str:
    """`220 replies, 3 of them failed, 40 taken from an earlier run`."""
    said = f"{took.replies:,} {'reply' if took.replies == 1 else 'replies'}"
    if took.failed:
        said += f", {took.failed:,} of them failed"
    if took.reused:
        said += f", {took.reused:,} taken from an earlier run"
    return said


def counted_of(number: int, noun: str) -> str:
    """A large number with its noun: `1,220 calls`."""
    return counted(number, noun).replace(str(number), f"{number:,}", 1)


def money(cost: float, currency: str) -> str:
    """`0.0072 USD`."""
    return f"{cost:.4g} {visible(currency)}"


def latency_sentence(latency: Latency) -> str:
    """How long the answers took that were timed."""
    times = ((latency.p50_s, "half"), (latency.p90_s, "90%"), (latency.p99_s, "99%"))
    said = ", ".join(f"{share} within {seconds(limit)}" for limit, share in times)
    return f"Of {counted_of(latency.n, 'timed answer')}, {said}, each from the beginning of the call that answered."


def seconds(duration_s: float | None) -> str:
    """`1.68 s`, with three figures that count; `–` where it is not known."""
    if duration_s is None:
        return "–"
    return f"{duration_s:,.0f} s" if duration_s >= 100 else f"{duration_s:.3g} s"
