"""The calls of a pass: within its budget, and cancelled where it has to end."""

import asyncio

from ..models.attempts import ATTEMPTS, Attempts, Gate
from ..models.base import Model
from ..records import Reply, ReplyError, Request
from .budget import Purse


class Calls:
    """Makes calls until it is told to stop.

    Attributes:
        made: Calls made, retries included, also those that were cancelled or ended the run.
    """

    def __init__(self, model: Model, purse: Purse, *, give_up_after: int | None = None) -> None:
        """Begin with none in flight.

        Args:
            model: Who is asked.
            purse: What that may spend.
            give_up_after: While nothing was answered and so many cells have failed and are asked again, no other is
                sent; None to send them all the same.
        """
        self.made = 0
        self._gate = Gate(give_up_after)
        self._model = model
        self._purse = purse
        self._under_way: dict[asyncio.Task[object], Attempts] = {}
        self._stopped = False

    @property
    def in_flight(self) -> int:
        """Calls that the model works on now; no cell that waits for its turn or its retry."""
        return sum(not attempts.waiting for attempts in self._under_way.values())

    async def make(self, request: Request) -> Reply | None:
        """Ask, once the budget allows it; None where it was stopped before that.

        Raises:
            PrtError: The budget is spent, or the model can't go on.
        """
        task, attempts = this_task(), Attempts(self._gate, waiting=True)
        self._under_way[task] = attempts
        try:
            reserved, reply = await self._purse.reserve(request), None
            try:
                if not self._stopped:
                    reply = await self._counted(request, attempts)
            finally:
                self._purse.give_back(request, reserved, reply)
        finally:
            del self._under_way[task]
        return reply

    async def _counted(self, request: Request, attempts: Attempts) -> Reply:
        """Ask, and count the calls, whatever becomes of them."""
        reply = None
        token = ATTEMPTS.set(attempts)
        attempts.waiting = False  # as far as is known: a model may note nothing of its attempts
        try:
            reply = await answered(self._model, request)
            if reply.error is None:
                self._gate.open_for_good()
        finally:
            ATTEMPTS.reset(token)
            attempts.conclude()
            # A model that notes no attempt (a file of replies) says by its reply how many it takes them for.
            self.made += attempts.made or (0 if reply is None else reply.attempts)
        return reply

    def stop(self, reason: str) -> None:
        """Make no further call; who waits for a turn at the endpoint, or for a retry, ends at once."""
        self._stopped = True
        self._purse.budget.stop(reason)
        self._gate.open_for_good()
        for task, attempts in self._under_way.items():
            attempts.last = True
            if attempts.waiting:
                task.cancel()

    def cancel(self) -> None:
        """Cancel those in flight."""
        for task in self._under_way:
            task.cancel()


async def answered(model: Model, request: Request) -> Reply:
    """Ask a model; a call that its own code cancelled has failed, and must not end the worker."""
    try:
        return await model.ask(request)
    except asyncio.CancelledError:
        if this_task().cancelling():
            raise
        return Reply(error=ReplyError("callable", "the model's own code cancelled the call"))


def this_task() -> asyncio.Task[object]:
    """The task that runs now."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("only a task can be cancelled")
    return task
