"""One thread that writes a run's results: whatever comes while one transaction is under way goes into the next.

So a result waits for two commits at most, a slow disk makes larger transactions instead of longer queues, and the event
loop never waits for a disk. Whoever adds a result gets an answer when it is on the disk.
"""

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from ..records import Reply
from ..store.database import Store
from ..store.lease import SIGN_OF_LIFE
from ..store.results import NewReply, NewResult, StoredReply, add_results
from ..store.runs import RunRecord

MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to be stored; `stored` gives a reply's number, and 0 for a result."""

    row: NewReply | NewResult
    stored: Future[int] = field(default_factory=Future)


class Journal:
    """Stores what the event loop hands over; leaving the context waits until all of it is on the disk."""

    def __init__(self, store: Store, run: RunRecord) -> None:
        self._store = store
        self._run = run
        self._failure: Exception | None = None
        self._entries: SimpleQueue[Entry | None] = SimpleQueue()
        self._ended: Future[None] = Future()

    async def __aenter__(self) -> Self:
        """Start the thread."""
        Thread(target=self._work, name="prt-journal").start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the thread end; where this is cancelled, it still writes all that it was given."""
        self._entries.put(None)
        await asyncio.shield(asyncio.wrap_future(self._ended))

    async def add_reply(self, key: str, reply: Reply) -> StoredReply:
        """Store a reply under the key of its cell.

        Raises:
            StoreError: It could not be stored, nor can anything after it.
        """
        return StoredReply(await self._add(NewReply(key, reply)), reply)

    async def add_result(self, result: NewResult) -> None:
        """Store a cell's reply number and grade.

        Raises:
            StoreError: It could not be stored, nor can anything after it.
        """
        await self._add(result)

    def _add(self, row: NewReply | NewResult) -> asyncio.Future[int]:
        entry = Entry(row)
        self._entries.put(entry)
        return asyncio.wrap_future(entry.stored)

    def _work(self) -> None:
        more = True
        while more:
            batch, more = self._next_batch()
            if batch or more:
                self._write(batch)
        self._ended.set_result(None)

    def _next_batch(self) -> tuple[list[Entry], bool]:
        """Wait for entries, but no longer than until a sign of life is due; False once the last ones are taken."""
        batch: list[Entry] = []
        with suppress(Empty):
            while len(batch) < MOST_AT_ONCE:
                entry = self._entries.get(block=not batch, timeout=SIGN_OF_LIFE.total_seconds())
                if entry is None:
                    return batch, False
                batch.append(entry)
        return batch, True

    def _write(self, batch: list[Entry]) -> None:
        """Store a batch, and tell those who still wait for it; after a failure nothing more is tried."""
        waiting = [entry for entry in batch if entry.stored.set_running_or_notify_cancel()]
        numbers = self._numbers([entry.row for entry in batch]) if self._failure is None else {}
        for entry in waiting:
            if self._failure is None:
                entry.stored.set_result(numbers.get(id(entry.row), 0))
            else:
                entry.stored.set_exception(self._failure)

    def _numbers(self, rows: list[NewReply | NewResult]) -> dict[int, int]:
        """Store rows; the numbers of the replies among them, by the identity of their rows."""
        replies = [row for row in rows if isinstance(row, NewReply)]
        results = [row for row in rows if isinstance(row, NewResult)]
        try:
            numbers = add_results(self._store, self._run, replies, results)
        except Exception as error:  # noqa: BLE001 - not handled here but handed to those who wait
            self._failure = error
            return {}
        return {id(reply): number for reply, number in zip(replies, numbers, strict=True)}
