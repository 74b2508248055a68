"""Giving back what a store takes beyond its rows."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from .database import Store
from .errors import Refused
from .lease import is_worked_on, watch
from .processes import Process
from .schema import metadata, runs

RUNNING = select(runs.c.id, runs.c.state, runs.c.owner, runs.c.alive_at).where(runs.c.state == "running")
SIZES = "SELECT sum(pg_total_relation_size(to_regclass(name))) FROM unnest(%s::text[]) AS name"


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """What became of a store's size.

    Attributes:
        place: The store.
        before: Bytes on the disk before.
        after: Bytes on the disk now.
    """

    place: str
    before: int
    after: int


def vacuum(store: Store) -> Vacuumed:
    """Write a store anew, without the room that removed and replaced rows left.

    SQLite needs as much free disk as the store takes; PostgreSQL as much as its largest table.

    Args:
        store: The results database.

    Raises:
        StoreError: A run is being worked on, the store is in use, or the disk is full; nothing is lost then.
    """
    watch_all(store)
    with store.maintaining() as connection:
        refuse_if_busy(connection, store)
        before = size_of(connection)
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("VACUUM")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            for table in metadata.sorted_tables:
                connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {table.name}")
        return Vacuumed(store.place, before, size_of(connection))


def watch_all(store: Store) -> None:
    """See whether all who work on runs are still there; before `refuse_if_busy`, and outside of any transaction."""
    with store.reading() as connection:
        found = [dict(row) for row in connection.execute(RUNNING).mappings()]
    watch(store, found)


def refuse_if_busy(connection: Connection, store: Store) -> None:
    """Refuse while a process works on a run: it would have to wait, and could give up."""
    for row in connection.execute(RUNNING).mappings().all():
        if is_worked_on(connection, store, dict(row)):
            name = Process.read(row["owner"]).name
            raise Refused(f"the run {row['id']} is being worked on ({name}); try again once it has ended.")


def size_of(connection: Connection) -> int:
    """Bytes that a store takes on the disk: its pages, or its tables with their indexes."""
    if connection.dialect.name == "sqlite":
        pages, size = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size")
        )
        return int(pages) * int(size)
    names = [table.name for table in metadata.sorted_tables]
    return int(connection.exec_driver_sql(SIZES, (names,)).scalar_one())
