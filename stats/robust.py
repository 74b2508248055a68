"""The robust pass rate and its counterparts: how many items survive every wording, or at least one."""

from .outcomes import Outcomes
from .results import Estimate
from .shares import passes_everywhere, passes_of, passes_somewhere, passes_where_present


def baseline_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the pass rate under the baseline, over all items with a baseline result, with its interval.

    Args:
        outcomes: Results with any number of repeats; clusters are honoured.
        level: Confidence level.

    Returns:
        The pass rate; n counts items with a baseline result.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, baseline_rate
        >>> rate = baseline_rate(Outcomes.from_array([[1, 0], [1, -1], [0, 1], [-1, 1]]))
        >>> rate.count, rate.n
        (2, 3)
    """
    return passes_of(outcomes, 0).interval(outcomes, level)


def robust_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items that pass under the baseline and under every variant, with its interval.

    The counterpart over conditions of pass^k over repeats. Only complete cases enter. It can only fall as conditions
    are added: never compare it between runs of different conditions. With repeats it is the mean over items of
    Πȳᵢⱼ, the chance that single runs, one of each condition, all pass: more repeats sharpen it and don't move it, as
    they would move "all runs of all conditions pass".

    Args:
        outcomes: Results with any number of repeats; clusters are honoured.
        level: Confidence level.

    Returns:
        Items that pass everywhere over items with a result everywhere; n counts the latter.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, robust_rate
        >>> rate = robust_rate(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (1, 3)
    """
    return passes_everywhere(outcomes).interval(outcomes, level)


def any_pass_rate(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items that pass under at least one condition, with its interval.

    The counterpart over conditions of pass@k over repeats. Only complete cases enter.

    Args:
        outcomes: Results with any number of repeats; clusters are honoured.
        level: Confidence level.

    Returns:
        Items that pass somewhere over items with a result everywhere; n counts the latter.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, any_pass_rate
        >>> rate = any_pass_rate(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (2, 3)
    """
    return passes_somewhere(outcomes).interval(outcomes, level)


def robust_rate_present(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items that pass under every condition they have a result for.

    It keeps items with missing cells that `robust_rate` leaves out, at a price: a missing cell can't fail, so it leans
    upward where cells are missing. Read it beside `robust_rate`, never instead.

    Args:
        outcomes: Results with any number of repeats; clusters are honoured.
        level: Confidence level.

    Returns:
        Items that fail nowhere over the items with a baseline result and at least one variant's; n counts the latter.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, robust_rate_present
        >>> rate = robust_rate_present(Outcomes.from_array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, -1]]))
        >>> rate.count, rate.n
        (2, 4)
    """
    return passes_where_present(outcomes).interval(outcomes, level)
