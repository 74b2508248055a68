"""A share of a finite population, from random samples of its strata."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .rate import rate_limits
from .results import Estimate

METHOD = "stratified share: limits of each stratum added in squares (MOVER), finite population corrected"


@dataclass(frozen=True, slots=True)
class Stratum:
    """One stratum of a population, and a simple random sample of it.

    Attributes:
        units: Units in the stratum.
        n: Units drawn from it.
        count: Drawn units that have the property.
    """

    units: SupportsIndex
    n: SupportsIndex
    count: SupportsIndex


def stratified_share(strata: Sequence[Stratum], *, level: float = 0.95) -> Estimate:
    """Estimate the share of a population that has a property, however unevenly its strata were sampled.

    Each stratum's sample rate is weighted by the stratum's share of the population. The distances of the limits of
    `rate_interval` from the rates, weighted alike, are added in squares (method of variance estimates recovery), so
    that rates of 0 and 1 keep an interval. A sample of n out of N units counts as n(N − 1)/(N − n): one of the whole
    stratum has no error.

    Args:
        strata: The strata of the whole population.
        level: Confidence level.

    Returns:
        The share with its limits; nothing but n where there are no units, or where nothing was drawn from a stratum
        that has some. `n` is all units drawn.

    Raises:
        ValueError: If the counts are not whole numbers with count ≤ n ≤ units, or `level` is not between 0 and 1.

    References:
        G. Y. Zou, W. Huang, X. Zhang (2009), A note on confidence interval estimation for a linear function of binomial
        proportions, Comput. Stat. Data Anal. 53, 1080-1085. Its limits here are those of `rate_interval`.

    Examples:
        A single stratum of an endless population is a plain rate.

        >>> from prt.stats import Stratum, stratified_share
        >>> rate = stratified_share([Stratum(units=10**12, n=263, count=81)])
        >>> print(f"{rate.estimate:.4f}, {rate.low:.4f} to {rate.high:.4f}")
        0.3080, 0.2553 to 0.3662
    """
    check_fraction("level", level)
    known = [_checked(stratum) for stratum in strata]
    drawn, population = sum(n for _, n, _ in known), sum(units for units, _, _ in known)
    if population == 0 or any(units and not n for units, n, _ in known):
        return Estimate(None, None, None, level, drawn, METHOD)
    estimate = below = above = 0.0
    for units, n, count in known:
        if units:
            weight, rate = units / population, count / n
            low, high = _limits(units, n, rate, level)
            estimate += weight * rate
            below += (weight * (rate - low)) ** 2
            above += (weight * (high - rate)) ** 2
    return Estimate(estimate, max(estimate - sqrt(below), 0.0), min(estimate + sqrt(above), 1.0), level, drawn, METHOD)


def _checked(stratum: Stratum) -> tuple[int, int, int]:
    units, n = whole_number("units", stratum.units), whole_number("n", stratum.n)
    count = whole_number("count", stratum.count)
    if not count <= n <= units:
        raise ValueError(f"a stratum must have count ≤ n ≤ units, got {count}, {n} and {units}")
    return units, n, count


def _limits(units: int, n: int, rate: float, level: float) -> tuple[float, float]:
    """Limits of one stratum's rate; units ≥ n > 0 are already validated."""
    if n == units:
        return rate, rate
    effective = n * (units - 1) / (units - n)
    low, high = rate_limits(np.asarray(rate), np.asarray(effective), level)
    return float(low), float(high)
