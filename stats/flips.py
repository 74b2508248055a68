"""How often a changed wording changes the result, whichever way it goes."""

import numpy as np
from numpy.typing import NDArray

from .outcomes import MISSING, Outcomes
from .results import Estimate
from .tables import PairedTable
from .wilson import wilson_interval

Counts = NDArray[np.intp]

POOLED = "share of paired cells, no interval: cells of one item are not independent"


def flip_rate(table: PairedTable, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items whose result flips under one variant, with a Wilson interval.

    Flips cancel in the change and add up here: a variant can have no change and many flips.

    Args:
        table: The paired results.
        level: Confidence level.

    Returns:
        Flips in either direction over paired items; n counts items.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import PairedTable, flip_rate
        >>> rate = flip_rate(PairedTable(both_pass=7, pass_to_fail=8, fail_to_pass=0, both_fail=5))
        >>> print(f"{rate.estimate:.1%}, {rate.low:.1%} to {rate.high:.1%}")
        40.0%, 21.9% to 61.3%
    """
    return wilson_interval(table.flips, table.n, level=level)


def pooled_flip_rate(outcomes: Outcomes) -> Estimate:
    """Share of all paired cells (item × variant, both results present) whose result differs from the baseline.

    It carries no interval: the cells of one item share the item and its baseline result, so that an interval for
    independent cells would be too narrow.

    Args:
        outcomes: Results with a single repeat.

    Returns:
        Flips over paired cells, without limits; n counts cells.

    Raises:
        ValueError: If there is more than one repeat.

    Examples:
        >>> from prt.stats import Outcomes, pooled_flip_rate
        >>> rate = pooled_flip_rate(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        >>> rate.count, rate.n
        (1, 3)
    """
    agreeing, paired = paired_cells(outcomes)
    cells, flips = int(paired.sum()), int(paired.sum() - agreeing.sum())
    return Estimate(flips / cells if cells else None, None, None, None, cells, POOLED, flips)


def paired_cells(outcomes: Outcomes) -> tuple[Counts, Counts]:
    """Count each item's variants that agree with its baseline, and those that can be compared with it.

    Args:
        outcomes: Results with a single repeat.

    Returns:
        Two integer arrays of one count an item: agreeing, and paired. Both are 0 where the baseline is missing.

    Raises:
        ValueError: If there is more than one repeat.
    """
    matrix = outcomes.matrix()
    baseline, variants = matrix[:, :1], matrix[:, 1:]
    paired = (variants != MISSING) & (baseline != MISSING)
    agreeing = paired & (variants == baseline)
    return np.count_nonzero(agreeing, axis=1), np.count_nonzero(paired, axis=1)
