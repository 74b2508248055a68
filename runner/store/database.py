"""The results database: opening it, and transactions on it.

What is read and written through it stands in `store_runs`, `store_results` and `store_read`.

SQLite in WAL mode with `synchronous=FULL`: a commit returns when its rows are on the disk, so a result that counts as
done survives a power cut, not only a crash. Reading never waits for writing; writers take turns, each for one short
transaction. PostgreSQL is used with `synchronous_commit=on`; writers there wait for one another only where they decide
what is made at all.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from ..errors import StoreError
from ..masking import keep_secrets
from .errors import translated
from .migrations import create, migrate, version_of
from .processes import Process, Watch
from .schema import SCHEMA_VERSION

Clock = Callable[[], datetime]

WRITE = "prt_write"
TURN = "SELECT pg_advisory_xact_lock(hashtext('prt ' || current_schema()))"
"""Waits until no other transaction on the same store has it; SQLite's writers take turns by themselves."""
CONNECT_S = 10
WAL_KEPT = 1 << 25
"""Bytes of SQLite's write-ahead log that stay on the disk while a store is open."""
READ_ONLY = {"sqlite": "PRAGMA query_only=ON", "postgresql": "SET default_transaction_read_only = on"}


def utc_now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


class Store:
    """An open results database; a context manager that closes it.

    Attributes:
        place: What people are shown: the file, or the URL without its password.
        now: Tells the time that rows are stamped with.
        owner: This process, as written into the runs that it works on.
        watch: How signs of life of other processes are waited for.
        silent: Those that were watched and gave none, with the last ones before that, by the numbers of their runs.
    """

    def __init__(self, engine: Engine, *, place: str, now: Clock, watch: Watch) -> None:
        self._engine = engine
        # SQLite's readers see one state by themselves.
        one_state = {} if is_sqlite(engine) else {"isolation_level": "REPEATABLE READ"}
        self._reader = engine.execution_options(**one_state)
        self._writer = engine.execution_options(**{WRITE: True})
        self.place = place
        self.now = now
        self.owner = str(Process.this())
        self.watch = watch
        self.silent: dict[str, Mapping[int, datetime]] = {}

    def __repr__(self) -> str:
        """The place alone: an engine may know a password."""
        return f"Store({self.place!r})"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store; never waits for a writer."""
        with translated(self.place), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """A transaction that writes, on disk when the block ends; waits for its turn; undone by an exception.

        Args:
            alone: Whether what it writes depends on what no other such transaction may change meanwhile.
        """
        with translated(self.place), self._writer.connect() as connection, connection.begin():
            if alone and not is_sqlite(self._engine):
                connection.exec_driver_sql(TURN)
            yield connection

    @contextmanager
    def writing_alone(self) -> Iterator[Connection]:
        """`writing(alone=True)`."""
        with self.writing(alone=True) as connection:
            yield connection

    @contextmanager
    def maintaining(self) -> Iterator[Connection]:
        """A connection without a transaction, for what a database does outside of any."""
        kept = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with translated(self.place), kept.connect() as connection:
            yield connection

    def prepare(self, *, may_create: bool, may_write: bool = True) -> None:
        """Make, upgrade or refuse what is there."""
        with self.reading() as connection:
            version = version_of(connection)
        if version is None and not may_create:
            raise StoreError(f"{self.place}: there are no results in it yet; `prt run` fills it.")
        if version is not None and version < SCHEMA_VERSION and not may_write:
            raise StoreError(
                f"{self.place}: the store is of an older prt (schema {version}) and is only read here; `prt runs` with "
                "this store brings it up to date."
            )
        version = self._created() if version is None else version
        with translated(self.place):
            migrate(self.writing_alone, version)

    def _created(self) -> int:
        """Make the tables, unless another process has just done so."""
        if is_sqlite(self._engine):
            with translated(self.place), self._engine.connect() as connection:
                # Journal mode is kept in the file and can't be changed inside a transaction.
                connection.connection.cursor().execute("PRAGMA journal_mode=WAL").close()
        with self.writing_alone() as connection:
            version = version_of(connection)
            if version is None:
                create(connection)
            return SCHEMA_VERSION if version is None else version

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def open_store(
    address: str,
    *,
    base: Path | None = None,
    may_create: bool = True,
    may_write: bool = True,
    now: Clock = utc_now,
    watch: Watch = Watch(),  # noqa: B008 - it can't be changed
    busy_timeout_s: float = 30.0,
) -> Store:
    """Open a results database, making or upgrading it where needed.

    Args:
        address: A file, or an SQLAlchemy URL of SQLite or PostgreSQL.
        base: The folder that a relative file starts from; the working directory where not given.
        may_create: Whether a store that does not exist is made; without, it is an error.
        may_write: Whether anything is written; without, the database itself refuses that, and nothing is made.
        now: Tells the time.
        watch: How it is found out whether another process, of another machine, still works on a run.
        busy_timeout_s: Seconds to wait while another program holds the store.

    Returns:
        The store; close it, or use it as a context manager.

    Raises:
        StoreError: It can't be opened or is no prt store, with what to do about it.
    """
    may_create = may_create and may_write
    url = checked_url(address, base=base, may_create=may_create)
    place = place_of(url)
    keep_secrets(filter(None, [url.password]))
    with translated(place):
        engine = connect(url, busy_timeout_s)
        if not may_write:
            event.listen(engine, "connect", partial(only_read, statement=READ_ONLY[engine.dialect.name]))
        store = Store(engine, place=place, now=now, watch=watch)
    try:
        store.prepare(may_create=may_create, may_write=may_write)
    except BaseException:
        store.close()
        raise
    return store


def checked_url(address: str, *, base: Path | None = None, may_create: bool = True) -> URL:
    """Read the address of a results database, and refuse what can't become or be one; nothing is opened.

    Args:
        address: As `open_store` takes it.
        base: Likewise.
        may_create: Likewise.

    Raises:
        StoreError: It can't be one, with what to do about it.
    """
    url = store_url(address, base=base or Path())
    if url.get_backend_name() == "sqlite" and not is_uri(url):
        check_file(Path(url.database or ""), may_create=may_create)
    return url


def store_url(address: str, *, base: Path) -> URL:
    """Read what `store:` says: a file, or the URL of a database that prt can use.

    Raises:
        StoreError: It names no such database.
    """
    if "://" not in address:
        return URL.create("sqlite", database=str(base / Path(address).expanduser()))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        # Neither the address nor the error's text is shown: there may be a password in them.
        raise StoreError("store: this is no database address; use a file, or postgresql://user@host/name.") from None
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"store: prt keeps results in SQLite or PostgreSQL, not in {url.drivername}.")
    if url.get_backend_name() == "sqlite" and not is_uri(url):
        return url.set(database=str(base / sqlite_file(url)))
    return url


def sqlite_file(url: URL) -> str:
    """The file of an SQLite URL; a database in memory would lose the results."""
    if url.database in (None, "", ":memory:"):
        raise StoreError("store: a database in memory would lose the results; name a file, as in sqlite:///prt.db.")
    return url.database


def is_uri(url: URL) -> bool:
    """Whether an SQLite URL holds a `file:` URI, which SQLite reads by itself."""
    return bool(url.database and url.database.startswith("file:"))


def place_of(url: URL) -> str:
    """What people are shown of an address: the file, or the URL without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def check_file(path: Path, *, may_create: bool) -> None:
    """Refuse a path that can't become or be a store, in words that SQLite does not have."""
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder; name a file in it as `store`, such as {path / 'prt.db'}.")
    if not path.parent.is_dir():
        raise StoreError(f"{path}: the folder {path.parent} does not exist; make it, or name another store.")
    if not may_create and not path.exists():
        raise StoreError(f"{path}: there is no such store; `prt run` makes one.")


def connect(url: URL, busy_timeout_s: float) -> Engine:
    """Make the engine; nothing is opened before its first use."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": busy_timeout_s})
        event.listen(engine, "connect", set_up_sqlite)
        event.listen(engine, "begin", begin_sqlite)
        return engine
    try:
        engine = create_engine(url, connect_args={"connect_timeout": CONNECT_S})
    except ModuleNotFoundError as error:
        raise StoreError(
            f"PostgreSQL needs the package {error.name}: pip install 'prompt-robustness[postgres]'."
        ) from None
    event.listen(engine, "connect", partial(set_up_postgresql, busy_timeout_s=busy_timeout_s))
    return engine


def is_sqlite(engine: Engine) -> bool:
    """Whether an engine is one of SQLite, not of PostgreSQL."""
    return engine.dialect.name == "sqlite"


def set_up_postgresql(connection: DBAPIConnection, _record: ConnectionPoolEntry, *, busy_timeout_s: float) -> None:
    """Settings that PostgreSQL keeps per connection."""
    cursor = connection.cursor()
    cursor.execute("SET synchronous_commit = on")
    cursor.execute(f"SET lock_timeout = {round(busy_timeout_s * 1000)}")
    cursor.close()
    connection.commit()


def set_up_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    """Settings that SQLite keeps per connection."""
    # The driver would begin transactions late and not before DDL; `begin_sqlite` begins them instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA synchronous=FULL")
    # Keys come in random order, so their index touches many pages: 8 MiB of them are kept, and written back less often.
    cursor.execute("PRAGMA cache_size=-8192")
    cursor.execute("PRAGMA wal_autocheckpoint=4000")
    # A large suite is put down in one transaction; what that took beside the file is given back afterwards.
    cursor.execute(f"PRAGMA journal_size_limit={WAL_KEPT}")
    cursor.close()


def only_read(connection: DBAPIConnection, _record: ConnectionPoolEntry, *, statement: str) -> None:
    """Let the database refuse whatever would write."""
    cursor = connection.cursor()
    cursor.execute(statement)
    cursor.close()
    connection.commit()


def begin_sqlite(connection: Connection) -> None:
    """Begin for writing at once where that is meant: a reader that turns writer can fail instead of waiting."""
    options = connection.get_execution_options()
    if options.get("isolation_level") == "AUTOCOMMIT":
        return
    writes = options.get(WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
