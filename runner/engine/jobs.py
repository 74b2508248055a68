"""What passes from stage to stage of a run: a key to be asked, a reply to be graded, a grade to be stored."""

from dataclasses import dataclass

from ..records import Cell, Grade
from ..store.results import NewResult, StoredReply, cell_id
from .summary import CellDone


@dataclass(slots=True)
class Job:
    """One key to be asked.

    Attributes:
        key: The key.
        cells: The cells that wait for its reply; those of equal key join while it is under way.
    """

    key: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Ungraded:
    """A cell whose reply is on the disk.

    Attributes:
        cell: The cell.
        stored: The reply.
        asked: Whether the reply was asked for this cell, in this pass.
    """

    cell: Cell
    stored: StoredReply
    asked: bool


@dataclass(frozen=True, slots=True)
class Graded:
    """A cell's grade, on its way to the disk."""

    of: Ungraded
    grade: Grade

    def result(self) -> NewResult:
        """What is stored of it."""
        return NewResult(*cell_id(self.of.cell), self.of.stored.id, self.grade)

    def done(self) -> CellDone:
        """What is said of its cell once it is stored."""
        return CellDone(self.of.cell, self.grade, self.of.stored.reply if self.of.asked else None)
