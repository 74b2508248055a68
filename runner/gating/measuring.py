"""The figure of a gate with its interval at any level, from one value an item or from two."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...stats import (
    Estimate,
    PairedTable,
    clustered_rate_interval,
    clustered_tango_interval,
    exact_rate_limits,
    rate_interval,
    tango_interval,
)
from .values import Floats, Values

Labels = Sequence[Hashable]
EXACT = ", no narrower than the exact one-sided limits"


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """One figure of one subject.

    Attributes:
        n: Items that it rests on.
        units: Independent units among them: clusters, or items.
        at: Gives the figure with its interval at a level.
        table: The paired results of a difference, turned so that a flip to fail is a loss; None with repeats, clusters
            or several conditions together.
        before: What a difference can lose: the rate that it starts from.
        count: Units with the property of a rate, where they are whole and independent.
        of: What the figure was counted from, in words: `12 of 240 replies`; empty where n says it.
        foreseeable: Whether it is known what so many items could show at the most.
    """

    n: int
    units: int
    at: Callable[[float], Estimate]
    table: PairedTable | None = None
    before: float | None = None
    count: int | None = None
    of: str = ""
    foreseeable: bool = True


def measured_rate(given: Values, labels: Labels | None, *, of: str = "") -> Measure:
    """The mean of one value an item.

    Args:
        given: The values.
        labels: The cluster of each item; None where items are independent.
        of: What was counted, in the plural, where it is not items.
    """
    values, clusters = given.values[given.kept], chosen(labels, given)
    n = values.size
    whole = given.whole and clusters is None
    total = round(float(np.sum(values * given.runs[given.kept])))
    every = round(float(np.sum(given.runs[given.kept])))
    words = f"{total:,} of {every:,} {of}" if of else ""
    if n and whole:
        count = round(float(values.sum()))
        return Measure(n, n, lambda level: exact_too(count, n, level), count=count, of=words)
    runs = max(float(given.runs[given.kept].mean()), 1.0) if n else 1.0
    return Measure(
        n,
        units_of(clusters, n),
        lambda level: clustered_rate_interval(values, runs=runs, clusters=clusters, level=level),
        of=words,
    )


def exact_too(count: int, n: int, level: float) -> Estimate:
    """The interval of a rate that reports show, widened to the exact limits, each of which errs by 1 − level at most.

    A score's limit alone can be wrong more often than it says, the more so at the high levels that many subjects need.
    """
    shown = rate_interval(count, n, level=level)
    low, high = exact_rate_limits(count, n, alpha=1.0 - level)
    if shown.low is None or shown.high is None or (low >= shown.low and high <= shown.high):
        return shown
    return replace(shown, low=min(low, shown.low), high=max(high, shown.high), method=shown.method + EXACT)


def measured_change(before: Values, after: Values, labels: Labels | None, *, higher: bool) -> Measure:
    """The mean difference of two values an item, after − before, with Tango's interval.

    Args:
        before: The values that it starts from.
        after: The values that it comes to, over the same items.
        labels: The cluster of each item; None where items are independent.
        higher: Whether more is better; if not, all is turned, so that worse is lower for the statistics.
    """
    first, second = (before, after) if higher else (before.rest(), after.rest())
    kept = first.kept & second.kept
    values = first.values[kept], second.values[kept]
    clusters = chosen(labels, Values(first.values, kept, first.runs, first.whole))
    n = values[0].size
    table = table_of(*values) if first.whole and second.whole and clusters is None else None
    runs = tuple(max(float(each.runs[kept].mean()), 1.0) if n else 1.0 for each in (first, second))

    def at(level: float) -> Estimate:
        if table is not None:
            found = tango_interval(table, level=level)
        else:
            found = clustered_tango_interval(*values, runs=(runs[0], runs[1]), clusters=clusters, level=level)
        return found if higher else mirrored(found)

    return Measure(n, units_of(clusters, n), at, table=table, before=float(values[0].mean()) if n else None)


def table_of(before: Floats, after: Floats) -> PairedTable:
    """Count the pairs of single results."""
    first, second = before > 0.5, after > 0.5
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    return PairedTable(*(int(np.count_nonzero(cell)) for cell in cells))


def mirrored(found: Estimate) -> Estimate:
    """An estimate of the opposite."""
    if found.estimate is None or found.low is None or found.high is None:
        return found
    return replace(found, estimate=0.0 - found.estimate, low=0.0 - found.high, high=0.0 - found.low)


def chosen(labels: Labels | None, given: Values) -> list[Hashable] | None:
    """The clusters of the items that count; None where no two of them share one."""
    if labels is None:
        return None
    kept = [labels[place] for place in np.flatnonzero(given.kept).tolist()]
    named = [label for label in kept if label not in {None, ""}]
    return kept if len(set(named)) < len(named) else None


def units_of(clusters: list[Hashable] | None, n: int) -> int:
    """How many independent units so many items are."""
    if clusters is None:
        return n
    named = [label for label in clusters if label not in {None, ""}]
    return len(set(named)) + len(clusters) - len(named)
