"""Cochran's Q: do the conditions differ in their pass rates at all?"""

import numpy as np

from .cells import Cells
from .effective import NEGLIGIBLE
from .numeric import FloatArray, chi2_tail
from .outcomes import Outcomes
from .results import HypothesisTest
from .shares import complete_items

METHOD = "Cochran's Q, chi-squared approximation"
CLUSTERED = "Cochran's Q, without p-value: its chi-squared is for independent items"


def cochran_q(outcomes: Outcomes) -> HypothesisTest:
    """Test whether all conditions, the baseline among them, have the same pass rate.

    Q = k(k − 1)·Σ(Cⱼ − C̄)² / (kΣRᵢ − ΣRᵢ²), with Cⱼ the passes of condition j and Rᵢ those of item i, against χ² with
    k − 1 degrees of freedom. With two conditions it is McNemar's (c − b)²/(b + c). The approximation wants a fair
    number of items whose results differ; for few, the exact tests of the single variants are the ones to trust. It
    takes items for independent, so that there is no p-value where they are clustered.

    Args:
        outcomes: Results; only complete cases enter. With repeats, the means of an item's runs take the place of its
            results, and the variance within items that of 0 and 1.

    Returns:
        Q with its p-value; n counts complete cases. Q = 0 and p = 1 where no item's results differ; None where there is
        no complete case or only one condition. Without p-value where items are clustered.

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
    complete = outcomes.complete_cases() if outcomes.repeats == 1 else _complete_means(outcomes)
    items, conditions = complete.shape
    if items == 0 or conditions < 2:
        return HypothesisTest(None, None, items, METHOD)
    statistic = _statistic(complete)
    if outcomes.codes is not None:
        return HypothesisTest(None, statistic, items, CLUSTERED)
    return HypothesisTest(chi2_tail(statistic, conditions - 1), statistic, items, METHOD)


def _complete_means(outcomes: Outcomes) -> FloatArray:
    return outcomes.means(missing=0.0)[complete_items(outcomes)]


def _statistic(complete: Cells | FloatArray) -> float:
    """Cochran's Q of items × conditions of rates with at least one item and two conditions, already validated."""
    k, columns, rows = complete.shape[1], complete.sum(axis=0, dtype=float), complete.sum(axis=1, dtype=float)
    within = k * float(np.sum(complete**2, dtype=float)) - float(np.sum(rows**2))
    between = float(np.sum((columns - columns.mean()) ** 2))
    return k * (k - 1) * between / within if within > NEGLIGIBLE else 0.0
