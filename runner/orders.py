"""The orders in which options were shown, in columns: which option stood in which slot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..perturbations.generators.kinds import REORDER
from ..perturbations.question import LabelStyle, Layout
from ..perturbations.variant import Variant
from .graders.shown import counted_as
from .plan import BASELINE

NOWHERE = -1
FEW = 4
"""Slots that there is room for at first."""

Places = NDArray[np.int64]


class Order(NamedTuple):
    """What decides in which order a variant shows its options.

    Attributes:
        generator: The variant's generator.
        texts: The options as shown.
        permutation: `permutation[slot]` is the option's index in the dataset.
        labels: The label style.
    """

    generator: str
    texts: Sequence[str]
    permutation: Sequence[int]
    labels: LabelStyle

    @classmethod
    def by(cls, variant: Variant) -> Self:
        """The order that a variant shows."""
        return cls(variant.generator, variant.question.options, variant.permutation, variant.layout.labels)

    @classmethod
    def stored(cls, payload: Mapping[str, Any]) -> Self:
        """The order that a variant shows, from the JSON object that it is stored as."""
        return cls(
            payload["generator"],
            payload["question"].get("options", ()),
            payload.get("permutation", ()),
            payload.get("layout", {}).get("labels", Layout().labels),
        )

    def slots(self, gold: frozenset[int]) -> tuple[tuple[int, ...], int]:
        """What stands in which slot.

        Args:
            gold: The right options, by their indices in the dataset.

        Returns:
            The option in each slot, by its index in the dataset, equal ones being one; and the slot of the right
            option, −1 where several are right, or equal.
        """
        indices = self.permutation or range(len(self.texts))
        counted = counted_options(tuple(sorted(zip(indices, self.texts, strict=True))))
        options = tuple(counted[index] for index in indices)
        right = {option for index, option in zip(indices, options, strict=True) if index in gold}
        there = [slot for slot, option in enumerate(options) if option in right]
        return options, there[0] if len(there) == 1 else NOWHERE


@lru_cache(maxsize=16)  # the variants of an item come one after another, and have the same options
def counted_options(options: tuple[tuple[int, str], ...]) -> Mapping[int, int]:
    """What each option counts as, by its index: of equal ones the first.

    Args:
        options: Each option's index in the dataset, and its text; in the order of the indices.
    """
    indices, texts = zip(*options, strict=True) if options else ((), ())
    return dict(zip(indices, counted_as(texts, indices), strict=True))


def may_differ_in_order_alone(generator: str) -> bool:
    """Whether variants of a generator can show an original in another order of its options, and no more."""
    return generator == REORDER


def differs_in_order_alone(order: Order) -> bool:
    """Say whether a variant is an original with options, or shows the same options in another order and no more.

    What else is changed, as by a composition, would be taken for the slot's. `reorder` may also move other parts.
    """
    slots = len(order.texts)
    moved = tuple(order.permutation) not in {(), tuple(range(slots))}
    return slots > 0 and (order.generator == BASELINE or (order.generator == REORDER and moved))


@dataclass(slots=True, eq=False)
class Slots:
    """What one condition showed to each item.

    Attributes:
        options: Items × slots: the option's index in the dataset, equal ones being one; −1 where there is no slot.
        right: The slot of each item's right option, from 0; −1 where several are right, or equal, or nothing is shown.
    """

    options: NDArray[np.int16]
    right: NDArray[np.int16]

    @classmethod
    def for_items(cls, items: int) -> Self:
        """Nothing shown yet."""
        return cls(np.full((items, FEW), NOWHERE, dtype=np.int16), np.full(items, NOWHERE, dtype=np.int16))

    def put(self, row: int, options: Sequence[int], right: int) -> None:
        """Say what was shown to an item."""
        missing = len(options) - self.options.shape[1]
        if missing > 0:
            self.options = np.pad(self.options, ((0, 0), (0, missing)), constant_values=NOWHERE)
        self.options[row, : len(options)] = options
        self.right[row] = right

    def slots(self) -> Places:
        """How many options each item was shown."""
        return np.asarray(np.count_nonzero(self.options != NOWHERE, axis=1), dtype=np.int64)

    def slots_of(self, chosen: NDArray[np.int64]) -> Places:
        """The slots of chosen options.

        Args:
            chosen: Items × repeats: an option's index in the dataset, −1 for none.

        Returns:
            Items × repeats: the slot; −1 where the option stands in none, or equal ones stand in several.
        """
        there = (self.options[:, np.newaxis, :] == chosen[:, :, np.newaxis]) & (chosen >= 0)[:, :, np.newaxis]
        return np.where(np.count_nonzero(there, axis=2) == 1, np.argmax(there, axis=2), NOWHERE)


@dataclass(slots=True, eq=False)
class Orders:
    """The orders in which options were shown, gathered while a run's variants are read, item after item.

    Attributes:
        golds: The right options of each item.
        shown: What each condition showed, for those that differ in the order of the options alone.
        labels: The label style of the originals.
    """

    golds: Sequence[frozenset[int]] = ()
    shown: dict[str, Slots] = field(default_factory=dict)
    labels: LabelStyle = "A"

    def add(self, row: int, condition: str, order: Order) -> None:
        """Take note of the order of an applied variant.

        Args:
            row: The item's place.
            condition: The variant's condition.
            order: The order that it shows.
        """
        if not differs_in_order_alone(order):
            return
        if condition not in self.shown:
            self.shown[condition] = Slots.for_items(len(self.golds))
        self.shown[condition].put(row, *order.slots(self.golds[row]))
        self.labels = order.labels
