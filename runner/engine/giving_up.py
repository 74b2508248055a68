"""When to give a run up because calls fail and none is answered: the endpoint is dead, or set up wrong.

Errors that are scattered among answers never end a run, however many they are.
"""

from dataclasses import dataclass, field

from ..records import Cell, ErrorKind, ReplyError
from .summary import CellDone

LATER = 4
"""So many times as many failures in a row are needed of an endpoint that has answered before."""
OF_THE_ENDPOINT: frozenset[ErrorKind] = frozenset({"connection", "timeout", "rate_limit", "server"})
"""Kinds of error that say nothing of the prompt; of the others each item counts once, since its text may be why."""


@dataclass(slots=True)
class Failures:
    """The calls that failed since one was last answered.

    Attributes:
        after: So many that fail alike, before any is answered, are enough; None for never.
        concurrency: Calls in flight at most; an outage strikes all of them at once.
        tolerated: Cells that may stay without a result; the run is not given up while it could be complete.
    """

    after: int | None
    concurrency: int = 1
    tolerated: float = 0.0
    _answered: bool = False
    _failed: int = 0
    _in_a_row: int = 0
    _alike: dict[ErrorKind, set[str]] = field(default_factory=dict)

    def add(self, done: CellDone) -> str | None:
        """Note how one more cell ended.

        Returns:
            Why to give the run up, one sentence; None to go on.
        """
        if done.reply is None:
            return None
        if done.reply.error is None:
            self._answered, self._in_a_row = True, 0
            self._alike.clear()
            return None
        self._failed += 1
        self._in_a_row += 1
        return self._verdict(done.cell, done.reply.error)

    def _verdict(self, cell: Cell, error: ReplyError) -> str | None:
        alike = self._alike.setdefault(error.kind, set())
        of_endpoint = error.kind in OF_THE_ENDPOINT
        alike.add(cell.key if of_endpoint else cell.item_id)
        if self.after is None or self._failed <= self.tolerated or (self._answered and not of_endpoint):
            return None
        needed = max(LATER * self.after, 2 * self.concurrency) if self._answered else self.after
        return None if len(alike) < needed else self._sentence(error)

    def _sentence(self, error: ReplyError) -> str:
        calls = "call" if self._in_a_row == 1 else f"{self._in_a_row} calls"
        which = f"{calls} in a row" if self._answered else f"the first {calls}"
        return (
            f"{which} failed: {error.message.rstrip('.')}; mend that and run the same command, which asks only what is "
            "missing, or set `limits.give_up_after` to go on through more failures"
        )
