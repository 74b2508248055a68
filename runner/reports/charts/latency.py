"""Latency: within how many seconds half, nine tenths and 99 of 100 answers came, for each condition."""

from collections.abc import Sequence

from ...findings import ConditionUsage, Report
from ..text import visible
from ..usage import seconds
from .chart import Chart, Spec
from .largest import largest, largest_words
from .marks import Column, Record, columns, measure_axis, nothing, rows_axis, rows_plot, symbol_scales, values
from .style import INK, PAPER

HEADINGS = ("condition", "n", "half within", "90% within", "99% within")
COLUMNS = (
    Column("p50_said", "half", 52),
    Column("p90_said", "90%", 106),
    Column("p99_said", "99%", 160),
    Column("n", "n", 206),
)
QUANTILES = {
    "p50": ("half within", "circle", INK, INK),
    "p90": ("90% within", "diamond", PAPER, INK),
    "p99": ("99% within", "triangle-right", PAPER, INK),
}
WIDE = 100.0
"""From how many times the fastest median the slowest 1% need an axis of powers."""


def latency(report: Report) -> Chart:
    """Draw the quantiles of the time that answers took."""
    usage = report.usage
    timed = [] if usage is None else [each for each in usage.conditions if each.latency.n]
    return Chart(
        name="latency",
        title="How long answers took",
        summary=_summary(timed, None if usage is None else usage.total),
        note="Seconds of the attempt that answered, within which half, 90% and 99% of the n timed answers came; "
        "quantiles by nearest rank, of these answers alone, so without an interval."
        + largest_words(len(timed), "times"),
        spec=_spec(timed) if timed else nothing("No answer was timed."),
        headings=HEADINGS,
        rows=tuple(
            (visible(each.condition), f"{each.latency.n}", *(seconds(time) for time in _times(each))) for each in timed
        ),
    )


def _times(each: ConditionUsage) -> tuple[float | None, float | None, float | None]:
    return each.latency.p50_s, each.latency.p90_s, each.latency.p99_s


def _spec(timed: Sequence[ConditionUsage]) -> Spec:
    drawn = largest(timed, lambda each: each.latency.p99_s)
    names = [each.condition for each in drawn]
    records = [_record(place, each) for place, each in enumerate(drawn)]
    y, axis = rows_axis(names), _axis(records)
    kinds = [*QUANTILES.values()]
    symbols = symbol_scales(kinds, rows=len(drawn))
    marks: list[Record] = [
        {"row": each["row"], "kind": kind, "at": each[name]}
        for name, (kind, *_) in reversed(QUANTILES.items())
        for each in records
    ]
    return rows_plot(
        names,
        [
            *columns(records, y, COLUMNS),
            {
                "data": values(records),
                "mark": {"type": "rule", "strokeWidth": 1.5},
                "encoding": {"y": y, "x": {**axis, "field": "p50"}, "x2": {"field": "p99"}},
            },
            {
                "data": values(marks),
                "mark": {"type": "point"},
                "encoding": {"y": y, "x": {**axis, "field": "at"}, **symbols},
            },
        ],
    )


def _axis(records: Sequence[Record]) -> Spec:
    slowest, fastest = max(each["p99"] for each in records), min(each["p50"] for each in records)
    if fastest > 0 and slowest > WIDE * fastest:
        axis = measure_axis("seconds, in powers of ten", (fastest, slowest), rows=len(records))
        return {**axis, "scale": {"type": "log", "domain": [fastest, slowest], "nice": True}}
    return measure_axis("seconds", (0.0, slowest or 1.0), rows=len(records))


def _record(place: int, each: ConditionUsage) -> Record:
    times = dict(zip(QUANTILES, _times(each), strict=True))
    return {
        "row": place,
        "n": f"{each.latency.n:,}",
        **{name: round(time or 0.0, 6) for name, time in times.items()},
        **{f"{name}_said": seconds(time) for name, time in times.items()},
    }


def _summary(timed: Sequence[ConditionUsage], total: ConditionUsage | None) -> str:
    if not timed or total is None:
        return "No answer was timed."
    median, ninety, slowest = (seconds(time) for time in _times(total))
    return f"Of {total.latency.n:,} answers half came within {median}, 90% within {ninety} and 99% within {slowest}."
