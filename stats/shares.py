"""Shares of items with a property, from one value an item: the chance that a single run of every condition shows it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .cells import FAIL, MISSING, PASS
from .clustered_rate import rate_of_items
from .clusters import kept_codes
from .effective import Design
from .flips import paired_cells
from .numeric import FloatArray
from .outcomes import Outcomes
from .rate import rate_interval
from .results import Estimate

Mask = NDArray[np.bool_]
Values = Mask | FloatArray


@dataclass(frozen=True, slots=True)
class Shares:
    """One value an item, for the items that count.

    Attributes:
        values: True or False with one run a cell; with repeats the chance that single runs, one drawn for each
            condition, show the property. It is estimated without bias, since runs are independent: repeats make a
            figure sharper and leave what it means as it is.
        kept: Which items count.
        fewest: With repeats, the fewest runs of the item under any condition; None with one run a cell.
    """

    values: Values
    kept: Mask
    fewest: NDArray[np.intp] | None

    def interval(self, outcomes: Outcomes, level: float) -> Estimate:
        """Estimate the share with its interval, at the effective sample size with repeats or clusters.

        Args:
            outcomes: The outcomes that the values come from.
            level: Confidence level.

        Returns:
            The share over the items that count; with its count where each has one run a cell, clusters or none.

        Raises:
            ValueError: If `level` is not between 0 and 1.
        """
        n, count = int(np.count_nonzero(self.kept)), int(np.count_nonzero(self.values[self.kept]))
        if self.fewest is None and outcomes.codes is None:
            return rate_interval(count, n, level=level)
        most = float(n if self.fewest is None else np.sum(self.fewest[self.kept]))
        design = Design(kept_codes(outcomes.codes, self.kept), most, level)
        found = rate_of_items(self.values[self.kept].astype(np.float64), design)
        return found if self.fewest is not None or not n else replace(found, count=count)


def passes_of(outcomes: Outcomes, column: int) -> Shares:
    """Items that pass under one condition, over those with a result there."""
    passes, runs = outcomes.counts(column)
    values = passes > 0 if outcomes.repeats == 1 else passes / np.maximum(runs, 1)
    return Shares(values, runs > 0, None if outcomes.repeats == 1 else runs)


def passes_everywhere(outcomes: Outcomes) -> Shares:
    """Items that pass under every condition, over the complete cases."""
    values = _single(outcomes, PASS) if outcomes.repeats == 1 else np.prod(outcomes.means(missing=0.0), axis=1)
    return Shares(values, complete_items(outcomes), _fewest(outcomes))


def passes_somewhere(outcomes: Outcomes) -> Shares:
    """Items that pass under at least one condition, over the complete cases."""
    if outcomes.repeats == 1:
        values: Values = np.any(outcomes.matrix() == PASS, axis=1)
    else:
        values = 1.0 - np.prod(1.0 - outcomes.means(missing=0.0), axis=1)
    return Shares(values, complete_items(outcomes), _fewest(outcomes))


def passes_where_present(outcomes: Outcomes) -> Shares:
    """Items that pass under every condition they have a result for, over those that can be compared at all."""
    if outcomes.repeats == 1:
        values: Values = np.all(outcomes.matrix() != FAIL, axis=1)
    else:
        values = np.prod(outcomes.means(missing=1.0), axis=1)
    return Shares(values, comparable_items(outcomes), _fewest(outcomes))


def stays_the_same(outcomes: Outcomes) -> Shares:
    """Items whose result is the baseline's under every variant present, over those that can be compared at all."""
    kept = comparable_items(outcomes)
    if outcomes.repeats == 1:
        agreeing, paired = paired_cells(outcomes)
        return Shares(agreeing == paired, kept, None)
    passes = np.prod(outcomes.means(missing=1.0), axis=1)
    fails = np.prod(1.0 - outcomes.means(missing=0.0), axis=1)
    return Shares(passes + fails, kept, _fewest(outcomes))


def complete_items(outcomes: Outcomes) -> Mask:
    """Items with at least one result under every condition."""
    return np.asarray(np.all(np.any(outcomes.cells != MISSING, axis=2), axis=1))


def comparable_items(outcomes: Outcomes) -> Mask:
    """Items with at least one result under the baseline, and one under any variant."""
    present = np.any(outcomes.cells != MISSING, axis=2)
    return np.asarray(present[:, 0] & np.any(present[:, 1:], axis=1))


def _single(outcomes: Outcomes, result: int) -> Mask:
    return np.asarray(np.all(outcomes.matrix() == result, axis=1))


def _fewest(outcomes: Outcomes) -> NDArray[np.intp] | None:
    """The fewest runs of each item under a condition that it has results for; None with one run a cell."""
    if outcomes.repeats == 1:
        return None
    runs = np.count_nonzero(outcomes.cells != MISSING, axis=2)
    return np.asarray(np.min(runs, axis=1, where=runs > 0, initial=outcomes.repeats))
