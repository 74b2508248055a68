"""The step to schema 3: cells are named by the positions of their variants; keys and times of replies take less room.

Suites are found by the recipes that they came of, and batches under way are known.

As a step that was released, it is made of its own statements and never changes.
"""

import json
import re
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

ADDED = """
CREATE TABLE recipes (
    hash VARCHAR(64) NOT NULL PRIMARY KEY, suite INTEGER NOT NULL, summary TEXT NOT NULL,
    FOREIGN KEY(suite) REFERENCES suites (number)
);
CREATE TABLE batches (
    number {serial} NOT NULL PRIMARY KEY, run INTEGER NOT NULL, token VARCHAR(32) NOT NULL,
    file_id TEXT NOT NULL, batch_id TEXT NOT NULL, requests INTEGER NOT NULL, created_at VARCHAR(32) NOT NULL,
    UNIQUE (token), FOREIGN KEY(run) REFERENCES runs (number)
);
CREATE INDEX ix_batches_run ON batches (run);
CREATE TABLE batch_requests (
    run INTEGER NOT NULL, cell_key {bytes} NOT NULL, batch INTEGER NOT NULL, line INTEGER NOT NULL,
    PRIMARY KEY (run, cell_key),
    FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(batch) REFERENCES batches (number)
){keyed};
CREATE INDEX ix_batch_requests_batch ON batch_requests (batch);
CREATE TABLE new_replies (
    id {serial} NOT NULL PRIMARY KEY, run INTEGER NOT NULL, cell_key {bytes} NOT NULL, text TEXT NOT NULL,
    finish_reason TEXT NOT NULL, refusal TEXT NOT NULL, reasoning TEXT NOT NULL, model TEXT NOT NULL,
    prompt_tokens INTEGER, completion_tokens INTEGER, latency_s FLOAT NOT NULL, attempts INTEGER NOT NULL,
    error_kind VARCHAR(20), error_message TEXT, created_at BIGINT NOT NULL,
    FOREIGN KEY(run) REFERENCES runs (number)
);
CREATE TABLE new_cells (
    run INTEGER NOT NULL, variant INTEGER NOT NULL, repeat INTEGER NOT NULL, reply_id INTEGER NOT NULL,
    PRIMARY KEY (run, variant, repeat),
    FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(reply_id) REFERENCES new_replies (id)
){keyed};
CREATE TABLE new_grades (
    run INTEGER NOT NULL, variant INTEGER NOT NULL, repeat INTEGER NOT NULL, grader_key VARCHAR(16) NOT NULL,
    reply_id INTEGER NOT NULL, passed BOOLEAN, status VARCHAR(12) NOT NULL, extracted TEXT, answer TEXT,
    reason TEXT NOT NULL, span_start INTEGER, span_end INTEGER, PRIMARY KEY (run, variant, repeat, grader_key),
    FOREIGN KEY(run, variant, repeat) REFERENCES new_cells (run, variant, repeat),
    FOREIGN KEY(reply_id) REFERENCES new_replies (id)
){keyed};
CREATE TABLE new_verdicts (
    run INTEGER NOT NULL, variant INTEGER NOT NULL, repeat INTEGER NOT NULL, grader_key VARCHAR(16) NOT NULL,
    reply_id INTEGER NOT NULL, verdict VARCHAR(6) NOT NULL, judged_at VARCHAR(32) NOT NULL,
    PRIMARY KEY (run, variant, repeat, grader_key, reply_id),
    FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(reply_id) REFERENCES new_replies (id)
){keyed};
INSERT INTO new_replies
    SELECT id, run, {key}, text, finish_reason, refusal, reasoning, model, prompt_tokens, completion_tokens, latency_s,
        attempts, error_kind, error_message, {moment} FROM replies ORDER BY id;
"""
MOVED = """
INSERT INTO new_{table} SELECT old.run, variants.position, old.repeat, {columns}
    FROM {table} AS old JOIN runs ON runs.number = old.run
    JOIN variants ON variants.suite = runs.suite AND variants.item_id = old.item_id
        AND variants.condition = old.condition
    ORDER BY old.run, variants.position, old.repeat
"""
COLUMNS = {
    "cells": "old.reply_id",
    "grades": "old.grader_key, old.reply_id, old.passed, old.status, old.extracted, old.answer, old.reason, "
    "old.span_start, old.span_end",
    "verdicts": "old.grader_key, old.reply_id, old.verdict, old.judged_at",
}
UNNAMED = """
SELECT DISTINCT runs.suite, items.position, cells.item_id, cells.condition, items.payload
FROM cells JOIN runs ON runs.number = cells.run
JOIN items ON items.suite = runs.suite AND items.item_id = cells.item_id
LEFT JOIN variants ON variants.suite = runs.suite AND variants.item_id = cells.item_id
    AND variants.condition = cells.condition
WHERE variants.position IS NULL ORDER BY runs.suite, items.position, cells.condition
"""
NOT_WRITTEN = "its paraphrase is not written yet"


def number_cells(connection: Connection) -> None:
    """Name cells, grades and verdicts by the positions of their variants instead of by texts."""
    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:
        driver: Any = connection.connection.driver_connection
        driver.create_function("prt_key", 1, lambda digits: bytes.fromhex(digits[:32]), deterministic=True)
        driver.create_function("prt_moment", 1, moment, deterministic=True)
    terms = {
        "serial": "INTEGER" if on_sqlite else "SERIAL",
        "bytes": "BLOB" if on_sqlite else "BYTEA",
        "keyed": " WITHOUT ROWID" if on_sqlite else "",
        "key": "prt_key(cell_key)" if on_sqlite else "decode(substr(cell_key, 1, 32), 'hex')",
        "moment": "prt_moment(created_at)"
        if on_sqlite
        else "round(extract(epoch FROM created_at::timestamptz) * 1000)::bigint",
    }
    name_all(connection)
    for statement in ADDED.format(**terms).split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)
    for table, columns in COLUMNS.items():
        connection.exec_driver_sql(MOVED.format(table=table, columns=columns))
    for table in ("verdicts", "grades", "cells", "replies"):
        connection.exec_driver_sql(f"DROP TABLE {table}")
        connection.exec_driver_sql(f"ALTER TABLE new_{table} RENAME TO {table}")
    connection.exec_driver_sql("CREATE INDEX ix_replies_cell_key ON replies (cell_key)")
    connection.exec_driver_sql("CREATE INDEX ix_grades_refused ON grades (reply_id) WHERE status = 'refused'")
    connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN keys_version TEXT NOT NULL DEFAULT ''")
    connection.exec_driver_sql("ALTER TABLE variants ADD COLUMN severity FLOAT")
    note_severities(connection)
    if not on_sqlite:
        last = "coalesce((SELECT max(id) FROM replies), 1), EXISTS (SELECT 1 FROM replies)"
        connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('replies', 'id'), {last})")


def moment(written: str) -> int:
    """A time in ISO 8601 as milliseconds since 1970."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)


def note_severities(connection: Connection) -> None:
    """Give the severity of each variant, which was in its payload alone, a column of its own."""
    rows = connection.execute(
        text("SELECT suite, position, payload FROM variants"), execution_options={"yield_per": 1000}
    )
    known = [
        {"suite": suite, "position": position, "severity": severity}
        for suite, position, payload in rows
        if (severity := json_of(payload).get("severity")) is not None
    ]
    if known:
        statement = "UPDATE variants SET severity = :severity WHERE suite = :suite AND position = :position"
        connection.execute(text(statement), known)


def name_all(connection: Connection) -> None:
    """Give a row among the variants to what models were asked to write, which had cells alone."""
    rows = connection.exec_driver_sql(UNNAMED).all()
    following: dict[int, int] = {}
    for suite, _, item_id, condition, payload in rows:
        if suite not in following:
            last = connection.execute(text("SELECT max(position) FROM variants WHERE suite = :suite"), {"suite": suite})
            following[suite] = last.scalar_one() or 0
        following[suite] += 1
        connection.execute(
            text(
                "INSERT INTO variants VALUES "
                "(:suite, :position, :item_id, :condition, 'not_applicable', :reason, :payload)"
            ),
            {
                "suite": suite,
                "position": following[suite],
                "item_id": item_id,
                "condition": condition,
                "reason": NOT_WRITTEN,
                "payload": place_of(payload, condition),
            },
        )


def place_of(item: str, condition: str) -> str:
    """The payload of a variant that is yet to be written, made from the payload of its item."""
    known = json_of(item)
    variant = {
        "item_id": known["id"],
        "condition": condition,
        "generator": condition.partition(".")[0],
        "version": 1,
        "parameters": "{}",
        "tier": "checked",
        "outcome": "not_applicable",
        "reason": NOT_WRITTEN,
        "question": known["question"],
        "layout": {},
    }
    return json.dumps(variant, separators=(",", ":"))


def json_of(payload: str) -> dict[str, Any]:
    """A payload as the object that it was written from."""
    if payload.startswith("escaped:"):
        payload = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), payload.removeprefix("escaped:"))
    known: dict[str, Any] = json.loads(payload)
    return known
