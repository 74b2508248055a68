"""What people said of replies, apart from the grades: a verdict belongs to a reply, and to the grader under audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select

from .database import Store
from .results import put
from .runs import RunRecord
from .schema import verdicts

Verdict = Literal["pass", "fail", "none"]
"""What a person would have graded: it answers right, it answers wrong, or it gives no answer."""


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """One reply to one cell of a run; a later reply to the same cell is another."""

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
    own = {"run": run.number, "grader_key": run.grader_key, "judged_at": store.now()}
    rows = [{**own, **_place(reply), "verdict": verdict} for reply, verdict in said.items()]
    with store.writing() as connection:
        put(connection, verdicts, rows)


def verdicts_on(store: Store, run: RunRecord) -> dict[JudgedReply, Verdict]:
    """What was said while the run's grader was under audit."""
    return _read(store, run, own=True)


def verdicts_on_others(store: Store, run: RunRecord) -> dict[JudgedReply, Verdict]:
    """What was said of the run's replies while other graders of it were under audit; the last word on each."""
    return _read(store, run, own=False)


def _read(store: Store, run: RunRecord, *, own: bool) -> dict[JudgedReply, Verdict]:
    same = verdicts.c.grader_key == run.grader_key
    chosen = select(verdicts).where(verdicts.c.run == run.number, same if own else ~same).order_by(verdicts.c.judged_at)
    with store.reading() as connection:
        rows = connection.execute(chosen).mappings()
        return {
            JudgedReply(row["item_id"], row["condition"], row["repeat"], row["reply_id"]): row["verdict"]
            for row in rows
        }


def _place(reply: JudgedReply) -> dict[str, object]:
    return {
        "item_id": reply.item_id,
        "condition": reply.condition,
        "repeat": reply.repeat,
        "reply_id": reply.reply_id,
    }


def of_replies(said: Mapping[JudgedReply, Verdict], replies: Sequence[JudgedReply]) -> dict[JudgedReply, Verdict]:
    """The verdicts on these replies."""
    return {reply: said[reply] for reply in replies if reply in said}
