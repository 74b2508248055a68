"""Flips each way: how many items a condition turns from pass to fail, and how many from fail to pass."""

from ....stats import ConditionSummary
from ...findings import Report
from ..text import percent, percent_interval, visible
from .chart import Chart, Spec
from .intervals import hundredfold
from .labels import TOLD, label
from .largest import largest, largest_words
from .marks import Column, Record, columns, line_at, measure_axis, nothing, rows_axis, rows_plot, values
from .rates import rate_points
from .style import BETTER, INK, PAPER, WIDTH, WORSE

HEADINGS = ("condition", "n", "pass to fail", "fail to pass", "flip rate", "interval")
EACH_WAY = (
    Column("to_fail", "to fail", 48),
    Column("to_pass", "to pass", 98),
    Column("flips", "flips", 146),
    Column("n", "n", 190),
)
SMALLEST_SIDE = 1.0
"""Percent of the items that either side of the chart shows at least."""


def flips(report: Report) -> Chart:
    """Draw the flips of each condition: to fail on the left, to pass on the right; over repeats, their rate alone."""
    summaries = [each.summary for each in (*report.conditions, *report.apart) if each.summary.n]
    whole = all(each.table is not None for each in summaries)
    level = f"{100 * report.summary.level:.0f}%"
    read = (
        "Bars: share of the n paired items; left and filled: pass under the baseline and fail under the condition; "
        "right and hollow: the reverse. They cancel in the change and add up in the flips."
        if whole
        else f"Points: chance that a run under the condition and one under the baseline differ, with {level} intervals "
        f"({summaries[0].flip_rate.method}), over n items."
    )
    return Chart(
        name="flips",
        title="Flips each way" if whole else "Flip rate",
        summary=_summary(summaries, whole=whole),
        note=read + largest_words(len(summaries), "flip rates"),
        spec=_spec(summaries, whole=whole, level=level),
        headings=HEADINGS,
        rows=tuple(_cells(each) for each in summaries),
    )


def _spec(summaries: list[ConditionSummary], *, whole: bool, level: str) -> Spec:
    if not summaries:
        return nothing("No condition has an item to compare with the baseline.")
    drawn = largest(summaries, lambda each: each.flip_rate.estimate)
    if not whole:
        return rate_points(
            [(each.condition, each.flip_rate) for each in drawn], title=f"flip rate in percent, with {level} intervals"
        )
    return _bars(drawn)


def _bars(drawn: list[ConditionSummary]) -> Spec:
    names = [each.condition for each in drawn]
    records = [_record(place, each) for place, each in enumerate(drawn)]
    reach = max(SMALLEST_SIDE, *(max(-each["left"], each["right"]) for each in records))
    axis = measure_axis("flipped items in percent of the paired ones", (-reach, reach), rows=len(drawn))
    axis["axis"]["labelExpr"] = "format(abs(datum.value), '~g')"
    y = rows_axis(names)
    layers: list[Spec] = [
        *columns(records, y, EACH_WAY),
        _bar(records, "left", {"fill": WORSE, "stroke": WORSE}, axis, y),
        _bar(records, "right", {"fill": PAPER, "stroke": BETTER}, axis, y),
        line_at(0, axis),
        *(
            {
                "data": values([{}]),
                "mark": {
                    "type": "text",
                    "text": text,
                    "align": align,
                    "x": place,
                    "y": -4,
                    "baseline": "bottom",
                    "color": INK,
                    "fontSize": 11,
                },
            }
            for text, align, place in (("← to fail", "right", WIDTH / 2 - 8), ("to pass →", "left", WIDTH / 2 + 8))
        ),
    ]
    return rows_plot(names, layers)


def _bar(records: list[Record], field: str, paint: Spec, axis: Spec, y: Spec) -> Spec:
    return {
        "data": values([record for record in records if record[field]]),
        "mark": {"type": "bar", "height": 11, "strokeWidth": 1.5, **paint},
        "encoding": {"y": y, "x": {**axis, "field": field}, "x2": {"datum": 0}},
    }


def _record(place: int, summary: ConditionSummary) -> Record:
    to_fail, to_pass = _each_way(summary)
    return {
        "row": place,
        "left": -hundredfold(to_fail / summary.n),
        "right": hundredfold(to_pass / summary.n),
        "to_fail": f"{to_fail:,}",
        "to_pass": f"{to_pass:,}",
        "flips": percent(summary.flip_rate.estimate),
        "n": f"{summary.n:,}",
    }


def _each_way(summary: ConditionSummary) -> tuple[int, int]:
    table = summary.table
    return (0, 0) if table is None else (table.pass_to_fail, table.fail_to_pass)


def _cells(summary: ConditionSummary) -> tuple[str, ...]:
    ways = ("", "") if summary.table is None else tuple(f"{count}" for count in _each_way(summary))
    figure = summary.flip_rate
    return visible(summary.condition), f"{summary.n}", *ways, percent(figure.estimate), percent_interval(figure)


def _summary(summaries: list[ConditionSummary], *, whole: bool) -> str:
    if not summaries:
        return "No condition has an item to compare with the baseline."
    most = max(summaries, key=lambda each: each.flip_rate.estimate or 0.0)
    said = f"{label(most.condition, TOLD)} flips most, {percent(most.flip_rate.estimate)} of {most.n:,} items"
    if not whole:
        return f"{said}, as a mean over runs."
    to_fail, to_pass = (sum(_each_way(each)[way] for each in summaries) for way in (0, 1))
    return f"{said}; over all conditions {to_fail:,} results turn from pass to fail and {to_pass:,} from fail to pass."
