"""Results in the store: looking up what is there before asking, and adding what came.

A reply belongs to its cell key and can serve any run. One without error is never asked again; one with an error is kept
as history, and a later reply takes its place in the cell. A run that was begun fresh sees only replies of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping, Table, and_, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from ..records import Cell, Grade, Reply
from .database import Store
from .lease import give_sign_of_life
from .rows import CURRENT_GRADE, GRADE_COLUMNS, grade_columns, grade_of, reply_of, reply_row
from .runs import RunRecord
from .schema import cells, grades, replies

CellId = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply and its number in the store."""

    id: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class NewReply:
    """A reply that came, under the key of the cell that asked for it."""

    key: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class NewResult:
    """A cell's current reply, and its grade."""

    item_id: str
    condition: str
    repeat: int
    reply_id: int
    grade: Grade


@dataclass(frozen=True, slots=True)
class Known:
    """What the store has for some cells.

    Attributes:
        graded: The grades of cells that need nothing more.
        replies: Replies without error for the keys of the others, where there are any.
    """

    graded: Mapping[CellId, Grade]
    replies: Mapping[str, StoredReply]


def cell_id(cell: Cell) -> CellId:
    """Which cell of a run this is."""
    return cell.item_id, cell.condition, cell.repeat


def look_up(store: Store, run: RunRecord, wanted: Sequence[Cell]) -> Known:
    """Find what is known of some cells, in a few queries however many they are.

    Args:
        store: The results database.
        run: The run that they belong to.
        wanted: The cells; a few hundred at most.

    Returns:
        Grades by the run's grader, and the replies that need no asking. A cell's own reply is preferred to that of
        another run; else the newest is taken. A cell whose key has changed counts as not asked.
    """
    keys = {cell_id(cell): cell.key for cell in wanted}
    with store.reading() as connection:
        own = {where: row for where, row in own_results(connection, run, wanted) if keys.get(where) == row["cell_key"]}
        graded = {where: grade_of(row) for where, row in own.items() if row["status"] not in (None, "judge_error")}
        own_ids = {row["cell_key"]: row["reply_id"] for row in own.values()}
        missing = {key for where, key in keys.items() if where not in graded}
        elsewhere = newest_replies(connection, run, missing - own_ids.keys())
        chosen = [reply for key, reply in {**elsewhere, **own_ids}.items() if key in missing]
        return Known(graded=graded, replies=stored_replies(connection, chosen))


def own_results(connection: Connection, run: RunRecord, wanted: Sequence[Cell]) -> list[tuple[CellId, RowMapping]]:
    """The run's own replies without error for some items, each with its grade where it has one."""
    mine = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
    chosen = (
        select(cells, replies.c.cell_key, *GRADE_COLUMNS)
        .join(replies, replies.c.id == cells.c.reply_id)
        .outerjoin(grades, mine)
        .where(cells.c.run == run.number, cells.c.item_id.in_({cell.item_id for cell in wanted}))
        .where(replies.c.error_kind.is_(None))
    )
    rows = connection.execute(chosen).mappings()
    return [((row["item_id"], row["condition"], row["repeat"]), row) for row in rows]


def newest_replies(connection: Connection, run: RunRecord, keys: set[str]) -> dict[str, int]:
    """The number of the newest reply without error for each key, where there is one."""
    newest = func.max(replies.c.id).label("newest")
    chosen = select(replies.c.cell_key, newest).where(replies.c.cell_key.in_(keys), replies.c.error_kind.is_(None))
    if run.fresh:
        chosen = chosen.where(replies.c.run == run.number)
    return {row.cell_key: row.newest for row in connection.execute(chosen.group_by(replies.c.cell_key))}


def stored_replies(connection: Connection, ids: Sequence[int]) -> dict[str, StoredReply]:
    """Read replies by number; by their keys."""
    rows = connection.execute(select(replies).where(replies.c.id.in_(ids))).mappings()
    return {row["cell_key"]: StoredReply(row["id"], reply_of(row)) for row in rows}


def add_results(
    store: Store, run: RunRecord, new_replies: Sequence[NewReply], new_results: Sequence[NewResult]
) -> list[int]:
    """Store what came, with a sign of life, in one transaction that is on disk on return.

    Args:
        store: The results database.
        run: The run that asked.
        new_replies: Replies that came.
        new_results: Graded cells; each takes the place of what the cell had.

    Returns:
        The numbers of the new replies, in their order.
    """
    with store.writing() as connection:
        give_sign_of_life(connection, store, run.number)
        ids = add_replies(connection, store, run, new_replies)
        if new_results:
            put(connection, cells, [cell_row(run, result) for result in new_results])
            put(connection, grades, [grade_row(run, result) for result in new_results])
    return ids


def add_replies(connection: Connection, store: Store, run: RunRecord, new: Sequence[NewReply]) -> list[int]:
    """Add replies and give their numbers, in their order."""
    if not new:
        return []
    now = store.now()
    rows = [{"run": run.number, "cell_key": one.key, "created_at": now, **reply_row(one.reply)} for one in new]
    adding = insert(replies).returning(replies.c.id, sort_by_parameter_order=True)
    return list(connection.scalars(adding, rows))


def put(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Add rows, or change those whose primary key is there."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    adding = dialect.insert(table)
    key = [column.name for column in table.primary_key]
    others = {column.name: adding.excluded[column.name] for column in table.columns if column.name not in key}
    connection.execute(adding.on_conflict_do_update(index_elements=key, set_=others), list(rows))


def cell_row(run: RunRecord, result: NewResult) -> dict[str, object]:
    """The row that says which reply is a cell's current one."""
    return {"run": run.number, **place(result), "reply_id": result.reply_id}


def grade_row(run: RunRecord, result: NewResult) -> dict[str, object]:
    """A grade as a row of its table."""
    own = {"run": run.number, "grader_key": run.grader_key, "reply_id": result.reply_id}
    return {**own, **place(result), **grade_columns(result.grade)}


def place(result: NewResult) -> dict[str, object]:
    """The columns that say which cell of a run a result belongs to."""
    return {"item_id": result.item_id, "condition": result.condition, "repeat": result.repeat}
