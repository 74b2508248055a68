"""The figures of a run in a few lines: those of its report, which the list of runs shows beside its name."""

from dataclasses import dataclass

from ..findings import ConditionFinding, Report
from ..reports.html.facts import Verdict, verdict_of
from ..reports.text import of, percent, percent_interval, points, points_interval

DRAWN = 40
"""Conditions that are drawn at most."""
BAR, GAP, HEIGHT = 9, 3, 32
NAMED = 12
"""Conditions whose rates are said in words."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A condition's pass rate, drawn."""

    x: int
    y: float
    height: float
    kind: str


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The pass rates of the conditions, drawn, and said in words.

    Attributes:
        bars: A bar each, the baseline's first.
        width: Width of the drawing.
        height: Its height.
        level: Where the baseline's rate is.
        words: What is drawn.
    """

    bars: tuple[Bar, ...]
    width: int
    height: int
    level: float
    words: str


@dataclass(frozen=True, slots=True)
class Headline:
    """What a list says of a run.

    Attributes:
        verdict: The verdict of the whole report.
        figures: Name, figure, its interval, and of how many it is.
        level: How sure the intervals are, in words.
        sparkline: The pass rates; None where nothing has one.
    """

    verdict: Verdict
    figures: tuple[tuple[str, str, str, str], ...]
    level: str
    sparkline: Sparkline | None


def headline(report: Report) -> Headline:
    """Take from a report what a list says of a run."""
    overall = report.summary.overall
    figures = []
    if overall.baseline_rate.n:
        rates = [("Baseline", overall.baseline_rate)]
        rates += [("Robust rate", overall.robust_rate)] if report.compared else []
        for name, rate in rates:
            figures.append((name, percent(rate.estimate), percent_interval(rate), counted(rate.count, rate.n)))
        if (worst := worst_of(report)) is not None:
            change = worst.summary.change
            named = f"Lowest: {worst.summary.condition}"
            figures.append((named, f"{points(change.estimate)} points", points_interval(change), f"n {change.n}"))
    return Headline(verdict_of(report), tuple(figures), f"{100 * report.summary.level:.0f}%", sparkline(report))


def counted(count: int | None, n: int) -> str:
    """Of how many a rate is; over repeats it counts nothing."""
    return f"n {n}" if count is None else of(count, n)


def worst_of(report: Report) -> ConditionFinding | None:
    """The variant with the lowest pass rate; None where the baseline has it."""
    worst = report.summary.overall.spread.worst
    return next((each for each in report.compared if each.summary.condition == worst), None)


def sparkline(report: Report) -> Sparkline | None:
    """Draw the pass rates of the conditions that are compared."""
    base = report.summary.overall.baseline_rate
    if base.estimate is None:
        return None
    every = [(each.summary.condition, each.summary.variant_rate) for each in report.compared]
    drawn = [(name, rate.estimate) for name, rate in every if rate.estimate is not None]
    rates = [("baseline", base.estimate), *drawn[: DRAWN - 1]]
    bars = tuple(
        Bar(
            x=at * (BAR + GAP),
            y=round(HEIGHT * (1 - rate), 1),
            height=max(round(HEIGHT * rate, 1), 0.5),
            kind="base" if not at else "under" if rate < base.estimate else "over",
        )
        for at, (_, rate) in enumerate(rates)
    )
    said = ", ".join(f"{name} {percent(rate)}" for name, rate in rates[:NAMED])
    more = 1 + len(drawn) - min(NAMED, len(rates))
    words = f"Pass rates: {said}" + (f", and {more} more conditions" if more else "")
    return Sparkline(bars, len(bars) * (BAR + GAP) - GAP, HEIGHT, round(HEIGHT * (1 - base.estimate), 1), words)
