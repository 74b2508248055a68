"""Replies and grades as rows of their tables, and back.

Many rows are read and written as the driver has them, since a million cells have no time for more.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_

from ..records import Grade, Reply, ReplyError
from .schema import cells as cells_table
from .schema import grades as grades_table
from .schema import raw, restored, storable
from .schema import replies as replies_table
from .schema import variants as variants_table

cells, grades, replies, variants = map(raw, (cells_table, grades_table, replies_table, variants_table))

CURRENT_GRADE = and_(
    grades.c.run == cells.c.run,
    grades.c.variant == cells.c.variant,
    grades.c.repeat == cells.c.repeat,
    grades.c.reply_id == cells.c.reply_id,
)
"""Joins cells with the grades of their current reply, whoever graded."""

GRADE_FIELDS = ("passed", "status", "extracted", "answer", "reason", "span_start", "span_end")
GRADE_COLUMNS = [grades.c[name] for name in GRADE_FIELDS]

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
    "error_kind",
    "error_message",
    "fingerprint",
)
REPLY_COLUMNS = [replies.c[name] for name in REPLY_FIELDS]


def of_suite(suite: int) -> ColumnElement[bool]:
    """Joins the cells of a run with the variants of its suite."""
    return and_(variants.c.suite == suite, variants.c.position == cells.c.variant)


def reply_values(reply: Reply) -> tuple[Any, ...]:
    """A reply as the values of `REPLY_FIELDS`."""
    error = reply.error
    return (
        storable(reply.text),
        storable(reply.finish_reason),
        storable(reply.refusal),
        storable(reply.reasoning),
        storable(reply.model),
        reply.prompt_tokens,
        reply.completion_tokens,
        reply.latency_s,
        reply.attempts,
        None if error is None else error.kind,
        None if error is None else storable(error.message),
        storable(reply.fingerprint),
    )


def reply_of(values: Sequence[Any]) -> Reply:
    """The values of `REPLY_FIELDS` as a reply."""
    text, finish, refusal, reasoning, model, tokens_in, tokens_out, latency, attempts, kind, message, print_ = values
    return Reply(
        restored(text),
        restored(finish),
        restored(refusal),
        restored(reasoning),
        restored(model),
        tokens_in,
        tokens_out,
        latency,
        attempts,
        None if kind is None else ReplyError(kind, restored(message)),
        restored(print_),
    )


def grade_values(grade: Grade) -> tuple[Any, ...]:
    """A grade as the values of `GRADE_FIELDS`."""
    extracted, answer, span = grade.extracted, grade.answer, grade.span
    return (
        grade.passed,
        grade.status,
        None if extracted is None else storable(extracted),
        None if answer is None else storable(answer),
        storable(grade.reason),
        None if span is None else span[0],
        None if span is None else span[1],
    )


def grade_of(values: Sequence[Any]) -> Grade | None:
    """The values of `GRADE_FIELDS` as a grade; None where an outer join found none."""
    passed, status, extracted, answer, reason, start, end = values
    if status is None:
        return None
    return Grade(
        None if passed is None else bool(passed),
        status,
        None if extracted is None else restored(extracted),
        None if answer is None else restored(answer),
        restored(reason),
        None if start is None else (start, end),
    )
