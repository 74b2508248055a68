"""Runs that answer no item and are not listed, such as those of judges and of the sides of duels."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import and_, select

from ..records import Grade
from .database import Store
from .rows import CURRENT_GRADE, GRADE_COLUMNS, cells, grade_of, grades, replies
from .runs import COLUMNS, RunRecord, record
from .schema import runs as table


@dataclass(frozen=True, slots=True)
class KeptGrade:
    """What a hidden run's reader made of the current reply of a cell.

    Attributes:
        key: The cell's key, as `stored_key` gives it.
        grade: The grade; None where it was not read.
    """

    key: bytes
    grade: Grade | None


def runs_graded_by(store: Store, grader: str) -> list[RunRecord]:
    """All runs whose grader has this name, the newest first.

    Args:
        store: The results database.
        grader: Such as `DUEL` or `JUDGING`.
    """
    known = select(table.c.number, table.c.grader)
    with store.reading() as connection:
        numbers = [number for number, identity in connection.execute(known) if identity.get("name") == grader]
        chosen = select(*COLUMNS).where(table.c.number.in_(numbers)).order_by(table.c.number.desc())
        return [record(row) for row in connection.execute(chosen).mappings()]


def kept_grades(store: Store, run: RunRecord) -> Iterator[KeptGrade]:
    """The grades of a hidden run by the keys of its cells, in the order in which it asked."""
    graded = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
    chosen = (
        select(replies.c.cell_key, *GRADE_COLUMNS)
        .select_from(cells)
        .join(replies, replies.c.id == cells.c.reply_id)
        .outerjoin(grades, graded)
        .where(cells.c.run == run.number)
        .order_by(cells.c.variant, cells.c.repeat)
    )
    with store.reading() as connection:
        for key, *graded_as in connection.execute(chosen):
            yield KeptGrade(bytes(key), grade_of(graded_as))
