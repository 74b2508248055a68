"""Rates: the baseline against each variant and against the robust rate, on a scale from 0 to 100 percent."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....stats import Estimate
from ...findings import Report
from ..text import percent, percent_interval, visible
from .chart import Chart, Spec
from .intervals import PLAIN, hundredfold, whiskers
from .largest import largest, largest_words
from .marks import Column, Record, columns, measure_axis, nothing, rows_axis, rows_plot, symbol_scales, values
from .style import INK, MUTED, PAPER, RING

HEADINGS = ("condition", "n", "baseline", "rate", "interval")
ROBUST = "all together (robust rate)"
COLUMNS = (
    Column("before", "baseline", 56),
    Column("after", "rate", 102),
    Column("low", "from", 142),
    Column("high", "to", 182),
    Column("n", "n", 226),
)
RATE_COLUMNS = (
    Column("after", "rate", 50),
    Column("low", "from", 96),
    Column("high", "to", 142),
    Column("n", "n", 188),
)
KINDS = {
    "baseline": ("circle", PAPER, INK),
    "condition": ("circle", INK, INK),
    "baseline and all conditions": ("triangle-down", INK, INK),
}
WHOLE = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """One row: a rate under the baseline, and one under the condition, or under all of them."""

    name: str
    before: Estimate
    after: Estimate
    kind: str = "condition"


def rates(report: Report) -> Chart:
    """Draw the pass rate under the baseline beside those under each condition and under all of them together."""
    pairs, baseline = _pairs(report), report.summary.overall.baseline_rate
    level = f"{100 * report.summary.level:.0f}%"
    return Chart(
        name="rates",
        title="Baseline against robust rate",
        summary=_summary(report),
        note="Filled circles: pass rate under a condition; hollow: under the baseline, on the same n items. Triangle: "
        "pass under the baseline and all conditions, among the items with a result under all; hollow beside it: under "
        f"the baseline, among all {baseline.n:,} that have one. Lines: {level} intervals of the filled marks "
        f"({baseline.method})." + largest_words(len(pairs), "changes"),
        spec=_spec(pairs, level=level),
        headings=HEADINGS,
        rows=tuple(_cells(each) for each in pairs),
    )


def rate_points(figures: Sequence[tuple[str, Estimate]], *, title: str) -> Spec:
    """Draw rates with their intervals, a row a name, from 0 to 100 percent."""
    names = [name for name, _ in figures]
    axis, y = measure_axis(title, WHOLE, rows=len(names)), rows_axis(names)
    records = [_of_rate(place, figure) for place, (_, figure) in enumerate(figures)]
    texts = [_texts(place, figure) for place, (_, figure) in enumerate(figures)]
    point = dict(zip(("shape", "fill", "stroke"), PLAIN, strict=True))
    return rows_plot(
        names,
        [
            *columns(texts, y, RATE_COLUMNS),
            whiskers(records, axis, y),
            {
                "data": values([each for each in records if "estimate" in each]),
                "mark": {"type": "point", **point},
                "encoding": {"y": y, "x": {**axis, "field": "estimate"}},
            },
        ],
    )


def _pairs(report: Report) -> list[Pair]:
    overall = report.summary.overall
    pairs = [
        Pair(each.summary.condition, each.summary.baseline_rate, each.summary.variant_rate)
        for each in (*report.conditions, *report.apart)
        if each.summary.n
    ]
    if report.compared:
        pairs.insert(0, Pair(ROBUST, overall.baseline_rate, overall.robust_rate, "baseline and all conditions"))
    elif overall.baseline_rate.n:
        pairs.insert(0, Pair("baseline", overall.baseline_rate, overall.baseline_rate, "baseline"))
    return pairs


def _spec(pairs: Sequence[Pair], *, level: str) -> Spec:
    if not pairs:
        return nothing("No item has a result under the baseline.")
    drawn = largest(pairs, lambda each: (each.after.estimate or 0.0) - (each.before.estimate or 0.0))
    names = [each.name for each in drawn]
    axis = measure_axis(f"pass rate in percent, with {level} intervals", WHOLE, rows=len(drawn))
    y = rows_axis(names)
    after = [{**_of_rate(place, each.after), "kind": each.kind} for place, each in enumerate(drawn)]
    before = [{**_of_rate(place, each.before), "kind": "baseline"} for place, each in enumerate(drawn)]
    both = [
        {"row": place, "before": first["estimate"], "after": second["estimate"]}
        for place, (first, second) in enumerate(zip(before, after, strict=True))
        if "estimate" in first and "estimate" in second
    ]
    marks = [each for each in (*before, *after) if "estimate" in each]
    kinds = [(kind, *KINDS[kind]) for kind in KINDS if any(each["kind"] == kind for each in marks)]
    symbols = symbol_scales(kinds, rows=len(drawn))
    return rows_plot(
        names,
        [
            *columns([_pair_texts(place, each) for place, each in enumerate(drawn)], y, COLUMNS),
            {
                "data": values(both),
                "mark": {"type": "rule", "strokeWidth": 4, "color": MUTED, "opacity": 0.5},
                "encoding": {"y": y, "x": {**axis, "field": "before"}, "x2": {"field": "after"}},
            },
            whiskers(after, axis, y),
            *(
                {
                    "data": values([each for each in marks if (each["kind"] == "baseline") == ring]),
                    "mark": {"type": "point", **({"size": RING} if ring else {})},
                    "encoding": {"y": y, "x": {**axis, "field": "estimate"}, **symbols},
                }
                for ring in (True, False)
            ),
        ],
    )


def _of_rate(place: int, figure: Estimate) -> Record:
    limits = {"estimate": figure.estimate, "low": figure.low, "high": figure.high}
    return {"row": place, **{name: hundredfold(limit) for name, limit in limits.items() if limit is not None}}


def _texts(place: int, figure: Estimate) -> Record:
    low, high = ("" if limit is None else f"{100 * limit:.1f}" for limit in (figure.low, figure.high))
    return {"row": place, "after": percent(figure.estimate), "low": low, "high": high, "n": f"{figure.n:,}"}


def _pair_texts(place: int, pair: Pair) -> Record:
    return {**_texts(place, pair.after), "before": percent(pair.before.estimate)}


def _cells(pair: Pair) -> tuple[str, ...]:
    after = pair.after
    rates = percent(pair.before.estimate), percent(after.estimate), percent_interval(after)
    return visible(pair.name), f"{after.n}", *rates


def _summary(report: Report) -> str:
    overall = report.summary.overall
    if not overall.baseline_rate.n:
        return "No item has a result under the baseline."
    said = f"{percent(overall.baseline_rate.estimate)} of {overall.baseline_rate.n:,} items pass under the baseline"
    if not report.compared:
        return f"{said}; there is no condition to compare."
    if not overall.robust_rate.n:
        return f"{said}; no item has a result under all conditions."
    return (
        f"{said}, {percent(overall.robust_rate.estimate)} of {overall.robust_rate.n:,} under the baseline and all "
        "conditions."
    )
