"""What a store holds of a run before it goes on: whether anything is of use, and which cells need nothing more."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select

from ...perturbations.perturb import BASELINE
from ..records import Status
from .database import Store
from .rows import CURRENT_GRADE
from .rows import cells as cells_raw
from .rows import grades as grades_raw
from .rows import variants as variants_raw
from .runs import RunRecord
from .schema import replies, restored

ROWS = 10_000


def has_replies_for(store: Store, run: RunRecord) -> bool:
    """Whether any reply could serve a run: one of its own, or of another run where it is not fresh.

    Args:
        store: The results database.
        run: The run.
    """
    usable = exists().where(replies.c.run == run.number) if run.fresh else exists(select(replies.c.id))
    with store.reading() as connection:
        return bool(connection.execute(select(usable)).scalar_one())


@dataclass(frozen=True, slots=True)
class Kind:
    """What cells have in common that count as one: their condition, and how they were graded."""

    condition: str
    status: Status
    passed: bool | None


class Settled:
    """The cells of a run that have a result and need nothing more.

    Attributes:
        counts: How many there are of each kind.
    """

    def __init__(self, counts: Mapping[Kind, int], *, repeats: int, numbers: Iterable[int] | None = None) -> None:
        """Note them, a bit each where they are not all that there are.

        Args:
            counts: How many there are of each kind.
            repeats: How often each variant of the run is asked.
            numbers: The number of each: variant × repeats + repeat. None where these are all cells of the run.
        """
        self.counts = counts
        self._repeats = repeats
        self._bits = None if numbers is None else bits_of(numbers)

    def has(self, variant: int, repeat: int) -> bool:
        """Whether a cell needs nothing more."""
        if self._bits is None:
            return True
        place, bit = divmod(variant * self._repeats + repeat, 8)
        return place < len(self._bits) and bool(self._bits[place] & (1 << bit))

    def __len__(self) -> int:
        return sum(self.counts.values())


def bits_of(numbers: Iterable[int]) -> bytearray:
    """A bit for each number, that of 0 the lowest of the first byte."""
    bits = bytearray()
    for number in numbers:
        place = number >> 3
        if place >= len(bits):
            bits.extend(bytes(place + 1 - len(bits)))
        bits[place] |= 1 << (number & 7)
    return bits


def settled_cells(store: Store, run: RunRecord, *, total: int) -> Settled:
    """Find the cells of a run that have a result by its grader.

    They are counted by the database; one by one they are only looked at where some are missing.

    Args:
        store: The results database.
        run: The run. Where its cells' keys may not be what they would be now, each cell has to be looked up instead,
            and none is found.
        total: How many cells the run has.
    """
    if not run.keys_hold:
        return Settled({}, repeats=run.repeats, numbers=())
    number = (cells_raw.c.variant * run.repeats + cells_raw.c.repeat).label("number")
    with store.reading() as connection:
        counts = settled_kinds(connection, run)
        if sum(counts.values()) == total:
            return Settled(counts, repeats=run.repeats)
        found = connection.execution_options(yield_per=ROWS).scalars(settled_rows(run, number))
        return Settled(counts, repeats=run.repeats, numbers=found)


def progress_of(store: Store, run: RunRecord) -> tuple[int, int]:
    """How many cells of a run have a result by its grader, and how many cells it has."""
    asked = or_(variants_raw.c.condition == BASELINE, variants_raw.c.outcome == "applied")
    places = select(func.count()).select_from(variants_raw).where(variants_raw.c.suite == run.suite, asked)
    settled = settled_rows(run, func.count())
    with store.reading() as connection:
        return connection.execute(settled).scalar_one(), run.repeats * connection.execute(places).scalar_one()


def settled_kinds(connection: Connection, run: RunRecord) -> dict[Kind, int]:
    """How many cells of each kind have a result by the grader of a run."""
    by_variant = settled_rows(
        run, cells_raw.c.variant, grades_raw.c.status, grades_raw.c.passed, func.count().label("settled")
    )
    several = by_variant.group_by(cells_raw.c.variant, grades_raw.c.status, grades_raw.c.passed).subquery()
    kind = variants_raw.c.condition, several.c.status, several.c.passed
    chosen = (
        select(*kind, func.sum(several.c.settled))
        .select_from(several)
        .join(variants_raw, and_(variants_raw.c.suite == run.suite, variants_raw.c.position == several.c.variant))
        .group_by(*kind)
    )
    return {
        Kind(restored(condition), status, None if passed is None else bool(passed)): int(count)
        for condition, status, passed, count in connection.execute(chosen)
    }


def settled_rows(run: RunRecord, *columns: ColumnElement[Any]) -> Select[Any]:
    """Columns of the cells of a run that have a result by its grader, with their grades."""
    unsettled = ["judge_error"] if "error" in run.reuse else ["judge_error", "error"]
    return (
        select(*columns)
        .select_from(cells_raw)
        .join(grades_raw, and_(CURRENT_GRADE, grades_raw.c.grader_key == run.grader_key))
        .where(cells_raw.c.run == run.number, grades_raw.c.status.not_in(unsettled))
    )
