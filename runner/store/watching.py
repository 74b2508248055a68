"""How a run in the store is getting on, for those who look on from another process."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, select

from ..records import Status
from .database import Store
from .earlier import progress_of
from .rows import CURRENT_GRADE, cells, grades, replies
from .runs import RunRecord
from .schema import moment_of

LATEST = 200
"""Replies by which the present rate is told."""
LOOKED_AT = 20_000
"""Newest replies of all runs among which they are looked for."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How a run is getting on.

    Attributes:
        cells: How many cells it has.
        with_result: How many of them have a result by its grader.
        statuses: How many cells have a grade of each status; an error is none of the results.
        arrived: Its newest replies, some hundreds at most.
        since: When the first of these came; None where there is none.
    """

    cells: int
    with_result: int
    statuses: Mapping[Status, int]
    arrived: int
    since: datetime | None


def watch(store: Store, run: RunRecord) -> Progress:
    """Look how a run is getting on.

    Args:
        store: The results database.
        run: The run.
    """
    with_result, every = progress_of(store, run)
    graded = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
    by_status = (
        select(grades.c.status, func.count().label("cells"))
        .select_from(cells)
        .join(grades, graded)
        .where(cells.c.run == run.number)
        .group_by(grades.c.status)
    )
    newest = select(func.max(replies.c.id)).scalar_subquery()
    latest = (
        select(replies.c.created_at)
        .where(replies.c.run == run.number, replies.c.id > newest - LOOKED_AT)
        .order_by(replies.c.id.desc())
        .limit(LATEST)
    )
    with store.reading() as connection:
        counts = {row.status: row.cells for row in connection.execute(by_status)}
        came = connection.scalars(latest).all()
    return Progress(every, with_result, counts, len(came), moment_of(min(came)) if came else None)
