"""The interval of rates that repeats or clusters make anything but independent."""

import numpy as np
from numpy.typing import ArrayLike

from .checks import check_fraction, check_runs, item_rates
from .clusters import Codes, Labels, cluster_codes, cluster_sums
from .effective import Design, effective_n
from .numeric import FloatArray
from .rate import rate_limits
from .results import Estimate

METHOD = "Wilson score at the effective sample size, exact one-sided limits near 0 and 1"
METHOD_CLUSTERS = "Wilson score at the cluster-robust effective sample size, exact one-sided limits near 0 and 1"


def clustered_rate_interval(
    values: ArrayLike, *, runs: float = 1, clusters: Labels | None = None, level: float = 0.95
) -> Estimate:
    """Estimate a rate from one value an item, with the interval of `rate_interval` at the effective sample size.

    The items, or their clusters, are the units: k runs of 50 items are not 50·k independent results. The effective
    sample size is that at which independent results would vary as the item means do; with one run an item and no
    clusters it is the number of items, and the interval is `rate_interval`.

    Args:
        values: One value an item between 0 and 1, such as the share of its runs that passed.
        runs: Runs an item (on average); the effective sample size never exceeds the number of all runs.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.
        level: Confidence level.

    Returns:
        The mean over items, its limits and its standard error (CR1: s/√n over items, or robust to clusters); n counts
        items. Nothing but n where there are none.

    Raises:
        ValueError: If a value is not between 0 and 1, the labels don't fit, `runs` is below 1, or `level` is not
            between 0 and 1.

    References:
        N. Dean and M. Pagano (2015), J. Surv. Stat. Methodol. 3, 484-503. E. L. Korn and B. I. Graubard (1998), Surv.
        Methodol. 24, 193-201. `effective_n` states the effective sample size.

    Examples:
        Without repeats and clusters it is the interval of 81 in 263, .2553 to .3662 in Newcombe (1998):

        >>> from prt.stats import clustered_rate_interval
        >>> rate = clustered_rate_interval([1] * 81 + [0] * 182)
        >>> print(f"{rate.estimate:.4f}, {rate.low:.4f} to {rate.high:.4f}")
        0.3080, 0.2553 to 0.3662
    """
    check_fraction("level", level)
    rates = item_rates("values", values)
    codes = cluster_codes(clusters, rates.size)
    return rate_of_items(rates, Design(codes, check_runs(runs) * rates.size, level))


def rate_of_items(values: FloatArray, design: Design) -> Estimate:
    """The interval of `clustered_rate_interval`; values between 0 and 1 and the design are already validated."""
    method = METHOD if design.codes is None else METHOD_CLUSTERS
    if values.size == 0:
        return Estimate(None, None, None, design.level, 0, method)
    # Means of means can round past 0 and 1.
    rate = min(max(float(values.mean()), 0.0), 1.0)
    n_eff = effective_n(values, rate * (1.0 - rate), design)
    low, high = rate_limits(np.asarray(rate), np.asarray(n_eff), design.level)
    return Estimate(
        rate,
        float(low),
        float(high),
        design.level,
        values.size,
        method,
        standard_error=standard_error(values, design.codes),
    )


def standard_error(values: FloatArray, codes: Codes | None) -> float | None:
    """CR1 standard error of the mean; None with fewer than two units. The values are already validated."""
    sums = cluster_sums(values - values.mean(), codes)
    if sums.size < 2:
        return None
    return float(np.sqrt(np.sum(sums**2) * sums.size / (sums.size - 1))) / values.size
