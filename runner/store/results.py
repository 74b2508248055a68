"""Results in the store: looking up what is there before asking, and adding what came.

A reply belongs to its cell key and can serve any run. One without error is never asked again; one with an error is kept
as history, and a later reply takes its place in the cell. A run that was begun fresh sees only replies of its own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping, Table, and_, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from ..records import Cell, Grade, Reply
from .database import Store
from .lease import give_sign_of_life
from .rows import CURRENT_GRADE, GRADE_COLUMNS, grade_columns, grade_of, reply_of, reply_row
from .runs import RunRecord
from .schema import cells, grades, replies, stored_key

CellId = tuple[int, int]
"""A cell of a run: the position of its variant in the run's suite, and the repeat."""


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
    """A cell's current reply, and its grade.

    Attributes:
        variant: The position of the cell's variant in the run's suite.
        repeat: The repeat, from 0.
        reply_id: The reply's number in the store.
        grade: Its grade by the run's grader.
    """

    variant: int
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
    return cell.variant, cell.repeat


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
    if not keys:
        return Known(graded={}, replies={})
    with store.reading() as connection:
        own = own_results(connection, run, wanted)
        graded = {where: grade_of(row) for where, row in own.items() if row["status"] not in (None, "judge_error")}
        own_ids = {keys[where]: row["reply_id"] for where, row in own.items() if where not in graded}
        missing = {key for where, key in keys.items() if where not in graded} - own_ids.keys()
        chosen = {**newest_replies(connection, run, missing), **own_ids}
        return Known(graded=graded, replies=stored_replies(connection, chosen))


def own_results(connection: Connection, run: RunRecord, wanted: Sequence[Cell]) -> dict[CellId, RowMapping]:
    """The run's own replies without error to some cells, asked as they would be now, each with its grade, if any."""
    keys = {cell_id(cell): stored_key(cell.key) for cell in wanted}
    variants = [cell.variant for cell in wanted]
    mine = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
    chosen = (
        select(cells, replies.c.cell_key, *GRADE_COLUMNS)
        .join(replies, replies.c.id == cells.c.reply_id)
        .outerjoin(grades, mine)
        .where(cells.c.run == run.number, cells.c.variant.between(min(variants), max(variants)))
        .where(replies.c.error_kind.is_(None))
    )
    rows = connection.execute(chosen).mappings()
    return {where: row for row in rows if keys.get(where := (row["variant"], row["repeat"])) == row["cell_key"]}


def newest_replies(connection: Connection, run: RunRecord, keys: Collection[str]) -> dict[str, int]:
    """The number of the newest reply without error for each key, where there is one."""
    wanted = {stored_key(key): key for key in keys}
    newest = func.max(replies.c.id).label("newest")
    chosen = select(replies.c.cell_key, newest).where(replies.c.cell_key.in_(wanted), replies.c.error_kind.is_(None))
    if run.fresh:
        chosen = chosen.where(replies.c.run == run.number)
    return {wanted[row.cell_key]: row.newest for row in connection.execute(chosen.group_by(replies.c.cell_key))}


def stored_replies(connection: Connection, ids: Mapping[str, int]) -> dict[str, StoredReply]:
    """Read replies by number; by the keys that the numbers were given with."""
    rows = connection.execute(select(replies).where(replies.c.id.in_(set(ids.values())))).mappings()
    read = {row["id"]: StoredReply(row["id"], reply_of(row)) for row in rows}
    return {key: read[number] for key, number in ids.items()}


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
    rows = [
        {"run": run.number, "cell_key": stored_key(one.key), "created_at": now, **reply_row(one.reply)} for one in new
    ]
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
    return {"variant": result.variant, "repeat": result.repeat}
