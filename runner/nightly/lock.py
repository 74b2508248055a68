"""The lock of a series of nights: two processes never work on one series at once.

Beside a store that is a file it is a lock on a file of its own; in a server it is an advisory lock of a connection that
stays open. Both end with the process that holds them, however that ends, so no lock is ever left behind.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ..errors import StoreError, UsageError
from ..file_lock import HELD, try_lock
from ..problems import quoted
from ..safe_names import safe_name
from ..store.database import Store
from ..store.processes import Process
from ..store.schema import instant

BEYOND = 1 << 30
"""Where the lock lies in the file: on Windows what is locked can't be read, and the note at its beginning must be."""
DIGITS = 8
NAMED = "SELECT set_config('application_name', %s, false)"
TAKE = "SELECT pg_try_advisory_lock(hashtext('prt night ' || current_schema()), hashtext(%s))"
LET_GO = "SELECT pg_advisory_unlock(hashtext('prt night ' || current_schema()), hashtext(%s))"
WHO = """
SELECT activity.application_name FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)
WHERE locktype = 'advisory' AND granted AND objsubid = 2
AND classid::bigint = hashtext('prt night ' || current_schema())::bigint & 4294967295
AND objid::bigint = hashtext(%s)::bigint & 4294967295
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, or held it last.

    Attributes:
        process: Host and process, `host:123`.
        since: When it took the lock, ISO 8601 in UTC; empty where that is not known.
    """

    process: str
    since: str = ""

    def __str__(self) -> str:
        """`host:123, since 2026-03-01T02:00:00.000+00:00`."""
        return f"{self.process}, since {self.since}" if self.since else self.process


@contextmanager
def night_lock(store: Store, series: str) -> Iterator[Holder | None]:
    """Hold the lock of a series.

    Args:
        store: The results database; must stay open.
        series: The series.

    Yields:
        Who held the lock and ended without letting go of it, by a crash or a power cut; None for nobody.

    Raises:
        UsageError: Another process holds it.
        StoreError: No lock can be had there.
    """
    with ExitStack() as stack:
        connection = stack.enter_context(store.maintaining())
        if connection.dialect.name == "sqlite":
            yield stack.enter_context(_file_lock(lock_file(store.place, series), store, series))
        else:
            _take_in_server(connection, store, series)
            try:
                yield None
            finally:
                _let_go_in_server(connection, series)


def beside_store(place: str) -> Path:
    """The folder of a store that is a file.

    Args:
        place: The store's file, or a `file:` URI of SQLite.
    """
    return _file_of(place).parent


def _file_of(place: str) -> Path:
    return Path(place.removeprefix("file:").partition("?")[0]) if place.startswith("file:") else Path(place)


def lock_file(place: str, series: str) -> Path:
    """The lock file of a series: beside the store, under a name that every system takes.

    Args:
        place: The store's file, or a `file:` URI of SQLite.
        series: The series; two that look alike have files of their own.
    """
    store = _file_of(place)
    name = f"{safe_name(series, otherwise='series', length=40)}-{_digest(series)[:DIGITS]}"
    return store.with_name(f"{store.name}.{name}.night.lock")


def _digest(series: str) -> str:
    """A name of a series that every system and every server takes."""
    return hashlib.sha256(series.encode("utf-8", "surrogatepass")).hexdigest()


@contextmanager
def _file_lock(path: Path, store: Store, series: str) -> Iterator[Holder | None]:
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: the lock of the night can't be made there ({error.strerror})") from None
    with file:
        file.seek(BEYOND)
        try:
            try_lock(file.fileno())
        except HELD:
            raise _busy(series, _read(file)) from None
        except OSError as error:
            raise StoreError(
                f"{path}: this file system has no locks ({error.strerror}); keep the store elsewhere"
            ) from None
        left_behind = _read(file)
        _write(file, json.dumps(asdict(Holder(Process.read(store.owner).name, instant(store.now())))))
        try:
            yield left_behind
        finally:
            _write(file, "")


def _read(file: IO[str]) -> Holder | None:
    """Who wrote the note; None where there is none, or one that was cut off."""
    file.seek(0)
    try:
        return Holder(**json.loads(file.read()))
    except (ValueError, TypeError):
        return None


def _write(file: IO[str], note: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(note)
    file.flush()


def _take_in_server(connection: Connection, store: Store, series: str) -> None:
    """Take the lock for as long as the connection is open.

    Raises:
        UsageError: Another connection has it.
    """
    connection.exec_driver_sql(NAMED, (f"prt {Process.read(store.owner).name}"[:63],))
    key = (_digest(series),)
    if not connection.exec_driver_sql(TAKE, key).scalar_one():
        name = connection.exec_driver_sql(WHO, key).scalars().first()
        raise _busy(series, Holder(str(name).removeprefix("prt ")) if name else None)


def _let_go_in_server(connection: Connection, series: str) -> None:
    """Let go of the lock at once; at the end of a session the server does so as well, but only a moment later."""
    with suppress(DBAPIError):  # a connection that broke has the lock no more
        connection.exec_driver_sql(LET_GO, (_digest(series),))


def _busy(series: str, holder: Holder | None) -> UsageError:
    who = f"process {holder}" if holder else "another process"
    return UsageError(
        f"a night of {quoted(series)} is under way ({who}), so this one does not begin; let it finish, or end that "
        "process, and the same command goes on with its night"
    )
