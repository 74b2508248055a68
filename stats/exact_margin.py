"""The exact test that a drop exceeds a margin: Tango's score, with its true distribution in place of the normal one."""

from math import ceil, log2

import numpy as np

from .numeric import FloatArray, binomial_cdf, binomial_pmf
from .results import HypothesisTest
from .tables import PairedTable
from .tango import score

METHOD = "exact unconditional, Tango score, one-sided, change below −margin"
CHANCES = 40
NEXT_TO_NOTHING = 1e-12
TIED = 1e-9


def drop_exact(table: PairedTable, margin: float) -> HypothesisTest:
    """Test whether the variant is worse than the baseline by more than `margin`, without an approximation.

    The hypothesis to be rejected is change ≥ −margin. The tables are ordered by Tango's score at −margin, and p is the
    probability of a table at least as far below as this one, at the chance of the opposite flip that makes it largest.
    With few flips the score's own limits reject up to twice as often as they say once their level is shared among many
    variants; this does not.

    Args:
        table: The paired results.
        margin: The drop that would not matter, as a rate; 0 asks for any drop.

    Returns:
        The one-sided p-value with the score as statistic; None where n = 0.

    Raises:
        ValueError: If `margin` is not at least 0 and below 1.

    References:
        T. Tango (1998), Stat. Med. 17, 891-908; S. Suissa and J. J. Shuster (1991), The 2 × 2 matched-pairs trial:
        exact unconditional design and analysis, Biometrics 47, 361-372.

    Examples:
        Five of five items lost: without a margin no chance of flips makes that likelier than ½ to the fifth.

        >>> from prt.stats import PairedTable, drop_exact
        >>> drop_exact(PairedTable(both_pass=0, pass_to_fail=5, fail_to_pass=0, both_fail=0), 0.0).pvalue
        0.03125
    """
    if not 0.0 <= margin < 1.0:
        raise ValueError(f"margin must be at least 0 and below 1 (0.05 means 5 points), got {margin!r}")
    if table.n == 0:
        return HypothesisTest(None, None, 0, METHOD)
    found = score(table.pass_to_fail, table.fail_to_pass, table.n, -margin)
    most = _most_gains(table.n, margin, found)
    largest = (1.0 - margin) / 2.0
    # The likeliest chances are small ones: the score is least like a normal variable where flips are few.
    chances = largest * np.linspace(0.0, 1.0, CHANCES + 1) ** 2
    pvalue = max(_probability(table.n, chance + margin, chance, most) for chance in chances.tolist())
    return HypothesisTest(min(pvalue, 1.0), found, table.n, METHOD)


def _most_gains(n: int, margin: float, found: float) -> FloatArray:
    """For each number of losses from 0 to n the most gains with which the score is no higher than found; −1: none."""
    losses = np.arange(n + 1.0)
    low, high = np.full(n + 1, -1.0), n - losses
    for _ in range(ceil(log2(n + 2)) + 1):
        middle = np.ceil((low + high) / 2.0)
        fits = _scores(losses, np.maximum(middle, 0.0), n, margin) <= found + TIED
        fits &= middle >= 0.0
        low, high = np.where(fits, middle, low), np.where(fits, high, np.minimum(middle - 1.0, high))
        high = np.maximum(low, high)
    return low


def _scores(losses: FloatArray, gains: FloatArray, n: int, margin: float) -> FloatArray:
    """Tango's score at −margin, elementwise; 0 where there is no distance."""
    linear = -(losses + gains) + (2.0 * n - (losses - gains)) * margin
    constant = -gains * margin * (1.0 - margin)
    root = np.sqrt(linear**2 - 8.0 * n * constant)
    positive = linear > 0.0
    rarer = np.where(positive, -2.0 * constant / np.where(positive, root + linear, 1.0), (root - linear) / (4.0 * n))
    error = np.sqrt(n * (2.0 * rarer + margin * (1.0 - margin)))
    distance = gains - losses + n * margin
    return np.asarray(np.divide(distance, error, out=np.zeros_like(distance), where=error > 0.0))


def _probability(n: int, loss: float, gain: float, most: FloatArray) -> float:
    """Probability of a table with no more gains than `most` at its number of losses."""
    chances = binomial_pmf(n, min(loss, 1.0))
    counted = np.flatnonzero((most >= 0.0) & (chances > NEXT_TO_NOTHING / (n + 1)))
    others = n - counted.astype(np.float64)
    among = min(gain / (1.0 - loss), 1.0) if loss < 1.0 else 0.0
    if among in {0.0, 1.0}:
        fits = np.where((among == 0.0) | (most[counted] >= others), 1.0, 0.0)
    else:
        fits = binomial_cdf(most[counted], others, among)
    return float(np.sum(chances[counted] * fits))
