"""Making batches of a run's pending cells: files of requests, sent as soon as they are full.

A batch is written down in the store before its file is sent, with its token and its keys, and each id of the endpoint
as soon as it is known. So whatever instant a process is killed at, the next one finds what was begun.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex
from typing import BinaryIO

from ..errors import StoreError
from ..models.batches import Batches
from ..records import Cell, Request
from ..store.batches import BatchRecord, add_requests, begin_batch, forget_batch, note_batch
from ..store.database import Store
from ..store.runs import RunRecord
from .budget import Use

MOST_BYTES = 200_000_000
"""Bytes that a file of requests may have, by the interface's own bounds."""
TOKEN_BYTES = 12


@dataclass(slots=True)
class Draft:
    """A batch that is being written.

    Attributes:
        record: The batch in the store.
        file: Its requests.
        requests: How many it has.
        size: Bytes of them.
        reserved: What they can use at most.
    """

    record: BatchRecord
    file: BinaryIO
    requests: int = 0
    size: int = 0
    reserved: Use = field(default_factory=Use)
    _unnoted: list[str] = field(default_factory=list)

    def add(self, key: str, line: bytes, reserved: Use) -> None:
        """Add a request."""
        with room_on_disk():
            self.file.write(line)
        self.requests += 1
        self.size += len(line)
        self.reserved += reserved
        self._unnoted.append(key)

    async def note(self, store: Store, run: RunRecord) -> None:
        """Write down which keys were added since."""
        keys, self._unnoted = self._unnoted, []
        first_line = self.requests - len(keys) + 1
        await asyncio.to_thread(add_requests, store, run, self.record, keys, first_line=first_line)


class Sender:
    """Sends batches of one run."""

    def __init__(self, batches: Batches, store: Store, run: RunRecord) -> None:
        self._batches, self._store, self._run = batches, store, run

    async def drafted(self) -> Draft:
        """Begin to write a batch."""
        with room_on_disk():
            file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed when it is sent, or given up
        return Draft(await asyncio.to_thread(begin_batch, self._store, self._run, token_hex(TOKEN_BYTES)), file)

    def is_full(self, draft: Draft, line: bytes) -> bool:
        """Whether another request has no room in a batch."""
        return draft.requests >= self._batches.config.max_requests or draft.size + len(line) > MOST_BYTES

    async def send(self, draft: Draft) -> BatchRecord:
        """Send a batch that is written.

        Returns:
            The batch, with the endpoint's ids.

        Raises:
            FatalReplyError: The endpoint did not take it; what it took is found by the next command.
        """
        await draft.note(self._store, self._run)
        record = await self._noted(draft.record, requests=draft.requests)
        with draft.file as file:
            file_id = await self._batches.interface.send_file(file, file_name(record))
        return await self.begin(await self._noted(record, file_id=file_id))

    async def begin(self, record: BatchRecord) -> BatchRecord:
        """Begin a batch whose file was sent."""
        state = await self._batches.interface.begin(
            record.file_id,
            token=record.token,
            run=self._run.id,
            window=self._batches.config.completion_window,
            since=record.created_at,
        )
        return await self._noted(record, batch_id=state.id)

    async def give_up(self, draft: Draft) -> None:
        """Forget a batch of which nothing was sent."""
        draft.file.close()
        await self.forget(draft.record)

    async def found_again(self, record: BatchRecord, *, begin: bool) -> BatchRecord | None:
        """Find out how far a batch got whose process is gone, and go on from there.

        Args:
            record: The batch.
            begin: Whether it is begun where only its file was sent.

        Returns:
            The batch, under way; None where there is none, and it is forgotten.
        """
        if record.batch_id:
            return record
        interface = self._batches.interface
        state = await interface.find(record.token, record.created_at)
        if state is not None:
            return await self._noted(record, batch_id=state.id)
        file_id = record.file_id or (
            await interface.find_file(file_name(record), record.created_at) if begin and record.requests else None
        )
        if file_id and begin:
            return await self.begin(await self._noted(record, file_id=file_id))
        await self.forget(record)
        return None

    async def forget(self, record: BatchRecord) -> None:
        """Forget a batch; its requests may be asked again."""
        await asyncio.to_thread(forget_batch, self._store, record)

    async def _noted(
        self, record: BatchRecord, *, requests: int = 0, file_id: str = "", batch_id: str = ""
    ) -> BatchRecord:
        return await asyncio.to_thread(
            note_batch, self._store, record, requests=requests, file_id=file_id, batch_id=batch_id
        )


def file_name(record: BatchRecord) -> str:
    """What the endpoint calls a file of requests, by which it is found again."""
    return f"prt-{record.token}.jsonl"


def request_of(cell: Cell) -> Request:
    """What is asked for a cell."""
    return Request(cell.messages, item_id=cell.item_id, condition=cell.condition, repeat=cell.repeat)


@contextmanager
def room_on_disk() -> Iterator[None]:
    """Say where there is no room for a batch's file.

    Raises:
        StoreError: There is none.
    """
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{tempfile.gettempdir()}: the file of a batch can't be written ({error.strerror or error}); make room, or "
            "set TMPDIR to another folder"
        ) from error
