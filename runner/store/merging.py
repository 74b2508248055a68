"""Taking over what another store holds: runs with all that belongs to them, baselines and nights, each once."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Boolean, CompoundSelect, Connection, Table, func, insert, select, union

from ..errors import StoreError
from .database import Store
from .errors import Refused
from .marks import take_marks
from .rows import replies as raw_replies
from .schema import cells, grades, items, raw, recipes, replies, runs, suites, variants, verdicts
from .upkeep import refuse_if_busy, watch_all
from .writing import next_numbers, put_rows

ROWS = 2_000
"""Rows that are read and written at a time."""
Row = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of taking over another store.

    Attributes:
        place: The store that was added to.
        other: The store that was read.
        added: Ids of the runs that are new here.
        known: Ids of the runs that were here already, and stay as they are.
        behind: Of these, how many cells more each has in the other store, where it has more.
        rows: How many rows each table was given.
        other_baselines: Names of baselines that stand for another run here, and stay so.
        other_series: Series of nights that are other ones here, and stay so.
    """

    place: str
    other: str
    added: tuple[str, ...]
    known: tuple[str, ...]
    behind: Mapping[str, int]
    rows: Mapping[str, int]
    other_baselines: tuple[str, ...] = ()
    other_series: tuple[str, ...] = ()


@dataclass(slots=True)
class _Merging:
    """Two stores, and what the numbers of one are in the other; 0 where there is none yet."""

    here: Connection
    there: Connection
    runs: dict[int, int] = field(default_factory=dict)
    suites: dict[int, int] = field(default_factory=dict)
    replies: "array[int]" = field(default_factory=lambda: array("q"))
    rows: dict[str, int] = field(default_factory=dict)

    def number_of(self, reply: int) -> int:
        """The number here of a reply of the other store."""
        number = self.replies[reply] if reply < len(self.replies) else 0
        if not number:
            raise Refused(
                "the other store refers to a reply that it does not have; `prt store check` says what is wrong."
            )
        return number

    def copy(self, table: Table, found: Iterator[Row], columns: Sequence[str]) -> None:
        """Write rows, so many at a time."""
        switches = [at for at, name in enumerate(columns) if isinstance(table.c[name].type, Boolean)]
        for some in in_blocks(found):
            taken = [truthful(row, switches) for row in some] if switches else some
            put_rows(self.here, table.name, tuple(columns), taken)
            self.rows[table.name] = self.rows.get(table.name, 0) + len(some)


def merge(store: Store, other: Store) -> Merged:
    """Add the runs of another store to this one, in one transaction; the other stays as it is.

    A run is known by its id. One that is here already is left alone, so the same merge again adds nothing.

    Args:
        store: The store to add to.
        other: The store to read.

    Raises:
        StoreError: A run of the other store is being worked on, or one of the stores refuses; nothing was added then.
    """
    if store.place == other.place:
        raise StoreError(f"{store.place}: this is the store itself; name another one to merge into it.")
    watch_all(other)
    with other.reading() as there, store.writing(alone=True) as here:
        refuse_if_busy(there, other)
        work = _Merging(here, there)
        known = {row.id: row.number for row in here.execute(select(runs.c.id, runs.c.number))}
        theirs = there.execute(select(runs.c.number, runs.c.id, runs.c.suite).order_by(runs.c.number)).all()
        added = [row for row in theirs if row.id not in known]
        work.runs = {row.number: known[row.id] for row in theirs if row.id in known}
        behind = _behind(work, {row.number: row.id for row in theirs if row.id in known})
        if added:
            _add_suites(work, {row.suite for row in added})
            _add_runs(work, [row.number for row in added])
            _add_replies(work, [row.number for row in added])
            for table in (cells, grades, verdicts):
                _add_results(work, table, [row.number for row in added])
        marks = take_marks(here, there, work.runs)
    return Merged(
        place=store.place,
        other=other.place,
        added=tuple(row.id for row in added),
        known=tuple(row.id for row in theirs if row.id in known),
        behind=behind,
        rows={**work.rows, **marks.rows},
        other_baselines=marks.baselines,
        other_series=marks.series,
    )


def in_blocks(rows: Iterator[T]) -> Iterator[list[T]]:
    """Rows in lists."""
    while some := list(islice(rows, ROWS)):
        yield some


def truthful(row: Row, switches: Sequence[int]) -> Row:
    """A row with truth values where SQLite has 0 and 1."""
    return tuple(bool(value) if at in switches and value is not None else value for at, value in enumerate(row))


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _read(there: Connection, table: Table, *, among: CompoundSelect[Any] | None = None, **equal: int) -> Iterator[Row]:
    """The rows of a table with these values, as the driver has them, in the order of their keys.

    Args:
        there: The store that is read.
        table: The table.
        among: Its first column must be one of what this selects.
        **equal: Columns and their values.
    """
    bare = raw(table)
    chosen = select(bare).where(*(bare.c[name] == value for name, value in equal.items()))
    if among is not None:
        chosen = chosen.where(bare.c[_names(table)[0]].in_(among))
    chosen = chosen.order_by(*(bare.c[column.name] for column in table.primary_key))
    with there.execute(chosen, execution_options={"yield_per": ROWS}) as rows:
        yield from (tuple(row) for row in rows)


def _behind(work: _Merging, known: Mapping[int, str]) -> dict[str, int]:
    """How many cells more the other store has of runs that are here."""
    behind = {}
    for number, run in known.items():
        counts = [
            connection.scalar(select(func.count()).select_from(cells).where(cells.c.run == of_run)) or 0
            for connection, of_run in ((work.there, number), (work.here, work.runs[number]))
        ]
        if counts[0] > counts[1]:
            behind[run] = counts[0] - counts[1]
    return behind


def _add_suites(work: _Merging, numbers: set[int]) -> None:
    """Add the suites of new runs that are not here, with what they were made of."""
    for number in sorted(numbers):
        digest = work.there.scalar(select(suites.c.hash).where(suites.c.number == number))
        here = work.here.scalar(select(suites.c.number).where(suites.c.hash == digest))
        if here is None:
            adding = insert(suites).values(hash=digest).returning(suites.c.number)
            here = work.here.execute(adding).scalar_one()
            for table in (items, variants):
                rows = _read(work.there, table, suite=number)
                work.copy(table, ((here, *row[1:]) for row in rows), _names(table))
        work.suites[number] = here
        _add_recipes(work, number, here)


def _add_recipes(work: _Merging, number: int, here: int) -> None:
    known = set(work.here.scalars(select(recipes.c.hash)))
    rows = _read(work.there, recipes, suite=number)
    work.copy(recipes, ((row[0], here, *row[2:]) for row in rows if row[0] not in known), _names(recipes))


def _add_runs(work: _Merging, numbers: Sequence[int]) -> None:
    """Add new runs under numbers of their own."""
    suite = _names(runs).index("suite")
    for number in numbers:
        (row,) = _read(work.there, runs, number=number)
        moved = (*row[:suite], work.suites[row[suite]], *row[suite + 1 :])
        columns = _names(runs)[1:]
        work.copy(runs, iter([moved[1:]]), columns)
        work.runs[number] = work.here.execute(select(runs.c.number).where(runs.c.id == row[1])).scalar_one()


def _add_replies(work: _Merging, added: Sequence[int]) -> None:
    """Add the replies of new runs, and those of known runs that new ones use and that are not here."""
    last = work.there.scalar(select(func.max(raw_replies.c.id))) or 0
    work.replies = array("q", bytes(8 * (last + 1)))
    used = union(*(select(table.c.reply_id).where(table.c.run.in_(list(added))) for table in (cells, grades, verdicts)))
    for number, here in work.runs.items():
        found: Iterator[tuple[Row, int | None]]
        if number in added:
            found = ((row, None) for row in _read(work.there, replies, run=number))
        else:
            rows = _read(work.there, replies, among=used, run=number)
            found = ((row, _same_reply(work, here, row)) for row in rows)
        for some in in_blocks(found):
            _add_block(work, here, some)


def _same_reply(work: _Merging, run: int, row: Row) -> int | None:
    """The number of a reply that is here already; None where it is not."""
    known = dict(zip(_names(replies), row, strict=True))
    place = (raw_replies.c[name] == known[name] for name in ("cell_key", "created_at", "text"))
    found: int | None = work.here.scalar(select(func.min(raw_replies.c.id)).where(raw_replies.c.run == run, *place))
    return found


def _add_block(work: _Merging, run: int, some: Sequence[tuple[Row, int | None]]) -> None:
    new = [row for row, known in some if known is None]
    numbers = next_numbers(work.here, len(new)) if new else []
    for row, known in some:
        if known is not None:
            work.replies[row[0]] = known
    for row, number in zip(new, numbers, strict=True):
        work.replies[row[0]] = number
    moved = ((number, run, *row[2:]) for row, number in zip(new, numbers, strict=True))
    work.copy(replies, moved, _names(replies))


def _add_results(work: _Merging, table: Table, added: Sequence[int]) -> None:
    """Add what refers to replies: cells, grades or verdicts."""
    names = _names(table)
    reply = names.index("reply_id")
    for number in added:
        rows = _read(work.there, table, run=number)
        here = work.runs[number]
        moved = ((here, *row[1:reply], work.number_of(row[reply]), *row[reply + 1 :]) for row in rows)
        work.copy(table, moved, names)
