"""How an older store becomes a current one: an ordered list of named steps, each in a transaction of its own.

A new store is created at the current version at once. Whoever changes a table in `store_schema` raises
`SCHEMA_VERSION` there and appends the step that brings existing stores along; steps that were released never change.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, Inspector, insert, inspect, select, update
from sqlalchemy.exc import SQLAlchemyError

from .errors import Refused, sentence
from .numbering import number_cells
from .schema import APPLICATION, SCHEMA_VERSION, meta, metadata

Transaction = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from a version to the next.

    Attributes:
        version: The schema version that the store has afterwards.
        name: What the step does, in a few words; shown when it fails.
        apply: Makes the change, inside a transaction.
    """

    version: int
    name: str
    apply: Callable[[Connection], None]


STRANGER = "this is a database of another program, not a prt store; name another one as `store`."


def keep_verdicts(connection: Connection) -> None:
    """Add the table of what people said of replies that a grader had graded."""
    rowid = " WITHOUT ROWID" if connection.dialect.name == "sqlite" else ""
    connection.exec_driver_sql(
        "CREATE TABLE verdicts (run INTEGER NOT NULL, item_id TEXT NOT NULL, condition TEXT NOT NULL, "
        "repeat INTEGER NOT NULL, grader_key VARCHAR(16) NOT NULL, reply_id INTEGER NOT NULL, "
        "verdict VARCHAR(6) NOT NULL, judged_at VARCHAR(32) NOT NULL, "
        "PRIMARY KEY (run, item_id, condition, repeat, grader_key, reply_id), "
        f"FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(reply_id) REFERENCES replies (id)){rowid}"
    )


def keep_baselines(connection: Connection) -> None:
    """Add the tables of pinned runs and of nights, and what endpoints say of the machinery behind a reply."""
    connection.exec_driver_sql(
        "CREATE TABLE baselines (name TEXT NOT NULL, run INTEGER NOT NULL, set_at VARCHAR(32) NOT NULL, "
        "PRIMARY KEY (name), FOREIGN KEY(run) REFERENCES runs (number))"
    )
    connection.exec_driver_sql(
        "CREATE TABLE nights (series TEXT NOT NULL, night INTEGER NOT NULL, run INTEGER NOT NULL, "
        "decided_at VARCHAR(32) NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (series, night), "
        "FOREIGN KEY(run) REFERENCES runs (number))"
    )
    connection.exec_driver_sql("ALTER TABLE replies ADD COLUMN fingerprint TEXT NOT NULL DEFAULT ''")


MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "keep what people say of grades", keep_verdicts),
    Migration(3, "name cells by numbers", number_cells),
    Migration(4, "keep baselines, nights and fingerprints", keep_baselines),
)


def version_of(connection: Connection) -> int | None:
    """Tell the schema version of a store.

    Returns:
        The version; None where the database is empty and may become a store.

    Raises:
        Refused: The database belongs to something else.
    """
    inspector = inspect(connection)
    if not occupied(inspector, connection.dialect.name):
        return None
    if not inspector.has_table(meta.name):
        raise Refused(STRANGER)
    return read_version(connection)


def occupied(inspector: Inspector, dialect: str) -> bool:
    """Whether tables are there that rule out a new store: any at all in a file, those of our names in a server."""
    tables = set(inspector.get_table_names())
    return bool(tables if dialect == "sqlite" else tables & set(metadata.tables))


def read_version(connection: Connection) -> int:
    """Read the version from the `meta` table, if that is ours."""
    columns = {column["name"] for column in inspect(connection).get_columns(meta.name)}
    rows = connection.execute(select(meta.c.key, meta.c.value)).all() if {"key", "value"} <= columns else []
    facts = {row.key: row.value for row in rows}
    version = facts.get("schema_version", "")
    if facts.get("application") != APPLICATION or not version.isdecimal():
        raise Refused(STRANGER)
    return int(version)


def create(connection: Connection) -> None:
    """Make the tables of a new store, in the transaction that is open."""
    metadata.create_all(connection)
    facts = {"application": APPLICATION, "schema_version": str(SCHEMA_VERSION)}
    connection.execute(insert(meta), [{"key": key, "value": value} for key, value in facts.items()])


def migrate(
    transaction: Transaction,
    version: int,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
    target: int = SCHEMA_VERSION,
) -> None:
    """Bring a store from its version to the current one.

    Args:
        transaction: Opens a writing transaction.
        version: The store's version.
        migrations: The steps, in order of their versions.
        target: The version that this prt reads and writes.

    Raises:
        Refused: The store is newer than this prt, or a step failed.
    """
    if version > target:
        raise Refused(
            f"the store was written by a newer prt (schema {version}; this prt knows up to {target}); "
            "upgrade prt, or name another store."
        )
    for step in migrations:
        if step.version > version:
            with transaction() as connection:
                take(step, connection)


def take(step: Migration, connection: Connection) -> None:
    """Apply one step, unless another process took it in the meantime."""
    if read_version(connection) >= step.version:
        return
    try:
        step.apply(connection)
    except SQLAlchemyError as error:
        raise Refused(
            f"upgrading it to schema {step.version} ({step.name}) failed and was undone: {sentence(error)}"
        ) from error
    connection.execute(update(meta).where(meta.c.key == "schema_version").values(value=str(step.version)))
