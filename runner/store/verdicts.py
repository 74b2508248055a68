"""What people said of replies, apart from the grades: a verdict belongs to a reply, and to the grader under audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import and_, select

from .database import Store
from .rows import variants
from .runs import RunRecord
from .schema import instant, restored, verdicts
from .writing import put_rows

Verdict = Literal["pass", "fail", "none"]
"""What a person would have graded: it answers right, it answers wrong, or it gives no answer."""


COLUMNS = ("run", "variant", "repeat", "grader_key", "reply_id", "verdict", "judged_at")


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """One reply to one cell of a run; a later reply to the same cell is another.

    Attributes:
        variant: The position of the cell's variant in the run's suite.
        item_id: Its item.
        condition: Its condition.
        repeat: The repeat, from 0.
        reply_id: The reply's number in the store.
    """

    variant: int
    item_id: str
    condition: str
    repeat: int
    reply_id: int


def put_verdicts(store: Store, run: RunRecord, said: Mapping[JudgedReply, Verdict]) -> None:
    """Store verdicts, on the disk on return; a second one on the same reply takes the place of the first.

    Args:
        store: The results database.
        run: The run; its grader is the one under audit.
        said: The verdicts.
    """
    if not said:
        return
    now = instant(store.now())
    rows = [
        (run.number, reply.variant, reply.repeat, run.grader_key, reply.reply_id, verdict, now)
        for reply, verdict in said.items()
    ]
    with store.writing() as connection:
        put_rows(connection, "verdicts", COLUMNS, rows, key=COLUMNS[:5])


def verdicts_on(store: Store, run: RunRecord) -> dict[JudgedReply, Verdict]:
    """What was said while the run's grader was under audit."""
    return _read(store, run, own=True)


def verdicts_on_others(store: Store, run: RunRecord) -> dict[JudgedReply, Verdict]:
    """What was said of the run's replies while other graders of it were under audit; the last word on each."""
    return _read(store, run, own=False)


def _read(store: Store, run: RunRecord, *, own: bool) -> dict[JudgedReply, Verdict]:
    same = verdicts.c.grader_key == run.grader_key
    judged = (verdicts.c[name] for name in ("repeat", "reply_id", "verdict"))
    chosen = (
        select(verdicts.c.variant, variants.c.item_id, variants.c.condition, *judged)
        .join(variants, and_(variants.c.suite == run.suite, variants.c.position == verdicts.c.variant))
        .where(verdicts.c.run == run.number, same if own else ~same)
        .order_by(verdicts.c.judged_at)
    )
    with store.reading() as connection:
        return {
            JudgedReply(variant, restored(item_id), restored(condition), repeat, reply_id): verdict
            for variant, item_id, condition, repeat, reply_id, verdict in connection.execute(chosen)
        }


def of_replies(said: Mapping[JudgedReply, Verdict], replies: Sequence[JudgedReply]) -> dict[JudgedReply, Verdict]:
    """The verdicts on these replies."""
    return {reply: said[reply] for reply in replies if reply in said}
