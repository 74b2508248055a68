"""Positions: does the model favour the slot in which an option is shown?"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_fraction
from .clustered_newcombe import change_of_items
from .clustered_rate import rate_of_items
from .clusters import Codes, kept_codes
from .effective import Design
from .numeric import FloatArray
from .outcomes import Outcomes
from .paired import ItemPairs
from .results import Estimate, HypothesisTest
from .slot_test import ABSENT, DRAWS, Slots, checked_cells, checked_draws, several_slots, slot_test_of_items
from .verdict import FEWEST_ITEMS

Counts = NDArray[np.intp]
Mask = NDArray[np.bool_]
PositionVerdict = Literal["favours", "differs", "not_shown", "too_few"]


@dataclass(frozen=True, slots=True)
class SlotFigures:
    """One slot.

    Attributes:
        slot: The slot, from 0.
        right: How often the right option stood here: the share of read answers, a mean over the items that have the
            slot. It is set by what was asked, so it carries no interval. None without answers.
        chosen: How often the model chose what stood here, over the same answers; None without answers.
        there: Pass rate while the right option stands here, over the items that were shown so.
        elsewhere: Pass rate of the same items while it stands in another slot.
        difference: There − elsewhere, item by item.
    """

    slot: int
    right: float | None
    chosen: Estimate | None
    there: Estimate
    elsewhere: Estimate
    difference: Estimate

    @property
    def favoured(self) -> bool:
        """Whether the intervals show it: more passes with the right option here, and more choices than right ones."""
        if self.there.n < FEWEST_ITEMS or self.difference.low is None or self.difference.low <= 0.0:
            return False
        if self.chosen is None or self.right is None:
            return True
        return self.chosen.low is not None and self.chosen.low > self.right


@dataclass(frozen=True, slots=True)
class Positions:
    """What is known of all slots.

    Attributes:
        slots: Figures of each slot.
        test: Test that the slot of the right option makes no difference.
        verdict: `favours` some slots, `differs` by slot without one that is surely favoured, `not_shown`, or `too_few`
            items (or clusters of them).
        favoured: The slots that the model favours.
        n: Items whose right option was shown in at least two slots; all figures are over them.
        with_baseline: Those among them whose original order is one of the orders compared.
    """

    slots: tuple[SlotFigures, ...]
    test: HypothesisTest
    verdict: PositionVerdict
    favoured: tuple[int, ...]
    n: int
    with_baseline: int


def positions(
    outcomes: Outcomes,
    right: ArrayLike,
    *,
    rng: "np.random.Generator",
    options: ArrayLike | None = None,
    chosen: ArrayLike | None = None,
    alpha: float = 0.05,
    draws: int = DRAWS,
) -> Positions:
    """Compare each item's results over the slots in which its right option was shown.

    The item is the unit, and each is compared with itself. An item counts if its right option was shown in at least two
    slots. Its baseline counts only where its variants alone show one slot: whatever else is special about the original
    order would be taken for the slot's.

    The verdict goes by `slot_test`. If its p is at most alpha, the slots are named for which two intervals say so, over
    at least 10 items: the model passes more often with the right option there than elsewhere, and it chooses what
    stands there more often than the right option stands there.

    Args:
        outcomes: Results under the baseline and under variants that differ in the order of the options alone.
        right: Items × conditions: where the right option stood, from 0; −1 where it was in no single slot, or was not
            shown.
        rng: Source of the test's random orders; a seeded one repeats its p-value.
        options: How many options each item has; None takes the highest slot seen of all items.
        chosen: Items × conditions (× repeats): which slot the model chose, from 0; −1 where no answer was read. None
            leaves out what is chosen.
        alpha: Significance level; intervals have the level 1 − alpha.
        draws: Orders that the test draws.

    Returns:
        The figures of each slot, the test and the verdict.

    Raises:
        ValueError: If an array doesn't fit the outcomes, `alpha` is not between 0 and 1, or there is no draw.

    References:
        C. Zheng et al. (2024), Large language models are not robust multiple choice selectors, arXiv:2309.03882, on the
        bias itself. `slot_test`, `clustered_rate_interval` and `clustered_newcombe_interval` state the statistics.

    Examples:
        A model that always answers A, asked 12 items with the right option in each of three slots:

        >>> import numpy as np
        >>> from prt.stats import Outcomes, positions
        >>> outcomes = Outcomes.from_array([[1, 1, 0, 0]] * 12)
        >>> asked, answers = [[0, 0, 1, 2]] * 12, [[0, 0, 0, 0]] * 12
        >>> found = positions(outcomes, asked, chosen=answers, rng=np.random.default_rng(1))
        >>> found.verdict, found.favoured, found.test.pvalue
        ('favours', (0,), 0.0005)
        >>> first = found.slots[0]
        >>> print(f"{first.chosen.estimate:.0%} of {first.right:.0%}, {first.difference.estimate:+.0%}")
        100% of 33%, +100%
    """
    check_fraction("alpha", alpha)
    shape = outcomes.cells.shape
    passed, slots = checked_cells(outcomes.means(missing=0.0), right)
    slots = np.where(np.any(outcomes.cells >= 0, axis=2), slots, ABSENT)
    slots[several_slots(slots[:, 1:]), 0] = ABSENT
    kept = several_slots(slots)
    shown = _Shown(
        passed[kept],
        slots[kept],
        np.count_nonzero(outcomes.cells[kept] >= 0, axis=2),
        _options(options, slots)[kept],
        None if chosen is None else _answers(chosen, shape)[kept],
        kept_codes(outcomes.codes, kept),
        1.0 - alpha,
    )
    test = slot_test_of_items(shown.passed, shown.slots, rng, checked_draws(draws))
    figures = tuple(shown.figures(slot) for slot in range(int(shown.options.max(initial=0))))
    verdict, favoured = _decide(figures, test, alpha, shown.units)
    return Positions(figures, test, verdict, favoured, test.n, int(np.count_nonzero(shown.slots[:, 0] >= 0)))


def _options(options: ArrayLike | None, slots: Slots) -> Counts:
    """How many options each item has: as given, or the highest slot of all; never fewer than an item's own slots."""
    if options is None:
        return np.full(slots.shape[0], slots.max(initial=ABSENT) + 1)
    given = np.asarray(options)
    if given.shape != slots.shape[:1] or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(f"options must be one whole number an item, {slots.shape[0]} of them, got {given.shape}")
    if (given <= slots.max(axis=1, initial=ABSENT)).any():
        raise ValueError("options must be more than the highest slot in which an item's right option stood")
    return given.astype(np.intp)


def _answers(chosen: ArrayLike, shape: tuple[int, ...]) -> Slots:
    """Items × conditions × repeats of the slots chosen."""
    given = np.asarray(chosen)
    if given.shape != shape and (shape[2] != 1 or given.shape != shape[:2]):
        raise ValueError(f"chosen must be laid out as the outcomes, {shape}, got {given.shape}")
    if given.size and (given.dtype.kind not in "iu" or given.min() < ABSENT):
        raise ValueError("chosen must be whole numbers from 0, or -1 where no answer was read")
    return given.reshape(shape).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """The items that count, items × cells; already validated.

    Attributes:
        passed: Share of each cell's runs that passed.
        slots: Where the right option stood; −1 for a cell that does not count.
        runs: Runs of each cell that have a result.
        options: How many options each item has.
        answers: Items × cells × runs: the slot chosen, −1 where none was read; None without answers.
        codes: Cluster of each item, or None.
        level: Confidence level.
    """

    passed: FloatArray
    slots: Slots
    runs: Counts
    options: Counts
    answers: Slots | None
    codes: Codes | None
    level: float

    @property
    def units(self) -> int:
        """Independent units: clusters, or items where nothing is clustered."""
        return len(self.slots) if self.codes is None else int(self.codes.max()) + 1

    def figures(self, slot: int) -> SlotFigures:
        """All figures of one slot."""
        here = self.slots == slot
        kept = here.any(axis=1)
        there, there_runs = self._rates(here, kept)
        elsewhere, other_runs = self._rates((self.slots >= 0) & ~here, kept)
        codes = kept_codes(self.codes, kept)
        pairs = ItemPairs(elsewhere, there, (other_runs, there_runs), codes)
        right, chosen = self._choices(slot)
        return SlotFigures(
            slot=slot,
            right=right,
            chosen=chosen,
            there=rate_of_items(there, pairs.design(self.level, runs=there_runs)),
            elsewhere=rate_of_items(elsewhere, pairs.design(self.level, runs=other_runs)),
            difference=change_of_items(pairs, self.level),
        )

    def _rates(self, cells: Mask, kept: Mask) -> tuple[FloatArray, float]:
        """The mean of each kept item's results over some of its cells, and how many runs an item has there."""
        rates = np.where(cells, self.passed, 0.0).sum(axis=1)[kept] / cells.sum(axis=1)[kept]
        runs = np.where(cells, self.runs, 0).sum(axis=1)[kept]
        return rates, float(runs.mean()) if runs.size else 1.0

    def _choices(self, slot: int) -> tuple[float | None, Estimate | None]:
        """How often the right option stood in a slot, and how often the model chose it, over the read answers."""
        if self.answers is None:
            return None, None
        read = (self.answers >= 0) & (self.slots >= 0)[:, :, np.newaxis]
        answers = read.sum(axis=(1, 2))
        kept = (answers > 0) & (self.options > slot)
        right, chosen = (
            np.count_nonzero(read & hit, axis=(1, 2))[kept] / answers[kept]
            for hit in ((self.slots == slot)[:, :, np.newaxis], self.answers == slot)
        )
        design = Design(kept_codes(self.codes, kept), float(answers[kept].sum()), self.level)
        return float(right.mean()) if right.size else None, rate_of_items(chosen, design)


def _decide(
    figures: tuple[SlotFigures, ...], test: HypothesisTest, alpha: float, units: int
) -> tuple[PositionVerdict, tuple[int, ...]]:
    """The verdict, and the slots that it names."""
    if test.pvalue is None or units < FEWEST_ITEMS:
        return "too_few", ()
    if test.pvalue > alpha:
        return "not_shown", ()
    favoured = tuple(each.slot for each in figures if each.favoured)
    return ("favours" if favoured else "differs"), favoured
