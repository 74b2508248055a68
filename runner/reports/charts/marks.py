"""Parts that several charts are made of: data, rows, lines, columns of figures, and the sentence of an empty chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .chart import Spec
from .labels import name_parameter, named_rows
from .style import GRID, INK, MUTED, SMALL, STEP, WIDTH

Record: TypeAlias = dict[str, Any]
"""A row of a chart's data, by fields that have names of ours."""

MOST_ROWS = 200
"""Rows that a chart draws at most; its table has all of them."""
AXIS_ON_TOP_FROM = 26
"""Rows from which the axis and the legend stand on top, since the bottom is on another screen."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of figures right of a chart's rows.

    Attributes:
        field: The field of the records that holds the texts.
        heading: What stands above it.
        at: Where it ends, or begins where it is aligned to the left, in pixels right of the plot.
        align: To which side.
    """

    field: str
    heading: str
    at: int
    align: Literal["left", "right"] = "right"


def values(records: Sequence[Record]) -> Spec:
    """Data that stand in the specification itself."""
    return {"values": list(records)}


def nothing(sentence: str) -> Spec:
    """A chart of nothing, which says so."""
    return {
        "width": WIDTH,
        "height": STEP,
        "data": values([{}]),
        "mark": {"type": "text", "text": sentence, "align": "left", "x": 0, "color": MUTED},
    }


def rows_plot(names: Sequence[str], layers: Sequence[Spec]) -> Spec:
    """A chart with a row a name, whose layers have their own data and take their `y` from `rows_axis`."""
    return {
        "params": [name_parameter(names)],
        "width": WIDTH,
        "height": {"step": STEP},
        "layer": list(layers),
    }


def rows_axis(names: Sequence[str]) -> Spec:
    """The rows; a faint line leads the eye from each name to its figures."""
    rows = named_rows(names)
    return {**rows, "axis": {**rows["axis"], "grid": True, "gridColor": GRID, "gridOpacity": 0.6}}


def measure_axis(title: str, domain: tuple[float, float], *, rows: int, nice: bool = True) -> Spec:
    """A quantitative axis along which the marks of a chart with rows lie."""
    return {
        "type": "quantitative",
        "title": title,
        "scale": {"domain": list(domain), "nice": nice, "zero": False},
        "axis": {"grid": False, "orient": side(rows), "tickCount": 6},
    }


def side(rows: int) -> str:
    """Where axis and legend are seen first."""
    return "top" if rows >= AXIS_ON_TOP_FROM else "bottom"


def line_at(place: float, axis: Spec, *, dashed: bool = False) -> Spec:
    """A line across all rows."""
    mark: Spec = {"type": "rule", "strokeWidth": 1, "color": MUTED}
    if dashed:
        mark["strokeDash"] = [5, 4]
    return {"data": values([{"at": place}]), "mark": mark, "encoding": {"x": {**axis, "field": "at"}}}


def line_name(place: float, text: str, axis: Spec, *, rows: int) -> Spec:
    """The name of a line, at its end that has no axis."""
    above = side(rows) == "bottom"
    mark: Spec = {"type": "text", "text": text, "fontSize": SMALL, "color": MUTED}
    mark |= {"y": -4, "baseline": "bottom"} if above else {"y": {"expr": "height + 4"}, "baseline": "top"}
    return {"data": values([{"at": place}]), "mark": mark, "encoding": {"x": {**axis, "field": "at"}}}


def columns(records: Sequence[Record], rows: Spec, shown: Sequence[Column]) -> list[Spec]:
    """Columns of figures right of the rows, each with its heading."""
    return [layer for column in shown for layer in _column(records, rows, column)]


def _column(records: Sequence[Record], rows: Spec, column: Column) -> tuple[Spec, Spec]:
    mark: Spec = {"type": "text", "align": column.align, "x": WIDTH + column.at, "fontSize": SMALL}
    return (
        {
            "data": values([{"row": each["row"], "said": each.get(column.field, "")} for each in records]),
            "mark": {**mark, "color": INK},
            "encoding": {"y": rows, "text": {"field": "said", "type": "nominal"}},
        },
        {
            "data": values([{}]),
            "mark": {**mark, "text": column.heading, "y": -4, "baseline": "bottom", "color": MUTED},
        },
    )


def symbol_scales(kinds: Sequence[tuple[str, str, str, str]], *, rows: int) -> Spec:
    """Shape, filling and outline by the field `kind`, with one legend of them all.

    Args:
        kinds: Of each kind that occurs its name, shape, filling and outline.
        rows: Rows of the chart.
    """
    domain = [kind for kind, *_ in kinds]
    legend: Spec | None = {"orient": side(rows)} if any(domain) else None
    channels = {"shape": 1, "fill": 2, "stroke": 3}
    return {
        channel: {
            "field": "kind",
            "type": "nominal",
            "scale": {"domain": domain, "range": [kind[place] for kind in kinds]},
            "legend": legend,
        }
        for channel, place in channels.items()
    }
