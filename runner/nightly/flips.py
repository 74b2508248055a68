"""Results that were never seen before: an item that passed under a condition on every night, and fails now."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...stats import Outcomes
from .summary import Flip, NightSummary

UNKNOWN = -1


def first_flips(reference: Outcomes, tonight: Outcomes, earlier: Iterable[NightSummary]) -> tuple[Flip, ...]:
    """Find the cells that differ from the reference for the first time.

    Args:
        reference: The baseline's results, or those of tonight's reference.
        tonight: Tonight's results; items and conditions are matched by name.
        earlier: The nights since that reference was pinned, with the flips that were new then.

    Returns:
        Items in the order of the reference, each with its conditions in theirs; a cell without a result on one side,
        or with as many passes as failures over its repeats, is none.
    """
    seen = {(flip.item_id, flip.condition) for night in earlier for flip in night.first_flips}
    names = [name for name in reference.conditions if name in tonight.conditions]
    places = {item: place for place, item in enumerate(tonight.items)}
    rows = [place for place, item in enumerate(reference.items) if item in places]
    before = majority(reference)[np.ix_(rows, [reference.column(name) for name in names])]
    there = [places[reference.items[row]] for row in rows]
    after = majority(tonight)[np.ix_(there, [tonight.column(name) for name in names])]
    differ = (before != after) & (before != UNKNOWN) & (after != UNKNOWN)
    found = (
        Flip(reference.items[rows[row]], names[column], bool(after[row, column]))
        for row, column in np.argwhere(differ).tolist()
    )
    return tuple(flip for flip in found if (flip.item_id, flip.condition) not in seen)


def majority(outcomes: Outcomes) -> NDArray[np.int8]:
    """Items × conditions: 1 where most runs of a cell pass, 0 where most fail, −1 where neither is so."""
    passes, fails = (np.count_nonzero(outcomes.cells == result, axis=2) for result in (1, 0))
    return np.where(passes > fails, 1, np.where(fails > passes, 0, UNKNOWN)).astype(np.int8)
