"""Nights in the store: what a series of nightly runs decided, a row for each night."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue as Json
from sqlalchemy import delete, func, insert, select

from .database import Store
from .runs import COLUMNS, RunRecord, record
from .schema import nights as table
from .schema import runs, suites

NIGHT, REFERENCE = "night", "reference"
"""The run of a night, and that of the reference that is asked beside it."""


@dataclass(frozen=True, slots=True)
class Night:
    """One night of a series.

    Attributes:
        series: The series.
        night: Its number, from 1.
        run: The number of its run.
        decided_at: When it was decided, or ended without.
        summary: What it came to.
    """

    series: str
    night: int
    run: int
    decided_at: datetime
    summary: Json


def run_name(series: str, what: str) -> str:
    """The name of a night's runs; another one than the config's, so that `prt run` neither takes nor changes them."""
    return f"{series}-{what}"


def put_night(store: Store, series: str, run: int, summary: dict[str, Json], *, night: int | None = None) -> Night:
    """Add a night to a series, or say anew what one came to.

    Args:
        store: The results database.
        series: The series.
        run: The number of its run.
        summary: What it came to; its key `night` becomes the number.
        night: The number of a night that is there; a new one where not given.

    Returns:
        The night.
    """
    with store.writing(alone=True) as connection:
        if night is None:
            last = connection.scalar(select(func.max(table.c.night)).where(table.c.series == series))
            night = (last or 0) + 1
        added = Night(series, night, run, store.now(), {**summary, "night": night})
        connection.execute(delete(table).where(table.c.series == series, table.c.night == night))
        values = {name: getattr(added, name) for name in table.columns.keys()}  # noqa: SIM118 - columns are no dict
        connection.execute(insert(table).values(**values))
    return added


def list_nights(store: Store, series: str) -> list[Night]:
    """The nights of a series, the first one first."""
    with store.reading() as connection:
        rows = connection.execute(select(table).where(table.c.series == series).order_by(table.c.night))
        return [Night(*row) for row in rows]


def list_series(store: Store) -> list[str]:
    """The names of all series, sorted."""
    with store.reading() as connection:
        return sorted(connection.scalars(select(table.c.series).distinct()))


def undecided_run(store: Store, fingerprint: str, *, since: datetime, decided: Collection[int]) -> int | None:
    """The run of a night that was cut off.

    Args:
        store: The results database.
        fingerprint: That of the night's run, as it would begin now.
        since: The earliest beginning that still counts as this night.
        decided: Numbers of the runs of nights that are decided.

    Returns:
        The number of the newest run of this fingerprint; None where there is none, it is decided, or too old.
    """
    newest = select(runs.c.number, runs.c.started_at).where(runs.c.fingerprint == fingerprint)
    with store.reading() as connection:
        row = connection.execute(newest.order_by(runs.c.number.desc()).limit(1)).one_or_none()
    return None if row is None or row.number in decided or row.started_at < since else int(row.number)


def run_of(store: Store, number: int) -> RunRecord:
    """The run of a night, by its number.

    Raises:
        KeyError: There is none.
    """
    with store.reading() as connection:
        row = connection.execute(select(*COLUMNS).where(runs.c.number == number)).mappings().one_or_none()
    if row is None:
        raise KeyError(number)
    return record(row)


def suite_hash_of(store: Store, number: int) -> str:
    """The hash of a suite, by its number."""
    with store.reading() as connection:
        return str(connection.scalar(select(suites.c.hash).where(suites.c.number == number)))
