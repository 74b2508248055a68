"""The trend over nights, in words and figures and as a picture."""

from collections.abc import Iterator, Sequence

from ...problems import counted
from ..text import percent, percent_interval, points, points_interval, visible
from .chart import Chart
from .labels import TOLD, label
from .trend_plot import Reference, TrendPoint, release_marks, trend_plot

MOST_NIGHTS = 400
"""Nights that are drawn at most, the last ones; the table has all of them."""
RELEASES_NAMED = 6


def trend(
    nights: Sequence[TrendPoint],
    *,
    title: str,
    signed: bool = False,
    reference: Reference | None = None,
    name: str = "trend",
) -> Chart:
    """Draw a figure over the nights.

    Args:
        nights: The nights, the earliest first.
        title: What the figure is, such as "Pass rate under the baseline".
        signed: Whether the figure is a difference of rates, in points, and not a rate, in percent.
        reference: What the nights are compared with; None draws no line for it.
        name: The chart's name, where several stand in one page.
    """
    drawn = list(nights[-MOST_NIGHTS:])
    return Chart(
        name=name,
        title=f"{title} over {counted(len(nights), 'night')}",
        summary=_summary(nights, title, signed=signed),
        note=" ".join(_note(nights, drawn, reference, signed=signed)),
        spec=trend_plot(drawn, unit="points" if signed else "percent", reference=reference),
        headings=("night", "day", "run", "figure", "interval", "n", "alarm", "release"),
        rows=tuple(_cells(each, signed=signed) for each in nights),
    )


def _note(
    nights: Sequence[TrendPoint], drawn: Sequence[TrendPoint], reference: Reference | None, *, signed: bool
) -> Iterator[str]:
    first = next((each.figure for each in nights if each.figure.level), None)
    interval = "" if first is None else f", with {100 * (first.level or 0):.0f}% intervals ({first.method})"
    yield f"Circles: the figure of each night{interval}."
    if any(each.alarm for each in nights):
        yield "Triangles: nights with an alarm."
    if reference is not None:
        yield f"Dashed: {label(reference.name, TOLD)}, {_figure(reference.rate, signed=signed)}."
    releases = [each for each in drawn if each.release]
    if releases:
        marked = zip(release_marks(), releases[:RELEASES_NAMED], strict=False)
        named = ", ".join(f"{mark} {label(each.release)}" for mark, each in marked)
        rest = f" and {len(releases) - RELEASES_NAMED} more" if len(releases) > RELEASES_NAMED else ""
        yield f"Dotted: another release of the model answers from there on: {named}{rest}."
    if len(nights) > len(drawn):
        yield f"Drawn: the last {len(drawn)} of {len(nights):,} nights."


def _figure(rate: float | None, *, signed: bool) -> str:
    return points(rate) if signed else percent(rate)


def _cells(each: TrendPoint, *, signed: bool) -> tuple[str, ...]:
    interval = points_interval(each.figure) if signed else percent_interval(each.figure)
    return (
        f"{each.night}",
        visible(each.day),
        visible(each.run),
        _figure(each.figure.estimate, signed=signed),
        interval,
        f"{each.figure.n}",
        "alarm" if each.alarm else "",
        visible(each.release),
    )


def _summary(nights: Sequence[TrendPoint], title: str, *, signed: bool) -> str:
    found = [each for each in nights if each.figure.estimate is not None]
    if not found:
        return f"{title}: no night has it."
    ends = found if len(found) == 1 else (found[0], found[-1])
    figures = ", ".join(f"{_figure(each.figure.estimate, signed=signed)} in night {each.night}" for each in ends)
    alarms = sum(each.alarm for each in nights)
    return f"{title}: {figures}; {counted(alarms, 'alarm')} in {counted(len(nights), 'night')}."
