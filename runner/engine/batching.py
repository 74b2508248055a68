"""Asking a run's cells in batches: send what is pending, look until it is answered, store it, ask the rest again.

Replies go to the store by their keys, and a pass over the cells then grades them as if they had been there before. So
nothing of a batch is kept in memory but what failed, and a process that is killed leaves the batches to the next one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..errors import BudgetSpentError, PrtError, StoreError
from ..models.batch_interface import BatchProblem, BatchState
from ..models.batches import Batches
from ..problems import counted
from ..records import Cell, Reply
from ..store.batches import BatchRecord, batches_of, keys_of
from ..store.database import Store
from ..store.runs import RunRecord
from ..store.schema import stored_key
from .batch_answers import Collector, Harvest
from .batch_filling import Filler
from .batch_requests import Draft, Sender
from .budget import Purse, Use
from .collected import Collected
from .events import log_batch_ended, log_batch_sent
from .jobs import Job
from .journal import Journal, Written
from .work import INTERRUPTED, UNSAVED_AT_MOST

FIRST_POLL_S = 5.0
QUEUE_FULL = "token_limit_exceeded"
"""Code of a batch that was refused since too many tokens wait at the endpoint already."""
IDS_SHOWN = 3

T = TypeVar("T")


class HaltedError(PrtError):
    """The batches are not waited for any longer; caught where they are asked."""


@dataclass(slots=True)
class UnderWay:
    """A batch that the endpoint works on.

    Attributes:
        record: The batch in the store.
        reserved: What its requests can use at most; nothing where another command sent it.
        after: How many others had been collected when it was sent.
        own: Whether this command sent it.
        said: What was last told of it.
    """

    record: BatchRecord
    reserved: Use
    after: int
    own: bool = False
    said: str = ""


class BatchPass:
    """One pass over a run's cells, which leaves their replies in the store."""

    def __init__(
        self,
        cells: Callable[[], Iterator[Cell]],
        *,
        batches: Batches,
        store: Store,
        run: RunRecord,
        stop: asyncio.Event,
        purse: Purse,
        tell: Callable[[str], None],
        give_up_after: int | None = None,
        tolerated: float = 0.0,
        cancels: bool = False,
    ) -> None:
        """Get ready; nothing is called.

        Args:
            cells: Gives the cells that may lack a result, each time from the first.
            batches: The model.
            store: The results database.
            run: The run.
            stop: Set it to stop: batches under way stay so.
            purse: What requests may spend.
            tell: Told how batches are getting on.
            give_up_after: So many requests that fail before any is answered are not asked again; None for no such
                bound.
            tolerated: Cells that may stay without an answer.
            cancels: Whether batches under way are cancelled, and none is sent.
        """
        self._cells, self._batches, self._store, self._run = cells, batches, store, run
        self._stop, self._purse, self._tell = stop, purse, tell
        self._give_up_after, self._tolerated, self._cancels = give_up_after, tolerated, cancels
        self._collected = Collected(by_batches=True)
        self._sender = Sender(batches, store, run)
        self._filler = Filler(
            self._sender,
            batches=batches,
            store=store,
            run=run,
            purse=purse,
            collected=self._collected,
            check=self._halt_if_stopped,
        )
        self._collector = Collector(batches, store, run, self._collected, self)
        self._journal = Journal(store, run, written=self._written, failed=self._store_failed)
        self._under_way: list[UnderWay] = []
        self._ended = 0
        self._answered = 0
        self._blocked_after: int | None = None
        self._unsaved = 0
        self._moved = asyncio.Event()
        self._store_error: Exception | None = None

    async def through(self) -> Collected:
        """Have all cells answered, or halt; on return all that came is on the disk."""
        try:
            async with self._journal:
                await self._go()
        except PrtError as error:
            self._collected.halted = f"{str(error).rstrip('.')}{await asyncio.to_thread(self._left)}"
        return self._collected

    async def save(self, replies: Sequence[tuple[str, Reply]]) -> None:
        """Give replies to the journal; wait where much is on its way to the disk."""
        for key, reply in replies:
            self._journal.add_reply(Job(key, []), reply)
        self._unsaved += len(replies)
        await self._until_saved(UNSAVED_AT_MOST)

    async def _go(self) -> None:
        await self._find_again()
        wait_s = min(FIRST_POLL_S, self._batches.config.poll_s)
        while True:
            if self._may_send() and await self._send():
                wait_s = min(FIRST_POLL_S, self._batches.config.poll_s)
            if not self._under_way:
                break
            self._halt_if_stopped()
            await self._unless_stopped(self._batches.pace.sleep(wait_s))
            wait_s = min(2 * wait_s, self._batches.config.poll_s)
            await self._look()
        if self._cancels:
            raise HaltedError("no batch is under way any more, as `--cancel` asked")
        if self._filler.over:
            raise BudgetSpentError(self._filler.over)

    async def _find_again(self) -> None:
        """Go on with the batches of earlier commands."""
        for record in await asyncio.to_thread(batches_of, self._store, self._run):
            begun = await self._unless_stopped(self._sender.found_again(record, begin=not self._cancels))
            if begun is None:
                continue
            self._under_way.append(UnderWay(begun, Use(), self._ended))
            if self._cancels:
                await self._unless_stopped(self._batches.interface.cancel(begun.batch_id))
                self._tell(f"{begun.batch_id}: asked to be cancelled")
            else:
                self._tell(f"{begun.batch_id}: found again, {counted(begun.requests, 'request')}")

    def _may_send(self) -> bool:
        """Whether requests that are pending are sent now: at first, and when all that was sent has ended.

        Those that an endpoint had no room for are sent once another batch has ended.
        """
        has_room = self._blocked_after is not None and self._ended > self._blocked_after
        return not self._cancels and (not self._under_way or has_room)

    async def _send(self) -> bool:
        """Send what is pending; False where that is nothing."""
        self._refuse_if_hopeless()
        self._blocked_after, before = None, len(self._under_way)
        await self._filler.fill(self._cells(), self._dispatch)
        return len(self._under_way) > before

    async def _dispatch(self, draft: Draft) -> None:
        """Send a batch that is written."""
        record = await self._unless_stopped(self._sender.send(draft))
        self._under_way.append(UnderWay(record, draft.reserved, self._ended, own=True))
        size = f"{draft.size / 1e6:.1f} MB"
        self._tell(f"{record.batch_id}: sent, {counted(draft.requests, 'request')} ({size})")
        log_batch_sent(record.batch_id, requests=draft.requests, size=draft.size)

    def _refuse_if_hopeless(self) -> None:
        """Ask nothing again where everything failed.

        Raises:
            HaltedError: It did.
        """
        failed = self._collected.failed
        enough = self._give_up_after
        if self._answered or enough is None or len(failed) < enough or len(failed) <= self._tolerated:
            return
        first = next(iter(failed.values())).error.message.rstrip(".")
        raise HaltedError(
            f"no request was answered, and {counted(len(failed), 'request')} failed, the first so: {first}; mend that "
            "and run the same command, or set `limits.give_up_after` to ask again all the same"
        )

    async def _look(self) -> None:
        """See how each batch is getting on, and collect those that have ended."""
        for each in list(self._under_way):
            state = await self._unless_stopped(self._batches.interface.look(each.record.batch_id))
            if state is None:
                await self._lost(each)
            elif state.has_ended:
                await self._collect(each, state)
            else:
                self._say(each, state)

    async def _lost(self, each: UnderWay) -> None:
        """Forget a batch that the endpoint does not know, if batches are to be cancelled.

        Raises:
            HaltedError: They are not.
        """
        name = each.record.batch_id
        if not self._cancels:
            raise HaltedError(
                f"the endpoint does not know the batch {name}; if it was made with another key or project, use that"
            )
        self._tell(f"{name}: not known to the endpoint, forgotten")
        await self._end(each)

    async def _collect(self, each: UnderWay, state: BatchState) -> None:
        """Store what came of a batch, and forget it.

        Raises:
            PrtError: Nothing more is to be asked.
        """
        harvest = await self._unless_stopped(self._collector.collect(each.record, state))
        await self._until_saved(0)
        if each.own:
            not_asked = harvest.requests if state.status == "failed" else 0
            self._purse.settle(each.reserved, harvest.spent(each.reserved), not_asked=not_asked)
        self._answered += harvest.answered
        blamed = await asyncio.to_thread(self._blamed, each.record, state.problems)
        await self._end(each)
        self._conclude(state, harvest)
        if harvest.fatal:
            raise HaltedError(harvest.fatal)
        if state.status == "cancelled" and not self._cancels:
            raise HaltedError(
                f"the batch {state.id} was cancelled at the endpoint; the same command asks its rest anew"
            )
        if state.status != "failed":
            self._ended += 1
        elif not self._cancels:
            self._refused(each, state, blamed)

    def _conclude(self, state: BatchState, harvest: Harvest) -> None:
        """Tell what came of a batch."""
        parts = [f"{harvest.answered} of {counted(harvest.requests, 'request')} answered"]
        parts += [f"{harvest.failed} failed"] if harvest.failed else []
        parts += [f"{counted(harvest.unread, 'line')} left aside"] if harvest.unread else []
        self._tell(f"{state.id}: {state.status}, {', '.join(parts)}")
        log_batch_ended(
            state.id,
            state.status,
            requests=harvest.requests,
            answered=harvest.answered,
            failed=harvest.failed,
            unread=harvest.unread,
        )

    def _refused(self, each: UnderWay, state: BatchState, blamed: str) -> None:
        """Wait for others where the endpoint has no room for a batch.

        Raises:
            HaltedError: It refuses the batch for another reason, or has no room though it has nothing else to do.
        """
        full = any(problem.code == QUEUE_FULL for problem in state.problems)
        if full and (self._under_way or self._ended > each.after):
            self._blocked_after = each.after
            return
        advice = "; lower model.batch.max_requests" if full else ""
        raise HaltedError(f"the batch {state.id} was refused: {blamed or 'the endpoint does not say why'}{advice}")

    def _blamed(self, record: BatchRecord, problems: Sequence[BatchProblem]) -> str:
        """Why a batch was refused, in the endpoint's words, with the line and the cell that it blames."""
        if not problems:
            return ""
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        return f"{self._place(record, first.line)}{first.message.rstrip('.')}{more}"

    def _place(self, record: BatchRecord, line: int | None) -> str:
        """The line of a file of requests, with its cell."""
        if line is None:
            return ""
        keys = {key for key, at in keys_of(self._store, record).items() if at == line}
        cell = next((cell for cell in self._cells() if keys and stored_key(cell.key) in keys), None)
        return f"line {line}: " if cell is None else f"line {line} ({cell.item_id}, {cell.condition}): "

    async def _end(self, each: UnderWay) -> None:
        await self._sender.forget(each.record)
        self._under_way.remove(each)

    def _say(self, each: UnderWay, state: BatchState) -> None:
        """Tell how a batch is getting on, if that has changed."""
        total = state.total or each.record.requests
        said = f"{state.id}: {state.status}, {state.answered} of {counted(total, 'request')} answered"
        said += f", {state.failed} failed" if state.failed else ""
        if said != each.said:
            each.said = said
            self._tell(said)

    def _left(self) -> str:
        """What becomes of the batches that are under way, as the end of a sentence."""
        try:
            ids = [record.batch_id or "one not begun" for record in batches_of(self._store, self._run)]
        except StoreError:
            return ""
        if not ids:
            return ""
        named = ", ".join(ids[:IDS_SHOWN]) + (f" and {len(ids) - IDS_SHOWN} more" if len(ids) > IDS_SHOWN else "")
        count = "1 batch goes" if len(ids) == 1 else f"{len(ids)} batches go"
        return f"; {count} on at the endpoint ({named}): the same command collects them, with --cancel it cancels them"

    async def _unless_stopped(self, work: Awaitable[T]) -> T:
        """Wait for something, but no longer than until the user interrupts.

        Raises:
            HaltedError: The user did.
        """
        task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((task, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if task.cancelled():
            raise HaltedError(INTERRUPTED)
        return task.result()

    def _halt_if_stopped(self) -> None:
        if self._stop.is_set():
            raise HaltedError(INTERRUPTED)

    async def _until_saved(self, but: int) -> None:
        """Wait until no more than so many replies are on their way to the disk.

        Raises:
            Exception: They can't get there.
        """
        while self._unsaved > but and self._store_error is None:
            self._moved.clear()
            await self._moved.wait()
        if self._store_error is not None:
            raise self._store_error

    def _written(self, written: Written) -> None:
        self._unsaved -= len(written.replies)
        self._collected.add(stored.id for _, stored in written.replies)
        self._moved.set()

    def _store_failed(self, error: Exception) -> None:
        self._store_error = error
        self._moved.set()
