"""Giving up what old runs hold: their replies and grades, or the texts of the replies alone.

A run that a baseline is pinned to is never touched, nor are the rows of the history, so all figures of all nights stay.
The row of a night's run stays, too, and says that its results were removed. What judges said of a run's answers is kept
in hidden runs, and goes with the run, or stays with it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, func, or_, select, update

from ..errors import StoreError
from .database import Store
from .judge_replies import judged_runs
from .lease import is_worked_on, watch
from .nights import NIGHT, REFERENCE, run_name
from .runs import COLUMNS as RUN_COLUMNS
from .runs import PRUNED, WITHOUT_TEXTS, RunRecord, record
from .schema import (
    baselines,
    batch_requests,
    batches,
    cells,
    grades,
    instant,
    items,
    nights,
    recipes,
    replies,
    runs,
    suites,
    variants,
    verdicts,
)

TEXTS = ("text", "reasoning")
"""What of a reply is removed where its grade is to stay."""
CHILDREN = (cells, grades, verdicts)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Which runs lose their results.

    Attributes:
        keep_nights: All nights of a series but so many of its last complete ones, and what came after them; None for
            no such bound.
        before: Runs that began before this moment; None for no such bound.
        series: The series whose nights are meant; None for all.
        all_runs: Whether runs that no night made are meant, too.
        texts_only: Whether only the texts of replies are removed.
    """

    keep_nights: int | None = None
    before: datetime | None = None
    series: str | None = None
    all_runs: bool = False
    texts_only: bool = False


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed, or would be.

    Attributes:
        place: The store.
        runs: Ids of the runs, the first one first.
        judging: Ids of the hidden runs with what judges said of these runs' answers, likewise.
        pinned: Ids of runs that were meant, but are pinned as baselines.
        busy: Ids of runs that were meant, but are worked on, or are being judged.
        replies: Replies that are removed, or whose texts are.
        grades: Grades that are removed.
        characters: Characters in the texts of these replies.
        texts_only: Whether only texts are removed.
        done: Whether it was done, not only reckoned.
    """

    place: str
    runs: tuple[str, ...]
    judging: tuple[str, ...]
    pinned: tuple[str, ...]
    busy: tuple[str, ...]
    replies: int
    grades: int
    characters: int
    texts_only: bool
    done: bool


@dataclass(slots=True)
class _Chosen:
    """Runs that are meant, by what becomes of them; `judging` goes with those taken, `at_work` keeps those busy."""

    taken: list[RunRecord] = field(default_factory=list)
    judging: list[RunRecord] = field(default_factory=list)
    pinned: list[RunRecord] = field(default_factory=list)
    busy: list[RunRecord] = field(default_factory=list)
    at_work: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def going(self) -> list[RunRecord]:
        return [*self.taken, *self.judging]

    @property
    def numbers(self) -> list[int]:
        return [run.number for run in self.going]


def prune(store: Store, pruning: Pruning, *, dry_run: bool = False) -> Pruned:
    """Remove results, in one transaction.

    Args:
        store: The results database.
        pruning: Which runs are meant.
        dry_run: Only say what would be removed.

    Returns:
        What was removed. The room goes to later rows of the store; `vacuum` gives it back to the disk.

    Raises:
        StoreError: The store refuses; nothing was removed then.
    """
    if pruning.keep_nights is None and pruning.before is None:
        raise StoreError(f"{store.place}: nothing says which runs are to be pruned.")
    with store.reading() as connection:
        at_work = _choose(connection, store, pruning).at_work
    watch(store, at_work)
    with store.writing(alone=True) as connection:
        chosen = _choose(connection, store, pruning)
        counted = _counted(connection, chosen.numbers, texts_only=pruning.texts_only)
        if not dry_run and chosen.going:
            remove = _remove_texts if pruning.texts_only else _remove
            remove(connection, chosen, store.now())
    return Pruned(
        place=store.place,
        runs=_ids(chosen.taken),
        judging=_ids(chosen.judging),
        pinned=_ids(chosen.pinned),
        busy=_ids(chosen.busy),
        replies=counted[0],
        grades=counted[1],
        characters=counted[2],
        texts_only=pruning.texts_only,
        done=not dry_run,
    )


def _ids(found: Iterable[RunRecord]) -> tuple[str, ...]:
    return tuple(run.id for run in found)


def _choose(connection: Connection, store: Store, pruning: Pruning) -> _Chosen:
    pinned, meant = set(connection.scalars(select(baselines.c.run))), _meant(connection, pruning)
    rows = connection.execute(select(*RUN_COLUMNS).order_by(runs.c.number)).mappings().all()
    every = [record(row) for row in rows]
    judged = judged_runs(every)
    # Whatever judges said goes and stays with the runs that it is on, and keeps them while it is being said.
    meant_ids = {run.id for run in every if run.number in meant and run.number not in judged}
    at_work = [dict(row) for row in rows if judged.get(row["number"], {row["id"]}) & meant_ids]
    chosen = _Chosen(at_work=[row for row in at_work if is_worked_on(connection, store, row)])
    gone: set[str] = set()
    busy = {each for row in chosen.at_work for each in judged.get(row["number"], {row["id"]})}
    for run in every:
        if run.id not in meant_ids:
            continue
        if _is_done(run, pruning):
            gone.add(run.id)
        elif run.number in pinned:
            chosen.pinned.append(run)
        elif run.id in busy:
            chosen.busy.append(run)
        else:
            chosen.taken.append(run)
            gone.add(run.id)
    chosen.judging = [
        run for run in every if run.number in judged and judged[run.number] <= gone and not _is_done(run, pruning)
    ]
    return chosen


def _is_done(run: RunRecord, pruning: Pruning) -> bool:
    """Whether nothing is left of a run to be removed."""
    return run.state == PRUNED or (pruning.texts_only and WITHOUT_TEXTS in run.environment)


def _meant(connection: Connection, pruning: Pruning) -> set[int]:
    """The numbers of the runs that are meant, whatever else is true of them."""
    if pruning.all_runs and pruning.before is not None:
        return set(connection.scalars(select(runs.c.number).where(runs.c.started_at < pruning.before)))
    series = connection.scalars(select(nights.c.series).distinct()) if pruning.series is None else [pruning.series]
    found: set[int] = set()
    for name in list(series):
        found |= _old_runs(connection, name, pruning)
    return found


def _old_runs(connection: Connection, series: str, pruning: Pruning) -> set[int]:
    """The runs of a series' old nights: those that it lists, their references, and those that came to no night."""
    listed = select(nights.c.run, nights.c.summary, runs.c.started_at).join(runs, runs.c.number == nights.c.run)
    rows = connection.execute(listed.where(nights.c.series == series).order_by(nights.c.night)).all()
    began = [row.started_at for row in rows if row.summary.get("verdict") != "incomplete"]
    oldest = pruning.before
    if pruning.keep_nights is not None:
        if len(began) <= pruning.keep_nights:
            return set()
        oldest = began[-pruning.keep_nights]
    names = [run_name(series, what) for what in (NIGHT, REFERENCE)]
    of_series = or_(runs.c.name.in_(names), runs.c.number.in_([row.run for row in rows]))
    return set(connection.scalars(select(runs.c.number).where(of_series, runs.c.started_at < oldest)))


def _counted(connection: Connection, numbers: Collection[int], *, texts_only: bool) -> tuple[int, int, int]:
    """Replies, grades and characters that go."""
    length = sum((func.length(replies.c[name]) for name in TEXTS[1:]), func.length(replies.c[TEXTS[0]]))
    going = replies.c.run.in_(numbers) & replies.c.id.not_in(_used_elsewhere(numbers))
    found = connection.execute(select(func.count(), func.coalesce(func.sum(length), 0)).where(going)).one()
    of_runs = select(func.count()).select_from(grades).where(grades.c.run.in_(numbers))
    return int(found[0]), 0 if texts_only else connection.execute(of_runs).scalar_one(), int(found[1])


def _used_elsewhere(numbers: Collection[int]) -> Select[tuple[int]]:
    """Replies that cells of other runs have."""
    return select(cells.c.reply_id).where(cells.c.run.not_in(numbers))


def _remove_texts(connection: Connection, chosen: _Chosen, now: datetime) -> None:
    """Remove what replies say; what they were graded as, and what they took, stays.

    Without its key such a reply serves no other run, whatever that run takes.
    """
    numbers = chosen.numbers
    going = replies.c.run.in_(numbers) & replies.c.id.not_in(_used_elsewhere(numbers))
    connection.execute(update(replies).where(going).values(cell_key=b"", **dict.fromkeys(TEXTS, "")))
    for run in chosen.going:
        environment = {**run.environment, WITHOUT_TEXTS: instant(now)}
        connection.execute(update(runs).where(runs.c.number == run.number).values(environment=environment))


def _remove(connection: Connection, chosen: _Chosen, now: datetime) -> None:
    """Remove what hangs on the runs, those below first; what nights, or others' cells, refer to keeps its row."""
    numbers = chosen.numbers
    for table in (grades, verdicts, cells, batch_requests, batches):
        connection.execute(delete(table).where(table.c.run.in_(numbers)))
    used = or_(*(replies.c.id.in_(select(table.c.reply_id)) for table in CHILDREN))
    with _reply_indexes(connection):
        connection.execute(delete(replies).where(replies.c.run.in_(numbers), ~used))
    kept = set(connection.scalars(select(nights.c.run).where(nights.c.run.in_(numbers))))
    kept |= set(connection.scalars(select(replies.c.run).distinct().where(replies.c.run.in_(numbers))))
    reason = f"its replies and grades were removed on {now:%Y-%m-%d} by `prt store prune`"
    state = {"state": PRUNED, "reason": reason}
    connection.execute(update(runs).where(runs.c.number.in_(kept)).values(**state))
    connection.execute(delete(runs).where(runs.c.number.in_([each for each in numbers if each not in kept])))
    _remove_suites(connection, {run.suite for run in chosen.going})


@contextmanager
def _reply_indexes(connection: Connection) -> Iterator[None]:
    """Indexes by which a reply's references are found: without them each reply would cost a look at all cells."""
    names = {table.name: f"ix_pruning_{table.name}" for table in CHILDREN}
    for table, name in names.items():
        connection.exec_driver_sql(f"CREATE INDEX {name} ON {table} (reply_id)")
    yield
    for name in names.values():
        connection.exec_driver_sql(f"DROP INDEX {name}")


def _remove_suites(connection: Connection, numbers: Collection[int]) -> None:
    """Remove the suites among these that no run is of any more."""
    used = set(connection.scalars(select(runs.c.suite).distinct().where(runs.c.suite.in_(numbers))))
    unused = [number for number in numbers if number not in used]
    for table in (recipes, variants, items):
        connection.execute(delete(table).where(table.c.suite.in_(unused)))
    connection.execute(delete(suites).where(suites.c.number.in_(unused)))
