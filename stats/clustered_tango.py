"""Tango's interval and test of the change where items have several runs, or belong to clusters."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from .checks import check_fraction
from .clusters import Labels
from .numeric import normal_tail, two_sided_z
from .paired import ItemPairs, effective_difference, item_pairs
from .results import Estimate, HypothesisTest
from .tango import score, upper_limit

METHOD = "Tango score on item means, effective flips"
METHOD_CLUSTERS = "Tango score, cluster-robust effective flips"
NONINFERIORITY = "one-sided, change above −margin"


@dataclass(frozen=True, slots=True)
class EffectiveFlips:
    """Flips and items, divided by the design effect: counts that independent items would have to show."""

    pass_to_fail: float
    fail_to_pass: float
    n: float


def clustered_tango_interval(
    baseline: ArrayLike,
    variant: ArrayLike,
    *,
    runs: float | tuple[float, float] = 1,
    clusters: Labels | None = None,
    level: float = 0.95,
) -> Estimate:
    """Estimate the change from each item's mean under both conditions, with Tango's score interval carried over.

    An item's flips are counted over all pairs of its runs, then flips and items alike are divided by the design effect
    of the difference (Rao and Scott): the variance of the mean difference against that of independent single pairs.
    With one run an item and no clusters it is `tango_interval`.

    Args:
        baseline: One rate an item: the share of its runs that passed under the baseline.
        variant: The same under the variant, in the same order.
        runs: Runs an item (on average), or those under the baseline and under the variant.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.
        level: Confidence level.

    Returns:
        The change and its limits; n counts items. Nothing but n where there are none.

    Raises:
        ValueError: If a rate is not between 0 and 1, the lengths differ, `runs` is below 1, or `level` is not between 0
            and 1.

    References:
        T. Tango (1998), Stat. Med. 17, 891-908; J. N. K. Rao and A. J. Scott (1992), A simple method for the analysis
        of clustered binary data, Biometrics 48, 577-585; Z. Yang, X. Sun and J. W. Hardin (2012), Pharm. Stat.
        11, 386-393, on score intervals of clustered matched pairs.

    Examples:
        With one run an item it is Tango's interval, −.517 to −.026 in Fagerland, Lydersen and Laake (2014):

        >>> from prt.stats import clustered_tango_interval
        >>> baseline, variant = [1] * 8 + [0] * 13, [1] + [0] * 7 + [1] + [0] * 12
        >>> change = clustered_tango_interval(baseline, variant)
        >>> print(f"{change.estimate:.3f}, {change.low:.3f} to {change.high:.3f}")
        -0.286, -0.517 to -0.026
    """
    return score_of_items(item_pairs(baseline, variant, runs=runs, clusters=clusters, level=level), level)


def clustered_tango_noninferiority(
    baseline: ArrayLike,
    variant: ArrayLike,
    margin: float,
    *,
    runs: float | tuple[float, float] = 1,
    clusters: Labels | None = None,
    level: float = 0.95,
) -> HypothesisTest:
    """Test whether the variant is no worse than the baseline by `margin` or more, from item means.

    Args:
        baseline: One rate an item: the share of its runs that passed under the baseline.
        variant: The same under the variant, in the same order.
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.
        runs: Runs an item (on average), or those under the baseline and under the variant.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.
        level: Confidence level of the interval that the test goes with: the correction for few units is made for it,
            and p < (1 − level)/2 exactly where the lower limit lies above −margin.

    Returns:
        The one-sided p-value with the score z as statistic; None where there are no items.

    Raises:
        ValueError: As for `clustered_tango_interval`, or if `margin` is not between 0 and 1.

    Examples:
        With one run an item it is `tango_noninferiority`:

        >>> from prt.stats import clustered_tango_noninferiority
        >>> baseline, variant = [1] * 152 + [0] * 48, [1] * 150 + [0] * 2 + [1] * 4 + [0] * 44
        >>> print(f"{clustered_tango_noninferiority(baseline, variant, margin=0.05).pvalue:.4f}")
        0.0006
    """
    check_fraction("margin", margin)
    pairs = item_pairs(baseline, variant, runs=runs, clusters=clusters, level=level)
    return noninferiority_of_items(pairs, margin, level)


def score_of_items(pairs: ItemPairs, level: float) -> Estimate:
    """The interval of `clustered_tango_interval`; the pairs and the level are already validated."""
    if pairs.n == 0:
        return Estimate(None, None, None, level, 0, _method(pairs))
    flips, z = _effective_flips(pairs, level), two_sided_z(level)
    b, c, n = flips.pass_to_fail, flips.fail_to_pass, flips.n
    return Estimate(pairs.change, -upper_limit(c, b, n, z), upper_limit(b, c, n, z), level, pairs.n, _method(pairs))


def noninferiority_of_items(pairs: ItemPairs, margin: float, level: float) -> HypothesisTest:
    """The test of `clustered_tango_noninferiority`; pairs, margin and level are already validated."""
    method = f"{_method(pairs)}, {NONINFERIORITY}"
    if pairs.n == 0:
        return HypothesisTest(None, None, 0, method)
    flips = _effective_flips(pairs, level)
    z = score(flips.pass_to_fail, flips.fail_to_pass, flips.n, -margin)
    return HypothesisTest(normal_tail(z), z, pairs.n, method)


def _effective_flips(pairs: ItemPairs, level: float) -> EffectiveFlips:
    worse, better = float(pairs.pass_to_fail.mean()), float(pairs.fail_to_pass.mean())
    _, n_eff = effective_difference(pairs, level)
    return EffectiveFlips(worse * n_eff, better * n_eff, n_eff)


def _method(pairs: ItemPairs) -> str:
    return METHOD if pairs.codes is None else METHOD_CLUSTERS
