"""The items that changed most from one run to another: what was asked, what came back in each, how it was read."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ...stats import Outcomes
from ..flipped import FLIP, answer_of, gold_words, pass_rates, passed_of, prompt_of
from ..store.read import Result, StoredRun
from .findings import ChangedItem

SHOWN = 5


@dataclass(frozen=True, slots=True)
class ItemChange:
    """How one item changed, without its texts.

    Attributes:
        item_id: The item.
        worse: The conditions under which it passes in the earlier run and fails in the later.
        better: Those the other way round.
        compared: Under how many it has results in both.
    """

    item_id: str
    worse: tuple[str, ...]
    better: tuple[str, ...]
    compared: int

    @property
    def foremost(self) -> str:
        """The condition that tells most: the first under which it got worse, else better."""
        return (self.worse or self.better)[0]


def item_changes(outcomes: tuple[Outcomes, Outcomes]) -> Iterator[ItemChange]:
    """Find the items that changed.

    Args:
        outcomes: The results of the earlier and the later run, in one order.

    Yields:
        Items that changed at least once, those first that got worse under the most conditions; ties in the order of
        the dataset. With repeats an item changes where its pass rate moves by at least a half.
    """
    items, conditions = outcomes[0].items, outcomes[0].conditions
    worse, better, paired = np.zeros((3, len(conditions), len(items)), dtype=np.bool_)
    for at in range(len(conditions)):
        before, after = (pass_rates(each, at) for each in outcomes)
        moved = after - before
        # A comparison with what is not known is never true.
        worse[at], better[at], paired[at] = moved <= -FLIP, moved >= FLIP, ~np.isnan(moved)
    counts = np.count_nonzero(worse, axis=0), np.count_nonzero(better, axis=0)
    order = np.lexsort((np.arange(len(items)), -counts[1], -counts[0]))
    for row in order[(counts[0] + counts[1])[order] > 0].tolist():
        yield ItemChange(
            items[row],
            tuple(conditions[at] for at in np.flatnonzero(worse[:, row])),
            tuple(conditions[at] for at in np.flatnonzero(better[:, row])),
            int(np.count_nonzero(paired[:, row])),
        )


def most_changed(
    runs: tuple[StoredRun, StoredRun], outcomes: tuple[Outcomes, Outcomes], *, shown: int = SHOWN
) -> tuple[ChangedItem, ...]:
    """Show the items that changed under the most conditions.

    Args:
        runs: The earlier and the later run, for prompts and replies.
        outcomes: Their results, in one order.
        shown: How many items at most.

    Returns:
        The first of `item_changes`.
    """
    return tuple(
        changed_item(
            runs,
            each.item_id,
            each.foremost,
            worse=len(each.worse),
            better=len(each.better),
            compared=each.compared,
        )
        for each in islice(item_changes(outcomes), shown)
    )


def changed_item(
    runs: tuple[StoredRun, StoredRun], item_id: str, condition: str, *, worse: int, better: int, compared: int
) -> ChangedItem:
    """Show one item under one condition in both runs, by two replies of different results where there are such."""
    before, after = differing(*([each for each in run.results(item_id) if each.condition == condition] for run in runs))
    asked = next(variant for variant in runs[1].variants(item_id) if variant.condition == condition)
    return ChangedItem(
        item_id=item_id,
        worse=worse,
        better=better,
        compared=compared,
        condition=condition,
        gold=gold_words(runs[1].item(item_id)),
        prompt=prompt_of(asked),
        before=answer_of(before),
        after=answer_of(after),
    )


def differing(before: list[Result], after: list[Result]) -> tuple[Result, Result]:
    """The first two repeats of which one passes and the other fails; the first ones where there are none."""
    pairs = ((one, other) for one in before for other in after if {passed_of(one), passed_of(other)} == {True, False})
    return next(pairs, (before[0], after[0]))
