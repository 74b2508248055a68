"""The loop over a run's cells: ask what is missing, store each reply as it comes, grade it, store the grade.

Cells are looked up by the chunk, and what has no reply is asked by a pool of workers. A reply goes to the journal's
thread; once it is on the disk, to the grader's thread; its grade to the journal again; and then its cell is done. All
of these pass on what they have by the batch, and the workers wait where too much is on its way, so that memory does not
grow with the run. Cells of equal key share one reply, within a run and across runs. Whatever ends the run, what came is
stored first, and the same command resumes it.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ..errors import BudgetSpentError, PrtError, StoreError
from ..graders.base import Grader
from ..models.base import Model
from ..records import Cell, Request
from ..store.database import Store
from ..store.earlier import has_replies_for
from ..store.results import Known, cell_id, look_up
from ..store.runs import RunRecord
from .budget import Purse
from .calls import Calls
from .chunks import CHUNK, next_chunk
from .giving_up import Failures
from .grading import Grading
from .jobs import Graded, Job, Ungraded
from .journal import Journal, Written
from .met import KeysMet
from .stopping import Stop
from .summary import MISSING, CellDone, Tally

UNSAVED_AT_MOST = 256
"""Replies that may wait for the disk before another call is made, or as many as may be in flight if that is more.

Only an endpoint that answers at once, or a disk that is slow, brings together so many.
"""
MOST_CHARACTERS = 1 << 26
"""Characters of replies that may be on their way to the disk and the grader before another call is made."""
# A store that could not keep the replies cancels calls at once; whatever else ends a run leaves them some time to
# answer, since they are paid for. How long an interrupt leaves them is for the command to say.
ANSWER_GRACE_S = 10.0
GRADING_GRACE_S = 0.5
# Where calls fail alike and none is answered, those in flight will hardly be, but one that is slow gets a moment.
GIVING_UP_GRACE_S = 1.0
INTERRUPTED = "it was interrupted"

T = TypeVar("T")


class Work:
    """One pass over a run's cells.

    Attributes:
        tally: Counts of the cells done, with those that needed no pass.
        halted: Why the pass was stopped before its end; None while it goes on.
        answers: Answers asked for that are on the disk.
    """

    def __init__(
        self,
        *,
        model: Model,
        grader: Grader,
        store: Store,
        run: RunRecord,
        concurrency: int,
        failures: Failures,
        on_done: Callable[[CellDone], None],
        purse: Purse | None = None,
        tally: Tally | None = None,
        is_asked: Callable[[int], bool] = lambda _: False,
    ) -> None:
        self.tally = tally or Tally()
        self.halted: str | None = None
        self.answers = 0
        self._store = store
        self._run = run
        self._concurrency = concurrency
        self._failures = failures
        self._on_done = on_done
        self._is_asked = is_asked
        self._calls = Calls(model, purse or Purse(), give_up_after=failures.after)
        self._on_their_way = max(concurrency, UNSAVED_AT_MOST)
        self._journal = Journal(
            store, run, written=self._safely(self._written), failed=self._store_failed, enough=self._on_their_way // 2
        )
        self._grading = Grading(grader, graded=self._safely(self._graded), failed=self._grader_failed)
        self._met: KeysMet | None = None
        self._jobs: asyncio.Queue[Job | None] = asyncio.Queue()
        self._by_key: dict[str, Job] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._open_cells = 0
        self._unsaved = 0
        self._ungraded = 0
        self._errors_coming = 0
        self._characters = 0
        self._no_more_grades = False
        self._nothing_saved = False
        self._moved = asyncio.Event()
        self._defect: BaseException | None = None
        self._defective = asyncio.Event()

    @property
    def calls(self) -> int:
        """Calls made, retries included, also those that were cancelled."""
        return self._calls.made

    async def through(self, cells: Iterator[Cell], *, stop: Stop) -> None:
        """Settle all cells, or halt; on return all that came is on the disk."""
        calls = self._calls
        stop.count(lambda: calls.in_flight)
        async with self._grading, self._journal, asyncio.TaskGroup() as self._group:
            watchers = [self._group.create_task(self._watch(stop)), self._group.create_task(self._raise_defects())]
            await self._feed(cells)
            for _ in self._workers:
                self._jobs.put_nowait(None)
            if self._workers:
                await asyncio.wait(self._workers)
            while self._is_on_its_way():
                await self._next_move()
            for watcher in watchers:
                watcher.cancel()
        if self._defect is not None:
            raise self._defect

    def halt(self, reason: str, *, grace_s: float | None = 0.0) -> None:
        """Make no further call; the first reason counts.

        Args:
            reason: Why, one sentence.
            grace_s: Seconds that calls in flight still have, before they are cancelled; slow grading has a little more.
                None leaves them all the time that they take.
        """
        self.halted = self.halted or reason
        self._calls.stop(reason)
        if grace_s is not None:
            loop = asyncio.get_running_loop()
            loop.call_later(grace_s, self._calls.cancel)
            loop.call_later(grace_s + GRADING_GRACE_S, self._end_grading)
        self._moved.set()

    async def _watch(self, stop: Stop) -> None:
        await stop.wait()
        self.halt(INTERRUPTED, grace_s=None)
        await stop.dropped.wait()
        self.halt(INTERRUPTED)

    async def _raise_defects(self) -> None:
        await self._defective.wait()
        raise self._defect or RuntimeError("a defect without an exception")

    def _end_grading(self) -> None:
        self._grading.end()
        self._no_more_grades = True
        self._moved.set()

    def _failed(self, error: BaseException) -> None:
        """Halt by an error that the user can act on; raise any other where the pass is awaited."""
        if isinstance(error, BudgetSpentError):
            self.halt(str(error), grace_s=None)
        elif isinstance(error, PrtError):
            self.halt(str(error), grace_s=0.0 if isinstance(error, StoreError) else ANSWER_GRACE_S)
        else:
            self._defect = self._defect or error
            self._defective.set()

    def _safely(self, take: Callable[[T], None]) -> Callable[[T], None]:
        """Let no mistake in what the event loop calls be lost."""

        def taken(news: T) -> None:
            try:
                take(news)
            except Exception as error:  # noqa: BLE001 - raised where the pass is awaited
                self._failed(error)

        return taken

    def _grader_failed(self, error: BaseException) -> None:
        self._no_more_grades = True
        self._failed(error)
        self._moved.set()

    def _store_failed(self, error: Exception) -> None:
        self._nothing_saved = True
        self._failed(error)
        self._moved.set()

    @contextmanager
    def _halting(self) -> Iterator[None]:
        """Make an error that the user can act on the reason to halt."""
        try:
            yield
        except PrtError as error:
            self._failed(error)

    async def _next_move(self) -> None:
        """Wait until something has got further."""
        self._moved.clear()
        await self._moved.wait()

    async def _feed(self, cells: Iterator[Cell]) -> None:
        """Offer the cells by the chunk, never many more than are on their way."""
        most_open = CHUNK + self._concurrency + 3 * self._on_their_way
        with self._halting():
            if not await asyncio.to_thread(has_replies_for, self._store, self._run):
                self._met = KeysMet()
            while self.halted is None and (chunk := await asyncio.to_thread(next_chunk, cells)):
                await self._offer(chunk)
                while self.halted is None and self._open_cells > most_open:
                    await self._next_move()

    async def _offer(self, chunk: list[Cell]) -> None:
        """Count the cells that are done, have those graded whose reply is there, and make jobs of the others.

        A key under way is joined before the store is looked up: were it the other way round, its reply could come in
        between, and be asked for twice.
        """
        others = [cell for cell in chunk if not self._joined(cell)]
        known = await self._look_up(others)
        there: list[Ungraded] = []
        for cell in others:
            if (grade := known.graded.get(cell_id(cell))) is not None:
                self._count(CellDone(cell, grade))
            elif (stored := known.replies.get(cell.key)) is not None:
                there.append(Ungraded(cell, stored, asked=self._is_asked(stored.id)))
            elif not self._joined(cell):
                self._begin(Job(cell.key, [cell]))
        self._open_cells += len(there)
        self._have_graded(there)

    async def _look_up(self, cells: Sequence[Cell]) -> Known:
        """What the store has for some cells; where it began with nothing, only keys met since may be there."""
        if self._met is not None:
            cells = [cell for cell in cells if self._met.meet(cell.key)]
        return await asyncio.to_thread(look_up, self._store, self._run, cells) if cells else Known({}, {})

    def _joined(self, cell: Cell) -> bool:
        """Let a cell wait for the reply to an equal one; False where none is under way."""
        job = self._by_key.get(cell.key)
        if job is None:
            return False
        job.cells.append(cell)
        self._open_cells += 1
        return True

    def _begin(self, job: Job) -> None:
        self._by_key[job.key] = job
        self._open_cells += 1
        self._jobs.put_nowait(job)
        if len(self._workers) < self._concurrency:
            self._workers.append(self._group.create_task(self._worker()))

    async def _worker(self) -> None:
        while (job := await self._jobs.get()) is not None:
            while self.halted is None and self._is_full():
                await self._next_move()
            if self.halted is None:
                with self._halting():
                    await self._settle(job)

    def _is_on_its_way(self) -> bool:
        """Whether something will yet get to the disk."""
        return not self._nothing_saved and bool(self._unsaved or (self._ungraded and not self._no_more_grades))

    def _is_full(self) -> bool:
        """Whether the disk or the grader has so much to do that no further call is made."""
        return self._unsaved >= self._on_their_way or self._characters > MOST_CHARACTERS

    async def _settle(self, job: Job) -> None:
        """Get a reply, and give it to the journal."""
        cell = job.cells[0]
        request = Request(cell.messages, item_id=cell.item_id, condition=cell.condition, repeat=cell.repeat)
        reply = await self._calls.make(request)
        if reply is not None:
            self._unsaved += 1
            self._characters += len(reply.text)
            self._journal.add_reply(job, reply)
            self._errors_coming += reply.error is not None
            hopeless = self._failures.add(cell, reply)
            if hopeless and self.halted is None:
                self.halt(hopeless, grace_s=GIVING_UP_GRACE_S)
            elif reply.error is not None:
                self._halt_if_too_many_fail()

    def _written(self, written: Written) -> None:
        """Have replies graded that are on the disk now, and count the cells whose grades are."""
        ungraded: list[Ungraded] = []
        for job, stored in written.replies:
            del self._by_key[job.key]
            self._characters -= len(stored.reply.text)
            self.answers += stored.reply.error is None
            ungraded += [Ungraded(cell, stored, asked=not at) for at, cell in enumerate(job.cells)]
        self._unsaved -= len(written.replies)
        self._have_graded(ungraded)
        self._open_cells -= len(written.graded)
        self._ungraded -= len(written.graded)
        for graded in written.graded:
            self._count(graded.done())
        self._moved.set()

    def _have_graded(self, ungraded: Sequence[Ungraded]) -> None:
        if ungraded:
            self._ungraded += len(ungraded)
            self._characters += sum(len(each.stored.reply.text) for each in ungraded)
            self._grading.put(ungraded)

    def _graded(self, graded: Sequence[Graded]) -> None:
        self._characters -= sum(len(each.of.stored.reply.text) for each in graded)
        self._journal.add_graded(graded)

    def _count(self, done: CellDone) -> None:
        self.tally.add(done)
        self._on_done(done)
        self._errors_coming -= done.reply is not None and done.reply.error is not None
        if done.grade.status in MISSING:
            self._halt_if_too_many_fail()

    def _halt_if_too_many_fail(self) -> None:
        too_many = self._failures.too_many(self.tally.missing + self._errors_coming)
        if too_many and self.halted is None:
            self.halt(too_many, grace_s=ANSWER_GRACE_S)
