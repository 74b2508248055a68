"""Collecting a batch that has ended: its files are fetched, read line by line and stored, and it is forgotten.

Lines may come in any order, twice, damaged, or not at all. A batch is forgotten once all of its replies are on the
disk; one that was collected half is collected again, and what is there already is not stored twice.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO, Protocol

from ..errors import FatalReplyError
from ..models.batch_interface import BatchState
from ..models.batch_lines import Outcome
from ..models.batches import Batches
from ..models.completion import malformed
from ..models.failure import FailedAttempt
from ..records import Reply
from ..store.batches import BatchRecord, keys_of
from ..store.database import Store
from ..store.results import newest_replies
from ..store.runs import RunRecord
from ..store.schema import stored_key
from .batch_requests import room_on_disk
from .budget import Use
from .chunks import CHUNK
from .collected import Collected, FailedRequest

TRIED = frozenset({"completed", "expired"})
"""Statuses of batches whose requests have failed where no line speaks of them; in others they were not tried."""


NOT_REACHED = "the endpoint calls this request cancelled, though its batch was not"


class Saving(Protocol):
    """Stores replies."""

    async def save(self, replies: Sequence[tuple[str, Reply]]) -> None:
        """Take replies, by the keys of their cells; wait where there are many on their way."""
        ...


@dataclass(slots=True)
class Harvest:
    """What came of one batch.

    Attributes:
        requests: How many it asked.
        answered: Replies.
        failed: Requests without an answer, for whatever reason.
        unread: Lines that could not be read, or that answer nothing that was asked.
        used: Tokens, as far as replies say.
        silent: Replies that do not say.
        fatal: Why no request can work; empty where they can.
    """

    requests: int
    answered: int = 0
    failed: int = 0
    unread: int = 0
    used: Use = field(default_factory=Use)
    silent: int = 0
    fatal: str = ""

    def spent(self, reserved: Use) -> Use:
        """What its requests used; for a reply that does not say its share of what was reserved."""
        return Use(
            self.used.prompt + -(-reserved.prompt * self.silent // max(self.requests, 1)),
            self.used.completion + -(-reserved.completion * self.silent // max(self.requests, 1)),
        )


@dataclass(slots=True)
class Collector:
    """Collects batches of one run.

    Attributes:
        batches: The model.
        store: The results database.
        run: The run.
        collected: Where failures are noted.
        saving: Stores replies.
    """

    batches: Batches
    store: Store
    run: RunRecord
    collected: Collected
    saving: Saving
    _waiting: dict[bytes, int] = field(default_factory=dict)
    _tried: bool = True

    async def collect(self, record: BatchRecord, state: BatchState) -> Harvest:
        """Fetch and store what came of a batch that has ended.

        Raises:
            FatalReplyError: A file could not be fetched.
            StoreError: What came could not be stored.
        """
        self._waiting = await asyncio.to_thread(keys_of, self.store, record)
        self._tried = state.status in TRIED
        harvest = Harvest(len(self._waiting))
        for file_id in state.files:
            with room_on_disk(), tempfile.TemporaryFile() as file:
                await self.batches.interface.fetch(file_id, file)
                file.seek(0)
                await self._read(file, harvest)
        if not harvest.fatal and self._tried:
            for key in self._waiting:
                self._fail(key, unanswered(state))
            harvest.failed += len(self._waiting)
        return harvest

    async def _read(self, file: BinaryIO, harvest: Harvest) -> None:
        lines = (line for line in file if line.strip())
        while some := list(islice(lines, CHUNK)):
            outcomes = [outcome for line in some if (outcome := self._outcome(line, harvest)) is not None]
            answers = [(each.key, each.reply) for each in outcomes if each.reply is not None]
            there = await asyncio.to_thread(self._stored, [key for key, _ in answers])
            await self.saving.save([answer for answer in answers if answer[0] not in there])

    def _outcome(self, line: bytes, harvest: Harvest) -> Outcome | None:
        """What a line says of a request that no line has spoken of yet; None for any other."""
        try:
            outcome = self.batches.read(line)
        except FatalReplyError as error:
            harvest.fatal = harvest.fatal or str(error)
            return None
        if outcome is None or self._waiting.pop(stored_key(outcome.key), None) is None:
            harvest.unread += 1
            return None
        if outcome.reply is None:
            harvest.failed += 1
            if outcome.failure is not None or self._tried:
                self._fail(stored_key(outcome.key), outcome.failure or malformed(NOT_REACHED))
            return outcome
        earlier = self.collected.failed.pop(stored_key(outcome.key), None)
        reply = replace(outcome.reply, attempts=1 + (earlier.attempts if earlier else 0))
        harvest.answered += 1
        says = reply.prompt_tokens is not None and reply.completion_tokens is not None
        harvest.silent += not says
        harvest.used += Use(reply.prompt_tokens or 0, reply.completion_tokens or 0) if says else Use()
        return replace(outcome, reply=reply)

    def _fail(self, key: bytes, failure: FailedAttempt) -> None:
        earlier = self.collected.failed.get(key)
        attempts = 1 + (earlier.attempts if earlier else 0)
        often = f" (asked {attempts} times)" if attempts > 1 else ""
        error = replace(failure.error, message=failure.error.message + often)
        self.collected.failed[key] = FailedRequest(error, attempts, self.batches.is_asked_again(failure, attempts))

    def _stored(self, keys: Sequence[str]) -> set[str]:
        with self.store.reading() as connection:
            return set(newest_replies(connection, self.run, keys))


def unanswered(state: BatchState) -> FailedAttempt:
    """The failure of a request of which no line of a batch's files speaks."""
    if state.status == "expired":
        return FailedAttempt("timeout", "the batch expired before it was answered", again=True)
    return malformed(f"the batch {state.id} is {state.status}, and its files say nothing of this request")
