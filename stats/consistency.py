"""The consistency curve: how many items are right in at least a given fraction of their conditions."""

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from .numeric import FloatArray
from .outcomes import Outcomes
from .shares import complete_items


@dataclass(frozen=True, slots=True)
class ConsistencyCurve:
    """Shares of items right in at least 1, 2, …, k of their k conditions.

    Attributes:
        fractions: 1/k, 2/k, …, 1.
        shares: Share of items that pass in at least that fraction of their conditions; falls from the any-pass rate at
            1/k to the robust pass rate at 1. None without complete cases.
        counts: The same as numbers of items; None with repeats, where an item counts by its chance.
        n: Complete cases.
    """

    fractions: tuple[float, ...]
    shares: tuple[float | None, ...]
    counts: tuple[int, ...] | None
    n: int

    def at(self, fraction: float) -> float | None:
        """Read the curve.

        Args:
            fraction: From 0 to 1.

        Returns:
            Share of items right in at least this fraction of their conditions: 1 at 0 itself, the any-pass rate just
            above it, the robust pass rate at 1. None without complete cases.

        Raises:
            ValueError: If `fraction` is not between 0 and 1.
        """
        if not 0.0 <= fraction <= 1.0:
            raise ValueError(f"fraction must lie between 0 and 1, got {fraction!r}")
        if self.n == 0:
            return None
        return 1.0 if fraction == 0.0 else self.shares[bisect_left(self.fractions, fraction)]


def consistency_curve(outcomes: Outcomes) -> ConsistencyCurve:
    """Draw the consistency curve over the complete cases.

    Args:
        outcomes: Results with any number of repeats; with several, an item counts by the chance that single runs, one
            of each condition, pass in so many conditions.

    Returns:
        The curve, with one point for each number of conditions.

    Examples:
        >>> from prt.stats import Outcomes, consistency_curve
        >>> curve = consistency_curve(Outcomes.from_array([[1, 1, 1, 1], [1, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0]]))
        >>> curve.shares
        (0.75, 0.5, 0.5, 0.25)
        >>> curve.at(0.7)
        0.5
    """
    conditions = len(outcomes.conditions)
    mass, items = _counted(outcomes) if outcomes.repeats == 1 else _expected(outcomes)
    totals = np.cumsum(mass[::-1])[::-1][1:].tolist()
    return ConsistencyCurve(
        fractions=tuple(number / conditions for number in range(1, conditions + 1)),
        shares=tuple(min(total / items, 1.0) if items else None for total in totals),
        counts=tuple(map(round, totals)) if outcomes.repeats == 1 else None,
        n=items,
    )


def _counted(outcomes: Outcomes) -> tuple[FloatArray, int]:
    """Complete items by their number of passes, and all complete items."""
    complete = outcomes.complete_cases()
    passes = np.bincount(np.count_nonzero(complete, axis=1), minlength=complete.shape[1] + 1)
    return passes.astype(np.float64), complete.shape[0]


def _expected(outcomes: Outcomes) -> tuple[FloatArray, int]:
    """The same where single runs, one of each condition, are drawn: the number of items expected."""
    rates = outcomes.means(missing=0.0)[complete_items(outcomes)]
    chances = np.zeros((rates.shape[0], rates.shape[1] + 1))
    chances[:, 0] = 1.0
    one_more = np.empty_like(rates)
    for rate in rates.T[:, :, np.newaxis]:
        np.multiply(chances[:, :-1], rate, out=one_more)
        chances *= 1.0 - rate
        chances[:, 1:] += one_more
    return chances.sum(axis=0), rates.shape[0]
