"""Points with their intervals, a row a name, in points of percent: what the forest plots are drawn with."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....stats import Estimate
from ..text import points
from .chart import Spec
from .largest import largest
from .marks import (
    Column,
    Record,
    columns,
    line_at,
    line_name,
    measure_axis,
    nothing,
    rows_axis,
    rows_plot,
    symbol_scales,
    values,
)
from .style import BETTER, INK, MUTED, PAPER, WORSE

SYMBOLS: dict[str, tuple[str, str, str]] = {
    "regressed": ("triangle-down", WORSE, WORSE),
    "improved": ("triangle-up", BETTER, BETTER),
    "suggestive": ("diamond", PAPER, INK),
    "no worse": ("circle", INK, INK),
    "inconclusive": ("circle", PAPER, INK),
    "too few items": ("cross", PAPER, INK),
    "says nothing": ("square", PAPER, INK),
    "rerun": ("square", MUTED, MUTED),
    "stress": ("diamond", MUTED, MUTED),
}
"""Shape, filling and outline of each kind of point; the shape or its filling tells them apart without colour."""
PLAIN = ("circle", INK, INK)
SMALLEST_SPAN = 2.0
FIGURES = (
    Column("change", "change", 50),
    Column("low", "from", 98),
    Column("high", "to", 146),
    Column("n", "n", 190),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of such a plot.

    Attributes:
        name: What stands left of it.
        figure: The estimate, as a difference of rates.
        kind: What kind of point it is: a key of `SYMBOLS`, or any other word for a plain one.
    """

    name: str
    figure: Estimate
    kind: str = ""


def interval_plot(rows: Sequence[Row], *, title: str, margin: float | None = None, empty: str) -> Spec:
    """Draw each row's estimate and interval in points.

    Args:
        rows: The rows, from top to bottom; beyond 200 those with the largest estimates are drawn.
        title: Of the axis.
        margin: The largest drop that would not matter, as a rate; None draws no line for it.
        empty: What to say where no row has an estimate.

    Returns:
        The specification.
    """
    drawn = largest(rows, lambda row: row.figure.estimate)
    if all(row.figure.estimate is None for row in drawn):
        return nothing(empty)
    names, count = [row.name for row in drawn], len(drawn)
    axis, y = measure_axis(title, _domain(drawn, margin), rows=count), rows_axis(names)
    records = [_texts(place, row) for place, row in enumerate(drawn)]
    shown = [_measures(place, row) for place, row in enumerate(drawn) if row.figure.estimate is not None]
    layers = [*columns(records, y, FIGURES), line_at(0, axis)]
    if margin is not None:
        layers.append(line_at(-100 * margin, axis, dashed=True))
        layers.append(line_name(-100 * margin, f"margin −{100 * margin:g}", axis, rows=count))
    layers.append(whiskers(shown, axis, y))
    kinds = [(kind, *SYMBOLS.get(kind, PLAIN)) for kind in _kinds(drawn)]
    layers.append(
        {
            "data": values(shown),
            "mark": {"type": "point"},
            "encoding": {"y": y, "x": {**axis, "field": "estimate"}, **symbol_scales(kinds, rows=count)},
        }
    )
    return rows_plot(names, layers)


def whiskers(records: Sequence[Record], axis: Spec, rows: Spec) -> Spec:
    """A line from `low` to `high` of each record that has them."""
    return {
        "data": values([record for record in records if "low" in record]),
        "mark": {"type": "rule", "strokeWidth": 1.5},
        "encoding": {"y": rows, "x": {**axis, "field": "low"}, "x2": {"field": "high"}},
    }


def hundredfold(rate: float) -> float:
    """A rate in percent, with as many places as a picture can show."""
    return round(100 * rate, 3)


def _kinds(rows: Sequence[Row]) -> list[str]:
    """The kinds that occur as points, in the order of `SYMBOLS`."""
    found = {row.kind for row in rows if row.figure.estimate is not None}
    known = [kind for kind in SYMBOLS if kind in found]
    return known + sorted(found - set(known))


def _texts(place: int, row: Row) -> Record:
    """What stands right of a row."""
    figure = row.figure
    if figure.estimate is None:
        return {"row": place, "high": row.kind or "no result", "n": f"{figure.n:,}"}
    low, high = ("" if limit is None else points(limit) for limit in (figure.low, figure.high))
    return {"row": place, "change": points(figure.estimate), "low": low, "high": high, "n": f"{figure.n:,}"}


def _measures(place: int, row: Row) -> Record:
    """Where the marks of a row lie."""
    figure = row.figure
    limits = {"estimate": figure.estimate, "low": figure.low, "high": figure.high}
    found = {name: hundredfold(limit) for name, limit in limits.items() if limit is not None}
    return {"row": place, "kind": row.kind, **found}


def _domain(rows: Sequence[Row], margin: float | None) -> tuple[float, float]:
    """From the lowest to the highest of all that is drawn, with 0 and the margin."""
    limits = [limit for row in rows for limit in (row.figure.low, row.figure.high, row.figure.estimate)]
    found = [0.0, -100 * (margin or 0.0), *(hundredfold(limit) for limit in limits if limit is not None)]
    low, high = min(found), max(found)
    spare = max(SMALLEST_SPAN - (high - low), 0.0) / 2
    return low - spare, high + spare
