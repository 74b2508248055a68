"""A stored run in columns: its variants and its graded cells as arrays, without an object for each of them.

A million cells take some tens of MiB and a few seconds. Whatever is one of few values stands as an integer code.
"""

import json
from array import array
from collections.abc import Collection, Iterator
from dataclasses import dataclass
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
ROWS = 10_000
"""Rows that are read and turned into arrays at a time."""
NONE = -1
MASK = (1 << 63) - 1

Integers = NDArray[np.int32]
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
        severity: Words edited / eligible words; NaN where the variant is not applied, or its generator edits no words.
    """

    items: tuple[str, ...]
    clusters: tuple[str, ...]
    conditions: tuple[str, ...]
    causes: tuple[tuple[str, str], ...]
    item: Integers
    condition: Integers
    cause: Integers
    severity: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CellColumns:
    """Some cells that have a reply, in the order of the dataset.

    Attributes:
        variant: The position of each cell's variant in the run's suite.
        repeat: The repeat, from 0.
        passed: 1 pass, 0 fail, −1 where the grade does not say, or there is none yet.
        status: The place of the grade's status in `STATUSES`; −1 where the run's grader has not graded the reply yet.
        answer: A code of the answer that was read, −1 where none was. It is equal for equal answers; where answers are
            read as numbers, it is the number.
        silent: Why a grade does not say whether the reply passes, for those cells that have such a grade, in order.
    """

    variant: Integers
    repeat: Integers
    passed: Flags
    status: Flags
    answer: NDArray[np.int64]
    silent: tuple[str, ...]


class Codes(dict[Any, int]):
    """Numbers values from 0, in the order in which they first come."""

    def __missing__(self, value: Any) -> int:
        """The next number."""
        self[value] = number = len(self)
        return number


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
    item, conditions, causes, severities = array("i"), array("i"), array("i"), array("d")
    with run.store.reading() as connection:
        known = connection.execute(of_items).all()
        places = {stored: place for place, (stored, _) in enumerate(known)}
        for ids, names, outcomes, reasons, shares in blocks(connection, of_variants):
            item.extend(places[stored] for stored in ids)
            conditions.extend(condition[name] for name in names)
            causes.extend(cause[pair] for pair in zip(outcomes, reasons, strict=True))
            severities.extend(nan if share is None else share for share in shares)
    return VariantColumns(
        items=tuple(restored(stored) for stored, _ in known),
        clusters=tuple(restored(stored) for _, stored in known),
        conditions=tuple(map(restored, condition)),
        causes=tuple((outcome, restored(reason)) for outcome, reason in cause),
        item=np.frombuffer(item, dtype=np.int32),
        condition=np.frombuffer(conditions, dtype=np.int32),
        cause=np.frombuffer(causes, dtype=np.int32),
        severity=np.frombuffer(severities, dtype=np.float64),
    )


def read_cells(run: StoredRun, *, numbers: bool) -> Iterator[CellColumns]:
    """Read the cells of a run that have a reply, some thousands at a time.

    Args:
        run: The run; its store must be open.
        numbers: Whether all answers are whole numbers, as the options are that a grader of choices reads.

    Raises:
        StoreError: The store can't be read.
    """
    code = number_of if numbers else code_of
    with run.store.reading() as connection:
        for places, repeats, passed, statuses, answers, reasons in blocks(connection, graded_rows(run)):
            yield CellColumns(
                variant=np.array(places, dtype=np.int32),
                repeat=np.array(repeats, dtype=np.int32),
                passed=np.array([NONE if each is None else each for each in passed], dtype=np.int8),
                status=np.array([NONE if each is None else STATUS[each] for each in statuses], dtype=np.int8),
                answer=np.array([NONE if each is None else code(each) for each in answers], dtype=np.int64),
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


def code_of(answer: str) -> int:
    """A code of an answer, the same for the same one.

    Two different answers share it with a chance of 1 to 2⁶³, so no table of all answers is kept.
    """
    return hash(answer) & MASK


def number_of(answer: str) -> int:
    """The number that an answer is."""
    return int(answer)


def blocks(connection: Connection, chosen: Select[Any]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Rows in blocks, each as its columns."""
    for rows in connection.execution_options(yield_per=ROWS).execute(chosen).partitions():
        yield tuple(zip(*rows, strict=True))
