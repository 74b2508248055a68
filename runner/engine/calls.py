"""The calls of a pass: within its budget, and cancelled where it has to end."""

import asyncio

from ..models.base import Model
from ..records import Reply, ReplyError, Request
from .budget import Purse


class Calls:
    """Makes calls until it is told to stop."""

    def __init__(self, model: Model, purse: Purse) -> None:
        """Begin with none in flight.

        Args:
            model: Who is asked.
            purse: What that may spend.
        """
        self._model = model
        self._purse = purse
        self._in_flight: set[asyncio.Task[object]] = set()
        self._stopped = False

    async def make(self, request: Request) -> Reply | None:
        """Ask, once the budget allows it; None where it was stopped before that.

        Raises:
            PrtError: The budget is spent, or the model can't go on.
        """
        task = this_task()
        self._in_flight.add(task)
        try:
            reserved, reply = await self._purse.reserve(request), None
            try:
                if not self._stopped:
                    reply = await answered(self._model, request)
            finally:
                self._purse.give_back(request, reserved, reply)
        finally:
            self._in_flight.discard(task)
        return reply

    def stop(self, reason: str) -> None:
        """Make no further call, not even for those who wait for their turn at the endpoint."""
        self._stopped = True
        self._purse.budget.stop(reason)

    def cancel(self) -> None:
        """Cancel those in flight."""
        for task in self._in_flight:
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
