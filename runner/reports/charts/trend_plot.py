"""The picture of a trend: a figure with its intervals, alarms, and where another release of the model answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....stats import Estimate
from .chart import Spec
from .intervals import hundredfold
from .labels import label
from .marks import Record, nothing, values
from .style import INK, MUTED, SMALL, WORSE

DAYS_NAMED = 8
PLOT = (560, 200)
SMALLEST_SPAN = 4.0
DAYS = "days"


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One night.

    Attributes:
        night: Its number in the series.
        day: When it ran, as it is to be shown.
        run: The run's id.
        figure: The figure with its interval.
        alarm: Whether the night raised an alarm.
        release: What the endpoint calls the model that answered from this night on; empty where it is the night
            before's.
    """

    night: int
    day: str
    run: str
    figure: Estimate
    alarm: bool = False
    release: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """What the nights are compared with.

    Attributes:
        rate: The figure of it: a rate, or a difference of rates.
        name: What it is.
    """

    rate: float
    name: str


def release_marks() -> Iterator[str]:
    """What releases are called in the plot: R1, R2 and so on."""
    number = 1
    while True:
        yield f"R{number}"
        number += 1


def trend_plot(drawn: Sequence[TrendPoint], *, unit: str, reference: Reference | None) -> Spec:
    """Draw the nights that have the figure, each in its place among all.

    Args:
        drawn: The nights, the earliest first.
        unit: Of the figure.
        reference: What they are compared with; None draws no line for it.

    Returns:
        The specification.
    """
    records = [_record(place, each) for place, each in enumerate(drawn) if each.figure.estimate is not None]
    if not records:
        return nothing("No night has this figure.")
    x: Spec = {
        "field": "place",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [-0.5, len(drawn) - 0.5], "nice": False, "zero": False},
        "axis": {"grid": False, "values": _named_days(len(drawn)), "labelExpr": f"{DAYS}[datum.value]"},
    }
    low, high = _domain(records, reference)
    y: Spec = {
        "field": "estimate",
        "type": "quantitative",
        "title": unit,
        "scale": {"domain": [low, high], "nice": True, "zero": False},
        "axis": {"tickCount": 5, "gridOpacity": 0.6},
    }
    layers: list[Spec] = [
        *_releases(drawn, x),
        {"data": values(records), "mark": {"type": "line", "color": MUTED}, "encoding": {"x": x, "y": y}},
        {
            "data": values([each for each in records if "low" in each]),
            "mark": {"type": "rule", "strokeWidth": 1.5},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        *(
            {
                "data": values([each for each in records if each["alarm"] == alarm]),
                "mark": {"type": "point", "shape": shape, "fill": colour, "stroke": colour, "size": size},
                "encoding": {"x": x, "y": y},
            }
            for alarm, shape, colour, size in ((False, "circle", INK, 30), (True, "triangle-down", WORSE, 120))
        ),
    ]
    if reference is not None:
        layers += _reference(reference, y)
    return {
        "params": [{"name": DAYS, "value": [label(each, 16) for each in _days(drawn)]}],
        "width": PLOT[0],
        "height": PLOT[1],
        "layer": layers,
    }


def _reference(reference: Reference, y: Spec) -> tuple[Spec, Spec]:
    """A dashed line, and what it is."""
    at, across = values([{"at": hundredfold(reference.rate)}]), {"y": {**y, "field": "at"}}
    name: Spec = {"type": "text", "text": label(reference.name), "align": "left", "x": PLOT[0] + 6, "fontSize": SMALL}
    return (
        {"data": at, "mark": {"type": "rule", "strokeDash": [6, 4], "color": MUTED}, "encoding": across},
        {"data": at, "mark": {**name, "color": MUTED}, "encoding": across},
    )


def _releases(drawn: Sequence[TrendPoint], x: Spec) -> list[Spec]:
    places = [place for place, each in enumerate(drawn) if each.release]
    records = [{"place": place, "said": mark} for place, mark in zip(places, release_marks(), strict=False)]
    return [
        {
            "data": values(records),
            "mark": {"type": "rule", "strokeDash": [2, 3], "color": MUTED},
            "encoding": {"x": x},
        },
        {
            "data": values(records),
            "mark": {"type": "text", "y": -4, "baseline": "bottom", "fontSize": SMALL, "color": MUTED},
            "encoding": {"x": x, "text": {"field": "said", "type": "nominal"}},
        },
    ]


def _days(drawn: Sequence[TrendPoint]) -> list[str]:
    """What each night is called on the axis: its day, and its number too where days have several."""
    days = [each.day for each in drawn]
    if len({*days}) == len(days):
        return days
    return [f"{each.day} ({each.night})" for each in drawn]


def _named_days(count: int) -> list[int]:
    """The places whose days are written out: some, evenly spread, the first and the last among them."""
    if count <= DAYS_NAMED:
        return list(range(count))
    return sorted({round(step * (count - 1) / (DAYS_NAMED - 1)) for step in range(DAYS_NAMED)})


def _record(place: int, each: TrendPoint) -> Record:
    limits = {"estimate": each.figure.estimate, "low": each.figure.low, "high": each.figure.high}
    found = {name: hundredfold(limit) for name, limit in limits.items() if limit is not None}
    return {"place": place, "alarm": each.alarm, **found}


def _domain(records: Sequence[Record], reference: Reference | None) -> tuple[float, float]:
    found = [each[name] for each in records for name in ("estimate", "low", "high") if name in each]
    if reference is not None:
        found.append(hundredfold(reference.rate))
    low, high = min(found), max(found)
    spare = max(SMALLEST_SPAN - (high - low), 0.0) / 2
    return low - spare, high + spare
