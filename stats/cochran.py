"""Cochran's Q: do the conditions differ in their pass rates at all?"""

import numpy as np

from .numeric import chi2_tail
from .outcomes import Cells, Outcomes
from .results import HypothesisTest

METHOD = "Cochran's Q, chi-squared approximation"


def cochran_q(outcomes: Outcomes) -> HypothesisTest:
    """Test whether all conditions, the baseline among them, have the same pass rate.

    Q = k(k − 1)·Σ(Cⱼ − C̄)² / (kΣRᵢ − ΣRᵢ²), with Cⱼ the passes of condition j and Rᵢ those of item i, against χ² with
    k − 1 degrees of freedom. With two conditions it is McNemar's (c − b)²/(b + c). The approximation wants a fair
    number of items whose results differ; for few, the exact tests of the single variants are the ones to trust.

    Args:
        outcomes: Results with a single repeat; only complete cases enter.

    Returns:
        Q with its p-value; n counts complete cases. Q = 0 and p = 1 where no item's results differ; None where there is
        no complete case or only one condition.

    Raises:
        ValueError: If there is more than one repeat.

    References:
        W. G. Cochran (1950), Biometrika 37, 256-266. W. J. Conover, Practical Nonparametric Statistics, gives Q = 2.8
        for the example below, three predictors of twelve games.

    Examples:
        >>> from prt.stats import Outcomes, cochran_q
        >>> games = ["111", "111", "010", "110", "000", "111", "111", "110", "001", "010", "111", "111"]
        >>> test = cochran_q(Outcomes.from_array([[int(result) for result in game] for game in games]))
        >>> print(f"Q = {test.statistic:.1f}, p = {test.pvalue:.4f}")
        Q = 2.8, p = 0.2466
    """
    complete = outcomes.complete_cases()
    items, conditions = complete.shape
    if items == 0 or conditions < 2:
        return HypothesisTest(None, None, items, METHOD)
    statistic = _statistic(complete)
    return HypothesisTest(chi2_tail(statistic, conditions - 1), statistic, items, METHOD)


def _statistic(complete: Cells) -> float:
    """Cochran's Q of items × conditions of 0 and 1 with at least one item and two conditions, already validated."""
    k = complete.shape[1]
    columns = np.count_nonzero(complete, axis=0).astype(float)
    rows = np.count_nonzero(complete, axis=1).astype(float)
    within = float(np.sum(rows * (k - rows)))
    between = float(np.sum((columns - columns.mean()) ** 2))
    return k * (k - 1) * between / within if within else 0.0
