"""What a run took, in a few sentences for the terminal: calls, tokens, cost, seconds."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ..findings import ConditionUsage, Latency, Report, TogetherUsage, Usage
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
    """What all replies took: calls and tokens with what they cost, then how long the answers took.

    Where a judge was asked there is a sentence for it, and one for both.
    """
    total, judge, together = found.total, found.judge, found.together
    if judge is None or together is None:
        yield f"{spent_on(total, found.currency)}."
    else:
        whys = unknown_cost("the model under test", found.no_cost), unknown_cost("the judge", judge.no_cost)
        yield f"Model under test: {spent_on(total, found.currency)}{whys[0]}."
        yield f"Judge, {visible(judge.model)}: {spent_on(judge, found.currency)}{whys[1]}."
        yield f"Together: {spent_together(found, together)}."
    if total.latency.n:
        yield latency_sentence(total.latency)


def spent_on(took: ConditionUsage, currency: str) -> str:
    """`44 calls for 40 replies; 40,000 tokens in, 2,000 out; 1.1 USD`."""
    parts = [f"{counted_of(took.calls, 'call')} for {replies(took)}"]
    if took.with_tokens:
        among = "" if took.with_tokens == took.replies else f" ({took.with_tokens:,} of {took.replies:,} say so)"
        parts.append(f"{took.prompt_tokens:,} tokens in, {took.completion_tokens:,} out{among}")
    if took.cost is not None:
        parts.append(money(took.cost, currency))
    return "; ".join(parts)


def unknown_cost(whose: str, why: str) -> str:
    """`; cost of the judge not known: no prices`; empty where there is no reason."""
    return f"; cost of {whose} not known: {why}" if why else ""


def spent_together(found: Usage, together: TogetherUsage) -> str:
    """What model under test and judge took: `88 calls; 44,000 tokens in, 2,200 out; 1.107 USD`."""
    parts = [counted_of(together.calls, "call")]
    if together.prompt_tokens or together.completion_tokens:
        parts.append(f"{together.prompt_tokens:,} tokens in, {together.completion_tokens:,} out")
    if together.cost is not None:
        parts.append(money(together.cost, found.currency))
    elif found.currency:
        lacking = found.judge is not None and found.judge.no_cost
        parts.append(f"cost not known, since that of {'the judge' if lacking else 'the model under test'} is not")
    return "; ".join(parts)


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
