"""Outcomes: the array items × conditions × repeats of pass, fail and missing. All that the statistics see of a run."""

from array import array
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .tables import PairedTable

PASS, FAIL, MISSING = 1, 0, -1
Cells = NDArray[np.int8]
Row = tuple[str, str, int, bool | None]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Results of every item under every condition; the first condition is the baseline.

    Attributes:
        cells: Items × conditions × repeats, read-only int8: 1 pass, 0 fail, −1 missing. Booleans, other integers and
            floats (NaN is missing) are accepted and converted.
        items: Item ids, in the order of the first axis.
        conditions: Condition names, in the order of the second axis, the baseline first.

    Raises:
        ValueError: If the shape doesn't fit the names, a name occurs twice, there is no condition or no repeat, or a
            cell holds anything but pass, fail or missing.

    Examples:
        >>> from prt.stats import Outcomes
        >>> outcomes = Outcomes.from_array([[1, 0], [1, 1], [0, -1]], conditions=["baseline", "typo.1"])
        >>> outcomes.table("typo.1")
        PairedTable(both_pass=1, pass_to_fail=1, fail_to_pass=0, both_fail=0)
    """

    cells: Cells
    items: tuple[str, ...]
    conditions: tuple[str, ...]

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        items, conditions = tuple(self.items), tuple(self.conditions)
        _check_shape(given.shape, len(items), len(conditions))
        _check_unique("item", items)
        _check_unique("condition", conditions)
        cells = _converted(given, items, conditions)
        cells.setflags(write=False)
        for name, value in (("cells", cells), ("items", items), ("conditions", conditions)):
            object.__setattr__(self, name, value)

    @classmethod
    def from_array(
        cls, cells: ArrayLike, *, items: Sequence[str] | None = None, conditions: Sequence[str] | None = None
    ) -> Self:
        """Take an array of results.

        Args:
            cells: Items × conditions, or items × conditions × repeats; 1 pass, 0 fail, −1 or NaN missing.
            items: Item ids; "1", "2", … where left out.
            conditions: Condition names, the baseline first; "baseline", "variant.1", … where left out.

        Returns:
            The outcomes, with one repeat where the array has two dimensions.

        Raises:
            ValueError: As for the class.
        """
        given = np.asarray(cells)
        if given.ndim == 2:
            given = given[:, :, np.newaxis]
        _check_dimensions(given.shape)
        if items is None:
            items = [str(number + 1) for number in range(given.shape[0])]
        if conditions is None:
            conditions = ["baseline", *(f"variant.{number + 1}" for number in range(given.shape[1] - 1))]
        return cls(given, tuple(items), tuple(conditions))

    @classmethod
    def from_rows(cls, rows: Iterable[Row], *, baseline: str = "baseline") -> Self:
        """Arrange long rows, one a cell.

        Items and conditions keep the order in which they first appear, except that the baseline comes first. Repeats
        are put in ascending order of their numbers. A cell without a row is missing.

        Args:
            rows: (item id, condition name, repeat number, passed); passed is True, False or None (missing).
            baseline: Name of the baseline condition.

        Returns:
            The outcomes.

        Raises:
            ValueError: If a cell has two rows, `passed` is none of True, False and None, or no row is of the baseline.
        """
        items: dict[str, int] = {}
        conditions: dict[str, int] = {baseline: 0}
        repeats: dict[int, int] = {}
        places, codes = array("q"), array("b")
        for number, (item, condition, repeat, passed) in enumerate(rows, start=1):
            places.extend((_place(items, item), _place(conditions, condition), _place(repeats, repeat)))
            codes.append(_code(number, passed))
        at = np.frombuffer(places, dtype=np.int64).reshape(-1, 3)
        if not np.any(at[:, 1] == 0):
            found = ", ".join(map(repr, list(conditions)[1:])) or "none"
            raise ValueError(f"no row is of the baseline {baseline!r}; conditions found: {found}; name the baseline")
        _check_one_row_a_cell(at, items, conditions, repeats)
        rank = np.argsort(np.argsort(list(repeats)))
        cells = np.full((len(items), len(conditions), len(repeats)), MISSING, dtype=np.int8)
        cells[at[:, 0], at[:, 1], rank[at[:, 2]]] = np.frombuffer(codes, dtype=np.int8)
        return cls(cells, tuple(items), tuple(conditions))

    @property
    def baseline(self) -> str:
        """Name of the baseline condition."""
        return self.conditions[0]

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the conditions other than the baseline."""
        return self.conditions[1:]

    @property
    def repeats(self) -> int:
        """Results a cell."""
        return int(self.cells.shape[2])

    def select(self, conditions: Sequence[str]) -> Self:
        """Keep some of the conditions.

        Args:
            conditions: Names in the order wanted; the baseline is kept, and stays first, whether named or not.

        Returns:
            The outcomes of the baseline and the named conditions, for all items.

        Raises:
            ValueError: If a name is unknown or occurs twice.
        """
        names = [self.baseline, *(name for name in conditions if name != self.baseline)]
        at = [self._column(name) for name in names]
        return type(self)(self.cells[:, at, :], self.items, tuple(names))

    def matrix(self) -> Cells:
        """Items × conditions, for the statistics that need one result a cell.

        Returns:
            A read-only int8 view: 1 pass, 0 fail, −1 missing.

        Raises:
            ValueError: If there is more than one repeat.
        """
        if self.repeats != 1:
            raise ValueError(
                f"these outcomes hold {self.repeats} repeats a cell, and this statistic is for one result a cell; "
                "give it outcomes with a single repeat"
            )
        return self.cells[:, :, 0]

    def complete_cases(self) -> Cells:
        """Items × conditions of the items that carry a result under every condition.

        Returns:
            An int8 array: 1 pass, 0 fail.

        Raises:
            ValueError: If there is more than one repeat.
        """
        matrix = self.matrix()
        return matrix[np.all(matrix != MISSING, axis=1)]

    def tables(self) -> tuple[PairedTable, ...]:
        """Pair every variant with the baseline.

        Returns:
            One table for each of `variants`, in that order, over the items that carry both results.

        Raises:
            ValueError: If there is more than one repeat.
        """
        return _paired_tables(self.matrix())

    def table(self, condition: str) -> PairedTable:
        """Pair one variant with the baseline.

        Args:
            condition: Name of the variant.

        Returns:
            The table over the items that carry both results.

        Raises:
            ValueError: If the name is unknown or the baseline's own, or there is more than one repeat.
        """
        column = self._column(condition)
        if column == 0:
            raise ValueError(f"{condition!r} is the baseline; name one of the variants: {_listed(self.variants)}")
        return _paired_tables(self.matrix()[:, [0, column]])[0]

    def _column(self, condition: str) -> int:
        if condition not in self.conditions:
            raise ValueError(f"no condition is called {condition!r}; there are: {_listed(self.conditions)}")
        return self.conditions.index(condition)


def _paired_tables(matrix: Cells) -> tuple[PairedTable, ...]:
    """Count the tables of columns 1, 2, … against column 0; the matrix is already validated."""
    after_pass = matrix[matrix[:, 0] == PASS, 1:]
    after_fail = matrix[matrix[:, 0] == FAIL, 1:]
    counts = [
        np.count_nonzero(rows == result, axis=0)
        for rows, result in ((after_pass, PASS), (after_pass, FAIL), (after_fail, PASS), (after_fail, FAIL))
    ]
    return tuple(PairedTable(*column) for column in np.stack(counts, axis=1).tolist())


def _converted(given: NDArray[np.generic], items: tuple[str, ...], conditions: tuple[str, ...]) -> Cells:
    """Convert to a fresh int8 array, refusing what no cell may hold; the shape is already validated."""
    if given.dtype.kind not in "biuf":
        raise ValueError(f"cells must be numbers or booleans, got an array of {given.dtype}; code missing as -1 or NaN")
    missing = np.isnan(given) if given.dtype.kind == "f" else np.zeros((), dtype=bool)
    bad = ~(missing | (given == PASS) | (given == FAIL) | (given == MISSING))
    if bad.any():
        item, condition, repeat = (int(axis[0]) for axis in np.nonzero(bad))
        raise ValueError(
            f"item {items[item]!r} under {conditions[condition]!r} (repeat {repeat}) holds "
            f"{given[item, condition, repeat]}; a cell is 1 (pass), 0 (fail), or -1 or NaN (missing)"
        )
    return np.where(missing, MISSING, given).astype(np.int8)


def _check_shape(shape: tuple[int, ...], items: int, conditions: int) -> None:
    _check_dimensions(shape)
    if shape[:2] != (items, conditions):
        raise ValueError(
            f"cells hold {shape[0]} items × {shape[1]} conditions, but {items} item ids and "
            f"{conditions} condition names were given"
        )


def _check_dimensions(shape: tuple[int, ...]) -> None:
    if len(shape) != 3:
        raise ValueError(f"cells must be items × conditions × repeats, got an array of shape {shape}")
    if shape[1] < 1 or shape[2] < 1:
        raise ValueError(f"cells need at least one condition (the baseline) and one repeat, got shape {shape}")


def _check_unique(what: str, names: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"the {what} {name!r} occurs twice; each {what} needs a name of its own")
        seen.add(name)


def _place(places: dict[Key, int], key: Key) -> int:
    return places.setdefault(key, len(places))


def _code(number: int, result: object) -> int:
    if result not in (True, False, None):
        raise ValueError(f"row {number} holds {result!r}; passed is True, False or None (missing)")
    return MISSING if result is None else int(bool(result))


def _check_one_row_a_cell(
    at: NDArray[np.int64], items: dict[str, int], conditions: dict[str, int], repeats: dict[int, int]
) -> None:
    shape = (len(items), len(conditions), len(repeats))
    flat = np.ravel_multi_index((at[:, 0], at[:, 1], at[:, 2]), shape)
    _, first = np.unique(flat, return_index=True)
    if first.size == flat.size:
        return
    row = int(np.setdiff1d(np.arange(flat.size), first)[0])
    item, condition, repeat = at[row].tolist()
    raise ValueError(
        f"row {row + 1} gives item {list(items)[item]!r} under {list(conditions)[condition]!r} (repeat "
        f"{list(repeats)[repeat]}) a second result; a cell has one row"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
