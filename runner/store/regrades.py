"""Grades by another grader: beside those that a run has, and, if wanted, in their place as the ones that count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue as Json
from sqlalchemy import FromClause, and_, select, update

from ..records import Grade, Reply
from .database import Store
from .lease import give_sign_of_life, lost, refuse_if_worked_on, watch
from .read import CHUNK
from .results import NewResult
from .rows import GRADE_FIELDS, REPLY_COLUMNS, cells, grade_of, grades, of_suite, replies, reply_of, variants
from .runs import COLUMNS, RunRecord, grader_key
from .schema import restored, runs
from .suites import positions_of
from .writing import put_grades


@dataclass(frozen=True, slots=True)
class Regradable:
    """A cell's current reply, with its grades by two graders; None where one has not graded it.

    Attributes:
        variant: The position of its variant in the run's suite.
        reply_id: The reply's number in the store.
        grade: By the run's grader.
        other: By the other one.
    """

    variant: int
    item_id: str
    condition: str
    repeat: int
    reply_id: int
    reply: Reply
    grade: Grade | None
    other: Grade | None


def regradable(store: Store, run: RunRecord, other_key: str, item_id: str | None = None) -> Iterator[Regradable]:
    """Every cell of a run that has a reply, in the order of the dataset.

    Args:
        store: The results database.
        run: The run.
        other_key: The key of the other grader.
        item_id: Only this item; None for all.
    """
    own, other = grades.alias("own"), grades.alias("other")
    place = cells.c.variant, variants.c.item_id, variants.c.condition, cells.c.repeat, cells.c.reply_id
    chosen = (
        select(*place, *REPLY_COLUMNS, *_of(own), *_of(other))
        .select_from(cells)
        .join(replies, replies.c.id == cells.c.reply_id)
        .join(variants, of_suite(run.suite))
        .outerjoin(own, _graded_by(own, run.grader_key))
        .outerjoin(other, _graded_by(other, other_key))
        .where(cells.c.run == run.number)
        .order_by(cells.c.variant, cells.c.repeat)
    )
    replied = 5 + len(REPLY_COLUMNS)
    graded = replied + len(GRADE_FIELDS)
    with store.reading() as connection:
        if item_id is not None:
            chosen = chosen.where(cells.c.variant.in_(positions_of(connection, run.suite, item_id)))
        for row in connection.execution_options(yield_per=CHUNK).execute(chosen):
            variant, item_id, condition, repeat, reply_id = row[:5]
            yield Regradable(
                variant,
                restored(item_id),
                restored(condition),
                repeat,
                reply_id,
                reply_of(row[5:replied]),
                grade_of(row[replied:graded]),
                grade_of(row[graded:]),
            )


def _of(graded: FromClause) -> list[Any]:
    return [graded.c[name] for name in GRADE_FIELDS]


def _graded_by(graded: FromClause, key: str) -> Any:
    """Joins cells with one grader's grades of their current reply."""
    place = (graded.c[name] == cells.c[name] for name in ("run", "variant", "repeat", "reply_id"))
    return and_(*place, graded.c.grader_key == key)


def add_grades(store: Store, run: RunRecord, key: str, new: Sequence[NewResult], *, alive: bool = False) -> None:
    """Store the grades of a grader that need not be the run's own; which one counts stays as it is.

    Args:
        store: The results database.
        run: The run.
        key: The key of the grader.
        new: The grades.
        alive: Whether this process works on the run, of which this is a sign then.

    Raises:
        TakenOverError: It does not any more; the grades are stored.
    """
    if not new:
        return
    with store.writing() as connection:
        put_grades(connection, run, key, new)
        is_own = not alive or give_sign_of_life(connection, store, run.number)
        taken_over = None if is_own else lost(connection, store, run.number)
    if taken_over is not None:
        raise taken_over


def use_grader(store: Store, run: RunRecord, identity: Mapping[str, Json], config: Mapping[str, Json]) -> None:
    """Let the grades of another grader count; those of the earlier one stay.

    Args:
        store: The results database.
        run: The run.
        identity: The grader's identity.
        config: The `grade` block of the config that makes it.

    Raises:
        StoreError: Another process works on the run right now.
    """
    chosen = select(*COLUMNS).where(runs.c.number == run.number)
    with store.reading() as connection:
        found = connection.execute(chosen).mappings().one()
    watch(store, [dict(found)])
    with store.writing(alone=True) as connection:
        row = connection.execute(chosen).mappings().one()
        refuse_if_worked_on(connection, store, dict(row))
        changed = {
            "grader": dict(identity),
            "grader_key": grader_key(identity),
            "config": {**row["config"], "grade": dict(config)},
        }
        connection.execute(update(runs).where(runs.c.number == run.number).values(**changed))
