"""Spread: the distance between the best and the worst condition."""

from dataclasses import dataclass

import numpy as np

from .cells import MISSING
from .outcomes import Outcomes
from .robust import baseline_rate


@dataclass(frozen=True, slots=True)
class Spread:
    """Distance between the best and the worst condition's pass rate.

    It carries no interval and grows with the number of conditions, even if they all were equal: the best and the worst
    are picked after the fact. `cochran_q` tests whether the conditions differ at all.

    Attributes:
        estimate: Best rate − worst rate; None where no condition has a result.
        best: Name of the condition with the highest rate, the first of equals.
        best_rate: Its pass rate.
        worst: Name of the condition with the lowest rate, the first of equals.
        worst_rate: Its pass rate.
    """

    estimate: float | None
    best: str | None
    best_rate: float | None
    worst: str | None
    worst_rate: float | None


def condition_spread(outcomes: Outcomes) -> Spread:
    """Find the best and the worst condition.

    The baseline's rate is over all items with a baseline result, each variant's over its paired items. Conditions
    without results don't take part.

    Args:
        outcomes: Results with any number of repeats; items weigh alike, however many runs they have.

    Returns:
        The two conditions and the distance of their pass rates.

    Examples:
        >>> from prt.stats import Outcomes, condition_spread
        >>> spread = condition_spread(Outcomes.from_array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]]))
        >>> spread.best, spread.worst, spread.estimate
        ('baseline', 'variant.2', 0.5)
    """
    rates = {outcomes.baseline: baseline_rate(outcomes).estimate}
    rates |= dict(zip(outcomes.variants, _variant_rates(outcomes), strict=True))
    present = {name: rate for name, rate in rates.items() if rate is not None}
    if not present:
        return Spread(None, None, None, None, None)
    best, worst = max(present, key=present.__getitem__), min(present, key=present.__getitem__)
    return Spread(present[best] - present[worst], best, present[best], worst, present[worst])


def _variant_rates(outcomes: Outcomes) -> list[float | None]:
    """Each variant's pass rate over its paired items."""
    if outcomes.repeats == 1:
        return [table.variant_rate for table in outcomes.tables()]
    means = outcomes.means(missing=MISSING)
    paired = (means[:, 1:] != MISSING) & (means[:, :1] != MISSING)
    items = np.count_nonzero(paired, axis=0).tolist()
    totals = np.sum(means[:, 1:], axis=0, where=paired).tolist()
    return [total / n if n else None for total, n in zip(totals, items, strict=True)]
