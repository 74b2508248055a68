"""Clusters: items that belong together (one document, one topic) are not independent of one another."""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import finite_values
from .numeric import FloatArray

Labels = Sequence[Hashable]
Codes = NDArray[np.intp]
Correction = Literal["CR0", "CR1", "miller"]

CORRECTIONS: tuple[Correction, ...] = ("CR0", "CR1", "miller")


def clustered_standard_error(
    values: ArrayLike, clusters: Labels | None = None, *, correction: Correction = "CR1"
) -> float | None:
    """Standard error of the mean of one value an item, robust to likeness within clusters.

    With the residuals rᵢ from the mean, CR0 is √Σ_g(Σ_{i∈g} rᵢ)²/n over the clusters g. Without clusters every item is
    a cluster of its own.

    Args:
        values: One value an item: a result, the mean of its runs, or a difference of these.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.
        correction: "CR1" multiplies the variance by G/(G − 1) for G clusters, and is what the intervals use; without
            clusters it is the familiar s/√n. "CR0" leaves it as it is. "miller" is the formula of the reference:
            n/(n − 1) on the items' own squares and none on their cross terms.

    Returns:
        The standard error; None where there are fewer than two clusters (with "miller": items) to compare.

    Raises:
        ValueError: If a value is no finite number, the labels don't fit, or the correction is unknown.

    References:
        E. Miller (2024), Adding error bars to evals, arXiv:2411.00640, equations 1 and 4. R. G. Carter, K. T. Schnepel
        and D. G. Steigerwald (2017), Rev. Econ. Stat. 99, 698-709, on few or uneven clusters.

    Examples:
        >>> from prt.stats import clustered_standard_error
        >>> passed, document = [1, 1, 0, 1, 0, 0], ["a", "a", "a", "b", "b", "c"]
        >>> round(clustered_standard_error(passed), 7), round(clustered_standard_error(passed, document), 7)
        (0.2236068, 0.1443376)
        >>> round(clustered_standard_error(passed, document, correction="miller"), 7)
        0.1490712
    """
    if correction not in CORRECTIONS:
        raise ValueError(f"correction must be one of {', '.join(CORRECTIONS)}, got {correction!r}")
    x = finite_values("values", values)
    codes = cluster_codes(clusters, x.size)
    groups = x.size if codes is None else int(codes.max()) + 1
    if x.size < 2 or (groups < 2 and correction != "miller"):
        return None
    residuals = x - x.mean()
    between = float(np.sum(cluster_sums(residuals, codes) ** 2))
    if correction == "miller":
        own = float(np.sum(residuals**2))
        return float(np.sqrt(max(between + own / (x.size - 1), 0.0))) / x.size
    scale = groups / (groups - 1) if correction == "CR1" else 1.0
    return float(np.sqrt(between * scale)) / x.size


def cluster_codes(clusters: Labels | None, n: int) -> Codes | None:
    """Number the clusters of items.

    Args:
        clusters: One label an item; None or "" marks an item by itself.
        n: Number of items.

    Returns:
        One number an item, 0 to G − 1, equal where the labels are; None where there are no labels, or none is shared by
        two items, so that nothing is clustered.

    Raises:
        ValueError: If there is not one label an item.
    """
    if clusters is None:
        return None
    if len(clusters) != n:
        raise ValueError(f"clusters must hold one label an item: {n} items, got {len(clusters)} labels")
    known: dict[Hashable, int] = {}
    keys = (("", place) if label is None or label == "" else label for place, label in enumerate(clusters))
    codes = np.fromiter((known.setdefault(key, len(known)) for key in keys), dtype=np.intp, count=n)
    return codes if len(known) < n else None


def kept_codes(codes: Codes | None, kept: NDArray[np.bool_]) -> Codes | None:
    """Number anew the clusters of the items that are kept.

    Args:
        codes: One number an item, or None.
        kept: Which items stay.

    Returns:
        One number an item that stays; None where no two of them share a cluster.
    """
    if codes is None:
        return None
    _, again = np.unique(codes[kept], return_inverse=True)
    return again if again.size and int(again.max()) + 1 < again.size else None


def cluster_sums(values: FloatArray, codes: Codes | None) -> FloatArray:
    """Sum a value over the items of each cluster; the values themselves where nothing is clustered."""
    return values if codes is None else np.bincount(codes, weights=values).astype(np.float64)


def effective_clusters(codes: Codes | None, n: int) -> float:
    """Kish's effective number of clusters n²/Σmg², with mg the items of cluster g; n where nothing is clustered."""
    return float(n) if codes is None else n**2 / float(np.sum(np.bincount(codes).astype(float) ** 2))
