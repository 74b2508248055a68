"""The exact sign-flip test: had nothing changed, each item's difference could as well have had the other sign."""

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .clusters import Codes, Labels, cluster_codes
from .mcnemar import exact_pvalues, mid_pvalues
from .numeric import FloatArray, half_binomial_pmf
from .results import HypothesisTest

EXACT = "Item sign-flip exact, two-sided"
MID_P = "Item sign-flip mid-p, two-sided"
EXACT_CLUSTERS = "Cluster sign-flip exact, two-sided"
MID_P_CLUSTERS = "Cluster sign-flip mid-p, two-sided"

Sums = NDArray[np.int64]

LONG = 8192
NEXT_TO_NOTHING = 1e-60
RESOLUTION = 1e-50


def signflip_exact(differences: ArrayLike, clusters: Labels | None = None) -> HypothesisTest:
    """Test whether items (or clusters) are any better on one side than on the other, exactly.

    If it makes no difference to an item which of the two conditions its results came from, its difference is as likely
    +S as −S. The p-value is the share of all sign patterns whose |ΣS| is at least the observed one, counted by
    convolution over integers, not sampled. With single results it is the exact McNemar test. Over many items a p-value
    below 1e-50 is given as 1e-50.

    Args:
        differences: One whole number an item: passes under the one condition − passes under the other, over equally
            many runs.
        clusters: One label an item; None or "" marks an item by itself. The signs then flip by cluster.

    Returns:
        The two-sided p-value with ΣS as statistic; n counts items. p = 1 where nothing differs, None without items.

    Raises:
        ValueError: If a difference is no whole number, or the labels don't fit.

    References:
        R. A. Fisher (1935), The Design of Experiments, section 21; E. J. G. Pitman (1937), J. R. Stat. Soc. Suppl. 4,
        119-130.

    Examples:
        Fisher's own data, Darwin's 15 pairs of plants in eighths of an inch: 1,726 of the 32,768 sign patterns reach
        the observed sum.

        >>> from prt.stats import signflip_exact
        >>> maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
        >>> test = signflip_exact(maize)
        >>> test.statistic, round(test.pvalue * 2**15)
        (314.0, 1726)
    """
    sums = whole_differences(differences)
    return signflip_of_items(sums, cluster_codes(clusters, sums.size))


def signflip_mid_p(differences: ArrayLike, clusters: Labels | None = None) -> HypothesisTest:
    """The sign-flip test that counts only half of the probability of what was observed.

    Nearer to its level than the exact test but without its guarantee: show it under its own name only. With single
    results it is the mid-p McNemar test.

    Args:
        differences: One whole number an item, as for `signflip_exact`.
        clusters: One label an item; None or "" marks an item by itself.

    Returns:
        The two-sided mid-p-value with ΣS as statistic; p = 1 where nothing differs, None without items.

    Raises:
        ValueError: If a difference is no whole number, or the labels don't fit.

    References:
        M. W. Fagerland, S. Lydersen and P. Laake (2013), BMC Med. Res. Methodol. 13:91; mid-p .039 for seven flips
        against one.

    Examples:
        >>> from prt.stats import signflip_mid_p
        >>> print(f"{signflip_mid_p([-1] + [1] * 7).pvalue:.3f}")
        0.039
    """
    sums = whole_differences(differences)
    return signflip_of_items(sums, cluster_codes(clusters, sums.size), mid_p=True)


def signflip_of_items(sums: Sums, codes: Codes | None, *, mid_p: bool = False) -> HypothesisTest:
    """The tests of this module; whole differences and clusters are already validated."""
    exact_name, mid_name = (EXACT, MID_P) if codes is None else (EXACT_CLUSTERS, MID_P_CLUSTERS)
    method = mid_name if mid_p else exact_name
    if sums.size == 0:
        return HypothesisTest(None, None, 0, method)
    by_unit = unit_sums(sums, codes)
    return HypothesisTest(_pvalue(by_unit, mid_p=mid_p), float(by_unit.sum()), sums.size, method)


def unit_sums(sums: Sums, codes: Codes | None) -> Sums:
    """Whole differences summed over the items of each cluster."""
    if codes is None:
        return sums
    by_cluster = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    np.add.at(by_cluster, codes, sums)
    return by_cluster


def whole_differences(differences: ArrayLike) -> Sums:
    """Read one whole number an item.

    Args:
        differences: What was given.

    Returns:
        A one-dimensional integer array.

    Raises:
        ValueError: If it is anything else.
    """
    given = np.asarray(differences)
    if given.size == 0:
        return np.zeros(0, dtype=np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(
            f"differences must hold one whole number an item, got {given.dtype} of shape {given.shape}; "
            "count passes, don't average them"
        )
    return given.astype(np.int64)


def _pvalue(sums: Sums, *, mid_p: bool) -> float:
    """Share of sign patterns with |Σ±S| ≥ |ΣS|, or half of those that equal it; there is at least one sum."""
    sizes, numbers = np.unique(np.abs(sums[sums != 0]), return_counts=True)
    if sizes.size == 0:
        return 1.0
    if sizes.size == 1:
        return _mcnemar(sums, mid_p=mid_p)
    unit = int(np.gcd.reduce(sizes))
    # Every pattern's sum is 2w − total, with w the sum of the sizes whose sign is plus.
    total, observed = int(np.sum(sizes * numbers)) // unit, abs(int(sums.sum())) // unit
    weights = _distribution((sizes // unit).tolist(), numbers.tolist())
    beyond, equal = weights.split((total - observed) // 2)
    if observed == 0:
        return 1.0 - equal / 2.0 if mid_p else 1.0
    return float(np.clip(2.0 * beyond + (equal if mid_p else 2.0 * equal), weights.resolution, 1.0))


def _mcnemar(sums: Sums, *, mid_p: bool) -> float:
    """The p-value where all differences have one size: then only their signs count."""
    worse, better = (np.asarray(float(np.count_nonzero(side))) for side in (sums < 0, sums > 0))
    return float(mid_pvalues(worse, better) if mid_p else exact_pvalues(worse, better))


@dataclass(frozen=True, slots=True)
class Weights:
    """Probabilities of w = start, start + 1, …; what lies outside is left out for less than `resolution` in all."""

    start: int
    probabilities: FloatArray
    resolution: float = 0.0

    def split(self, at: int) -> tuple[float, float]:
        """P(w < at) and P(w = at)."""
        place = min(max(at - self.start, 0), self.probabilities.size)
        equal = self.probabilities[place] if self.start <= at and place < self.probabilities.size else 0.0
        return float(self.probabilities[:place].sum()), float(equal)

    def plus(self, other: "Weights") -> "Weights":
        """The distribution of the sum, by the nonzero terms of the sparser one.

        Every term is positive, so that small tails lose nothing to rounding as they would in a Fourier transform.
        """
        sparse, dense = sorted((self.probabilities, other.probabilities), key=np.count_nonzero)
        total = np.zeros(sparse.size + dense.size - 1)
        for place in np.flatnonzero(sparse):
            total[place : place + dense.size] += sparse[place] * dense
        return Weights(self.start + other.start, total, max(self.resolution, other.resolution)).trimmed()

    def trimmed(self) -> "Weights":
        """Without the ends that hold next to nothing, where the array is long."""
        if self.probabilities.size < LONG:
            return self
        held = np.flatnonzero(self.probabilities > NEXT_TO_NOTHING)
        kept = self.probabilities[held[0] : held[-1] + 1]
        return Weights(self.start + int(held[0]), kept, RESOLUTION)


def _distribution(sizes: list[int], numbers: list[int]) -> Weights:
    """Distribution of the sum of all sizes, each counted or not by the toss of a coin."""
    parts = (_tossed(size, number) for size, number in zip(sizes, numbers, strict=True))
    return reduce(Weights.plus, parts)


def _tossed(size: int, number: int) -> Weights:
    """Distribution of size·X with X ~ Bin(number, ½): zero between the multiples of size."""
    spread = np.zeros(size * number + 1)
    spread[::size] = half_binomial_pmf(np.arange(number + 1.0), np.asarray(float(number)))
    return Weights(0, spread) if size == 1 else Weights(0, spread).trimmed()
