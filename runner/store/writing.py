"""Writing many rows at once, by statements and values that go to the driver as they are.

A batch of replies or results costs a few microseconds a row, where a statement with typed columns costs ten times that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import Connection, func, select, text

from ..records import Grade, Reply
from .rows import GRADE_FIELDS, REPLY_FIELDS, grade_values, replies, reply_values
from .runs import RunRecord
from .schema import milliseconds, stored_key


@dataclass(frozen=True, slots=True)
class NewReply:
    """A reply that came, under the key of the cell that asked for it."""

    key: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class NewResult:
    """A cell's current reply, and its grade.

    Attributes:
        variant: The position of the cell's variant in the run's suite.
        repeat: The repeat, from 0.
        reply_id: The reply's number in the store.
        grade: Its grade by the run's grader.
    """

    variant: int
    repeat: int
    reply_id: int
    grade: Grade


CELL_KEY = ("run", "variant", "repeat")
REPLY_INSERT = ("id", "run", "cell_key", "created_at", *REPLY_FIELDS)
CELL_INSERT = (*CELL_KEY, "reply_id")
GRADE_INSERT = (*CELL_KEY, "grader_key", "reply_id", *GRADE_FIELDS)


@cache
def inserting(table: str, columns: tuple[str, ...], key: tuple[str, ...], paramstyle: str) -> str:
    """A statement that adds a row, or changes the one whose key is there; without a key it only adds."""
    mark = "?" if paramstyle == "qmark" else "%s"
    values = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608  our own names
    if not key:
        return values
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    return f"{values} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changed}"


def put_rows(
    connection: Connection,
    table: str,
    columns: tuple[str, ...],
    rows: Sequence[tuple[object, ...]],
    *,
    key: tuple[str, ...] = (),
) -> None:
    """Add rows of values as the driver takes them, or change those whose key is there."""
    if rows:
        connection.exec_driver_sql(inserting(table, columns, key, connection.dialect.paramstyle), list(rows))


def put_replies(connection: Connection, run: RunRecord, new: Sequence[NewReply], now: datetime) -> list[int]:
    """Add replies and give their numbers, in their order.

    Args:
        connection: In a writing transaction.
        run: The run that asked for them.
        new: The replies.
        now: When they came.
    """
    if not new:
        return []
    numbers = next_numbers(connection, len(new))
    moment = milliseconds(now)
    rows = [
        (number, run.number, stored_key(each.key), moment, *reply_values(each.reply))
        for number, each in zip(numbers, new, strict=True)
    ]
    put_rows(connection, "replies", REPLY_INSERT, rows)
    return numbers


def next_numbers(connection: Connection, count: int) -> list[int]:
    """Numbers for so many new replies, in ascending order; no one else gets them."""
    if connection.dialect.name == "sqlite":
        # A transaction that writes is alone.
        last = connection.scalar(select(func.max(replies.c.id))) or 0
        return list(range(last + 1, last + count + 1))
    drawn = text("SELECT nextval(pg_get_serial_sequence('replies', 'id')) FROM generate_series(1, :count)")
    return sorted(connection.scalars(drawn, {"count": count}))


def put_results(connection: Connection, run: RunRecord, new: Sequence[NewResult]) -> None:
    """Say which reply is the current one of some cells, and what the run's grader made of it.

    Each takes the place of what the cell had; of several results of one cell the last counts.
    """
    number = run.number
    rows = [(number, each.variant, each.repeat, each.reply_id) for each in new]
    put_rows(connection, "cells", CELL_INSERT, rows, key=CELL_KEY)
    put_grades(connection, run, run.grader_key, new)


def put_grades(connection: Connection, run: RunRecord, key: str, new: Sequence[NewResult]) -> None:
    """Keep the grades of a grader, the run's own or another one."""
    number = run.number
    rows = [(number, each.variant, each.repeat, key, each.reply_id, *grade_values(each.grade)) for each in new]
    put_rows(connection, "grades", GRADE_INSERT, rows, key=(*CELL_KEY, "grader_key"))
