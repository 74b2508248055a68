"""How often a changed wording changes the result, whichever way it goes."""

import numpy as np
from numpy.typing import NDArray

from .cells import MISSING
from .numeric import FloatArray
from .outcomes import Outcomes
from .rate import rate_interval
from .results import Estimate
from .tables import PairedTable

Counts = NDArray[np.intp]

POOLED = "share of paired cells, no interval: cells of one item are not independent"


def flip_rate(table: PairedTable, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items whose result flips under one variant, with its interval (`rate_interval`).

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
    return rate_interval(table.flips, table.n, level=level)


def pooled_flip_rate(outcomes: Outcomes) -> Estimate:
    """Share of all paired cells (item × variant, both results present) whose result differs from the baseline.

    It carries no interval: the cells of one item share the item and its baseline result, so that an interval for
    independent cells would be too narrow.

    Args:
        outcomes: Results with any number of repeats; with several, a cell counts by the share of its pairs of runs
            (one under the variant, one under the baseline) that differ.

    Returns:
        Flips over paired cells, without limits; n counts cells, and there is no count of flips with repeats.

    Examples:
        >>> from prt.stats import Outcomes, pooled_flip_rate
        >>> rate = pooled_flip_rate(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        >>> rate.count, rate.n
        (1, 3)
    """
    agreeing, paired = paired_cells(outcomes)
    cells, flips = int(paired.sum()), float(paired.sum() - agreeing.sum())
    count = round(flips) if outcomes.repeats == 1 else None
    return Estimate(flips / cells if cells else None, None, None, None, cells, POOLED, count)


def paired_cells(outcomes: Outcomes) -> tuple[FloatArray, Counts]:
    """Count each item's variants that agree with its baseline, and those that can be compared with it.

    Args:
        outcomes: Results with any number of repeats.

    Returns:
        Two arrays of one number an item: agreeing (with repeats, the sum over variants of the share of agreeing pairs
        of runs), and paired. Both are 0 where the baseline is missing.
    """
    if outcomes.repeats > 1:
        return _paired_means(outcomes)
    matrix = outcomes.matrix()
    baseline, variants = matrix[:, :1], matrix[:, 1:]
    paired = (variants != MISSING) & (baseline != MISSING)
    agreeing = paired & (variants == baseline)
    return np.count_nonzero(agreeing, axis=1).astype(np.float64), np.count_nonzero(paired, axis=1)


def _paired_means(outcomes: Outcomes) -> tuple[FloatArray, Counts]:
    means = outcomes.means(missing=MISSING)
    baseline, variants = means[:, :1], means[:, 1:]
    paired = (variants != MISSING) & (baseline != MISSING)
    agreeing = 1.0 - variants
    agreeing *= 1.0 - baseline
    agreeing += baseline * variants
    return np.sum(agreeing, axis=1, where=paired), np.count_nonzero(paired, axis=1)
