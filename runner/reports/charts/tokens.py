"""Tokens and cost: what the replies under each condition took."""

from collections.abc import Sequence

from ...findings import ConditionUsage, Report, Usage
from ..text import visible
from ..usage import money
from .chart import Chart, Spec
from .labels import label
from .largest import largest, largest_words
from .marks import Column, Record, columns, measure_axis, nothing, rows_axis, rows_plot, side, values
from .style import INK, MUTED, PAPER

KINDS = ("tokens in", "tokens out")
COLUMNS = (
    Column("prompt", "in", 62),
    Column("completion", "out", 124),
    Column("cost", "cost", 190),
    Column("n", "n", 236),
)


def tokens(report: Report) -> Chart:
    """Draw the tokens in and out of each condition, with what they cost."""
    usage = report.usage
    known = [] if usage is None else [each for each in usage.conditions if each.with_tokens]
    currency = "" if usage is None else usage.currency
    priced = f" Cost: in {label(currency)}, by the config's prices." if currency else ""
    return Chart(
        name="tokens",
        title="Tokens and cost" if currency else "Tokens",
        summary=_summary(usage),
        note="Bars: tokens of the n replies that say them; hollow: in (the prompts), filled: out (the replies). "
        f"Replies taken from an earlier run are counted as if they were asked.{priced}"
        + largest_words(len(known), "sums"),
        spec=_spec(known, currency) if known else nothing("No reply says how many tokens it took."),
        headings=("condition", "n", *KINDS, *(["cost"] if currency else [])),
        rows=tuple(
            (
                visible(each.condition),
                f"{each.with_tokens}",
                f"{each.prompt_tokens}",
                f"{each.completion_tokens}",
                *([_cost(each, currency)] if currency else []),
            )
            for each in known
        ),
    )


def _cost(each: ConditionUsage, currency: str) -> str:
    return "" if each.cost is None else money(each.cost, currency)


def _spec(known: Sequence[ConditionUsage], currency: str) -> Spec:
    drawn = largest(known, lambda each: each.prompt_tokens + each.completion_tokens)
    names = [each.condition for each in drawn]
    records = [_record(place, each) for place, each in enumerate(drawn)]
    y = rows_axis(names)
    longest = max(each.prompt_tokens + each.completion_tokens for each in drawn)
    axis = measure_axis("tokens", (0.0, float(longest or 1)), rows=len(drawn))
    axis["axis"]["labelExpr"] = "format(datum.value, ',~g')"
    parts = [
        {"row": place, "kind": kind, "start": start, "end": end}
        for place, each in enumerate(drawn)
        for kind, start, end in (
            (KINDS[0], 0, each.prompt_tokens),
            (KINDS[1], each.prompt_tokens, each.prompt_tokens + each.completion_tokens),
        )
    ]
    fill = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": list(KINDS), "range": [PAPER, MUTED]},
        "legend": {"orient": side(len(drawn)), "symbolType": "square", "symbolStrokeColor": INK},
    }
    bars: Spec = {
        "data": values(parts),
        "mark": {"type": "bar", "height": 11, "stroke": INK, "strokeWidth": 1},
        "encoding": {"y": y, "x": {**axis, "field": "start"}, "x2": {"field": "end"}, "fill": fill},
    }
    shown = COLUMNS if currency else (*COLUMNS[:2], Column("n", "n", 170))
    return rows_plot(names, [*columns(records, y, shown), bars])


def _record(place: int, each: ConditionUsage) -> Record:
    return {
        "row": place,
        "prompt": f"{each.prompt_tokens:,}",
        "completion": f"{each.completion_tokens:,}",
        "cost": "" if each.cost is None else f"{each.cost:.4g}",
        "n": f"{each.with_tokens:,}",
    }


def _summary(usage: Usage | None) -> str:
    if usage is None or not usage.total.with_tokens:
        return "No reply says how many tokens it took."
    total = usage.total
    cost = "" if total.cost is None else f", which cost {money(total.cost, usage.currency)}"
    beside = "" if usage.judge is None else " The judge's are not among them; the table of the report has them."
    return (
        f"{total.with_tokens:,} replies took {total.prompt_tokens:,} tokens in and {total.completion_tokens:,} tokens "
        f"out{cost}.{beside}"
    )
