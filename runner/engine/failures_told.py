"""Telling of cells without a result while a run goes on: the first of each kind at once, the counts at the end."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..problems import counted
from ..reports.text import visible
from .events import log_failures, log_first_failure
from .summary import MISSING, CellDone


@dataclass(slots=True)
class FailuresTold:
    """Counts cells without a result by the kind of their error.

    Attributes:
        tell: Shows a line to the user.
    """

    tell: Callable[[str], None]
    _counts: Counter[str] = field(default_factory=Counter)
    _first: dict[str, str] = field(default_factory=dict)

    def add(self, done: CellDone) -> None:
        """Note a cell that is done."""
        if done.grade.status not in MISSING:
            return
        error = done.reply.error if done.reply is not None else None
        kind, message = (error.kind, error.message) if error is not None else (done.grade.status, done.grade.reason)
        self._counts[kind] += 1
        if kind not in self._first:
            cell = done.cell
            self._first[kind] = f"{cell.item_id}, {cell.condition}: {message}"
            log_first_failure(kind, item=cell.item_id, condition=cell.condition, error=message)
            self.tell(visible(f"first {kind}, {self._first[kind]}"))

    def conclude(self) -> None:
        """Tell the counts, a line for each kind."""
        for kind, count in self._counts.most_common():
            log_failures(kind, cells=count, first=self._first[kind])
            self.tell(visible(f"{kind}: {counted(count, 'cell')} without a result, the first {self._first[kind]}"))
