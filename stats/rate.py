"""The interval of a rate that users are shown: Wilson's, widened where few units have the property or few lack it."""

from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import FloatArray, beta_quantile, two_sided_z
from .results import Estimate
from .wilson import wilson_limits

METHOD = "Wilson score, exact one-sided limits within 3 units of 0 and of n"
FEW_UNITS = 3.0


def rate_interval(count: SupportsIndex, n: SupportsIndex, *, level: float = 0.95) -> Estimate:
    """Estimate a rate with an interval that also holds near 0 and 1.

    Wilson's interval of 95% holds in 84% at the rates just above 0 and just below 1, whatever n: its lower limit for
    1, 2 or 3 of n lies too high, its upper limit for n − 1, n − 2 or n − 3 too low. There the limit moves out to the
    exact one-sided one, the rate at which so many or more have a probability of α = 1 − level (for the upper limit: so
    many or fewer). As the other limit can't fail there, α may be spent on one side. Everywhere else it is
    `wilson_interval`.

    Args:
        count: Units that have the property.
        n: All units; they must be independent of one another, so items and not cells.
        level: Confidence level.

    Returns:
        count/n with its limits; nothing but n where n = 0.

    Raises:
        ValueError: If the counts are not whole numbers with count ≤ n, or `level` is not between 0 and 1.

    References:
        L. D. Brown, T. T. Cai, A. DasGupta (2001), Stat. Sci. 16, 101-133, section 4.1.1, "modified Wilson": the same
        with the Poisson's limits in place of the binomial's, up to 2 units where n ≤ 50.

    Examples:
        >>> from prt.stats import rate_interval
        >>> for count in (81, 1):
        ...     rate = rate_interval(count, 263)
        ...     print(f"{rate.estimate:.4f}, {rate.low:.4f} to {rate.high:.4f}")
        0.3080, 0.2553 to 0.3662
        0.0038, 0.0002 to 0.0212
    """
    check_fraction("level", level)
    count, n = whole_number("count", count), whole_number("n", n)
    if count > n:
        raise ValueError(f"count must not exceed n, got {count} of {n}")
    if n == 0:
        return Estimate(None, None, None, level, 0, METHOD, count)
    low, high = rate_limits(np.asarray(count / n), np.asarray(float(n)), level)
    return Estimate(count / n, float(low), float(high), level, n, METHOD, count)


def rate_limits(rate: FloatArray, n: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Limits of `rate_interval`, elementwise, for any n > 0 and 0 ≤ rate ≤ 1 that are already validated."""
    low, high = wilson_limits(rate, n, two_sided_z(level))
    lacking = 1.0 - _widened(1.0 - high, (1.0 - rate) * n, n, level)
    return _widened(low, rate * n, n, level), np.maximum(high, lacking)


def _widened(low: FloatArray, count: FloatArray, n: FloatArray, level: float) -> FloatArray:
    """The lower limit, no higher than the exact one where the count is small."""
    # A product of rate and n can land an ulp beside the whole count that it stands for.
    few = (count > 0.0) & (count <= FEW_UNITS + 1e-9)
    exact = beta_quantile(np.where(few, count, 1.0), np.where(few, n - count, 0.0) + 1.0, 1.0 - level)
    return np.where(few, np.minimum(low, exact), low)
