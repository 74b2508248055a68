"""A chart before it is drawn: what it shows, in words and figures as well."""

from dataclasses import dataclass
from typing import Any, TypeAlias

Spec: TypeAlias = dict[str, Any]
"""A Vega-Lite specification, or a part of one, as JSON values."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart, and the same in words and as a table.

    Attributes:
        name: What the chart is called in file names and element ids: lower-case letters and hyphens.
        title: Its heading.
        summary: One sentence that says what is to be seen, for those who don't see it.
        note: How to read it: the marks, the method of the intervals, what n is.
        spec: The Vega-Lite specification, with light colours, without title.
        headings: The headings of its data.
        rows: Its data, all of it, as texts that are safe on a screen; empty where there is nothing to draw.
    """

    name: str
    title: str
    summary: str
    note: str
    spec: Spec
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
