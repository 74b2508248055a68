"""Outcomes: the array items × conditions × repeats of pass, fail and missing. All that the statistics see of a run."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .cells import (
    FAIL,
    MISSING,
    PASS,
    Cells,
    Row,
    arrange,
    check_dimensions,
    check_shape,
    check_unique,
    convert,
    listed,
)
from .clusters import Codes, cluster_codes
from .numeric import FloatArray
from .tables import PairedTable

Counts = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Results of every item under every condition; the first condition is the baseline.

    Attributes:
        cells: Items × conditions × repeats, read-only int8: 1 pass, 0 fail, −1 missing. Booleans, other integers and
            floats (NaN is missing) are accepted and converted.
        items: Item ids, in the order of the first axis.
        conditions: Condition names, in the order of the second axis, the baseline first.
        clusters: What each item belongs to (a document, a topic), one label an item; None or "" marks an item by
            itself. None: no clusters are known, and items count as independent of one another.
        codes: The clusters numbered from 0, one an item; None where no two items share one. Computed.

    Raises:
        ValueError: If the shape doesn't fit the names, a name occurs twice, there is no condition or no repeat, a cell
            holds anything but pass, fail or missing, or there is not one cluster label an item.

    Examples:
        >>> from prt.stats import Outcomes
        >>> outcomes = Outcomes.from_array([[1, 0], [1, 1], [0, -1]], conditions=["baseline", "typo.1"])
        >>> outcomes.table("typo.1")
        PairedTable(both_pass=1, pass_to_fail=1, fail_to_pass=0, both_fail=0)
    """

    cells: Cells
    items: tuple[str, ...]
    conditions: tuple[str, ...]
    clusters: tuple[Hashable, ...] | None = None
    codes: Codes | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        items, conditions = tuple(self.items), tuple(self.conditions)
        clusters = None if self.clusters is None else tuple(self.clusters)
        check_shape(given.shape, len(items), len(conditions))
        check_unique("item", items)
        check_unique("condition", conditions)
        cells = convert(given, items, conditions)
        cells.setflags(write=False)
        checked = {"cells": cells, "items": items, "conditions": conditions, "clusters": clusters}
        for name, value in {**checked, "codes": cluster_codes(clusters, len(items))}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_array(
        cls,
        cells: ArrayLike,
        *,
        items: Sequence[str] | None = None,
        conditions: Sequence[str] | None = None,
        clusters: Sequence[Hashable] | None = None,
    ) -> Self:
        """Take an array of results.

        Args:
            cells: Items × conditions, or items × conditions × repeats; 1 pass, 0 fail, −1 or NaN missing.
            items: Item ids; "1", "2", … where left out.
            conditions: Condition names, the baseline first; "baseline", "variant.1", … where left out.
            clusters: One label an item, as for the class.

        Returns:
            The outcomes, with one repeat where the array has two dimensions.

        Raises:
            ValueError: As for the class.
        """
        given = np.asarray(cells)
        if given.ndim == 2:
            given = given[:, :, np.newaxis]
        check_dimensions(given.shape)
        if items is None:
            items = [str(number + 1) for number in range(given.shape[0])]
        if conditions is None:
            conditions = ["baseline", *(f"variant.{number + 1}" for number in range(given.shape[1] - 1))]
        return cls(given, tuple(items), tuple(conditions), None if clusters is None else tuple(clusters))

    @classmethod
    def from_rows(
        cls, rows: Iterable[Row], *, baseline: str = "baseline", clusters: Mapping[str, Hashable] | None = None
    ) -> Self:
        """Arrange long rows, one a cell.

        Items and conditions keep the order in which they first appear, except that the baseline comes first. Repeats
        are put in ascending order of their numbers. A cell without a row is missing.

        Args:
            rows: (item id, condition name, repeat number, passed); passed is True, False or None (missing).
            baseline: Name of the baseline condition.
            clusters: Label of each item's cluster by item id; an item without one is by itself.

        Returns:
            The outcomes.

        Raises:
            ValueError: If a cell has two rows, `passed` is none of True, False and None, or no row is of the baseline.
        """
        arranged = arrange(rows, baseline)
        labels = None if clusters is None else tuple(clusters.get(item) for item in arranged.items)
        return cls(arranged.cells, arranged.items, arranged.conditions, labels)

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

    def means(self, *, missing: float) -> FloatArray:
        """Items × conditions: the share of each cell's runs that passed.

        Args:
            missing: What stands for a cell without a result.

        Returns:
            Floats between 0 and 1, apart from `missing`.
        """
        # Counts of 4 bytes: those of numpy's own counting would be the largest arrays that an analysis makes.
        runs = np.sum(self.cells != MISSING, axis=2, dtype=np.int32)
        passes = np.sum(self.cells == PASS, axis=2, dtype=np.int32)
        return np.asarray(np.divide(passes, runs, out=np.full(runs.shape, float(missing)), where=runs > 0))

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
        if tuple(names) == self.conditions:
            return self
        at = [self.column(name) for name in names]
        return type(self)(self.cells[:, at, :], self.items, tuple(names), self.clusters)

    def without_clusters(self) -> Self:
        """The same results with every item taken for independent of the others."""
        return type(self)(self.cells, self.items, self.conditions)

    def counts(self, column: int) -> tuple[Counts, Counts]:
        """Count each item's runs under one condition.

        Args:
            column: Place of the condition; 0 is the baseline.

        Returns:
            Two integer arrays of one count an item: passes, and runs that have a result.
        """
        cells = self.cells[:, column, :]
        return np.count_nonzero(cells == PASS, axis=1), np.count_nonzero(cells != MISSING, axis=1)

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
        return _paired_tables(self.matrix()[:, [0, self.variant_column(condition)]])[0]

    def column(self, condition: str) -> int:
        """Find a condition's place; the baseline's is 0.

        Args:
            condition: Its name.

        Returns:
            Its place among `conditions`.

        Raises:
            ValueError: If no condition has this name.
        """
        if condition not in self.conditions:
            raise ValueError(f"no condition is called {condition!r}; there are: {listed(self.conditions)}")
        return self.conditions.index(condition)

    def variant_column(self, condition: str) -> int:
        """Find a variant's place.

        Args:
            condition: Its name.

        Returns:
            Its place among `conditions`, at least 1.

        Raises:
            ValueError: If no condition has this name, or it is the baseline's.
        """
        column = self.column(condition)
        if column == 0:
            raise ValueError(f"{condition!r} is the baseline; name one of the variants: {listed(self.variants)}")
        return column


def _paired_tables(matrix: Cells) -> tuple[PairedTable, ...]:
    """Count the tables of columns 1, 2, … against column 0; the matrix is already validated."""
    after_pass = matrix[matrix[:, 0] == PASS, 1:]
    after_fail = matrix[matrix[:, 0] == FAIL, 1:]
    counts = [
        np.count_nonzero(rows == result, axis=0)
        for rows, result in ((after_pass, PASS), (after_pass, FAIL), (after_fail, PASS), (after_fail, FAIL))
    ]
    return tuple(PairedTable(*column) for column in np.stack(counts, axis=1).tolist())
