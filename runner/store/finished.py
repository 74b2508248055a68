"""Which cells of a run need nothing more, told from numbers alone: no prompt is made, and no key compared."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, select

from ..records import Status
from .database import Store
from .rows import CURRENT_GRADE, cells, grades, replies
from .runs import RunRecord

ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Finished:
    """The finished cells of a run.

    Attributes:
        by_status: How many there are of each status.
        cells: A byte for each cell of the first variants of the suite, 1 where it is finished; cell (variant, repeat)
            stands at variant × repeats + repeat.
        repeats: How often each variant is asked.
    """

    by_status: Mapping[Status, int]
    cells: bytearray
    repeats: int

    def __len__(self) -> int:
        """How many cells are finished."""
        return sum(self.by_status.values())

    def __contains__(self, cell: tuple[int, int]) -> bool:
        """Whether a cell, given by its variant and repeat, is finished."""
        place = cell[0] * self.repeats + cell[1]
        return place < len(self.cells) and self.cells[place] == 1


def finished_cells(store: Store, run: RunRecord) -> Finished:
    """Find the cells that `look_up` would call graded, some hundred thousand a second.

    Args:
        store: The results database.
        run: The run; where its `keys_hold` is false, a cell may have been asked otherwise than it would be now, and
            nothing is taken for finished.

    Returns:
        The cells whose reply has no error, or one that the run reuses, and has a grade by the run's grader.
    """
    by_status: Counter[Status] = Counter()
    done = bytearray()
    if run.keys_hold:
        graded = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key, grades.c.status != "judge_error")
        chosen = (
            select(cells.c.variant, cells.c.repeat, grades.c.status)
            .select_from(cells)
            .join(replies, replies.c.id == cells.c.reply_id)
            .join(grades, graded)
            .where(cells.c.run == run.number)
            .order_by(cells.c.variant, cells.c.repeat)
        )
        if "error" not in run.reuse:
            chosen = chosen.where(replies.c.error_kind.is_(None))
        with store.reading() as connection:
            for rows in connection.execution_options(yield_per=ROWS).execute(chosen).partitions():
                done.extend(bytes((rows[-1][0] + 1) * run.repeats - len(done)))
                for variant, repeat, status in rows:
                    done[variant * run.repeats + repeat] = 1
                    by_status[status] += 1
    return Finished(by_status, done, run.repeats)
