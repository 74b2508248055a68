"""A stored run in columns: its variants and its graded cells as arrays, without an object for each of them.

A million cells take some MiB and a few seconds. Whatever is one of few values stands as an integer code, in as few
bytes as hold the largest.
"""

import json
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, and_, case, select

from ..records import Status
from .read import StoredRun
from .rows import CURRENT_GRADE, cells, grades, variants
from .schema import items as items_table
from .schema import raw, restored, storable

items = raw(items_table)

STATUSES: tuple[Status, ...] = get_args(Status)
STATUS = {status: place for place, status in enumerate(STATUSES)}
ROWS = 2_000
"""Rows that are read and turned into arrays at a time."""
NONE = -1

Integers = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.int8]
Payload = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class VariantColumns:
    """The variants of a run's suite by position, whatever their outcome.

    Attributes:
        items: The ids of the items, in the order of the dataset.
        clusters: What each item belongs to; empty where it is by itself.
        conditions: The conditions, in the order in which they first appear.
        causes: The outcomes that occur, each with its reason.
        item: The place of each variant's item in `items`.
        condition: The place of its condition in `conditions`.
        cause: The place of its outcome and reason in `causes`.
        severities: The mean of words edited / eligible words of each condition's variants; None where none of them is
            applied, or its generator edits no words.
    """

    items: tuple[str, ...]
    clusters: tuple[str, ...]
    conditions: tuple[str, ...]
    causes: tuple[tuple[str, str], ...]
    item: Integers
    condition: Integers
    cause: Integers
    severities: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CellColumns:
    """Some cells that have a reply, in the order of the dataset.

    Attributes:
        variant: The position of each cell's variant in the run's suite.
        repeat: The repeat, from 0.
        passed: 1 pass, 0 fail, −1 where the grade does not say, or there is none yet.
        status: The place of the grade's status in `STATUSES`; −1 where the run's grader has not graded the reply yet.
        answer: A code of the answer that was read, −1 where none was. It is equal for equal answers to one item; where
            answers are read as numbers, it is the number.
        silent: Why a grade does not say whether the reply passes, for those cells that have such a grade, in order.
    """

    variant: Integers
    repeat: Integers
    passed: Flags
    status: Flags
    answer: Integers
    silent: tuple[str, ...]


class Codes(dict[Any, int]):
    """Numbers values from 0, in the order in which they first come."""

    def __missing__(self, value: Any) -> int:
        """The next number."""
        self[value] = number = len(self)
        return number


class Placing:
    """Finds the places of items by their ids, where most ids come in the order of the items, several times each."""

    def __init__(self, known: Sequence[str]) -> None:
        """Be at no item yet.

        Args:
            known: The ids of the items, in order.
        """
        self._known = known
        self._at = NONE

    def place(self, item: str) -> int:
        """The place of an item."""
        if self._at < 0 or self._known[self._at] != item:
            following = self._at + 1
            is_next = following < len(self._known) and self._known[following] == item
            self._at = following if is_next else self._places[item]
        return self._at

    @cached_property
    def _places(self) -> dict[str, int]:
        """Every place; a table that no run needs whose variants are in the order of its items."""
        return {item: place for place, item in enumerate(self._known)}


class AnswerCodes:
    """Numbers the answers to each item from 0, so that a byte holds most of them."""

    def __init__(self, variants: VariantColumns) -> None:
        """Number nothing yet.

        Args:
            variants: The variants that are answered.
        """
        # A store of an early version may hold variants behind those of all items; then an answer has one code for all.
        self._grouped = bool(np.all(variants.item[1:] >= variants.item[:-1]))
        self._variants = variants
        self._item = NONE
        self._codes = Codes()

    def of(self, places: Integers, answers: Iterable[str | None]) -> Iterator[int]:
        """The codes of some answers, −1 where there is none.

        Args:
            places: The positions of the variants that they are to, in order.
            answers: The answers.
        """
        for item, answer in zip(self._variants.item[places].tolist(), answers, strict=True):
            if item != self._item and self._grouped:
                self._item, self._codes = item, Codes()
            yield NONE if answer is None else self._codes[answer]


def read_variants(run: StoredRun) -> VariantColumns:
    """Read the variants of a run's suite.

    Args:
        run: The run; its store must be open.

    Raises:
        StoreError: The store can't be read.
    """
    suite = run.record.suite
    of_items = select(items.c.item_id, items.c.cluster).where(items.c.suite == suite).order_by(items.c.position)
    read = [variants.c[name] for name in ("item_id", "condition", "outcome", "reason", "severity")]
    of_variants = select(*read).where(variants.c.suite == suite).order_by(variants.c.position)
    condition, cause = Codes(), Codes()
    named: dict[str, str] = {}
    columns: tuple[list[Integers], ...] = ([], [], [])
    severities = array("d")
    known: list[str] = []
    labels: list[str] = []
    with run.store.reading() as connection:
        # Rows are let go of block by block: what outlives them would else keep their memory in pieces.
        for ids, clusters in blocks(connection, of_items):
            known += ids
            labels += (named.setdefault(label, label) for label in clusters)
        placing = Placing(known)
        for ids, names, outcomes, reasons, shares in blocks(connection, of_variants):
            block = (
                [*map(placing.place, ids)],
                [condition[name] for name in names],
                [cause[pair] for pair in zip(outcomes, reasons, strict=True)],
            )
            for column, codes in zip(columns, block, strict=True):
                column.append(narrow(codes))
            severities.extend(nan if share is None else share for share in shares)
    item, conditions, causes = map(joined, columns)
    means = tuple(mean_of(np.frombuffer(severities)[conditions == at]) for at in range(len(condition)))
    return VariantColumns(
        items=tuple(map(restored, known)),
        clusters=tuple(map(restored, labels)),
        conditions=tuple(map(restored, condition)),
        causes=tuple((outcome, restored(reason)) for outcome, reason in cause),
        item=item,
        condition=conditions,
        cause=causes,
        severities=means,
    )


def mean_of(severities: NDArray[np.float64]) -> float | None:
    """The mean of the numbers among some; None where there is none."""
    known = severities[~np.isnan(severities)]
    return float(np.mean(known)) if known.size else None


def read_cells(run: StoredRun, read: VariantColumns, *, numbers: bool) -> Iterator[CellColumns]:
    """Read the cells of a run that have a reply, some thousands at a time.

    Args:
        run: The run; its store must be open.
        read: The variants of its suite.
        numbers: Whether all answers are whole numbers, as the options are that a grader of choices reads.

    Raises:
        StoreError: The store can't be read.
    """
    codes = AnswerCodes(read)
    with run.store.reading() as connection:
        for places, repeats, passed, statuses, answers, reasons in blocks(connection, graded_rows(run)):
            variant = np.array(places, dtype=np.int32)
            yield CellColumns(
                variant=variant,
                repeat=np.array(repeats, dtype=np.int32),
                passed=np.array([NONE if each is None else each for each in passed], dtype=np.int8),
                status=np.array([NONE if each is None else STATUS[each] for each in statuses], dtype=np.int8),
                answer=narrow(list(map(number_of, answers) if numbers else codes.of(variant, answers))),
                silent=tuple(restored(each) for each in reasons if each is not None),
            )


def read_payloads(run: StoredRun, conditions: Collection[str]) -> Iterator[tuple[int, Payload]]:
    """The variants of some conditions with their positions, in order, each as the JSON object that it is stored as.

    Args:
        run: The run; its store must be open.
        conditions: Names of the conditions.
    """
    yield from stored_variants(run, variants.c.condition.in_([storable(name) for name in conditions]))


def read_firsts(run: StoredRun, read: VariantColumns) -> dict[str, Payload]:
    """The first variant of each condition, as the JSON object that it is stored as."""
    positions = np.unique(read.condition, return_index=True)[1].tolist()
    payloads = dict(stored_variants(run, variants.c.position.in_(positions)))
    return {name: payloads[position] for name, position in zip(read.conditions, positions, strict=True)}


def stored_variants(run: StoredRun, *which: ColumnElement[bool]) -> Iterator[tuple[int, Payload]]:
    """Variants of a run's suite with their positions, in order, each as the JSON object that it is stored as."""
    chosen = select(variants.c.position, variants.c.payload).where(variants.c.suite == run.record.suite, *which)
    with run.store.reading() as connection:
        rows = connection.execution_options(yield_per=ROWS).execute(chosen.order_by(variants.c.position))
        for position, payload in rows:
            yield position, json.loads(restored(payload))


def graded_rows(run: StoredRun) -> Select[Any]:
    """Variant, repeat, passed, status, answer and, where it is not said whether it passed, the reason of each cell."""
    graded = and_(CURRENT_GRADE, grades.c.grader_key == run.record.grader_key)
    why = case((grades.c.passed.is_(None), grades.c.reason))
    return (
        select(cells.c.variant, cells.c.repeat, grades.c.passed, grades.c.status, grades.c.answer, why)
        .select_from(cells)
        .outerjoin(grades, graded)
        .where(cells.c.run == run.record.number)
        .order_by(cells.c.variant, cells.c.repeat)
    )


def number_of(answer: str | None) -> int:
    """The number that an answer is, −1 where there is none."""
    return NONE if answer is None else int(answer)


def narrow(numbers: Sequence[int]) -> Integers:
    """Whole numbers as an array of as few bytes as hold them."""
    wide = np.array(numbers, dtype=np.int64)
    # A signed type holds −1 − n wherever it holds n, and only signed ones hold what is below 0.
    return wide.astype(np.min_scalar_type(min(wide.min(initial=NONE), NONE - wide.max(initial=0))))


def joined(column: list[Integers]) -> Integers:
    """Blocks of a column as one, in as few bytes as the widest of them; the blocks are let go of."""
    whole = np.concatenate(column) if column else np.zeros(0, dtype=np.int8)
    column.clear()
    return whole


def blocks(connection: Connection, chosen: Select[Any]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Rows in blocks, each as its columns."""
    for rows in connection.execution_options(yield_per=ROWS).execute(chosen).partitions():
        yield tuple(zip(*rows, strict=True))
