"""Exact one-sided limits of a rate, for decisions that must never be wrong more often than they say."""

from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import beta_quantile


def exact_rate_limits(count: SupportsIndex, n: SupportsIndex, *, alpha: float = 0.05) -> tuple[float, float]:
    """The lower and the upper one-sided limit of a rate by Clopper and Pearson, each wrong with a chance of alpha.

    The lower limit is the rate at which so many units or more have a probability of alpha, the upper one that at which
    so many or fewer have it. Each holds for every true rate and every n, which no score interval does; both together
    are an interval of level 1 − 2·alpha.

    Args:
        count: Units that have the property.
        n: All units, at least one; they must be independent of one another.
        alpha: Chance that one of the limits is wrong.

    Returns:
        The two limits; 0 and 1 where no limit is possible.

    Raises:
        ValueError: If the counts are not whole numbers with count ≤ n and n ≥ 1, or `alpha` is not between 0 and 1.

    References:
        C. J. Clopper and E. S. Pearson (1934), Biometrika 26, 404-413.

    Examples:
        None of 59 is the smallest sample that rules out a rate of 5%:

        >>> from prt.stats import exact_rate_limits
        >>> [round(exact_rate_limits(0, n)[1], 4) for n in (58, 59)]
        [0.0503, 0.0495]
    """
    check_fraction("alpha", alpha)
    count, n = whole_number("count", count), whole_number("n", n)
    if count > n or n == 0:
        raise ValueError(f"n must be at least 1 and count must not exceed it, got {count} of {n}")
    return _lower(count, n, alpha), 1.0 - _lower(n - count, n, alpha)


def _lower(count: int, n: int, alpha: float) -> float:
    if count == 0:
        return 0.0
    return float(beta_quantile(np.asarray(float(count)), np.asarray(n - count + 1.0), alpha))
