"""Parts that several charts are made of: data, lines, texts, and the sentence of an empty chart."""

from collections.abc import Sequence
from typing import Any

from .chart import Spec
from .labels import name_parameter, named_rows
from .style import GRID, MUTED, STEP, WIDTH

MOST_ROWS = 200
"""Rows that a chart draws at most; its table has all of them."""
AXIS_ON_TOP_FROM = 26
"""Rows from which the axis and the legend stand on top, since the bottom is on another screen."""
FIGURES_AT = WIDTH + 12


def values(records: Sequence[dict[str, Any]]) -> Spec:
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
    """The rows, faint lines between which lead the eye from a name to its figures."""
    rows = named_rows(names)
    return {**rows, "axis": {**rows["axis"], "grid": True, "gridColor": GRID, "gridOpacity": 0.6}}


def measure_axis(title: str, domain: tuple[float, float], *, rows: int) -> Spec:
    """A quantitative axis along which the marks of a chart with rows lie."""
    return {
        "type": "quantitative",
        "title": title,
        "scale": {"domain": list(domain), "nice": True, "zero": False},
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


def line_name(place: float, text: str, axis: Spec) -> Spec:
    """The name of a line, above it."""
    return {
        "data": values([{"at": place}]),
        "mark": {"type": "text", "text": text, "y": -4, "baseline": "bottom", "fontSize": 11, "color": MUTED},
        "encoding": {"x": {**axis, "field": "at"}},
    }


def figures(records: Sequence[dict[str, Any]], rows: Spec) -> Spec:
    """The text `said` of each record, right of its row."""
    return {
        "data": values(records),
        "mark": {"type": "text", "align": "left", "x": FIGURES_AT, "fontSize": 11},
        "encoding": {"y": rows, "text": {"field": "said", "type": "nominal"}},
    }


def symbol_scales(kinds: Sequence[tuple[str, str, str, str]], *, rows: int) -> Spec:
    """Shape, filling and outline by the field `kind`, with one legend of them all.

    Args:
        kinds: Of each kind that occurs its name, shape, filling and outline.
        rows: Rows of the chart.
    """
    domain = [kind for kind, *_ in kinds]
    legend: Spec | None = {"orient": side(rows)} if len(kinds) > 1 else None
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
