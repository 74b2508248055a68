"""One value an item for each figure: what its interval rests on, for any conditions, clusters, or two runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats import Outcomes
from ..records import Status
from ..store.columns import STATUS
from .evidence import Evidence, Mask

Floats = NDArray[np.float64]
REPLIES: tuple[Status, ...] = ("graded", "unparsed", "truncated", "refused")
BAD: Mapping[str, tuple[Status, ...]] = {
    "unread": ("unparsed", "truncated", "refused"),
    "unparsed": ("unparsed",),
    "truncated": ("truncated",),
    "refused": ("refused",),
}


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """One value an item.

    Attributes:
        values: Numbers from 0 to 1; only those of the items kept mean anything.
        kept: Which items have one.
        runs: How many results stand behind each.
        whole: Whether each is a single result, 0 or 1.
    """

    values: Floats
    kept: Mask
    runs: Floats
    whole: bool

    def of(self, rows: Mask) -> "Values":
        """The same of some items alone."""
        return Values(self.values, self.kept & rows, self.runs, self.whole)

    def rest(self) -> "Values":
        """The same with 1 − each value: what is worse is lower then."""
        return Values(1.0 - self.values, self.kept, self.runs, self.whole)


def shares(hits: NDArray[np.integer] | Floats, counts: NDArray[np.integer] | Floats) -> Values:
    """The share of hits among so many results of each item; items without any have no value."""
    number = np.asarray(counts, dtype=np.float64)
    kept = number > 0
    values = np.divide(hits, number, out=np.zeros_like(number), where=kept)
    return Values(values, kept, number, bool(np.all(number <= 1.0)))


def passes(outcomes: Outcomes, column: int) -> Values:
    """Share of each item's runs under one condition that passed."""
    return shares(*outcomes.counts(column))


def mean_of(each: Sequence[Values]) -> Values:
    """The mean of each item's values over several conditions, where it has one."""
    if len(each) == 1:
        return each[0]
    kept = np.stack([one.kept for one in each])
    runs = np.where(kept, np.stack([one.runs for one in each]), 0.0).sum(axis=0)
    number = kept.sum(axis=0)
    total = np.where(kept, np.stack([one.values for one in each]), 0.0).sum(axis=0)
    values = np.divide(total, number, out=np.zeros_like(total), where=number > 0)
    return Values(values, number > 0, runs, whole=bool(np.all(runs <= 1.0)))


def paired(before: Values, after: Values) -> tuple[Values, Values]:
    """Both over the items that have both."""
    return before.of(after.kept), after.of(before.kept)


def change(outcomes: Outcomes, columns: Sequence[int]) -> tuple[Values, Values]:
    """The baseline and some conditions together, over the items that have results under both."""
    return paired(passes(outcomes, 0), mean_of([passes(outcomes, column) for column in columns]))


def pass_rate(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Pass rate under some conditions, over the items that the baseline has a result for."""
    present = passes(evidence.outcomes, 0).kept
    return mean_of([passes(evidence.outcomes, column).of(present) for column in columns])


def flips(evidence: Evidence, columns: Sequence[int]) -> Values:
    """How often a run under some conditions differs from one under the baseline."""
    return mean_of([differing(*paired(*_sides(evidence.outcomes, column))) for column in columns])


def differing(before: Values, after: Values) -> Values:
    """Chance that a result before and one after differ; both over the same items."""
    values = before.values * (1.0 - after.values) + (1.0 - before.values) * after.values
    runs = max(before.runs, after.runs, key=lambda each: float(np.sum(each[before.kept])))
    return Values(values, before.kept, runs, before.whole and after.whole)


def agreement(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Share of each item's read answers that are the baseline's; no value where none is known."""
    codes = evidence.answers
    if codes is None:
        return nothing(evidence)
    first = np.where(evidence.outcomes.cells[:, 0] >= 0, codes[:, 0], -1)
    others = (np.where(evidence.outcomes.cells[:, at] >= 0, codes[:, at], -1) for at in columns)
    return mean_of([_agreeing(first, each) for each in others])


def excess(evidence: Evidence, columns: Sequence[int]) -> tuple[Values, Values]:
    """Flips of the reruns and of some conditions, over the items that have both."""
    reruns = [each.name for each in evidence.world.conditions if each.role == "rerun"]
    floor = evidence.columns(reruns)
    if not floor:
        return nothing(evidence), nothing(evidence)
    return paired(flips(evidence, floor), flips(evidence, columns))


def robust(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Chance that single runs of the baseline and of some conditions all pass, over the complete items."""
    return _complete(evidence, columns, lambda means: np.prod(means, axis=1))


def anywhere(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Chance that at least one of them passes."""
    return _complete(evidence, columns, lambda means: 1.0 - np.prod(1.0 - means, axis=1))


def nowhere(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Chance that all of them fail."""
    return _complete(evidence, columns, lambda means: np.prod(1.0 - means, axis=1))


def stable(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Chance that single runs of the baseline and of each condition present all have one result."""
    outcomes = _chosen(evidence, columns)
    present = np.any(outcomes.cells >= 0, axis=2)
    values = np.prod(outcomes.means(missing=1.0), axis=1) + np.prod(1.0 - outcomes.means(missing=0.0), axis=1)
    kept = present[:, 0] & np.any(present[:, 1:], axis=1)
    return Values(values, kept, _fewest(outcomes), outcomes.repeats == 1)


def replies(evidence: Evidence, columns: Sequence[int], figure: str) -> Values:
    """Share of each item's replies under some conditions that were read in a certain way."""
    if evidence.statuses is None or not columns:
        return nothing(evidence)
    chosen = evidence.statuses[:, columns]
    hits, every = (np.isin(chosen, [STATUS[each] for each in names]) for names in (BAD[figure], REPLIES))
    return shares(hits.sum(axis=(1, 2)), every.sum(axis=(1, 2)))


def errors(evidence: Evidence, columns: Sequence[int]) -> Values:
    """Share of each item's cells under some conditions that were to be asked and have no result to grade."""
    if evidence.statuses is None or evidence.asked is None or not columns:
        return nothing(evidence)
    asked = np.repeat(evidence.asked[:, columns, np.newaxis], evidence.statuses.shape[2], axis=2)
    answered = np.isin(evidence.statuses[:, columns], [STATUS[each] for each in REPLIES])
    return shares((asked & ~answered).sum(axis=(1, 2)), asked.sum(axis=(1, 2)))


def nothing(evidence: Evidence) -> Values:
    """No item has a value."""
    none = np.zeros(len(evidence.outcomes.items))
    return Values(none, none > 0, none, whole=True)


def _sides(outcomes: Outcomes, column: int) -> tuple[Values, Values]:
    return passes(outcomes, 0), passes(outcomes, column)


def _chosen(evidence: Evidence, columns: Sequence[int]) -> Outcomes:
    names = evidence.outcomes.conditions
    return evidence.outcomes.select([names[column] for column in columns])


def _complete(evidence: Evidence, columns: Sequence[int], value: Callable[[Floats], Floats]) -> Values:
    outcomes = _chosen(evidence, columns)
    kept = np.all(np.any(outcomes.cells >= 0, axis=2), axis=1)
    return Values(value(outcomes.means(missing=0.0)), kept, _fewest(outcomes), outcomes.repeats == 1)


def _fewest(outcomes: Outcomes) -> Floats:
    """The fewest runs of each item under a condition that it has results for."""
    runs = np.count_nonzero(outcomes.cells >= 0, axis=2)
    fewest: Floats = np.min(runs, axis=1, where=runs > 0, initial=outcomes.repeats).astype(np.float64)
    return fewest


def _agreeing(before: NDArray[np.int64], after: NDArray[np.int64]) -> Values:
    """Compare items × repeats of answers, every run of the one with every run of the other."""
    both = (before[:, :, np.newaxis] >= 0) & (after[:, np.newaxis, :] >= 0)
    same = both & (before[:, :, np.newaxis] == after[:, np.newaxis, :])
    found = shares(same.sum(axis=(1, 2)), both.sum(axis=(1, 2)))
    read = np.maximum((before >= 0).sum(axis=1), (after >= 0).sum(axis=1)).astype(np.float64)
    return Values(found.values, found.kept, read, before.shape[1] == after.shape[1] == 1)
