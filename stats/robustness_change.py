"""The change in robustness between two runs: a difference in differences, item by item."""

import numpy as np

from .clusters import Codes, cluster_sums
from .effective import degrees_of_freedom
from .numeric import FloatArray, students_t
from .results import Estimate

METHOD = (
    "mean change under the variants − change under the baseline, over complete items; Student's t with two items added"
)
METHOD_CLUSTERS = (
    "mean change under the variants − change under the baseline, over complete items; Student's t over clusters with "
    "two added"
)

ADDED = 4
"""Halves of items that are added."""


def robustness_change_of_items(differences: FloatArray, codes: Codes | None, level: float) -> Estimate:
    """Estimate the mean of each item's difference in differences.

    An item's value is its mean change under the variants minus its change under the baseline, from −2 to 2. Two items
    are added before Student's interval is made, as Agresti and Min add half an item to each cell of a paired table:
    one of them half −1 and half +1, the other 0. Without them, few items of which hardly any changed would give an
    interval of next to no width. The degrees of freedom are those that the values show, fewer where a few items make
    up the variance.

    Args:
        differences: One value an item.
        codes: Cluster of each item, or None; then clusters are what is added and counted.
        level: Confidence level, already validated.

    Returns:
        The mean with its limits; no limits below two units; nothing but n without items.

    References:
        A. Agresti and Y. Min (2005), Stat. Med. 24, 729-740, on adding to the cells of matched pairs; `effective_n` for
        the degrees of freedom.
    """
    method = METHOD if codes is None else METHOD_CLUSTERS
    if differences.size == 0:
        return Estimate(None, None, None, level, 0, method)
    estimate = float(differences.mean())
    sums = cluster_sums(differences, codes)
    if sums.size < 2:
        return Estimate(estimate, None, None, level, differences.size, method)
    sizes = cluster_sums(np.ones(differences.size), codes)
    size = differences.size / sums.size
    sums, sizes = np.append(sums, [size, -size, 0.0, 0.0]), np.append(sizes, [size] * ADDED)
    counted = np.append(np.ones(sums.size - ADDED), [0.5] * ADDED)
    total = float(counted @ sizes)
    centre = float(counted @ sums) / total
    residuals = np.sqrt(counted) * (sums - centre * sizes)
    df = min(degrees_of_freedom(residuals), float(residuals.size - ADDED - 1))
    half = students_t(level, df) * float(np.sqrt(np.sum(residuals**2))) / total
    low, high = max(centre - half, -2.0), min(centre + half, 2.0)
    return Estimate(estimate, min(low, estimate), max(high, estimate), level, differences.size, method)
