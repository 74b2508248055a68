"""Where the right option stood, and where the chosen one: what tells a favourite slot from right answers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..perturbations.generators.reorder import Reorder
from ..perturbations.question import LabelStyle
from ..perturbations.rendering.labels import option_labels
from ..perturbations.variant import Variant
from ..stats import Outcomes, Positions, positions
from .findings import PositionsFinding, Untold
from .graders.options import counted_as
from .plan import BASELINE
from .records import Item

NOWHERE = -1
SEED = 1
"""Seed of the test's random orders, so that a report printed again says the same."""

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shown:
    """What one variant showed.

    Attributes:
        options: The option in each slot, by its index in the dataset; equal options are one.
        right: The slot of the right option, from 0; −1 where several are right, or equal.
    """

    options: tuple[int, ...]
    right: int

    @classmethod
    def by(cls, variant: Variant, gold: frozenset[int]) -> Self:
        """What a variant shows of an item with these right options."""
        texts = variant.question.options
        permutation = variant.permutation or tuple(range(len(texts)))
        options = counted_as(texts, permutation)
        right = {option for index, option in zip(permutation, options, strict=True) if index in gold}
        return cls(options, only_place(options, right))

    def slot_of(self, option: int) -> int:
        """The slot of an option; −1 where it stands in none, or equal ones stand in several."""
        return only_place(self.options, {option})


def only_place(options: Sequence[int], wanted: set[int]) -> int:
    """The one slot of some options; −1 where there is none or more than one."""
    places = [slot for slot, option in enumerate(options) if option in wanted]
    return places[0] if len(places) == 1 else NOWHERE


@dataclass(slots=True)
class Orders:
    """The orders in which options were shown, gathered while a run's variants are read.

    Attributes:
        golds: The right options of each item.
        shown: By condition and item, for the conditions that differ in the order of the options alone.
        labels: The label style of the originals.
    """

    golds: dict[str, frozenset[int]]
    shown: dict[str, dict[str, Shown]] = field(default_factory=dict)
    labels: LabelStyle = "A"

    @classmethod
    def of(cls, items: Iterable[Item]) -> Self:
        """Be ready for the variants of these items."""
        return cls({item.id: frozenset(item.gold.options) for item in items})

    def watching(self, variants: Iterable[Variant]) -> Iterator[Variant]:
        """Pass variants on, and keep what those that differ in the order of the options alone show."""
        for variant in variants:
            if variant.outcome == "applied" and differs_in_order_alone(variant):
                shown = Shown.by(variant, self.golds[variant.item_id])
                self.shown.setdefault(variant.condition, {})[variant.item_id] = shown
                self.labels = variant.layout.labels
            yield variant


def differs_in_order_alone(variant: Variant) -> bool:
    """Say whether a variant is an original with options, or shows the same options in another order and no more.

    What else is changed, as by a composition, would be taken for the slot's. `reorder` may also move other parts.
    """
    places = len(variant.question.options)
    moved = variant.permutation not in {(), tuple(range(places))}
    return places > 0 and (variant.generator == BASELINE or (variant.generator == Reorder.name and moved))


def find_positions(
    outcomes: Outcomes,
    orders: Orders,
    answers: Iterable[tuple[str, str, int, str | None]] | None,
    *,
    parsed: Outcomes,
    alpha: float,
) -> PositionsFinding | None:
    """Find out whether a run's model favours a slot.

    Args:
        outcomes: The results of the headline, the baseline first.
        orders: The orders in which options were shown.
        answers: (item, condition, repeat, option chosen as text) rows; None where the grader reads no options.
        parsed: The same results with every one missing that was not read from an answer.
        alpha: Significance level.

    Returns:
        The finding; None where no item's right option was shown in two slots.
    """
    reordered = [name for name in outcomes.variants if name in orders.shown]
    if not reordered:
        return None
    ordered = outcomes.select(reordered)
    originals = orders.shown.get(BASELINE, {})
    counts = {item: len(shown.options) for item, shown in originals.items()}
    found = positions(
        ordered,
        right_slots(ordered, orders),
        options=[counts.get(item, 0) for item in ordered.items],
        chosen=None if answers is None else chosen_slots(ordered, orders, answers),
        alpha=alpha,
        rng=np.random.default_rng(SEED),
    )
    if not found.n:
        return None
    labels = option_labels(orders.labels, len(found.slots))
    unread = not np.any(parsed.select(reordered).cells >= 0)
    return PositionsFinding(labels, ordered.variants, len(counts), found, untold(found, unread=unread))


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
    rows = {item: row for row, item in enumerate(outcomes.items)}
    for column, condition in enumerate(outcomes.conditions):
        for item, shown in orders.shown.get(condition, {}).items():
            right[rows[item], column] = shown.right
    return right


def chosen_slots(outcomes: Outcomes, orders: Orders, answers: Iterable[tuple[str, str, int, str | None]]) -> Places:
    """Items × conditions × repeats: the slot of the option that the model chose; −1 where none can be told."""
    chosen: Places = np.full(outcomes.cells.shape, NOWHERE, dtype=np.int64)
    rows = {item: row for row, item in enumerate(outcomes.items)}
    columns = {condition: column for column, condition in enumerate(outcomes.conditions)}
    for item, condition, repeat, answer in answers:
        shown = orders.shown.get(condition, {}).get(item)
        if answer is not None and shown is not None and condition in columns:
            chosen[rows[item], columns[condition], repeat] = shown.slot_of(int(answer))
    return chosen
