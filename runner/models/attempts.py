"""The attempts of one cell, as seen by whoever asks: how many were made, also of a cell that came to no end.

A model's reply tells its attempts, but a call that is cancelled, or ends the run, brings no reply. So the asker leaves
an `Attempts` in the context of its task, and the layer that makes attempts notes them there.
"""

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass

from ..errors import BudgetSpentError


class Gate:
    """Holds new cells back while none was answered and enough of those before them have failed and are asked again.

    Without it an endpoint that answers nothing would be sent ever new cells, in the places of those that wait for their
    retry.
    """

    def __init__(self, after: int | None) -> None:
        """Begin open.

        Args:
            after: So many cells that failed hold the others back while any of them is asked again; None for never.
        """
        self._after = after
        self._failing = 0
        self._failed = 0
        self._open_for_good = after is None
        self._moved = asyncio.Event()

    @property
    def closed(self) -> bool:
        """Whether no new cell is to be sent now."""
        if self._open_for_good or self._after is None:
            return False
        # Those that came to their end count too: else each that ends would let a whole set of calls in flight through,
        # just before enough have ended to give the run up.
        return self._failing > 0 and self._failed >= self._after

    async def opened(self) -> None:
        """Wait until new cells may be sent."""
        while self.closed:
            await self._moved.wait()

    def fail(self) -> None:
        """A cell has failed for the first time."""
        self._failing += 1
        self._failed += 1

    def conclude(self) -> None:
        """A cell that has failed before came to its end."""
        self._failing -= 1
        self._move()

    def open_for_good(self) -> None:
        """Hold nothing back from now on: a call was answered, or no further one is made anyhow."""
        self._open_for_good = True
        self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()


@dataclass(slots=True)
class Attempts:
    """The attempts of one cell.

    Attributes:
        gate: What may hold the first one back.
        made: Attempts made.
        failed: Whether one has failed.
        waiting: Whether the cell waits for its turn, a rate, the end of a pause or its retry, and no call is in flight.
        last: Whether no other attempt is to begin.
    """

    gate: Gate
    made: int = 0
    failed: bool = False
    waiting: bool = False
    last: bool = False

    def wait(self) -> None:
        """An attempt is made as soon as that is possible.

        Raises:
            BudgetSpentError: None is to be made any more.
        """
        if self.last:
            raise BudgetSpentError("no further call is made, since the run was stopped")
        self.waiting = True

    def begin(self) -> None:
        """An attempt is made."""
        self.made += 1
        self.waiting = False

    def fail(self) -> None:
        """An attempt has failed."""
        self.waiting = True
        if not self.failed:
            self.failed = True
            self.gate.fail()

    def conclude(self) -> None:
        """No further attempt is made."""
        if self.failed:
            self.gate.conclude()


ATTEMPTS: ContextVar[Attempts | None] = ContextVar("attempts", default=None)
"""Where the attempts that the present task makes are noted; None where nobody asks."""
