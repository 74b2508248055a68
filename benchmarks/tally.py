"""Counts how often something holds, and what the rows of the table say about it."""

from collections import defaultdict
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from prt.stats import Estimate

Kind = Literal["coverage", "false positives"]
NEAR_0_OR_1 = " near 0 or 1"
Floats = NDArray[np.float64]

HEADER = f"{'':<15} {'figure':<34} {'setting':<22} {'worst':>6} {'bound':>6} {'width':>6}  {'':<6} where"


@dataclass(frozen=True)
class Row:
    """One line of the table: the worst of several populations.

    Attributes:
        kind: What is counted.
        figure: Which interval, test or verdict.
        setting: Items, runs, clusters.
        worst: The lowest coverage, or the highest share of false positives.
        where: The population it was found in.
        width: Mean width of the interval, over all populations; None for tests.
        bound: What the worst may be at most, or has to be at least.
        error: Monte Carlo standard error of the worst; 0 where it was counted exactly.
    """

    kind: Kind
    figure: str
    setting: str
    worst: float
    where: str
    width: float | None
    bound: float
    error: float

    @property
    def verdict(self) -> str:
        """`ok`; `~` misses the bound by less than two Monte Carlo errors; or `MISSED`."""
        short = self.bound - self.worst if self.kind == "coverage" else self.worst - self.bound
        if short <= 1e-12:
            return "ok"
        return "~" if short <= 2 * self.error else "MISSED"

    def text(self) -> str:
        """The line."""
        width = "" if self.width is None else f"{self.width:.3f}"
        return (
            f"{self.kind:<15} {self.figure:<34} {self.setting:<22} {100 * self.worst:6.1f} {100 * self.bound:6.1f} "
            f"{width:>6}  {self.verdict:<6} {self.where}"
        )


@dataclass
class Count:
    """How often something was looked at, and how often it held."""

    seen: float = 0.0
    held: float = 0.0
    width: float = 0.0

    @property
    def share(self) -> float:
        """Share of the times that it held."""
        return self.held / self.seen


Counts = dict[str, dict[str, Count]]


def _counts() -> Counts:
    return defaultdict(lambda: defaultdict(Count))


@dataclass
class Tally:
    """Counts of intervals and of events, by figure and population.

    Attributes:
        exact: Whether the weights are probabilities of all that can happen, so that nothing is left to luck.
    """

    exact: bool = False
    intervals: Counts = field(default_factory=_counts)
    events: Counts = field(default_factory=_counts)

    def interval(self, figure: str, population: str, estimate: Estimate, truth: float, weight: float = 1.0) -> None:
        """Count one interval; an estimate without limits shows none, and isn't counted."""
        low, high = estimate.low, estimate.high
        if low is None or high is None:
            return
        count = self.intervals[figure][population]
        count.seen += weight
        count.held += weight * (low <= truth + 1e-9 and truth - 1e-9 <= high)
        count.width += weight * (high - low)

    def limits(
        self, figure: str, population: str, limits: tuple[Floats, Floats], truth: float, weights: Floats
    ) -> None:
        """Count many intervals at once, each by its probability."""
        low, high = limits
        count = self.intervals[figure][population]
        count.seen += float(weights.sum())
        count.held += float(weights[(low <= truth + 1e-9) & (truth - 1e-9 <= high)].sum())
        count.width += float(np.sum(weights * (high - low)))

    def share(self, figure: str, population: str, share: float) -> None:
        """Count a test or verdict by the probability that it comes out."""
        count = self.events[figure][population]
        count.seen += 1.0
        count.held += share

    def event(self, figure: str, population: str, *, happened: bool, weight: float = 1.0) -> None:
        """Count one test or verdict."""
        count = self.events[figure][population]
        count.seen += weight
        count.held += weight * happened

    def rows(self, kind: Kind, setting: str, bound: float) -> list[Row]:
        """The worst population of every figure."""
        counts, worst_of = (self.intervals, min) if kind == "coverage" else (self.events, max)
        rows = []
        for figure, by_population in counts.items():
            where = worst_of(by_population, key=lambda name: by_population[name].share)
            width = sum(each.width for each in by_population.values()) / sum(
                each.seen for each in by_population.values()
            )
            worst = by_population[where]
            rows.append(
                Row(
                    kind=kind,
                    figure=figure,
                    setting=setting,
                    worst=worst.share,
                    where=where,
                    width=width if kind == "coverage" else None,
                    bound=bound,
                    error=0.0
                    if self.exact
                    else sqrt(max(worst.share * (1 - worst.share), 1 / worst.seen) / worst.seen),
                )
            )
        return rows
