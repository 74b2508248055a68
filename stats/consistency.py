"""The consistency curve: how many items are right in at least a given fraction of their conditions."""

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from .outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class ConsistencyCurve:
    """Shares of items right in at least 1, 2, …, k of their k conditions.

    Attributes:
        fractions: 1/k, 2/k, …, 1.
        shares: Share of items that pass in at least that fraction of their conditions; falls from the any-pass rate at
            1/k to the robust pass rate at 1. None without complete cases.
        counts: The same as numbers of items.
        n: Complete cases.
    """

    fractions: tuple[float, ...]
    shares: tuple[float | None, ...]
    counts: tuple[int, ...]
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
        outcomes: Results with a single repeat.

    Returns:
        The curve, with one point for each number of conditions.

    Raises:
        ValueError: If there is more than one repeat.

    Examples:
        >>> from prt.stats import Outcomes, consistency_curve
        >>> curve = consistency_curve(Outcomes.from_array([[1, 1, 1, 1], [1, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0]]))
        >>> curve.shares
        (0.75, 0.5, 0.5, 0.25)
        >>> curve.at(0.7)
        0.5
    """
    complete = outcomes.complete_cases()
    items, conditions = complete.shape
    passes = np.bincount(np.count_nonzero(complete, axis=1), minlength=conditions + 1)
    counts = tuple(np.cumsum(passes[::-1])[::-1][1:].tolist())
    fractions = tuple(number / conditions for number in range(1, conditions + 1))
    return ConsistencyCurve(fractions, tuple(count / items if items else None for count in counts), counts, items)
