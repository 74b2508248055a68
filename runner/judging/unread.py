"""The verdicts of a run that can't be read: how many, one of them, and what to do about them."""

from dataclasses import dataclass

from ..graders.judge import NOT_ASKED
from ..problems import counted
from ..reports.text import one_line, visible
from ..store.read import StoredRun
from .verdict import NO_ANSWER


@dataclass(frozen=True, slots=True)
class Unread:
    """Verdicts that can't be read, so that asking again is no help.

    Attributes:
        n: How many.
        example: What is wrong with the first of them, and which it is.
    """

    n: int = 0
    example: str = ""

    def advice(self) -> str:
        """Say what to do about them."""
        return (
            f"{counted(self.n, 'verdict')} of the judge can't be read, the first at {self.example}. "
            "Asking again gives the same: change the rubric or the judge, or let limits.max_error_rate allow for them."
        )


def unread_verdicts(run: StoredRun) -> Unread:
    """Those of a run by its own grader; calls of the judge that failed are none, since they are made again."""
    n, example = 0, ""
    for cell in run.graded_cells():
        grade = cell.grade
        if grade is None or grade.status != "judge_error" or grade.reason.startswith((NOT_ASKED, NO_ANSWER)):
            continue
        example = example or f"{visible(cell.item_id)}, {visible(cell.condition)}: {one_line(grade.reason, 200)}"
        n += 1
    return Unread(n, example)
