"""Newcombe's interval of the change where items have several runs, or belong to clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .clustered_rate import standard_error
from .clusters import Labels, cluster_sums
from .effective import NEGLIGIBLE, Design, effective_n
from .newcombe import added_errors
from .numeric import FloatArray, two_sided_z
from .paired import ItemPairs, effective_difference, item_pairs
from .results import Estimate
from .wilson import wilson_limits

METHOD = "Newcombe hybrid score on item means"
METHOD_CLUSTERS = "Newcombe hybrid score, cluster-robust"
METHOD_UNCORRECTED = "Newcombe hybrid score on item means, uncorrected"


def clustered_newcombe_interval(
    baseline: ArrayLike,
    variant: ArrayLike,
    *,
    runs: float | tuple[float, float] = 1,
    clusters: Labels | None = None,
    level: float = 0.95,
    correction: bool = True,
) -> Estimate:
    """Estimate the change from each item's mean under both conditions, with Newcombe's interval carried over.

    The items, or their clusters, are the units. Wilson's limits of both rates are taken at their effective sample
    sizes, and φ is the correlation of the item means (of the clusters' residual sums), a positive covariance lowered by
    1/(2n), and never so close that the difference would vary less than its own effective sample size says. With one run
    an item and no clusters it is `newcombe_interval`, method 10.

    Args:
        baseline: One rate an item: the share of its runs that passed under the baseline.
        variant: The same under the variant, in the same order.
        runs: Runs an item (on average), or those under the baseline and under the variant.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.
        level: Confidence level.
        correction: False takes the effective sample size p(1 − p)n/v (v the variance of the item means, divisor n)
            without any correction for few items. It falls short of its level at 10 items: prefer True.

    Returns:
        The change, its limits and its standard error (CR1); n counts items. Nothing but n where there are none.

    Raises:
        ValueError: If a rate is not between 0 and 1, the lengths differ, `runs` is below 1, or `level` is not between 0
            and 1.

    References:
        R. G. Newcombe (1998), Stat. Med. 17, 2635-2650, method 10; G. Y. Zou and A. Donner (2008), Stat. Med. 27,
        1693-1702, on combining limits that are not independent; `effective_n` for the effective sample size.

    Examples:
        With one run an item it is method 10, .0562 to .3292 in Newcombe's table III:

        >>> from prt.stats import clustered_newcombe_interval
        >>> baseline, variant = [1] * 22 + [0] * 28, [1] * 20 + [0] * 2 + [1] * 12 + [0] * 16
        >>> change = clustered_newcombe_interval(baseline, variant)
        >>> print(f"{change.estimate:.4f}, {change.low:.4f} to {change.high:.4f}")
        0.2000, 0.0562 to 0.3292
    """
    pairs = item_pairs(baseline, variant, runs=runs, clusters=clusters, level=level)
    return change_of_items(pairs, level, correction=correction)


def change_of_items(pairs: ItemPairs, level: float, *, correction: bool = True) -> Estimate:
    """The interval of `clustered_newcombe_interval`; the pairs and the level are already validated."""
    method = METHOD_UNCORRECTED if not correction else METHOD if pairs.codes is None else METHOD_CLUSTERS
    if pairs.n == 0:
        return Estimate(None, None, None, level, 0, method)
    before, after = (pairs.design(level, runs=each, correction=correction) for each in pairs.runs)
    base, rate = _limits(pairs.baseline, before), _limits(pairs.variant, after)
    phi, change = np.asarray(_phi(pairs, base, rate, before)), rate.rate - base.rate
    below = added_errors(np.asarray(rate.rate - rate.low), np.asarray(base.high - base.rate), phi)
    above = added_errors(np.asarray(rate.high - rate.rate), np.asarray(base.rate - base.low), phi)
    low, high = max(change - float(below), -1.0), min(change + float(above), 1.0)
    error = standard_error(pairs.variant - pairs.baseline, pairs.codes)
    return Estimate(change, low, high, level, pairs.n, method, standard_error=error)


@dataclass(frozen=True, slots=True)
class _Rate:
    """One condition's rate, its limits, and the variance of the rate at its effective sample size."""

    rate: float
    low: float
    high: float
    variance: float


def _limits(values: FloatArray, design: Design) -> _Rate:
    rate = min(max(float(values.mean()), 0.0), 1.0)
    n_eff = effective_n(values, rate * (1.0 - rate), design)
    low, high = wilson_limits(np.asarray(rate), np.asarray(n_eff), two_sided_z(design.level))
    return _Rate(rate, float(low), float(high), rate * (1.0 - rate) / n_eff)


def _phi(pairs: ItemPairs, base: _Rate, rate: _Rate, design: Design) -> float:
    """Correlation of the two means, its covariance lowered by 1/(2n) where positive; 0 where one does not vary.

    With few units the correlation can look closer than it is. It is never taken for so close that the difference would
    vary less than its own effective sample size says.
    """
    before = cluster_sums(pairs.baseline - pairs.baseline.mean(), pairs.codes)
    after = cluster_sums(pairs.variant - pairs.variant.mean(), pairs.codes)
    scale = float(np.sqrt(np.sum(before**2) * np.sum(after**2))) / pairs.n
    if scale <= NEGLIGIBLE:
        return 0.0
    covariance = float(np.sum(before * after)) / pairs.n
    if covariance > 0.0:
        covariance = max(covariance - 1.0 / (2.0 * pairs.n), 0.0)
    phi = covariance / scale
    if not design.correction:
        return phi
    single, n_eff = effective_difference(pairs, design.level)
    closest = (base.variance + rate.variance - single / n_eff) / (2.0 * np.sqrt(base.variance * rate.variance))
    return max(min(phi, float(closest)), -1.0)
