"""The slot test: does it make a difference in which slot the right option is shown?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import whole_number
from .effective import NEGLIGIBLE
from .numeric import FloatArray
from .results import HypothesisTest

ABSENT = -1
DRAWS = 1999
CHUNK = 1 << 17
"""Results that are put in order at a time: a mebibyte of them."""
TIE = 1e-9

Slots = NDArray[np.int64]


def slot_test(passed: ArrayLike, slots: ArrayLike, *, rng: "np.random.Generator", draws: int = DRAWS) -> HypothesisTest:
    """Test whether the slot of the right option makes a difference, item by item.

    If it makes none, an item's results could as well have come in any other order. With Tₛ the passes while the right
    option stands in slot s, and E and V their mean and covariance over all orders of each item's results,

        Q = (T − E)ᵀ V⁻ (T − E)

    is the generalised Mantel–Haenszel statistic with the items as strata, which is Cochran's Q where every item was
    shown once in every slot. Items need not be: each is compared with itself over the slots that it has. The p-value is
    the share of random orders within items whose Q reaches the observed one, (1 + reached)/(1 + draws), which never
    rejects too often. An item's runs of one prompt stay together, since they are no further evidence on slots.

    Args:
        passed: Items × cells: the share of the cell's runs that passed, 0 or 1 for a single run.
        slots: Items × cells: where the right option stood, from 0; −1 for a cell that does not count. A slot may stand
            more than once.
        rng: Source of the orders; a seeded one repeats its p-value.
        draws: Orders to draw.

    Returns:
        The p-value with Q as statistic; n counts the items that have cells in at least two slots. p = 1 where none of
        these items' results differ, None without such items.

    Raises:
        ValueError: If the two are no equal items × cells, `passed` is not between 0 and 1 where a cell counts, `slots`
            holds no whole numbers of at least −1, or there is no draw.

    References:
        M. W. Birch (1965), J. R. Stat. Soc. B 27, 111-124, and J. R. Landis, E. R. Heyman and G. G. Koch (1978), Int.
        Stat. Rev. 46, 237-254, for the statistic; W. G. Cochran (1950), Biometrika 37, 256-266, for complete items;
        B. Phipson and G. K. Smyth (2010), Stat. Appl. Genet. Mol. Biol. 9, 39, on 1 + reached.

    Examples:
        Three predictors of twelve games in the place of three slots: Q = 2.8 in W. J. Conover, Practical Nonparametric
        Statistics, where chi-squared, too coarse for so few items, gives p = .25.

        >>> import numpy as np
        >>> from prt.stats import slot_test
        >>> games = ["111", "111", "010", "110", "000", "111", "111", "110", "001", "010", "111", "111"]
        >>> passed = [[int(result) for result in game] for game in games]
        >>> test = slot_test(passed, [[0, 1, 2]] * 12, rng=np.random.default_rng(1))
        >>> print(f"Q = {test.statistic:.1f}, p = {test.pvalue:.2f}, n = {test.n}")
        Q = 2.8, p = 0.39, n = 12
    """
    return slot_test_of_items(*checked_cells(passed, slots), rng, checked_draws(draws))


def checked_draws(draws: SupportsIndex) -> int:
    """Read the number of orders to draw.

    Raises:
        ValueError: If it is no whole number of at least 1.
    """
    number = whole_number("draws", draws)
    if number < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    return number


def checked_cells(passed: ArrayLike, slots: ArrayLike) -> tuple[FloatArray, Slots]:
    """Read items × cells of results, and of slots.

    Args:
        passed: The share of runs that passed.
        slots: Where the right option stood; −1 for a cell that does not count.

    Returns:
        Both as arrays; `passed` is 0 where a cell does not count.

    Raises:
        ValueError: As for `slot_test`.
    """
    places, rates = np.asarray(slots), np.asarray(passed)
    if places.ndim != 2 or places.shape != rates.shape:
        raise ValueError(f"passed and slots must be equal items × cells, got {rates.shape} and {places.shape}")
    if places.size and (places.dtype.kind not in "iu" or places.min() < ABSENT):
        raise ValueError("slots must be whole numbers from 0, or -1 for a cell that does not count")
    if rates.size and rates.dtype.kind not in "biuf":
        raise ValueError(f"passed must hold numbers between 0 and 1, got {rates.dtype}")
    counted = np.where(places >= 0, rates, 0).astype(np.float64)
    if not ((counted >= 0.0) & (counted <= 1.0)).all():
        raise ValueError("passed must lie between 0 and 1 wherever a cell counts")
    return counted, places.astype(np.int64)


def slot_test_of_items(passed: FloatArray, slots: Slots, rng: "np.random.Generator", draws: int) -> HypothesisTest:
    """The test of `slot_test`; items × cells are already validated."""
    method = f"generalised Mantel–Haenszel (Cochran's Q where complete), {draws:,} permutations within items"
    compared = several_slots(slots)
    n = int(np.count_nonzero(compared))
    if n == 0:
        return HypothesisTest(None, None, 0, method)
    blocks = list(_blocks(passed[compared], slots[compared]))
    covariance = sum((block.covariance for block in blocks), start=np.zeros(()))
    if not blocks:
        return HypothesisTest(1.0, 0.0, n, method)
    weights = np.asarray(np.linalg.pinv(covariance, rcond=NEGLIGIBLE, hermitian=True), dtype=np.float64)
    observed = sum((block.observed for block in blocks), start=np.zeros(()))
    statistic = float(observed @ weights @ observed)
    reached = _reached(blocks, weights, statistic - TIE * (1.0 + statistic), draws, rng)
    return HypothesisTest((1.0 + reached) / (1.0 + draws), statistic, n, method)


def several_slots(slots: Slots) -> NDArray[np.bool_]:
    """Tell which items have cells in at least two slots; items × cells, −1 for a cell that does not count."""
    if slots.shape[1] == 0:
        return np.zeros(slots.shape[0], dtype=bool)
    lowest = np.where(slots >= 0, slots, slots.max(initial=0) + 1).min(axis=1)
    return np.asarray(slots.max(axis=1) > lowest)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Items with equally many cells whose results differ.

    Attributes:
        deviations: Items × cells: results less the item's mean.
        at: Items × cells × slots: 1 where the cell's right option stands in the slot.
    """

    deviations: FloatArray
    at: FloatArray

    @property
    def observed(self) -> FloatArray:
        """T − E of these items, one number a slot."""
        return np.asarray(np.einsum("ij,ijs->s", self.deviations, self.at))

    @property
    def covariance(self) -> FloatArray:
        """Their part of V, slots × slots."""
        cells = self.deviations.shape[1]
        variances = np.sum(self.deviations**2, axis=1) / (cells - 1)
        counts = self.at.sum(axis=1)
        return np.asarray(np.diag(variances @ counts) - (counts * (variances / cells)[:, np.newaxis]).T @ counts)

    def drawn(self, draws: int, rng: "np.random.Generator") -> FloatArray:
        """T − E after random orders of each item's results, draws × slots."""
        orders = np.tile(self.deviations, (draws, 1))
        rng.permuted(orders, axis=1, out=orders)
        return np.asarray(orders.reshape(draws, -1) @ self.at.reshape(-1, self.at.shape[2]))


def _blocks(passed: FloatArray, slots: Slots) -> Iterator[_Block]:
    """Sort items by their number of cells, without those whose results are all alike: no order moves them."""
    present = slots >= 0
    counts = present.sum(axis=1)
    width = int(slots.max()) + 1
    for cells in np.unique(counts):
        chosen = counts == cells
        results = passed[chosen][present[chosen]].reshape(-1, cells)
        places = slots[chosen][present[chosen]].reshape(-1, cells)
        deviations = results - results.mean(axis=1, keepdims=True)
        differing = np.abs(deviations).max(axis=1) > NEGLIGIBLE
        if differing.any():
            yield _Block(deviations[differing], np.eye(width)[places[differing]])


def _reached(blocks: list[_Block], weights: FloatArray, bar: float, draws: int, rng: "np.random.Generator") -> int:
    """How many of so many random orders give a statistic of at least the bar."""
    size = max(1, CHUNK // sum(block.deviations.size for block in blocks))
    reached = 0
    for start in range(0, draws, size):
        number = min(size, draws - start)
        totals = sum((block.drawn(number, rng) for block in blocks), start=np.zeros(()))
        reached += int(np.count_nonzero(np.einsum("ds,st,dt->d", totals, weights, totals) >= bar))
    return reached
