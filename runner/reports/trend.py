"""The history of a series of nights: a line of blocks for the eye, and a table with every figure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pydantic import JsonValue as Json
from rich.console import Console
from rich.text import Text

from ..nightly.summary import NightSummary, summary_json
from ..problems import counted
from .digest import level
from .tables import narrow_table
from .text import UNKNOWN, one_line, p_value, percent, points, points_interval, visible

BLOCKS = "▁▂▃▄▅▆▇█"
GAP = "·"
WIDEST = 60
"""Nights in the line of blocks at most, the last ones."""
LEAST_SPAN = 0.1
"""Differences of rates below this do not fill the height: nights that are alike look alike."""
HEADINGS = ("night", "date", "verdict", "originals", "robust", "change", "interval", "p", "level", "n", "")
NAMES_SHOWN = 60
TREND_VERSION = 1


def releases(nights: Sequence[NightSummary]) -> dict[int, str]:
    """The nights from which on another model, or another system behind it, answered.

    Args:
        nights: The nights in order; one in which nothing answered says nothing.

    Returns:
        What answered from then on, by the night's number.
    """
    answered = [night for night in nights if night.resolved_models or night.fingerprints]
    return {
        later.night: answering(later)
        for earlier, later in pairwise(answered)
        if (earlier.resolved_models, earlier.fingerprints) != (later.resolved_models, later.fingerprints)
    }


def answering(night: NightSummary) -> str:
    """`gpt-4.1-2025-04-14, fp_1a2b`: what answered on a night, as the endpoint calls it."""
    return ", ".join(
        [" and ".join(night.resolved_models), *([" and ".join(night.fingerprints)] if night.fingerprints else [])]
    )


def print_trend(series: str, nights: Sequence[NightSummary], console: Console) -> None:
    """Print the history of a series."""
    for line in headlines(series, nights):
        console.print(Text(line), soft_wrap=True)
    marks = {night: f"R{number}" for number, night in enumerate(releases(nights), start=1)}
    table = narrow_table()
    for heading in HEADINGS:
        table.add_column(
            heading, justify="right" if heading in {"night", "originals", "robust", "change", "n"} else "left"
        )
    for night in nights:
        table.add_row(*(Text(visible(cell)) for cell in row(night, marks.get(night.night, ""))))
    console.print(table)
    for line in legend(nights):
        console.print(Text(line), soft_wrap=True)


def headlines(series: str, nights: Sequence[NightSummary]) -> Iterator[str]:
    """Which nights, how many alarms, and the two rates as lines of blocks."""
    alarms = sum(night.verdict == "alarm" for night in nights)
    between = f"{date(nights[0])} to {date(nights[-1])}"
    yield f"{visible(series)}: {counted(len(nights), 'night')}, {between}, {counted(alarms, 'alarm')}"
    for name, rates in (
        ("originals", [rate(night, night.baseline_rate.estimate) for night in nights]),
        ("robust   ", [rate(night, night.robust_rate.estimate) for night in nights]),
    ):
        known = [each for each in rates if each is not None]
        if known:
            span = f"{percent(min(known))} to {percent(max(known))}"
            yield f"{name}  {sparkline(rates)}  {span}, last {percent(known[-1])}"
    yield ""


def rate(night: NightSummary, estimate: float | None) -> float | None:
    """A rate of a night; None for one that is not complete, whose items are others."""
    return None if night.verdict == "incomplete" else estimate


def sparkline(rates: Sequence[float | None]) -> str:
    """Rates as blocks of eight heights, from the lowest to the highest of them; a dot for one that is missing."""
    drawn = rates[-WIDEST:]
    known = [each for each in drawn if each is not None]
    if not known:
        return GAP * len(drawn)
    top = max(known)
    span = max(top - min(known), LEAST_SPAN)
    heights = [None if each is None else round((len(BLOCKS) - 1) * (1 - (top - each) / span)) for each in drawn]
    return "".join(GAP if height is None else BLOCKS[max(height, 0)] for height in heights)


def date(night: NightSummary) -> str:
    """The day on which a night began, in UTC."""
    return night.started_at[:10]


def row(night: NightSummary, mark: str) -> tuple[str, ...]:
    """A night as a row of the table."""
    decision, against = night.decision, night.reference
    verdict = "gate failed" if night.verdict == "quiet" and night.failed_gates else night.verdict
    return (
        str(night.night),
        date(night),
        verdict + (", baseline" if night.pinned else ""),
        percent(rate(night, night.baseline_rate.estimate)),
        percent(rate(night, night.robust_rate.estimate)),
        UNKNOWN if against is None else points(against.change.estimate),
        "" if against is None else points_interval(against.change),
        UNKNOWN if decision is None else p_value(decision.pvalue),
        UNKNOWN if decision is None else level(decision.level),
        UNKNOWN if decision is None else str(decision.n),
        mark,
    )


def legend(nights: Sequence[NightSummary]) -> Iterator[str]:
    """What the columns mean, and which model answered from where on."""
    decided = [night for night in nights if night.decision is not None]
    if decided and (last := decided[-1].decision) is not None:
        yield (
            "robust: right under the original and every wording. change: points against what the night was held "
            f"against, over all conditions. An alarm: p ≤ level; all nights together hold alpha {last.alpha:g} "
            f"({last.method})."
        )
    for number, (night, name) in enumerate(releases(nights).items(), start=1):
        yield f"R{number}: from night {night} on {one_line(name, NAMES_SHOWN)} answered."


def trend_json(series: str, nights: Sequence[NightSummary]) -> dict[str, Json]:
    """The history for programs: every figure of each night, and where another model answered."""
    return {
        "schema_version": TREND_VERSION,
        "series": series,
        "releases": [{"night": night, "answering": name} for night, name in releases(nights).items()],
        "nights": [summary_json(night) for night in nights],
    }
