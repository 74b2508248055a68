"""The effective sample size: how many independent results the items are worth."""

from dataclasses import dataclass

import numpy as np

from .clusters import Codes, cluster_sums, effective_clusters
from .numeric import FloatArray, students_t, two_sided_z

NEGLIGIBLE = 1e-12


@dataclass(frozen=True, slots=True)
class Design:
    """How items hang together, and how much they can be worth at most; already validated.

    Attributes:
        codes: Cluster of each item, from 0; None where items are independent.
        most: The number of results that they can't exceed: all runs of all items, as if independent.
        level: Confidence level of the interval to be made.
        correction: False leaves out every correction for few units, and `most`.
    """

    codes: Codes | None
    most: float
    level: float
    correction: bool = True


def effective_n(values: FloatArray, single: float, design: Design) -> float:
    """Number of independent results that would give the mean the variance it has.

    It is single/Var(mean), corrected for few units (the clusters, or the items where nothing is clustered):

    - Var(mean) is CR1, the sum of the squared residual sums of the units, times G/(G − 1) for G units.
    - Student's quantile takes the place of the normal one (Korn and Graubard), with the degrees of freedom that the
      residual sums show (at most G − 1): few of them where a few units make up the variance.
    - The largest variance possible, units whose items are all alike, enters with the weight 1/(2·df + 1): with few
      units a small variance is as likely luck.

    The result lies between Kish's effective number of units (nothing is known of how alike items are if the results
    don't vary) and what independent items would be worth.

    Args:
        values: One value an item, at least one item.
        single: Variance of a single result, p(1 − p) for a rate p.
        design: Clusters, bound and level.

    Returns:
        The effective sample size, at least 1.

    References:
        E. L. Korn and B. I. Graubard (1998), Surv. Methodol. 24, 193-201. N. Dean and M. Pagano (2015), J. Surv. Stat.
        Methodol. 3, 484-503, on Wilson's interval with an effective sample size. L. Kish (1965), Survey Sampling.
    """
    most = design.most
    if design.codes is not None:
        most = effective_n(values, single, Design(None, most, design.level, design.correction))
    least = effective_clusters(design.codes, values.size)
    sums = cluster_sums(values - values.mean(), design.codes)
    variance = float(np.sum(sums**2)) / values.size
    if sums.size < 2 or variance <= NEGLIGIBLE:
        return least
    if not design.correction:
        return max(single * values.size / variance, least)
    df = degrees_of_freedom(sums)
    weight = 1.0 / (2.0 * df + 1.0)
    largest = single * values.size / least
    cautious = (1.0 - weight) * variance * sums.size / (sums.size - 1) + weight * largest
    shrink = (two_sided_z(design.level) / students_t(design.level, df)) ** 2
    return float(np.clip(single * values.size / cautious * shrink, least, max(most, least)))


def degrees_of_freedom(sums: FloatArray) -> float:
    """Degrees of freedom of Σs², matched by its first two moments (Satterthwaite), from 1 to the number of sums − 1.

    Sums of like size give the full number; a few that stand out give few.
    """
    squares, fourths = float(np.sum(sums**2)), float(np.sum(sums**4))
    spread = fourths - squares**2 / sums.size
    full = sums.size - 1.0
    return full if spread <= 2.0 * squares**2 / full else max(2.0 * squares**2 / spread, 1.0)
