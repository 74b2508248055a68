"""The verdict on one variant: what its interval, its adjusted p-value and the margin together allow to say."""

from typing import Literal

from .checks import check_fraction
from .results import Estimate

Verdict = Literal["regressed", "improved", "suggestive", "no_worse", "inconclusive", "too_few"]

FEWEST_ITEMS = 10


def decide_verdict(
    change: Estimate,
    score: Estimate,
    holm_p: float | None,
    *,
    alpha: float = 0.05,
    margin: float = 0.05,
    units: int | None = None,
) -> Verdict:
    """Judge one variant against the baseline.

    The first that holds of:

    1. `too_few`: fewer than 10 paired items, or clusters of them; whatever the figures say, they rest on too little.
    2. `regressed`, `improved`: the Holm-adjusted exact p-value is at most alpha, and the interval excludes 0; the sign
       of the change decides.
    3. `suggestive`: only one of the two says so; as a rule the interval, while the adjusted p-value misses alpha. A
       hint in either direction, for more items to settle. It stands before `no_worse`, so that a margin never hides a
       hint of a drop.
    4. `no_worse`: Tango's lower limit lies above −margin: a drop of the margin or more is ruled out.
    5. `inconclusive`: none of these. It does not mean that nothing changed.

    With single results of independent items an exact p of at most .05 never meets an interval that holds 0, so that p
    alone decides 2; with repeats or clusters the two rest on different approximations.

    A large run can show a significant drop smaller than the margin: it is `regressed`. Whether it is also no worse by
    the margin is for `no_worse` to say.

    Args:
        change: The change with its Newcombe interval.
        score: The change with its Tango interval.
        holm_p: The exact p-value (McNemar, or sign-flip), Holm-adjusted over all variants judged together.
        alpha: Significance level; the two intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.
        units: Independent units behind the figures where they are fewer than the items: the clusters.

    Returns:
        The verdict.

    Raises:
        ValueError: If `alpha` or `margin` is not between 0 and 1.

    Examples:
        >>> from prt.stats import PairedTable, decide_verdict, mcnemar_exact, newcombe_interval, tango_interval
        >>> table = PairedTable(both_pass=7, pass_to_fail=8, fail_to_pass=0, both_fail=5)
        >>> decide_verdict(newcombe_interval(table), tango_interval(table), mcnemar_exact(table).pvalue)
        'regressed'
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    if change.estimate is None or (change.n if units is None else units) < FEWEST_ITEMS:
        return "too_few"
    significant, excluded = holm_p is not None and holm_p <= alpha, excludes_zero(change)
    if significant and excluded:
        return "regressed" if change.estimate < 0 else "improved"
    if significant or excluded:
        return "suggestive"
    return "no_worse" if no_worse(score, margin) else "inconclusive"


def no_worse(score: Estimate, margin: float) -> bool | None:
    """Tell whether a drop of `margin` or more is ruled out.

    Args:
        score: The change with its Tango interval.
        margin: The largest drop that would not matter, as a rate.

    Returns:
        True if the lower limit lies above −margin; None where there is no limit.

    Examples:
        >>> from prt.stats import PairedTable, no_worse, tango_interval
        >>> table = PairedTable(both_pass=150, pass_to_fail=2, fail_to_pass=4, both_fail=44)
        >>> no_worse(tango_interval(table), margin=0.05)
        True
    """
    return None if score.low is None else score.low > -margin


def excludes_zero(change: Estimate) -> bool:
    """Tell whether an interval lies on one side of 0 altogether; without limits it does not."""
    return change.low is not None and change.high is not None and (change.low > 0.0 or change.high < 0.0)
