"""Where the right option stood, and where the chosen one: what tells a favourite slot from right answers."""

import numpy as np

from ..perturbations.rendering.labels import option_labels
from ..stats import Outcomes, Positions, positions
from .answers import AnswerCodes, Answers
from .findings import PositionsFinding, Untold
from .orders import NOWHERE, Orders, Places
from .plan import BASELINE

SEED = 1
"""Seed of the test's random orders, so that a report printed again says the same."""


def find_positions(
    outcomes: Outcomes,
    orders: Orders,
    answers: Answers | None,
    *,
    parsed: Outcomes,
    alpha: float,
) -> PositionsFinding | None:
    """Find out whether a run's model favours a slot.

    Args:
        outcomes: The results of the headline, the baseline first.
        orders: The orders in which options were shown.
        answers: The options chosen, by their indices in the dataset; None where the grader reads no options.
        parsed: The same results with every one missing that was not read from an answer.
        alpha: Significance level.

    Returns:
        The finding; None where no item's right option was shown in two slots.
    """
    reordered = [name for name in outcomes.variants if name in orders.shown]
    if not reordered:
        return None
    ordered = outcomes.select(reordered)
    originals = orders.shown.get(BASELINE)
    counts = np.zeros(len(ordered.items), dtype=np.int64) if originals is None else originals.slots()
    found = positions(
        ordered,
        right_slots(ordered, orders),
        options=counts,
        chosen=None if answers is None else chosen_slots(ordered, orders, answers.of(ordered)),
        alpha=alpha,
        rng=np.random.default_rng(SEED),
    )
    if not found.n:
        return None
    labels = option_labels(orders.labels, len(found.slots))
    unread = not np.any(parsed.select(reordered).cells >= 0)
    return PositionsFinding(
        labels, ordered.variants, int(np.count_nonzero(counts)), found, untold(found, unread=unread)
    )


def untold(found: Positions, *, unread: bool) -> Untold:
    """Say why results can show no favourite slot: there is no answer, or all results are the same.

    Args:
        found: The figures.
        unread: Whether no answer was read at all.
    """
    chosen = [each.chosen for each in found.slots if each.chosen is not None]
    if unread or (chosen and not any(each.n for each in chosen)):
        return "unread"
    passed = {each.there.estimate for each in found.slots if each.there.n}
    if passed == {1.0}:
        return "always_right"
    return "always_wrong" if passed == {0.0} else ""


def right_slots(outcomes: Outcomes, orders: Orders) -> Places:
    """Items × conditions: the slot of the right option."""
    right: Places = np.full(outcomes.cells.shape[:2], NOWHERE, dtype=np.int64)
    for column, condition in enumerate(outcomes.conditions):
        if condition in orders.shown:
            right[:, column] = orders.shown[condition].right
    return right


def chosen_slots(outcomes: Outcomes, orders: Orders, chosen: AnswerCodes) -> Places:
    """Items × conditions × repeats: the slot of the option that the model chose; −1 where none can be told.

    Args:
        outcomes: The results.
        orders: The orders in which options were shown.
        chosen: The options chosen, laid out as the results.
    """
    slots: Places = np.full(outcomes.cells.shape, NOWHERE, dtype=np.int64)
    for column, condition in enumerate(outcomes.conditions):
        if condition in orders.shown:
            slots[:, column] = orders.shown[condition].slots_of(chosen[:, column])
    return slots
