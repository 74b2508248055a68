"""The tables of the results database, and column types that mean the same in SQLite and PostgreSQL.

A suite is the items of a run with all their variants; runs over the same ones share it. A cell is named by numbers: its
run, the position of its variant in the run's suite, and the repeat. Its row says which reply is its current one; older
replies stay as history. A grade names the reply that it judged, so the grade of a replaced reply is never taken for the
current one.

Batches are those that an endpoint works on for a run, with the keys they ask for; what is collected leaves no trace
here, since its replies are among the others.

A baseline is a name that a person gave to a run; a night is what a series of nightly runs decided on one of them.
"""

import json
import re
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue as Json
from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TableClause,
    Text,
    TypeDecorator,
    UniqueConstraint,
    event,
)
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table

SCHEMA_VERSION = 4
APPLICATION = "prt"

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ESCAPED = "escaped:"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
TO_ESCAPE = re.compile("[\\\\\0\ud800-\udfff]")
ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def storable(written: str) -> str:
    r"""Write a text so that both databases hold it: PostgreSQL has no NUL, and neither has lone surrogates.

    Nearly every text stays as it is. One with such a character, or one that begins with `escaped:`, is stored as
    `escaped:` and the text with these characters and backslashes as `\uXXXX`.
    """
    # An ASCII text, as most are, is known as such without a look at its characters.
    unstorable = "\0" in written if written.isascii() else UNSTORABLE.search(written)
    if not unstorable and not written.startswith(ESCAPED):
        return written
    return ESCAPED + TO_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def restored(stored: str) -> str:
    """Give back the text that `storable` wrote."""
    if not stored.startswith(ESCAPED):
        return stored
    return ESCAPE.sub(lambda match: chr(int(match[1], 16)), stored.removeprefix(ESCAPED))


class ExactText(TypeDecorator[str]):
    """Any Python text, exactly."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the same in all
        """Python to database."""
        return None if value is None else storable(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the same in all
        """Database to Python."""
        return None if value is None else restored(value)


class ExactJson(TypeDecorator[Json]):
    """A JSON value as text, with the order of its keys; readable, and exact for any text in it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str:  # noqa: ARG002 - the same in all
        """Python to database."""
        return storable(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Json:  # noqa: ARG002 - the same in all
        """Database to Python."""
        decoded: Json = None if value is None else json.loads(restored(value))
        return decoded


class Instant(TypeDecorator[datetime]):
    """A moment in UTC as ISO 8601 text, which sorts by time: `2026-03-01T12:00:00.250+00:00`."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the same in all
        """Python to database."""
        return None if value is None else instant(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the same in all
        """Database to Python."""
        return None if value is None else datetime.fromisoformat(value)


def instant(moment: datetime) -> str:
    """A moment as the text that `Instant` stores."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


class Moment(TypeDecorator[datetime]):
    """A moment in UTC as whole milliseconds since 1970, where there are too many rows for a text each."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - the same in all
        """Python to database."""
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the same in all
        """Database to Python."""
        return None if value is None else moment_of(value)


def milliseconds(moment: datetime) -> int:
    """A moment as whole milliseconds since 1970, in UTC."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def moment_of(since: int) -> datetime:
    """Whole milliseconds since 1970 as a moment in UTC."""
    return EPOCH + timedelta(milliseconds=since)


KEY_BYTES = 16


def stored_key(key: str) -> bytes:
    """A cell's key as the store keeps it: the first half of it, as bytes.

    128 bits tell more cells apart than any store will hold, in a quarter of the space of the 64 digits.
    """
    return bytes.fromhex(key[: 2 * KEY_BYTES])


def raw(table: Table) -> TableClause:
    """A table whose values are those of the driver, for reading and writing many rows; texts may be escaped."""
    return sql_table(table.name, *(sql_column(column.name) for column in table.columns))


metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

suites = Table(
    "suites",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
)

recipes = Table(
    "recipes",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("suite", ForeignKey("suites.number"), nullable=False),
    Column("summary", ExactJson, nullable=False),
)

items = Table(
    "items",
    metadata,
    Column("suite", ForeignKey("suites.number"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item_id", ExactText, nullable=False),
    Column("cluster", ExactText, nullable=False),
    Column("payload", ExactJson, nullable=False),
    UniqueConstraint("suite", "item_id"),
)

variants = Table(
    "variants",
    metadata,
    Column("suite", ForeignKey("suites.number"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item_id", ExactText, nullable=False),
    Column("condition", ExactText, nullable=False),
    Column("outcome", String(20), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("payload", ExactJson, nullable=False),
    Column("severity", Float),
    UniqueConstraint("suite", "item_id", "condition"),
    ForeignKeyConstraint(["suite", "item_id"], ["items.suite", "items.item_id"]),
)

runs = Table(
    "runs",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", String(120), nullable=False, unique=True),
    Column("name", ExactText, nullable=False),
    Column("fingerprint", String(64), nullable=False, index=True),
    Column("fresh", Boolean, nullable=False),
    Column("state", String(12), nullable=False),
    Column("reason", ExactText, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("suite", ForeignKey("suites.number"), nullable=False),
    Column("repeats", Integer, nullable=False),
    Column("model", ExactJson, nullable=False),
    Column("grader", ExactJson, nullable=False),
    Column("grader_key", String(16), nullable=False),
    Column("config", ExactJson, nullable=False),
    Column("dataset_sha256", String(64), nullable=False),
    Column("bundle_hash", String(64), nullable=False),
    Column("prt_version", ExactText, nullable=False),
    Column("environment", ExactJson, nullable=False),
    Column("owner", ExactText, nullable=False),
    Column("alive_at", Instant, nullable=False),
    Column("keys_version", ExactText, nullable=False, server_default=""),
)

replies = Table(
    "replies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run", ForeignKey("runs.number"), nullable=False),
    Column("cell_key", LargeBinary, nullable=False, index=True),
    Column("text", ExactText, nullable=False),
    Column("finish_reason", ExactText, nullable=False),
    Column("refusal", ExactText, nullable=False),
    Column("reasoning", ExactText, nullable=False),
    Column("model", ExactText, nullable=False),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("latency_s", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("error_kind", String(20)),
    Column("error_message", ExactText),
    Column("created_at", Moment, nullable=False),
    Column("fingerprint", ExactText, nullable=False, server_default=""),
)

cells = Table(
    "cells",
    metadata,
    Column("run", ForeignKey("runs.number"), primary_key=True),
    Column("variant", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("reply_id", ForeignKey("replies.id"), nullable=False),
    sqlite_with_rowid=False,
)

grades = Table(
    "grades",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("variant", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("grader_key", String(16), primary_key=True),
    Column("reply_id", ForeignKey("replies.id"), nullable=False),
    Column("passed", Boolean),
    Column("status", String(12), nullable=False),
    Column("extracted", ExactText),
    Column("answer", ExactText),
    Column("reason", ExactText, nullable=False),
    Column("span_start", Integer),
    Column("span_end", Integer),
    ForeignKeyConstraint(["run", "variant", "repeat"], ["cells.run", "cells.variant", "cells.repeat"]),
    sqlite_with_rowid=False,
)

# Few grades are refusals, so that an index of these alone costs nothing. Both databases take it in these words; said by
# `Index`, its condition would load the dialect of PostgreSQL wherever a file is used.
REFUSED_INDEX = "CREATE INDEX ix_grades_refused ON grades (reply_id) WHERE status = 'refused'"
event.listen(grades, "after_create", DDL(REFUSED_INDEX))  # type: ignore[no-untyped-call]  # it has no types

verdicts = Table(
    "verdicts",
    metadata,
    Column("run", ForeignKey("runs.number"), primary_key=True),
    Column("variant", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("grader_key", String(16), primary_key=True),
    Column("reply_id", ForeignKey("replies.id"), primary_key=True),
    Column("verdict", String(6), nullable=False),
    Column("judged_at", Instant, nullable=False),
    sqlite_with_rowid=False,
)

batches = Table(
    "batches",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("run", ForeignKey("runs.number"), nullable=False, index=True),
    Column("token", String(32), nullable=False, unique=True),
    Column("file_id", ExactText, nullable=False),
    Column("batch_id", ExactText, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
)

batch_requests = Table(
    "batch_requests",
    metadata,
    Column("run", ForeignKey("runs.number"), primary_key=True),
    Column("cell_key", LargeBinary, primary_key=True),
    Column("batch", ForeignKey("batches.number"), nullable=False, index=True),
    Column("line", Integer, nullable=False),
    sqlite_with_rowid=False,
)

baselines = Table(
    "baselines",
    metadata,
    Column("name", ExactText, primary_key=True),
    Column("run", ForeignKey("runs.number"), nullable=False),
    Column("set_at", Instant, nullable=False),
)

nights = Table(
    "nights",
    metadata,
    Column("series", ExactText, primary_key=True),
    Column("night", Integer, primary_key=True, autoincrement=False),
    Column("run", ForeignKey("runs.number"), nullable=False),
    Column("decided_at", Instant, nullable=False),
    Column("summary", ExactJson, nullable=False),
)
