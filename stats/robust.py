"""The robust pass rate and its counterparts: how many items survive every wording, or at least one."""

import numpy as np

from .flips import paired_cells
from .outcomes import FAIL, MISSING, PASS, Outcomes
from .results import Estimate
from .wilson import wilson_interval


def baseline_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the pass rate under the baseline, over all items with a baseline result, with a Wilson interval.

    Args:
        outcomes: Results with a single repeat.
        level: Confidence level.

    Returns:
        The pass rate; n counts items with a baseline result.

    Raises:
        ValueError: If there is more than one repeat, or `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, baseline_rate
        >>> rate = baseline_rate(Outcomes.from_array([[1, 0], [1, -1], [0, 1], [-1, 1]]))
        >>> rate.count, rate.n
        (2, 3)
    """
    results = outcomes.matrix()[:, 0]
    return wilson_interval(np.count_nonzero(results == PASS), np.count_nonzero(results != MISSING), level=level)


def robust_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items that pass under the baseline and under every variant, with a Wilson interval.

    The counterpart over conditions of pass^k over repeats. Only complete cases enter. It can only fall as conditions
    are added: never compare it between runs of different conditions.

    Args:
        outcomes: Results with a single repeat.
        level: Confidence level.

    Returns:
        Items that pass everywhere over items with a result everywhere; n counts the latter.

    Raises:
        ValueError: If there is more than one repeat, or `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, robust_rate
        >>> rate = robust_rate(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (1, 3)
    """
    complete = outcomes.complete_cases()
    return wilson_interval(np.count_nonzero(np.all(complete == PASS, axis=1)), complete.shape[0], level=level)


def any_pass_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items that pass under at least one condition, with a Wilson interval.

    The counterpart over conditions of pass@k over repeats. Only complete cases enter.

    Args:
        outcomes: Results with a single repeat.
        level: Confidence level.

    Returns:
        Items that pass somewhere over items with a result everywhere; n counts the latter.

    Raises:
        ValueError: If there is more than one repeat, or `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, any_pass_rate
        >>> rate = any_pass_rate(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (2, 3)
    """
    complete = outcomes.complete_cases()
    return wilson_interval(np.count_nonzero(np.any(complete == PASS, axis=1)), complete.shape[0], level=level)


def robust_rate_present(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate, with a Wilson interval, the share of items that pass under every condition they have a result for.

    It keeps items with missing cells that `robust_rate` leaves out, at a price: a missing cell can't fail, so it leans
    upward where cells are missing. Read it beside `robust_rate`, never instead.

    Args:
        outcomes: Results with a single repeat.
        level: Confidence level.

    Returns:
        Items that fail nowhere over the items with a baseline result and at least one variant's; n counts the latter.

    Raises:
        ValueError: If there is more than one repeat, or `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, robust_rate_present
        >>> rate = robust_rate_present(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (2, 4)
    """
    _, paired = paired_cells(outcomes)
    never_failed = np.all(outcomes.matrix() != FAIL, axis=1)
    return wilson_interval(np.count_nonzero(never_failed & (paired > 0)), np.count_nonzero(paired), level=level)
