"""Points with their intervals, a row a name: what the forest plots and the noise floor are drawn with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....stats import Estimate
from ..text import points, points_interval
from .chart import Spec
from .marks import (
    MOST_ROWS,
    figures,
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
OTHER = ("circle", INK, INK)
SMALLEST_SPAN = 0.02


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
        empty: What to say where there is no row.

    Returns:
        The specification.
    """
    drawn = largest(rows)
    if not drawn:
        return nothing(empty)
    names = [row.name for row in drawn]
    axis = measure_axis(title, _domain(drawn, margin), rows=len(drawn))
    records = [_record(place, row) for place, row in enumerate(drawn)]
    shown = [record for record in records if "estimate" in record]
    y = rows_axis(names)
    layers = [figures(records, y), line_at(0, axis)]
    if margin is not None:
        layers += [
            line_at(-100 * margin, axis, dashed=True),
            line_name(-100 * margin, f"margin {points(-margin)}", axis),
        ]
    layers.append(
        {
            "data": values([record for record in shown if "low" in record]),
            "mark": {"type": "rule", "strokeWidth": 1.5},
            "encoding": {"y": y, "x": {**axis, "field": "low"}, "x2": {"field": "high"}},
        }
    )
    kinds = [(kind, *SYMBOLS.get(kind, OTHER)) for kind in _kinds(drawn)]
    layers.append(
        {
            "data": values(shown),
            "mark": {"type": "point"},
            "encoding": {"y": y, "x": {**axis, "field": "estimate"}, **symbol_scales(kinds, rows=len(drawn))},
        }
    )
    return rows_plot(names, layers)


def largest(rows: Sequence[Row]) -> list[Row]:
    """The rows that are drawn, in their order: all, or those with the largest estimates either way."""
    if len(rows) <= MOST_ROWS:
        return list(rows)
    by_size = sorted(range(len(rows)), key=lambda at: (-abs(rows[at].figure.estimate or 0.0), at))
    return [rows[at] for at in sorted(by_size[:MOST_ROWS])]


def _kinds(rows: Sequence[Row]) -> list[str]:
    """The kinds that occur as points, in the order of `SYMBOLS`."""
    found = {row.kind for row in rows if row.figure.estimate is not None}
    known = [kind for kind in SYMBOLS if kind in found]
    return known + sorted(found - set(known))


def _record(place: int, row: Row) -> dict[str, Any]:
    figure = row.figure
    if figure.estimate is None:
        return {"row": place, "said": row.kind or "no result"}
    said = f"{points(figure.estimate)}  ({points_interval(figure)})  n {figure.n:,}"
    record: dict[str, Any] = {"row": place, "kind": row.kind, "estimate": _rounded(figure.estimate), "said": said}
    if figure.low is not None and figure.high is not None:
        return {**record, "low": _rounded(figure.low), "high": _rounded(figure.high)}
    return {**record, "said": f"{points(figure.estimate)}  n {figure.n:,}"}


def _rounded(rate: float) -> float:
    return round(100 * rate, 3)


def _domain(rows: Sequence[Row], margin: float | None) -> tuple[float, float]:
    """From the lowest to the highest of all that is drawn, with 0 and the margin."""
    limits = [limit for row in rows for limit in (row.figure.low, row.figure.high, row.figure.estimate)]
    found = [0.0, -(margin or 0.0), *(limit for limit in limits if limit is not None)]
    low, high = min(found), max(found)
    spare = max(SMALLEST_SPAN - (high - low), 0.0) / 2
    return _rounded(low - spare), _rounded(high + spare)
