"""The robustness score: one number from 0 to 1 for a dashboard, made of agreement and of the drop in correctness."""

from collections.abc import Sequence

import numpy as np

from .checks import finite_values, item_rates


def robustness_score(pair_robustness: Sequence[float], correctness_drops: Sequence[float]) -> float | None:
    """Combine how far results stay the same with how far they get worse.

    ½·mean(pair robustness) + ½·max(0, 1 − max(0, mean drop)). The mean drop is clamped at 0, so that an improving
    variant can't push the score past 1. A composite hides which half moved: it ranks, it doesn't explain, and it
    carries no interval.

    Args:
        pair_robustness: One value between 0 and 1 for each pair of baseline and variant, such as the share of items
            whose result stays the same.
        correctness_drops: Baseline rate − variant rate of each pair, between −1 and 1; negative where the variant is
            better.

    Returns:
        The score; None where there is no pair.

    Raises:
        ValueError: If a value is out of its range, or there are unequally many.

    Examples:
        >>> from prt.stats import robustness_score
        >>> robustness_score([0.9, 0.9], [0.05, 0.15])
        0.9
    """
    kept = item_rates("pair_robustness", pair_robustness)
    drops = finite_values("correctness_drops", correctness_drops)
    if kept.size != drops.size:
        raise ValueError(f"each pair needs both figures, got {kept.size} of robustness and {drops.size} drops")
    if np.any(np.abs(drops) > 1.0):
        raise ValueError(f"a drop lies between -1 and 1, got {drops[np.abs(drops) > 1.0][0]}")
    if kept.size == 0:
        return None
    return float(0.5 * kept.mean() + 0.5 * max(0.0, 1.0 - max(0.0, float(drops.mean()))))
