"""Taking over what another store says of its runs: the baselines that people pinned, and the nights of series."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Table, select

from .schema import baselines, nights, raw
from .writing import put_rows

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """What came of it.

    Attributes:
        rows: How many rows each table was given.
        baselines: Names that stand for another run here, and stay so.
        series: Series whose nights here are other ones than there; nothing of these was taken over.
    """

    rows: Mapping[str, int]
    baselines: tuple[str, ...]
    series: tuple[str, ...]


def take_marks(here: Connection, there: Connection, runs: Mapping[int, int]) -> Marks:
    """Add the baselines and nights of another store that are not here.

    Args:
        here: In a writing transaction.
        there: The store that is read.
        runs: The number here of each run of the other store.
    """
    pinned = {str(row[0]): row for row in _moved(there, baselines, runs)}
    known = {str(row[0]): row for row in _rows(here, baselines)}
    history, ours = _by_series(_moved(there, nights, runs)), _by_series(_rows(here, nights))
    other = sorted(name for name, theirs in history.items() if not _agree(theirs, ours.get(name, {})))
    new = {
        baselines: [row for name, row in pinned.items() if name not in known],
        nights: [
            row
            for name, theirs in history.items()
            if name not in other
            for night, row in theirs.items()
            if night not in ours.get(name, {})
        ],
    }
    for table, rows in new.items():
        put_rows(here, table.name, tuple(column.name for column in table.columns), rows)
    return Marks(
        {table.name: len(rows) for table, rows in new.items() if rows},
        tuple(sorted(name for name, row in pinned.items() if name in known and known[name][1] != row[1])),
        tuple(other),
    )


def _rows(connection: Connection, table: Table) -> Sequence[Row]:
    """All rows of a table, as the driver has them, in the order of their keys."""
    bare = raw(table)
    chosen = select(bare).order_by(*(bare.c[column.name] for column in table.primary_key))
    return [tuple(row) for row in connection.execute(chosen)]


def _moved(there: Connection, table: Table, runs: Mapping[int, int]) -> Iterator[Row]:
    """The rows of the other store, with the numbers that their runs have here."""
    at = list(table.columns.keys()).index("run")
    for row in _rows(there, table):
        number = row[at]
        if isinstance(number, int) and number in runs:
            yield (*row[:at], runs[number], *row[at + 1 :])


def _by_series(rows: Iterator[Row] | Sequence[Row]) -> dict[str, dict[int, Row]]:
    """Nights by series and number."""
    found: dict[str, dict[int, Row]] = {}
    for row in rows:
        found.setdefault(str(row[0]), {})[int(str(row[1]))] = row
    return found


def _agree(theirs: Mapping[int, Row], ours: Mapping[int, Row]) -> bool:
    """Whether the nights that both have are of the same runs; one of the two has no more than the other then."""
    return all(theirs[night][2] == ours[night][2] for night in theirs.keys() & ours.keys())
