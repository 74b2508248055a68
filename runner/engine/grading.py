"""One thread that grades: a user's own grader may be slow, or hang, and need not bear several threads."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from ..graders.base import Grader
from ..threads import hand_over
from .jobs import Graded, Ungraded

REPORT_EVERY_S = 0.05


class Grading:
    """Grades replies one after another, and hands the grades to the event loop by the batch.

    Leaving the context waits for nothing: a grader that hangs keeps neither the run nor the process from ending.
    """

    def __init__(
        self, grader: Grader, *, graded: Callable[[Sequence[Graded]], None], failed: Callable[[BaseException], None]
    ) -> None:
        """Get ready.

        Args:
            grader: The grader.
            graded: Called in the event loop with grades, a few times a second or whenever the thread has no more to do.
            failed: Called in the event loop, once, with what the grader raised; nothing more is graded then.
        """
        self._grader = grader
        self._graded = graded
        self._failed = failed
        self._ended = False
        self._batches: SimpleQueue[Sequence[Ungraded]] = SimpleQueue()

    async def __aenter__(self) -> Self:
        """Start the thread."""
        self._loop = asyncio.get_running_loop()
        Thread(target=self._work, name="prt-grader", daemon=True).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the thread end."""
        self.end()

    def put(self, ungraded: Sequence[Ungraded]) -> None:
        """Take replies to be graded."""
        self._batches.put(ungraded)

    def end(self) -> None:
        """Begin no further reply."""
        self._ended = True
        self._batches.put(())

    def _work(self) -> None:
        while not self._ended:
            try:
                self._grade(self._batches.get())
            except BaseException as error:  # noqa: BLE001 - not handled here but in the event loop
                hand_over(self._loop, partial(self._failed, error))
                return

    def _grade(self, batch: Sequence[Ungraded]) -> None:
        """Grade a batch; what is done is handed over in time, whatever becomes of the rest."""
        done: list[Graded] = []
        report_at = time.monotonic() + REPORT_EVERY_S
        try:
            for each in batch:
                if self._ended:
                    return
                done.append(Graded(each, self._grader.grade(each.stored.reply, each.cell.answer_key)))
                if time.monotonic() >= report_at:
                    hand_over(self._loop, partial(self._graded, done))
                    done, report_at = [], time.monotonic() + REPORT_EVERY_S
        finally:
            if done:
                hand_over(self._loop, partial(self._graded, done))
