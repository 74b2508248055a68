"""The loop over a run's cells: ask what is missing, store each reply as it comes, grade it, store the grade.

One task group: workers take jobs from one queue, which is filled by the chunk as jobs are settled, so that memory does
not grow with the run. Cells of equal key share one reply, within a run and across runs. Whatever ends the run, what
came is stored first, and the same command resumes it.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from ..errors import PrtError, StoreError
from ..graders.base import Grader
from ..models.base import Model
from ..records import Cell, Grade, Reply, ReplyError, Request
from ..store.database import Store
from ..store.results import NewResult, StoredReply, cell_id, look_up
from ..store.runs import RunRecord
from ..threads import Lane
from .giving_up import Failures
from .journal import Journal
from .summary import CellDone, Tally

CHUNK = 200
# An interrupt cancels calls at once, and so does a store that could not keep their replies; whatever else ends a run
# leaves them some time to answer, since they are paid for.
ANSWER_GRACE_S = 10.0
GRADING_GRACE_S = 0.5
# Where calls fail alike and none is answered, those in flight will hardly be, but one that is slow gets a moment.
GIVING_UP_GRACE_S = 1.0
INTERRUPTED = "it was interrupted"

Tasks = set[asyncio.Task[object]]


@dataclass(slots=True)
class Job:
    """One key to be settled.

    Attributes:
        key: The key.
        cells: The cells that wait for it; those of equal key join while it is under way.
        answer: Its reply, where the store has one.
    """

    key: str
    cells: list[Cell]
    answer: StoredReply | None = None


class Work:
    """One pass over a run's cells.

    Attributes:
        tally: Counts of the cells done.
        halted: Why the pass was stopped before its end; None while it goes on.
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
    ) -> None:
        self.tally = Tally()
        self.halted: str | None = None
        self._model = model
        self._grader = grader
        self._store = store
        self._run = run
        self._failures = failures
        self._on_done = on_done
        # Twice as many as calls in flight: while one half waits for the disk or the grader, the other half asks.
        self._workers = 2 * concurrency
        self._journal = Journal(store, run)
        self._jobs: asyncio.Queue[Job | None] = asyncio.Queue()
        self._by_key: dict[str, Job] = {}
        self._open_cells = 0
        self._settled_some = asyncio.Event()
        self._calls = asyncio.Semaphore(concurrency)
        # A user's own grader may be slow, and need not bear threads: one reply at a time, beside the event loop.
        self._grading = Lane("prt-grader")
        self._asking: Tasks = set()
        self._being_graded: Tasks = set()

    async def through(self, cells: Iterator[Cell], *, stop: asyncio.Event) -> None:
        """Settle all cells, or halt; on return all that came is on the disk."""
        async with self._grading, self._journal, asyncio.TaskGroup() as group:
            watcher = group.create_task(self._watch(stop))
            workers = [group.create_task(self._worker()) for _ in range(self._workers)]
            await self._feed(cells)
            for _ in workers:
                self._jobs.put_nowait(None)
            await asyncio.wait(workers)
            watcher.cancel()

    def halt(self, reason: str, *, grace_s: float = 0.0) -> None:
        """Make no further call; the first reason counts.

        Args:
            reason: Why, one sentence.
            grace_s: Seconds that calls in flight still have, before they are cancelled; slow grading has a little more.
        """
        self.halted = self.halted or reason
        loop = asyncio.get_running_loop()
        loop.call_later(grace_s, cancel_all, self._asking)
        loop.call_later(grace_s + GRADING_GRACE_S, cancel_all, self._being_graded)
        self._settled_some.set()

    async def _watch(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self.halt(INTERRUPTED)

    @contextmanager
    def _halting(self) -> Iterator[None]:
        """Make an error that the user can act on the reason to halt."""
        try:
            yield
        except PrtError as error:
            self.halt(str(error), grace_s=0.0 if isinstance(error, StoreError) else ANSWER_GRACE_S)

    async def _feed(self, cells: Iterator[Cell]) -> None:
        """Offer the cells by the chunk, never many more than are being settled."""
        with self._halting():
            while self.halted is None and (chunk := await asyncio.to_thread(next_chunk, cells)):
                await self._offer(chunk)
                while self.halted is None and self._open_cells > CHUNK + self._workers:
                    self._settled_some.clear()
                    await self._settled_some.wait()

    async def _offer(self, chunk: list[Cell]) -> None:
        """Count the cells that are done, and make jobs of the others.

        A key under way is joined before the store is looked up: were it the other way round, its reply could come in
        between, and be asked for twice.
        """
        others = [cell for cell in chunk if not self._joined(cell)]
        known = await asyncio.to_thread(look_up, self._store, self._run, others)
        for cell in others:
            grade = known.graded.get(cell_id(cell))
            if grade is not None:
                self._count(CellDone(cell, grade))
            elif not self._joined(cell):
                self._begin(Job(cell.key, [cell], known.replies.get(cell.key)))

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

    async def _worker(self) -> None:
        while (job := await self._jobs.get()) is not None:
            if self.halted is None:
                with self._halting():
                    await self._settle(job)

    async def _settle(self, job: Job) -> None:
        """Get the reply, then grade it for each cell that waits for it."""
        try:
            answer = job.answer or await self._ask(job)
            if answer is None:
                return
            asked = None if job.answer else answer.reply
            while job.cells:
                await self._conclude(job.cells.pop(0), answer, asked)
                if self.halted is not None:
                    return
                asked = None
        finally:
            del self._by_key[job.key]

    async def _ask(self, job: Job) -> StoredReply | None:
        """Ask and store the reply; None where the pass was halted before its turn."""
        cell = job.cells[0]
        request = Request(cell.messages, item_id=cell.item_id, condition=cell.condition, repeat=cell.repeat)
        with listed(self._asking):
            async with self._calls:
                if self.halted is not None:
                    return None
                reply = await answered(self._model, request)
        return await self._journal.add_reply(job.key, reply)

    async def _conclude(self, cell: Cell, answer: StoredReply, asked: Reply | None) -> None:
        grade = await self._graded(answer.reply, cell)
        await self._journal.add_result(NewResult(*cell_id(cell), answer.id, grade))
        self._open_cells -= 1
        self._settled_some.set()
        self._count(CellDone(cell, grade, asked))

    async def _graded(self, reply: Reply, cell: Cell) -> Grade:
        with listed(self._being_graded):
            return await self._grading.do(lambda: self._grader.grade(reply, cell.answer_key))

    def _count(self, done: CellDone) -> None:
        self.tally.add(done)
        self._on_done(done)
        if self.halted is None and (hopeless := self._failures.add(done)):
            self.halt(hopeless, grace_s=GIVING_UP_GRACE_S)


async def answered(model: Model, request: Request) -> Reply:
    """Ask a model; a call that its own code cancelled has failed, and must not end the worker."""
    task = asyncio.current_task()
    try:
        return await model.ask(request)
    except asyncio.CancelledError:
        if task is None or task.cancelling():
            raise
        return Reply(error=ReplyError("callable", "the model's own code cancelled the call"))


@contextmanager
def listed(tasks: Tasks) -> Iterator[None]:
    """Keep the current task in a set as long as what is inside may be cancelled."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("only a task can be cancelled")
    tasks.add(task)
    try:
        yield
    finally:
        tasks.discard(task)


def cancel_all(tasks: Tasks) -> None:
    """Cancel what these tasks wait for."""
    for task in tasks:
        task.cancel()


def next_chunk(cells: Iterator[Cell]) -> list[Cell]:
    """Take the next cells; none at the end."""
    return list(islice(cells, CHUNK))
