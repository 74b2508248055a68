"""The items of a run by what became of them: which of them a reader asks for, counted, ordered, and searched."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from ..analysis import Results
from ..errors import UsageError
from ..explorer import FLIPPED, MIXED, NO_RESULT, NOT_ASKED, PASS, RESULT, UNREAD, Bytes, CellMap, map_of_results
from ..problems import did_you_mean, quoted
from ..reports.text import visible
from ..store.columns import STATUS, Integers
from ..store.read import StoredRun
from ..store.texts import reply_texts

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

KINDS = {
    "all": "all items",
    "flipped": "flipped",
    "to-fail": "flipped to fail",
    "to-pass": "flipped to pass",
    "mixed": "runs of a prompt differ",
    "unread": "answer not read, for any reason",
    "unparsed": "unparsed",
    "truncated": "truncated",
    "refused": "refused",
    "error": "no reply (error)",
    "judge_error": "the judge did not decide",
    "missing": "no result, for any reason",
}
"""What items may be asked for, and what it is called; those that are called as a status are by the statuses."""
ORDERS = {"flips": "most flips first", "map": "as on the map", "dataset": "as in the dataset", "id": "by item id"}
FLIPS = ("flipped", "to-fail", "to-pass")


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """Every item of a run under every condition.

    Attributes:
        cells: What became of each.
        statuses: Items × conditions in the order of the map: a bit for each status of `STATUS` that a repeat has.
        item_of: The place in the dataset of the item of each variant of the run's suite.
        at: The place in the map of each item.
    """

    cells: CellMap
    statuses: Bytes
    item_of: Integers
    at: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which items are asked for.

    Attributes:
        show: One of `KINDS`.
        condition: The condition under which they are so; empty for any.
        cluster: What they belong to; empty for any.
        text: What stands in their id, their question or a reply, whatever its case; empty for anything.
        order: One of `ORDERS`.
    """

    show: str = "all"
    condition: str = ""
    cluster: str = ""
    text: str = ""
    order: str = "flips"

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """Read them from the parameters of an address."""
        given = {name: query[name] for name in cls.__slots__ if query.get(name, "").strip()}
        return cls(**{**given, "text": given.get("text", "").strip()})

    def query(self, **more: str | int) -> str:
        """The parameters of an address, what is as usual left out; `more` come before."""
        usual = type(self)()
        own = {name: getattr(self, name) for name in self.__slots__ if getattr(self, name) != getattr(usual, name)}
        return urlencode({**more, **own}, errors="surrogatepass")

    def check(self, cells: CellMap) -> None:
        """Refuse what the run does not have.

        Raises:
            UsageError: With what it has.
        """
        for name, given, known in (
            ("show", self.show, [*KINDS]),
            ("order", self.order, [*ORDERS]),
            ("condition", self.condition, [*map(visible, cells.conditions)]),
            ("cluster", self.cluster, [*dict.fromkeys(map(visible, cells.clusters))]),
        ):
            if given and given not in known:
                near = did_you_mean(given, known)
                raise UsageError(f"{name}: there is no {quoted(given)} here{near}")


def explored_of(results: Results) -> Explored:
    """Lay out a run's results for exploring them."""
    cells = map_of_results(results)
    bits = np.where(results.statuses >= 0, 1 << np.maximum(results.statuses, 0), 0)
    statuses = np.bitwise_or.reduce(bits, axis=2).astype(np.uint8)
    at = {item: place for place, item in enumerate(cells.items)}
    return Explored(cells, statuses[cells.places], results.variants.item, at)


def matching(explored: Explored, filters: Filters, found: Mask | None) -> Places:
    """The places in the map of the items that are asked for, in the order asked for.

    Args:
        explored: The items.
        filters: Which are asked for.
        found: Those in which the text was found, in the order of the dataset; None where none is looked for.
    """
    base = among(explored, filters, found)
    rows = np.flatnonzero(base & are(explored, filters.show, filters.condition))
    return ordered(explored.cells, rows, filters.order)


def counts(explored: Explored, filters: Filters, found: Mask | None) -> dict[str, int]:
    """How many items of each of `KINDS` there are under the other filters."""
    base = among(explored, filters, found)
    return {kind: int(np.count_nonzero(base & are(explored, kind, filters.condition))) for kind in KINDS}


def among(explored: Explored, filters: Filters, found: Mask | None) -> Mask:
    """The items that fit the cluster, the text, and the condition, under which there must be something to ask."""
    cells = explored.cells
    base = np.ones(len(cells.items), dtype=bool)
    if filters.cluster:
        base &= np.array([visible(each) == filters.cluster for each in cells.clusters], dtype=bool)
    if filters.condition:
        base &= (cells.cells[:, column_of(cells, filters.condition)] & RESULT) != NOT_ASKED
    return base if found is None else base & found[cells.places]


def are(explored: Explored, kind: str, condition: str) -> Mask:
    """Which items are of a kind, under a condition or any; for flips any that counts in the headline."""
    cells = explored.cells
    if kind == "all":
        return np.ones(len(cells.items), dtype=bool)
    if condition:
        columns = [column_of(cells, condition)]
    else:
        counted = [at for at, role in enumerate(cells.roles) if at and role == "perturbation"]
        columns = counted if kind in FLIPS else [*range(len(cells.conditions))]
    if kind in STATUS:
        return np.asarray((explored.statuses[:, columns] & (1 << STATUS[kind])).any(axis=1))
    return np.asarray(of_kind(cells.cells[:, columns], kind).any(axis=1))


def of_kind(cells: Bytes, kind: str) -> Mask:
    """Which cells are of a kind that their bytes tell."""
    result, flipped = cells & RESULT, (cells & FLIPPED) > 0
    masks = {
        "flipped": flipped,
        "to-fail": flipped & (result != PASS),
        "to-pass": flipped & (result == PASS),
        "mixed": (cells & MIXED) > 0,
        "unread": (cells & UNREAD) > 0,
        "missing": result == NO_RESULT,
    }
    return np.asarray(masks[kind])


def ordered(cells: CellMap, rows: Places, order: str) -> Places:
    """Places in the map in an order; ties as on the map."""
    if order == "flips":
        return np.asarray(rows[np.argsort(-cells.flips[rows], kind="stable")])
    if order == "dataset":
        return np.asarray(rows[np.argsort(cells.places[rows], kind="stable")])
    if order == "id":
        return np.array(sorted(rows.tolist(), key=lambda row: cells.items[row]), dtype=np.intp)
    return rows


def column_of(cells: CellMap, shown: str) -> int:
    """The column of a condition by its name as it is shown."""
    return next(at for at, name in enumerate(cells.conditions) if visible(name) == shown)


def search(run: StoredRun, explored: Explored, text: str) -> Mask:
    """Find the items in whose id, question or replies a text stands, whatever its case.

    Args:
        run: The run; its store must be open.
        explored: Its items.
        text: What is looked for.

    Returns:
        Which items it was found in, in the order of the dataset.
    """
    wanted = text.casefold()
    found = np.zeros(len(explored.cells.items), dtype=bool)
    for place, item in enumerate(run.items()):
        question = item.question
        parts = (item.id, question.text, *question.options)
        found[place] = any(wanted in part.casefold() for part in parts)
    for variant, reply in reply_texts(run):
        place = explored.item_of[variant]
        if not found[place] and wanted in reply.casefold():
            found[place] = True
    return found


def signs_of(cells: Bytes) -> str:
    """A sign a cell, as the report's explorer has them."""
    return "".join(map(sign_of, cells.tolist()))


def sign_of(cell: int) -> str:
    """A cell as a sign; a flip comes before what it flipped to."""
    result = cell & RESULT
    if cell & UNREAD:
        return "?"
    if result <= NO_RESULT:
        return "·"
    if cell & FLIPPED:
        return "▲" if result == PASS else "▼"
    return "✓" if result == PASS else "✗"


def words_of(cell: int) -> str:
    """A cell in words."""
    result = cell & RESULT
    if result == NOT_ASKED:
        return "nothing to ask"
    plain = "no result" if result == NO_RESULT else "pass" if result == PASS else "fail"
    flipped = f"flipped to {plain}" if cell & FLIPPED else plain
    return flipped + ", runs differ" * bool(cell & MIXED) + ", answer not read" * bool(cell & UNREAD)
