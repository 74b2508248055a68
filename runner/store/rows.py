"""Replies and grades as rows of their tables, and back."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, and_

from ..records import Grade, Reply, ReplyError
from .schema import cells, grades, variants

CURRENT_GRADE = and_(
    grades.c.run == cells.c.run,
    grades.c.variant == cells.c.variant,
    grades.c.repeat == cells.c.repeat,
    grades.c.reply_id == cells.c.reply_id,
)
"""Joins cells with the grades of their current reply, whoever graded."""

PLACE = [variants.c.item_id, variants.c.condition, cells.c.repeat]
"""What people call a cell by; needs a join of cells with `of_suite`."""

GRADE_FIELDS = ("passed", "status", "extracted", "answer", "reason")
GRADE_COLUMNS = [grades.c[name] for name in (*GRADE_FIELDS, "span_start", "span_end")]

REPLY_FIELDS = (
    "text",
    "finish_reason",
    "refusal",
    "reasoning",
    "model",
    "prompt_tokens",
    "completion_tokens",
    "latency_s",
    "attempts",
)


def of_suite(suite: int) -> ColumnElement[bool]:
    """Joins the cells of a run with the variants of its suite."""
    return and_(variants.c.suite == suite, variants.c.position == cells.c.variant)


def reply_row(reply: Reply) -> dict[str, Any]:
    """A reply as columns of its table."""
    error = reply.error
    row: dict[str, Any] = {name: getattr(reply, name) for name in REPLY_FIELDS}
    return {**row, "error_kind": error and error.kind, "error_message": error and error.message}


def reply_of(row: RowMapping) -> Reply:
    """A row of the replies as a value."""
    error = None if row["error_kind"] is None else ReplyError(row["error_kind"], row["error_message"])
    return Reply(**{name: row[name] for name in REPLY_FIELDS}, error=error)


def grade_columns(grade: Grade) -> dict[str, Any]:
    """A grade as columns of its table."""
    start, end = grade.span or (None, None)
    row: dict[str, Any] = {name: getattr(grade, name) for name in GRADE_FIELDS}
    return {**row, "span_start": start, "span_end": end}


def grade_of(row: RowMapping | Mapping[str, Any]) -> Grade:
    """A row of the grades as a value."""
    span = None if row["span_start"] is None else (row["span_start"], row["span_end"])
    return Grade(**{name: row[name] for name in GRADE_FIELDS}, span=span)
