"""Results in the store: looking up what is there before asking, and adding what came.

A reply belongs to its cell key and can serve any run. One without error is never asked again; one with an error is kept
as history, and a later reply takes its place in the cell. A run that was begun fresh sees only replies of its own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, exists, func, literal_column, or_, select, true

from ..records import CUT_OFF, FILTERED, Cell, Grade, Reply
from .database import Store
from .lease import give_sign_of_life, lost
from .rows import CURRENT_GRADE, GRADE_COLUMNS, REPLY_COLUMNS, cells, grade_of, grades, replies, reply_of
from .runs import RunRecord
from .schema import stored_key
from .writing import NewReply, NewResult, put_replies, put_results

BLANKS = " \t\n\r\v\f"
# Written out, since a database finds the index of refused grades only by a condition without a parameter.
REFUSED_GRADE = grades.c.status == literal_column("'refused'")

__all__ = [
    "CellId",
    "Known",
    "NewReply",
    "NewResult",
    "StoredReply",
    "add_results",
    "cell_id",
    "look_up",
    "newest_replies",
    "put_replies",
    "serves",
    "stored_replies",
]

CellId = tuple[int, int]
"""A cell of a run: the position of its variant in the run's suite, and the repeat."""


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply and its number in the store."""

    id: int
    reply: Reply


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
        graded = {where: grade for where, (_, grade) in own.items() if grade and grade.status != "judge_error"}
        own_ids = {keys[where]: number for where, (number, _) in own.items() if where not in graded}
        missing = {key for where, key in keys.items() if where not in graded} - own_ids.keys()
        chosen = {**newest_replies(connection, run, missing), **own_ids}
        return Known(graded=graded, replies=stored_replies(connection, chosen))


def own_results(
    connection: Connection, run: RunRecord, wanted: Sequence[Cell]
) -> dict[CellId, tuple[int, Grade | None]]:
    """The numbers of the run's own replies to some cells, if asked as they would be now, with their grades, if any."""
    keys = {cell_id(cell): stored_key(cell.key) for cell in wanted}
    positions = [cell.variant for cell in wanted]
    graded = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
    chosen = (
        select(cells.c.variant, cells.c.repeat, replies.c.cell_key, cells.c.reply_id, *GRADE_COLUMNS)
        .select_from(cells)
        .join(replies, replies.c.id == cells.c.reply_id)
        .outerjoin(grades, graded)
        .where(cells.c.run == run.number, cells.c.variant.between(min(positions), max(positions)))
    )
    if "error" not in run.reuse:
        chosen = chosen.where(replies.c.error_kind.is_(None))
    rows = connection.execute(chosen)
    return {where: (row[3], grade_of(row[4:])) for row in rows if keys.get(where := (row[0], row[1])) == row[2]}


def newest_replies(connection: Connection, run: RunRecord, keys: Collection[str]) -> dict[str, int]:
    """The number of the reply that serves each key, where there is one: the newest, one without error before others."""
    if not keys:
        return {}
    wanted = {stored_key(key): key for key in keys}
    chosen = (
        select(replies.c.id, replies.c.cell_key, replies.c.error_kind.is_(None).label("answered"))
        .where(replies.c.cell_key.in_(list(wanted)), serves(run))
        .order_by("answered", replies.c.id)
    )
    return {wanted[key]: number for number, key, _ in connection.execute(chosen)}


def stored_replies(connection: Connection, ids: Mapping[str, int]) -> dict[str, StoredReply]:
    """Read replies by number; by the keys that the numbers were given with."""
    if not ids:
        return {}
    rows = connection.execute(select(replies.c.id, *REPLY_COLUMNS).where(replies.c.id.in_(list(ids.values()))))
    read = {row[0]: StoredReply(row[0], reply_of(row[1:])) for row in rows}
    return {key: read[number] for key, number in ids.items()}


def serves(run: RunRecord) -> ColumnElement[bool]:
    """Which stored replies a run takes instead of asking.

    Those of its own that have no error, whatever they say, since it asked for them. Of other runs those that hold an
    answer: none that is refused, cut off or empty, unless its config reuses these.
    """
    own = replies.c.run == run.number
    finish = func.lower(replies.c.finish_reason)
    declined = exists().where(grades.c.reply_id == replies.c.id, REFUSED_GRADE)
    holds: dict[str, ColumnElement[bool]] = {
        "refused": and_(replies.c.refusal == "", finish.not_in(sorted(FILTERED)), ~declined),
        "truncated": finish.not_in(sorted(CUT_OFF)),
        "empty": or_(func.ltrim(replies.c.text, BLANKS) != "", replies.c.error_kind.is_not(None)),
    }
    usable = and_(true(), *(condition for kind, condition in holds.items() if kind not in run.reuse))
    found = own if run.fresh else or_(own, usable)
    return found if "error" in run.reuse else and_(found, replies.c.error_kind.is_(None))


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

    Raises:
        TakenOverError: Another process works on the run now; all was stored, with the numbers that it says.
    """
    with store.writing() as connection:
        is_own = give_sign_of_life(connection, store, run.number)
        ids = put_replies(connection, run, new_replies, store.now())
        put_results(connection, run, new_results)
        taken_over = None if is_own else lost(connection, store, run.number, stored=ids)
    if taken_over is not None:
        raise taken_over
    return ids
