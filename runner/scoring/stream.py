"""Rows to scores: batch after batch, some rows at once, in order, and never longer than all of it may take."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice

from ..errors import PrtError
from ..problems import RowError
from .result import RowParts, Scored
from .rows import Read, ScoreRow

LOG = logging.getLogger(__name__)
INTERRUPTED = "it was interrupted"

Score = Callable[[ScoreRow], Awaitable[RowParts]]
Tell = Callable[[Scored], None]


async def score_rows(
    reads: Iterator[Read],
    score: Score,
    *,
    on_scored: Tell,
    stop: asyncio.Event,
    rows_at_once: int,
    batch_rows: int,
    total_seconds: float,
) -> str:
    """Score all rows; whatever becomes of one, the others go on.

    Args:
        reads: The rows as they are read, taken from a thread.
        score: Scores one.
        on_scored: Told of each row in the order of the file.
        stop: Set it to stop.
        rows_at_once: Rows that are scored at once.
        batch_rows: Rows that are read at once.
        total_seconds: Seconds for all of them.

    Returns:
        Why rows are left without a score that could have one, one sentence; empty where none is. They are told of too,
        with this reason.

    Raises:
        DatasetError: The rows can't be read at all.
    """
    halt = _Halt(stop, asyncio.get_running_loop().time() + total_seconds, total_seconds)
    while batch := await asyncio.to_thread(lambda: list(islice(reads, batch_rows))):
        await _Batch(batch, score, on_scored, halt).through(rows_at_once)
    return halt.reason


class _Halt:
    """When to end early, and why."""

    def __init__(self, stop: asyncio.Event, deadline: float, total_seconds: float) -> None:
        self.reason = ""
        self._stop = stop
        self._deadline = deadline
        self._total_seconds = total_seconds

    def because(self, reason: str) -> None:
        """End; the first reason counts."""
        self.reason = self.reason or reason

    async def come(self) -> None:
        """Wait until the user or the clock ends it."""
        left = self._deadline - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(max(left, 0.0)):
                await self._stop.wait()
        except TimeoutError:
            self.because(f"the time for all rows, {self._total_seconds:,g} s, is over")
        else:
            self.because(INTERRUPTED)


class _Batch:
    """Rows that were read at once."""

    def __init__(self, reads: list[Read], score: Score, on_scored: Tell, halt: _Halt) -> None:
        self._reads = reads
        self._score = score
        self._on_scored = on_scored
        self._halt = halt
        self._places = iter(range(len(reads)))
        self._done: dict[int, Scored] = {}
        self._next = 0

    async def through(self, rows_at_once: int) -> None:
        """Score them, or give those that are left the reason to halt."""
        if not self._halt.reason:
            workers = [asyncio.create_task(self._worker()) for _ in range(min(rows_at_once, len(self._reads)))]
            ending = asyncio.create_task(self._halt.come())
            try:
                await self._until_done(workers, ending)
            finally:
                for task in (*workers, ending):
                    task.cancel()
                await asyncio.gather(*workers, ending, return_exceptions=True)
        left = [at for at in range(self._next, len(self._reads)) if at not in self._done]
        for at in left:
            self._finish(at, self._unscored(at))

    async def _until_done(self, workers: list[asyncio.Task[None]], ending: asyncio.Task[None]) -> None:
        """Wait for the workers, for one that fails, or for the end."""
        left: set[asyncio.Task[None]] = {*workers, ending}
        while left - {ending} and not self._halt.reason:
            done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _worker(self) -> None:
        for at in self._places:
            scored = await self._one(self._reads[at])
            self._finish(at, scored)
            if self._halt.reason:
                return

    async def _one(self, read: Read) -> Scored:
        """Score one row; what stops its score stops no other's, unless nothing can go on."""
        if read.row is None:
            return Scored(read.id, read.line, None, read.reason)
        try:
            return Scored(read.id, read.line, await self._score(read.row))
        except RowError as error:
            return Scored(read.id, read.line, None, str(error))
        except PrtError as error:
            self._halt.because(str(error))
            return Scored(read.id, read.line, None, str(error))
        except Exception as error:
            LOG.exception("a row is given up")
            return Scored(read.id, read.line, None, f"prt failed at it: {type(error).__name__}: {error}")

    def _unscored(self, at: int) -> Scored:
        read = self._reads[at]
        return Scored(read.id, read.line, None, read.reason or f"not scored: {self._halt.reason}")

    def _finish(self, at: int, scored: Scored) -> None:
        """Tell of all rows that are done up to the first that is not."""
        self._done[at] = scored
        while self._next in self._done:
            self._on_scored(self._done.pop(self._next))
            self._next += 1
