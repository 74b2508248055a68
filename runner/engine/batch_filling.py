"""Which cells of a run are asked in the next batches: those that nothing answers, no batch asks and a budget allows."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence

from ..errors import BudgetSpentError
from ..models.batches import Batches
from ..models.failure import FailedAttempt
from ..records import Cell, ReplyError
from ..store.batches import keys_under_way
from ..store.database import Store
from ..store.results import cell_id, look_up
from ..store.runs import RunRecord
from ..store.schema import stored_key
from .batch_requests import MOST_BYTES, Draft, Sender, request_of
from .budget import Purse, Use
from .chunks import next_chunk
from .collected import Collected, FailedRequest


class Filler:
    """Fills batches.

    Attributes:
        over: Why not all that is pending was taken, where a budget has no room for it; else empty.
    """

    def __init__(
        self,
        sender: Sender,
        *,
        batches: Batches,
        store: Store,
        run: RunRecord,
        purse: Purse,
        collected: Collected,
        check: Callable[[], None],
    ) -> None:
        """Get ready; nothing is written.

        Args:
            sender: Makes batches.
            batches: The model.
            store: The results database.
            run: The run.
            purse: What requests may spend.
            collected: What failed before, and where requests are noted that can't be sent.
            check: Raises where no more is to be sent.
        """
        self.over = ""
        self._sender, self._batches, self._store, self._run = sender, batches, store, run
        self._purse, self._collected, self._check = purse, collected, check

    async def fill(self, cells: Iterator[Cell], dispatch: Callable[[Draft], Awaitable[None]]) -> None:
        """Write what is pending into batches, and have each sent as soon as it is full.

        Args:
            cells: The cells that may lack a result.
            dispatch: Sends a batch.
        """
        self.over = ""
        draft: Draft | None = None
        try:
            while chunk := await asyncio.to_thread(next_chunk, cells):
                for key, line, reserved in self._affordable(await asyncio.to_thread(self._pending, chunk)):
                    if draft is not None and self._sender.is_full(draft, line):
                        await dispatch(draft)
                        draft = None
                    draft = draft or await self._sender.drafted()
                    draft.add(key, line, reserved)
                if draft is not None:
                    await draft.note(self._store, self._run)
                self._check()
                if self.over:
                    break
            if draft is not None:
                await dispatch(draft)
        finally:
            if draft is not None and not draft.file.closed:
                await self._sender.give_up(draft)

    def _affordable(self, cells: Sequence[Cell]) -> Iterator[tuple[str, bytes, Use]]:
        """Keys and lines with what they can use at most, as far as the budget goes."""
        for cell in cells:
            line = self._line(cell)
            if not line:
                continue
            try:
                reserved = self._purse.take(request_of(cell))
            except BudgetSpentError as error:
                self.over = str(error)
                return
            yield cell.key, line, reserved

    def _pending(self, chunk: list[Cell]) -> list[Cell]:
        """The cells of a chunk that are to be asked, one a key."""
        known = look_up(self._store, self._run, chunk)
        missing = {
            cell.key: cell
            for cell in chunk
            if cell_id(cell) not in known.graded and cell.key not in known.replies and self._is_worth_asking(cell)
        }
        for key in keys_under_way(self._store, self._run, missing):
            del missing[key]
        return list(missing.values())

    def _is_worth_asking(self, cell: Cell) -> bool:
        failed = self._collected.failed.get(stored_key(cell.key))
        return failed is None or failed.again

    def _line(self, cell: Cell) -> bytes:
        """A cell's request; empty where it can't be sent."""
        try:
            line = self._batches.line(cell.key, request_of(cell))
        except FailedAttempt as failure:
            return self._unsendable(cell, failure.error)
        if len(line) > MOST_BYTES:
            said = f"its request has {len(line):,} bytes, and a batch may have {MOST_BYTES:,}"
            return self._unsendable(cell, ReplyError("bad_request", said))
        return line

    def _unsendable(self, cell: Cell, error: ReplyError) -> bytes:
        self._collected.failed[stored_key(cell.key)] = FailedRequest(error, 1, again=False)
        return b""
