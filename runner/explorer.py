"""Every item under every condition, a byte each: what the map of a report draws and its explorer filters.

A million cells are a million bytes; nothing here holds an object a cell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..stats import Outcomes
from .analysis import Results
from .findings import Role
from .flipped import FLIP, pass_rates
from .results.table import ResultsTable
from .store.columns import STATUS

Bytes = NDArray[np.uint8]

NOT_ASKED, NO_RESULT, FAIL, PASS = range(4)
"""What became of a cell, in its two lowest bits; over repeats, what most of its runs did, half of them being a pass."""
RESULT = 3
MIXED = 4
"""Set where runs of the same prompt differ."""
UNREAD = 8
"""Set where an answer could not be read: unparsed, truncated or refused."""
FLIPPED = 16
"""Set where the result differs from the baseline's; never under a control, whose right answer is another one."""
UNREADABLE = [STATUS[name] for name in ("unparsed", "truncated", "refused")]


@dataclass(frozen=True, slots=True, eq=False)
class CellMap:
    """Every item under every condition.

    Attributes:
        items: Item ids in the order of the map: those that the baseline passes first, and among them those that pass
            under most conditions; equal rows stand together.
        places: The place of each in the dataset.
        clusters: What each belongs to; empty where nothing is clustered.
        conditions: The conditions, the baseline first.
        roles: What each is for; the baseline counts as a perturbation.
        repeats: Runs a cell.
        cells: Items × conditions, a byte each: a state and the bits `MIXED`, `UNREAD`, `FLIPPED`.
    """

    items: tuple[str, ...]
    places: NDArray[np.intp]
    clusters: tuple[str, ...]
    conditions: tuple[str, ...]
    roles: tuple[Role, ...]
    repeats: int
    cells: Bytes

    @property
    def counted(self) -> Bytes:
        """The cells of the conditions that count in the headline, without the baseline's."""
        return self.cells[:, [at for at, role in enumerate(self.roles) if at and role == "perturbation"]]

    @property
    def flips(self) -> NDArray[np.intp]:
        """Under how many of those conditions each item flips."""
        return np.asarray(np.count_nonzero(self.counted & FLIPPED, axis=1))

    @property
    def unread(self) -> NDArray[np.intp]:
        """Under how many conditions of any kind an answer of each item could not be read."""
        return np.asarray(np.count_nonzero(self.cells & UNREAD, axis=1))


def map_of_results(results: Results) -> CellMap:
    """Lay out a stored run's results."""
    variants = results.variants
    conditions = results.outcomes.conditions
    asked = np.zeros((len(variants.items), len(conditions)), dtype=bool)
    applied = np.array([outcome == "applied" for outcome, _ in variants.causes], dtype=bool)[variants.cause]
    columns = np.array([conditions.index(name) for name in variants.conditions], dtype=np.intp)
    asked[variants.item[applied], columns[variants.condition[applied]]] = True
    unread = np.asarray(np.isin(results.statuses, UNREADABLE).any(axis=2))
    roles = {name: tally.role for name, tally in results.tallies.items()}
    return cell_map(results.outcomes, roles, asked=asked, unread=unread)


def map_of_table(table: ResultsTable) -> CellMap:
    """Lay out results that were made elsewhere."""
    outcomes = table.outcomes()
    roles: dict[str, Role] = dict.fromkeys(table.reruns, "rerun")
    shape = outcomes.cells.shape[:2]
    return cell_map(outcomes, roles, asked=np.ones(shape, dtype=bool), unread=np.zeros(shape, dtype=bool))


def cell_map(
    outcomes: Outcomes, roles: Mapping[str, Role], *, asked: NDArray[np.bool_], unread: NDArray[np.bool_]
) -> CellMap:
    """Lay out results.

    Args:
        outcomes: The results of every condition, the baseline first.
        roles: What the conditions are for; a perturbation where not given.
        asked: Items × conditions: whether there was anything to ask.
        unread: Items × conditions: whether an answer could not be read.
    """
    kinds: tuple[Role, ...] = tuple(roles.get(name, "perturbation") for name in outcomes.conditions)
    cells: Bytes = np.where(unread, np.uint8(UNREAD), np.uint8(0))
    before = pass_rates(outcomes, 0)
    for at, role in enumerate(kinds):
        rates = pass_rates(outcomes, at)
        cells[:, at] |= states(rates, asked[:, at])
        cells[(rates > 0) & (rates < 1), at] |= MIXED
        if role != "control":
            cells[np.abs(rates - before) >= FLIP, at] |= FLIPPED
    counting = [at for at, role in enumerate(kinds) if at and role == "perturbation"]
    order = map_order(cells, counting)
    clusters = () if outcomes.clusters is None else tuple(str(outcomes.clusters[at] or "") for at in order)
    return CellMap(
        items=tuple(outcomes.items[at] for at in order),
        places=order,
        clusters=clusters,
        conditions=outcomes.conditions,
        roles=kinds,
        repeats=outcomes.repeats,
        cells=cells[order],
    )


def states(rates: NDArray[np.float64], asked: NDArray[np.bool_]) -> Bytes:
    """The state of each cell by the share of its runs that passed; NaN is no result."""
    known = np.where(rates >= FLIP, PASS, FAIL)
    return np.where(np.isnan(rates), np.where(asked, NO_RESULT, NOT_ASKED), known).astype(np.uint8)


def map_order(cells: Bytes, counting: Sequence[int]) -> NDArray[np.intp]:
    """Items in the order of the map; `counting` are the columns of the conditions that count."""
    result = cells & RESULT
    passes = np.count_nonzero(result[:, counting] == PASS, axis=1)
    known = np.count_nonzero(result[:, counting] >= FAIL, axis=1)
    share = np.divide(passes, known, out=np.zeros(len(cells)), where=known > 0)
    pattern = [-result[:, at].astype(np.int16) for at in reversed(counting)]
    return np.lexsort((np.arange(len(cells)), *pattern, -share, -result[:, 0].astype(np.int16)))
