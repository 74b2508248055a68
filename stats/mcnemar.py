"""McNemar's test of the change: do flips in one direction outnumber those in the other?"""

from collections.abc import Callable

import numpy as np

from .numeric import FloatArray, half_binomial_cdf, half_binomial_pmf
from .results import HypothesisTest
from .tables import PairedTable

EXACT = "McNemar exact, two-sided"
MID_P = "McNemar mid-p, two-sided"


def mcnemar_exact(table: PairedTable) -> HypothesisTest:
    """Test whether the change is 0, exactly.

    Given b + c flips, the number of flips in one direction is Bin(b + c, ½) if there is no change. The p-value is
    min(1, 2·P(X ≤ min(b, c))). It never rejects more often than its level, and asks no minimum of items.

    Args:
        table: The paired results; only the flips enter.

    Returns:
        The two-sided p-value, with min(b, c) as statistic; p = 1 where nothing flipped, None where n = 0.

    References:
        Q. McNemar (1947), Psychometrika 12, 153-157. For the airway table of M. W. Fagerland, S. Lydersen and P. Laake
        (2013), BMC Med. Res. Methodol. 13:91, the exact conditional p is .070.

    Examples:
        >>> from prt.stats import PairedTable, mcnemar_exact
        >>> airway = PairedTable(both_pass=1, pass_to_fail=1, fail_to_pass=7, both_fail=12)
        >>> print(f"{mcnemar_exact(airway).pvalue:.3f}")
        0.070
    """
    return _tested(table, exact_pvalues, EXACT)


def mcnemar_mid_p(table: PairedTable) -> HypothesisTest:
    """Test whether the change is 0, counting only half of the probability of what was observed.

    Nearer to its level than the exact test and nearly always within it, but not guaranteed to be: show it beside the
    exact p under its own name, never in its place.

    Args:
        table: The paired results; only the flips enter.

    Returns:
        The two-sided mid-p-value, with min(b, c) as statistic; p = 1 where nothing flipped, None where n = 0.

    References:
        M. W. Fagerland, S. Lydersen and P. Laake (2013), BMC Med. Res. Methodol. 13:91; .039 for the table below.

    Examples:
        >>> from prt.stats import PairedTable, mcnemar_mid_p
        >>> airway = PairedTable(both_pass=1, pass_to_fail=1, fail_to_pass=7, both_fail=12)
        >>> print(f"{mcnemar_mid_p(airway).pvalue:.3f}")
        0.039
    """
    return _tested(table, mid_pvalues, MID_P)


def exact_pvalues(b: FloatArray, c: FloatArray) -> FloatArray:
    """Exact two-sided p-values, elementwise; b and c are flip counts as floats, already validated."""
    return np.minimum(2.0 * half_binomial_cdf(np.minimum(b, c), b + c), 1.0)


def mid_pvalues(b: FloatArray, c: FloatArray) -> FloatArray:
    """Two-sided mid-p-values, elementwise; b and c are flip counts as floats, already validated."""
    fewer, flips = np.minimum(b, c), b + c
    observed = half_binomial_pmf(fewer, flips)
    unequal = 2.0 * half_binomial_cdf(fewer, flips) - observed
    # Without flips there is no evidence at all; the formula for b = c would halve it to ½.
    return np.where(flips == 0.0, 1.0, np.where(b == c, 1.0 - observed / 2.0, unequal))


def _tested(table: PairedTable, pvalues: Callable[[FloatArray, FloatArray], FloatArray], method: str) -> HypothesisTest:
    if table.n == 0:
        return HypothesisTest(None, None, 0, method)
    b, c = table.pass_to_fail, table.fail_to_pass
    pvalue = float(pvalues(np.asarray(float(b)), np.asarray(float(c))))
    return HypothesisTest(pvalue, float(min(b, c)), table.n, method)
