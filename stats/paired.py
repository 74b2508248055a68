"""Items under two conditions: the means of their runs, how many runs stand behind them, and their clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .cells import MISSING, PASS, Cells
from .checks import check_fraction, check_runs, item_rates
from .clusters import Codes, Labels, cluster_codes, kept_codes
from .effective import Design, effective_n
from .numeric import FloatArray
from .tables import PairedTable

Counts = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class ItemPairs:
    """The items that carry results under both of two conditions; already validated.

    Attributes:
        baseline: Mean of each item's runs under the baseline.
        variant: Mean of each item's runs under the variant.
        runs: Runs an item under each of the two, on average.
        codes: Cluster of each item, from 0; None where items are independent.
    """

    baseline: FloatArray
    variant: FloatArray
    runs: tuple[float, float]
    codes: Codes | None

    @property
    def n(self) -> int:
        """Paired items."""
        return self.baseline.size

    @property
    def units(self) -> int:
        """Independent units: clusters, or items where nothing is clustered."""
        return self.n if self.codes is None else int(self.codes.max()) + 1

    @property
    def change(self) -> float:
        """Mean difference, variant − baseline; there must be an item."""
        return float(np.mean(self.variant - self.baseline))

    @property
    def pass_to_fail(self) -> FloatArray:
        """Share of each item's pairs of runs that pass under the baseline and fail under the variant."""
        return self.baseline * (1.0 - self.variant)

    @property
    def fail_to_pass(self) -> FloatArray:
        """Share of each item's pairs of runs that fail under the baseline and pass under the variant."""
        return (1.0 - self.baseline) * self.variant

    def design(self, level: float, *, runs: float | None = None, correction: bool = True) -> Design:
        """Clusters, bound and level of an interval over these items.

        Args:
            level: Confidence level.
            runs: Runs an item; the larger of the two conditions' where left out.
            correction: False leaves out the corrections for few units.
        """
        return Design(self.codes, self.n * (max(self.runs) if runs is None else runs), level, correction)


def item_pairs(
    baseline: ArrayLike, variant: ArrayLike, *, runs: float | tuple[float, float], clusters: Labels | None, level: float
) -> ItemPairs:
    """Validate the arguments that every interval on item means takes.

    Args:
        baseline: One rate an item under the baseline.
        variant: One rate an item under the variant.
        runs: Runs an item, or those under the baseline and under the variant.
        clusters: One label an item, or None.
        level: Confidence level.

    Returns:
        The pairs.

    Raises:
        ValueError: If a rate is not between 0 and 1, the lengths differ, `runs` is below 1, or `level` is not between 0
            and 1.
    """
    check_fraction("level", level)
    before, after = item_rates("baseline", baseline), item_rates("variant", variant)
    if before.size != after.size:
        raise ValueError(f"baseline and variant must hold the same items, got {before.size} and {after.size} rates")
    of_baseline, of_variant = runs if isinstance(runs, tuple) else (runs, runs)
    each = (check_runs(of_baseline), check_runs(of_variant))
    return ItemPairs(before, after, each, cluster_codes(clusters, before.size))


def pairs_of(before: Cells, after: Cells, codes: Codes | None) -> ItemPairs:
    """Pair two columns of results on the items that carry at least one result in both.

    Args:
        before: Items × repeats, −1 missing.
        after: Items × repeats, −1 missing; as many items, not necessarily as many repeats.
        codes: Cluster of each item, or None.

    Returns:
        The pairs.
    """
    first, second = _counts(before), _counts(after)
    kept = has_pair(before, after)
    baseline, variant = (passes[kept] / counts[kept] for passes, counts in (first, second))
    runs = [float(np.mean(counts[kept])) if kept.any() else 1.0 for _, counts in (first, second)]
    return ItemPairs(baseline, variant, (runs[0], runs[1]), kept_codes(codes, kept))


def effective_difference(pairs: ItemPairs, level: float) -> tuple[float, float]:
    """How far the mean difference varies.

    Args:
        pairs: At least one item.
        level: Confidence level of the interval to be made.

    Returns:
        The variance of the difference of a single pair of runs, and the number of independent such pairs whose mean
        would vary as the items' differences do.
    """
    worse, better = float(pairs.pass_to_fail.mean()), float(pairs.fail_to_pass.mean())
    single = max(worse + better - (better - worse) ** 2, 0.0)
    # The variances of both means add, so that the harmonic mean says how many single pairs the runs are worth.
    worth = 2.0 / sum(1.0 / runs for runs in pairs.runs)
    return single, effective_n(pairs.variant - pairs.baseline, single, pairs.design(level, runs=worth))


def balanced_sums(before: Cells, after: Cells) -> Counts:
    """Differences in passes over equally many runs, one an item: what may change sign if nothing differs.

    Where an item has fewer runs on one side, only as many of the other side's count, the first ones: a sum over
    unequally many runs would lean to one side without any difference.

    Args:
        before: Items × repeats, −1 missing.
        after: Items × repeats, −1 missing.

    Returns:
        Passes after − passes before, over the first m runs of each, m the smaller number of runs; 0 where m = 0.
    """
    runs = np.minimum(np.count_nonzero(before != MISSING, axis=1), np.count_nonzero(after != MISSING, axis=1))
    return _passes_of_first(after, runs) - _passes_of_first(before, runs)


def has_pair(before: Cells, after: Cells) -> NDArray[np.bool_]:
    """Tell which items carry at least one result in both columns."""
    return np.asarray(np.any(before != MISSING, axis=1) & np.any(after != MISSING, axis=1))


def uneven_items(before: Cells, after: Cells) -> int:
    """Count items with results on both sides, but unequally many."""
    first, second = np.count_nonzero(before != MISSING, axis=1), np.count_nonzero(after != MISSING, axis=1)
    return int(np.count_nonzero((first != second) & (first > 0) & (second > 0)))


def table_of(before: Cells, after: Cells) -> PairedTable:
    """Count the pairs of two columns of single results; −1 is missing."""
    passed, failed = after[before == PASS], after[(before != PASS) & (before != MISSING)]
    counts = (int(np.count_nonzero(side == result)) for side in (passed, failed) for result in (PASS, 1 - PASS))
    return PairedTable(*counts)


def _passes_of_first(cells: Cells, runs: Counts) -> Counts:
    present = cells != MISSING
    first = present & (np.cumsum(present, axis=1) <= runs[:, np.newaxis])
    return np.asarray(np.count_nonzero(first & (cells == PASS), axis=1))


def _counts(cells: Cells) -> tuple[Counts, Counts]:
    """Passes of each item, and runs that have a result."""
    return np.count_nonzero(cells == PASS, axis=1), np.count_nonzero(cells != MISSING, axis=1)
