"""Runs by the page: those that answer items, the newest first, so that a list of thousands reads few of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from .database import Store
from .runs import COLUMNS, OTHERS, RunRecord, record
from .schema import items
from .schema import runs as table


@dataclass(frozen=True, slots=True)
class RunsPage:
    """A page of the list.

    Attributes:
        total: How many runs there are on all pages.
        runs: Those of this page.
    """

    total: int
    runs: Sequence[RunRecord]


def page_of_runs(store: Store, *, start: int, size: int) -> RunsPage:
    """Read some of the runs that answer items, the newest first.

    Args:
        store: The results database.
        start: How many newer ones are passed over.
        size: How many are read at most.
    """
    graders = select(table.c.number, table.c.grader).order_by(table.c.number.desc())
    with store.reading() as connection:
        every = [number for number, grader in connection.execute(graders) if grader.get("name") not in OTHERS]
        wanted = every[start : start + size]
        chosen = select(*COLUMNS).where(table.c.number.in_(wanted)).order_by(table.c.number.desc())
        return RunsPage(len(every), [record(row) for row in connection.execute(chosen).mappings()])


def run_of_id(store: Store, run_id: str) -> RunRecord | None:
    """The run of an id as it stands, whatever kind of run it is; None where there is none."""
    if not (run_id.isascii() and run_id.isprintable()):  # as every id is; PostgreSQL can be asked for nothing else
        return None
    with store.reading() as connection:
        row = connection.execute(select(*COLUMNS).where(table.c.id == run_id)).mappings().one_or_none()
    return None if row is None else record(row)


def item_counts(store: Store, suites: Collection[int]) -> Mapping[int, int]:
    """How many items some suites have, by their numbers."""
    chosen = select(items.c.suite, func.count().label("items")).where(items.c.suite.in_(suites)).group_by(items.c.suite)
    with store.reading() as connection:
        return {row.suite: row.items for row in connection.execute(chosen)}
