"""One thread that writes a run's replies and grades, many in one transaction.

What comes is gathered for a moment, or until there is enough of it, and whatever comes while one transaction is under
way goes into the next. So a slow disk makes larger transactions instead of longer queues, and the event loop never
waits for a disk. It is told, once a transaction, what is on the disk.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from ..errors import StoreError, TakenOverError
from ..records import Reply
from ..store.database import Store
from ..store.lease import SIGN_OF_LIFE_S
from ..store.results import NewReply, StoredReply, add_results
from ..store.runs import RunRecord
from ..threads import hand_over
from .jobs import Graded, Job

LINGER_S = 0.01
"""Seconds that a reply waits for others to share its transaction: much to a fast endpoint, nothing to a slow one."""
MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Entries:
    """What goes to the disk together.

    Attributes:
        replies: Replies that came, with their jobs.
        graded: Grades.
    """

    replies: list[tuple[Job, Reply]] = field(default_factory=list)
    graded: list[Graded] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.replies) + len(self.graded)

    def take(self, others: "Entries") -> None:
        """Add others to these."""
        self.replies.extend(others.replies)
        self.graded.extend(others.graded)


@dataclass(frozen=True, slots=True)
class Written:
    """What is on the disk now.

    Attributes:
        replies: Jobs with their replies.
        graded: Grades.
    """

    replies: Sequence[tuple[Job, StoredReply]]
    graded: Sequence[Graded]


class Journal:
    """Stores what the event loop hands over; leaving the context waits until all of it is on the disk."""

    def __init__(
        self,
        store: Store,
        run: RunRecord,
        *,
        written: Callable[[Written], None],
        failed: Callable[[Exception], None],
        enough: int = MOST_AT_ONCE,
    ) -> None:
        """Get ready; nothing is written yet.

        Args:
            store: The results database.
            run: The run whose replies and grades come.
            written: Called in the event loop with what has got to the disk.
            failed: Called in the event loop, once, where the store fails; nothing more is tried then.
            enough: So many entries are written without waiting for more.
        """
        self._store = store
        self._run = run
        self._written = written
        self._failed = failed
        self._enough = enough
        self._gathered = Entries()
        self._due: asyncio.TimerHandle | None = None
        self._batches: SimpleQueue[Entries | None] = SimpleQueue()
        self._ended: Future[None] = Future()

    async def __aenter__(self) -> Self:
        """Start the thread."""
        self._loop = asyncio.get_running_loop()
        Thread(target=self._work, name="prt-journal").start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the thread end; where this is cancelled, it still writes all that it was given."""
        self._hand_on()
        self._batches.put(None)
        await asyncio.shield(asyncio.wrap_future(self._ended))

    def add_reply(self, job: Job, reply: Reply) -> None:
        """Take a reply that came."""
        self._gathered.replies.append((job, reply))
        self._gather()

    def add_graded(self, graded: Sequence[Graded]) -> None:
        """Take grades of replies that are on the disk."""
        self._gathered.graded.extend(graded)
        self._gather()

    def _gather(self) -> None:
        if len(self._gathered) >= self._enough:
            self._hand_on()
        elif self._due is None:
            self._due = self._loop.call_later(LINGER_S, self._hand_on)

    def _hand_on(self) -> None:
        """Give the thread what was gathered."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self._gathered:
            self._batches.put(self._gathered)
            self._gathered = Entries()

    def _work(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                self._write(batch)
        except Exception as error:  # noqa: BLE001 - not handled here but in the event loop
            hand_over(self._loop, partial(self._failed, error))
        finally:
            self._ended.set_result(None)

    def _write(self, batch: Entries) -> None:
        """Store a batch, or of one that is too large for what is left of the disk as many replies as there is room."""
        try:
            self._store_all(batch)
        except TakenOverError:
            raise
        except StoreError:
            for entry in batch.replies if len(batch) > 1 else ():
                self._store_all(Entries(replies=[entry]))
            raise

    def _store_all(self, batch: Entries) -> None:
        replies = [NewReply(job.key, reply) for job, reply in batch.replies]
        try:
            numbers = add_results(self._store, self._run, replies, [each.result() for each in batch.graded])
        except TakenOverError as error:
            self._tell(batch, error.stored)
            raise
        self._tell(batch, numbers)

    def _tell(self, batch: Entries, numbers: Sequence[int]) -> None:
        if batch:
            hand_over(self._loop, partial(self._written, written(batch, numbers)))

    def _next_batch(self) -> Entries | None:
        """Wait for entries, but no longer than until a sign of life is due; None once the last ones are written."""
        batch = Entries()
        with suppress(Empty):
            while len(batch) < MOST_AT_ONCE:
                more = self._batches.get(block=not batch, timeout=SIGN_OF_LIFE_S)
                if more is None:
                    if not batch:
                        return None
                    self._batches.put(None)
                    return batch
                batch.take(more)
        return batch


def written(batch: Entries, numbers: Sequence[int]) -> Written:
    """What became of a batch whose replies were given these numbers."""
    replies = [(job, StoredReply(number, reply)) for (job, reply), number in zip(batch.replies, numbers, strict=True)]
    return Written(replies, batch.graded)
