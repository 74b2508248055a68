"""The replies of the judge of a run's answers: kept in runs of their own, which are listed nowhere."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue as Json
from sqlalchemy import and_, case, func, or_, select

from ...perturbations.canonical import canonical_hash
from .columns import blocks
from .read import StoredRun
from .reply_columns import TOOK, ReplyColumns, reply_columns
from .rows import cells, replies, variants
from .runs import JUDGING, RunRecord
from .schema import runs

OWNER = "asked"
"""What of a hidden run's model says what its verdicts belong to."""
ABOUT = "about"
"""What of it tells by which rubric, and what else the judge is shown; verdicts by two rubrics are kept apart."""
SHOWN = ("rubric", "verdict", "reference", "context")
"""What of a grader by a judge decides what the judge is shown; a threshold does not."""
DECIDES = ("model", "prompts", "reader", "structured")
"""What a judge's hidden run and a grader by that judge have in common."""


def judging_name(name: str) -> str:
    """The name of the hidden run that keeps the verdicts on the answers of a run of this name."""
    return f"{name}: judge"


def shown_by(grader: Mapping[str, Json]) -> str:
    """Name what a grader by a judge shows it beside an answer, in 16 hexadecimal digits."""
    return canonical_hash("prt.judging", {key: grader.get(key) for key in SHOWN}).hex()[:16]


def places_of_answers(run: StoredRun) -> int:
    """How many answers a run can have: each has a place of its own among the verdicts, whenever it is judged.

    Args:
        run: The run; its store must be open.

    Raises:
        StoreError: The store can't be read.
    """
    count = select(func.count()).select_from(variants).where(variants.c.suite == run.record.suite)
    with run.store.reading() as connection:
        return run.record.repeats * int(connection.execute(count).scalar_one())


def judging_runs(run: StoredRun) -> dict[int, bool]:
    """The numbers of the hidden runs that keep the verdicts by which a run's answers are graded.

    There can be several, such as those of a judge that was asked afresh.

    Args:
        run: The run; its store must be open.

    Returns:
        The numbers, each with whether a verdict has a place there by the answer that it is on. In the runs of an early
        version it has one by its number among the calls, so that verdicts that came later took the places of others.

    Raises:
        StoreError: The store can't be read.
    """
    record = run.record
    chosen = select(runs.c.number, runs.c.model, runs.c.grader).where(runs.c.name == judging_name(record.name))
    with run.store.reading() as connection:
        rows = [*connection.execute(chosen)]
    judging = ((number, model) for number, model, grader in rows if grader.get("name") == JUDGING)
    return {number: ABOUT in model for number, model in judging if _is_of(model, record)}


def judged_runs(every: Sequence[RunRecord]) -> dict[int, set[str]]:
    """Which runs those are whose answers hidden runs keep verdicts on.

    Args:
        every: All runs of a store.

    Returns:
        The ids of the judged runs, of a duel both, by the number of each hidden run of a judge; without those that
        judged something else, or runs that the store has no more.
    """
    known = {run.id for run in every}
    judging = (run for run in every if run.grader.get("name") == JUDGING)
    owned = ((run.number, {*str(run.model.get(OWNER, "")).split()} & known) for run in judging)
    return {number: ids for number, ids in owned if ids}


def _is_of(model: Mapping[str, Json], record: RunRecord) -> bool:
    is_same = all(model.get(key) == record.grader.get(key) for key in DECIDES)
    about = shown_by(record.grader)
    return is_same and model.get(OWNER) == record.id and model.get(ABOUT, about) == about


def read_judge_replies(run: StoredRun) -> Iterator[ReplyColumns]:
    """Read what the judge's replies on a run's answers took, some thousands at a time; of equal prompts there is one.

    Args:
        run: The run; its store must be open.

    Returns:
        The replies; of a call that was made again the last one. They are of no variant of the run: all have 0 there.
        Those are missing that a hidden run of an early version took from another run, and put others in their places.

    Raises:
        StoreError: The store can't be read.
    """
    numbers = judging_runs(run)
    placed = replies.c.id.in_(select(cells.c.reply_id).where(cells.c.run.in_([*numbers])))
    early = [number for number, by_answer in numbers.items() if not by_answer]
    of_run = or_(placed, and_(replies.c.run.in_(early), replies.c.cell_key != b"")) if early else placed
    # A reply whose text was removed has no key any more, and stands for itself.
    alone = case((replies.c.cell_key == b"", replies.c.id), else_=0)
    last = select(func.max(replies.c.id)).where(of_run).group_by(replies.c.cell_key, alone)
    chosen = select(*(replies.c[name] for name in TOOK)).where(replies.c.id.in_(last))
    with run.store.reading() as connection:
        for block in blocks(connection, chosen) if numbers else ():
            yield reply_columns([0] * len(block[0]), block, own=numbers)
