"""When to give a run up: calls fail and none is answered, or more cells fail than the config allows.

In the first case the endpoint is dead, or set up wrong. Errors that are scattered among answers end a run by a bound
alone, `max_error_rate`.
"""

from dataclasses import dataclass, field

from ..records import Cell, ErrorKind, Reply, ReplyError

LATER = 4
"""So many times as many failures in a row are needed of an endpoint that has answered before."""
MOST_STRUCK = 64
"""Calls in flight beyond so many make no difference: that many cells have failed with all of their retries."""
OF_THE_ENDPOINT: frozenset[ErrorKind] = frozenset({"connection", "timeout", "rate_limit", "server"})
"""Kinds of error that say nothing of the prompt; of the others each item counts once, since its text may be why."""


@dataclass(slots=True)
class Failures:
    """The calls that failed since one was last answered.

    Attributes:
        after: So many that fail alike, before any is answered, are enough; None for never.
        concurrency: Calls in flight at most; an outage strikes all of them at once.
        max_error_rate: Share of cells that may stay without a result; the run is not given up while it could be
            complete, and is stopped when it no longer can be. None for none, which stops nothing.
        total: Cells of the run.
    """

    after: int | None
    concurrency: int = 1
    max_error_rate: float | None = None
    total: int = 0
    _answered: bool = False
    _failed: int = 0
    _in_a_row: int = 0
    _alike: dict[ErrorKind, set[str]] = field(default_factory=dict)

    def add(self, cell: Cell, reply: Reply) -> str | None:
        """Note how one more call ended.

        Returns:
            Why to give the run up, one sentence; None to go on.
        """
        if reply.error is None:
            self._answered, self._in_a_row = True, 0
            self._alike.clear()
            return None
        self._failed += 1
        self._in_a_row += 1
        return self._verdict(cell, reply.error)

    def too_many(self, missing: int) -> str | None:
        """Say why the run can no longer be complete, whatever else is answered.

        Args:
            missing: Cells that are done and have no result.

        Returns:
            One sentence; None where it still can be.
        """
        if self.max_error_rate is None or missing <= self.tolerated:
            return None
        return (
            f"{missing} of {self.total} cells have no result already, and limits.max_error_rate allows "
            f"{self.max_error_rate:.1%}"
        )

    @property
    def tolerated(self) -> float:
        """Cells that may stay without a result."""
        return (self.max_error_rate or 0.0) * self.total

    def _verdict(self, cell: Cell, error: ReplyError) -> str | None:
        alike = self._alike.setdefault(error.kind, set())
        of_endpoint = error.kind in OF_THE_ENDPOINT
        alike.add(cell.key if of_endpoint else cell.item_id)
        if self.after is None or self._failed <= self.tolerated or (self._answered and not of_endpoint):
            return None
        needed = max(LATER * self.after, 2 * min(self.concurrency, MOST_STRUCK)) if self._answered else self.after
        return None if len(alike) < needed else self._sentence(error)

    def _sentence(self, error: ReplyError) -> str:
        calls = "call" if self._in_a_row == 1 else f"{self._in_a_row} calls"
        which = f"{calls} in a row" if self._answered else f"the first {calls}"
        return (
            f"{which} failed: {error.message.rstrip('.')}; mend that and run the same command, which asks only what is "
            "missing, or set `limits.give_up_after` to go on through more failures"
        )
