"""What the database refuses, as one sentence for the user: what happened, that results are kept, what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ..errors import StoreError


class Refused(Exception):  # noqa: N818 - an outcome, turned into a StoreError at the border of the store
    """A sentence about the store that still lacks the store's place."""


LOCKED = "the store stayed locked by another program; wait until that has finished, or name another store."
SENTENCES = {
    sqlite3.SQLITE_FULL: "the disk is full, so no more is stored; free some space and run the same command again.",
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: "the store can be read but not written; change its permissions, or name another store.",
    sqlite3.SQLITE_PERM: "the store may not be opened; change its permissions, or name another store.",
    sqlite3.SQLITE_CANTOPEN: "the store can't be opened; check that it is a file, in a folder that you may write to.",
    sqlite3.SQLITE_IOERR: "reading or writing the store failed; check the disk and its free space.",
    sqlite3.SQLITE_CORRUPT: "the store is damaged; take it from a backup, or name another store.",
    sqlite3.SQLITE_NOTADB: "this file is not a prt store; name another file as `store`.",
}
SERVER_SENTENCES = {
    "53100": SENTENCES[sqlite3.SQLITE_FULL],
    "53": "the database server is short of memory or connections; run the same command again later.",
    "55P03": LOCKED,
    "40P01": "the store was locked by two programs at once; run the same command again.",
    "40001": "the store was changed by another program meanwhile; run the same command again.",
    "25006": "the database can be read but not written; name another store.",
    "42501": "the user of this address may not do that there; ask for the permission, or name another store.",
    "57": "the database server was stopped; run the same command again once it is back.",
    "08": "the connection to the database broke off; run the same command again.",
    "28": "the database server refuses this user or password; check the address, and the password in PGPASSWORD.",
    "3D000": "there is no such database; make it, or name another one.",
    "XX001": SENTENCES[sqlite3.SQLITE_CORRUPT],
    "XX002": SENTENCES[sqlite3.SQLITE_CORRUPT],
}
"""PostgreSQL's errors by what their SQLSTATE begins with, the more particular first."""


def sentence(error: SQLAlchemyError) -> str:
    """Say what a database error means to the user."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        # The low byte is the kind; the rest says in which system call it happened.
        return SENTENCES.get(code & 0xFF, f"the store refused: {cause}.")
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        known = (SERVER_SENTENCES[begins] for begins in SERVER_SENTENCES if state.startswith(begins))
        return next(known, f"the database refused: {one_line(cause or error)}.")
    if isinstance(cause, Exception) and type(cause).__name__ == "OperationalError":
        # The driver has no code for what happens before or beside a query.
        return f"the database can't be reached, or the connection broke off: {one_line(cause)}."
    if isinstance(error, PoolTimeoutError):
        return "no connection to the store became free in time; run the same command again."
    return f"the database refused: {one_line(cause or error)}."


def one_line(error: BaseException) -> str:
    """The first line of an error's text, without its full stop."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn database errors inside into a StoreError that begins with the store's place.

    Args:
        place: The store as the user knows it, without any password.

    Raises:
        StoreError: For every error of the database or its driver.
    """
    try:
        yield
    except Refused as refusal:
        raise StoreError(f"{place}: {refusal}") from None
    except SQLAlchemyError as error:
        raise StoreError(f"{place}: {sentence(error)}") from error
