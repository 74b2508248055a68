"""The Wilson score interval of a single proportion."""

from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import FloatArray, two_sided_z
from .results import Estimate

METHOD = "Wilson score"


def wilson_interval(count: SupportsIndex, n: SupportsIndex, *, level: float = 0.95) -> Estimate:
    """Estimate a proportion with its Wilson score interval.

    The limits are the proportions p for which (count/n − p)/√(p(1 − p)/n) is ±z, without continuity correction.

    Args:
        count: Units that have the property.
        n: All units; they must be independent of one another, so items and not cells.
        level: Confidence level.

    Returns:
        count/n with its limits; nothing but n where n = 0.

    Raises:
        ValueError: If the counts are not whole numbers with count ≤ n, or `level` is not between 0 and 1.

    References:
        E. B. Wilson (1927), J. Am. Stat. Assoc. 22, 209-212; as method 3 in R. G. Newcombe (1998), Stat. Med. 17,
        857-872, whose table I gives .2553 to .3662 for 81 of 263.

    Examples:
        >>> from prt.stats import wilson_interval
        >>> rate = wilson_interval(81, 263)
        >>> print(f"{rate.estimate:.4f}, {rate.low:.4f} to {rate.high:.4f}")
        0.3080, 0.2553 to 0.3662
    """
    check_fraction("level", level)
    count, n = whole_number("count", count), whole_number("n", n)
    if count > n:
        raise ValueError(f"count must not exceed n, got {count} of {n}")
    if n == 0:
        return Estimate(None, None, None, level, 0, METHOD, count)
    low, high = wilson_limits(np.asarray(count / n), np.asarray(float(n)), two_sided_z(level))
    return Estimate(count / n, float(low), float(high), level, n, METHOD, count)


def wilson_limits(rate: FloatArray, n: FloatArray, z: float) -> tuple[FloatArray, FloatArray]:
    """Wilson limits, elementwise; 0 ≤ rate ≤ 1 and n > 0 are already validated."""
    shrink = 1.0 + z**2 / n
    centre = (rate + z**2 / (2.0 * n)) / shrink
    half_width = z * np.sqrt(rate * (1.0 - rate) / n + z**2 / (4.0 * n**2)) / shrink
    # At rates of 0 and 1 the limit is exactly 0 and 1; rounding would leave it an ulp outside.
    low = np.where(rate == 0.0, 0.0, centre - half_width)
    high = np.where(rate == 1.0, 1.0, centre + half_width)
    return low, high
