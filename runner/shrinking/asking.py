"""Asking a model one item in further wordings: replies are kept in the store, calls are counted and bounded."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from ...perturbations.question import Message
from ...perturbations.variant import Variant
from ..engine.budget import Purse
from ..engine.calls import Calls
from ..engine.giving_up import OF_THE_ENDPOINT
from ..engine.stopping import Stop
from ..engine.work import INTERRUPTED
from ..graders.base import Grader, prove
from ..models.base import Model
from ..plan import answer_key, cell_key, item_messages
from ..problems import counted
from ..records import Item, Reply, Request
from ..store.read import Result, StoredRun
from ..store.results import NewReply, newest_replies, put_replies, stored_replies
from ..threads import Lane

T = TypeVar("T")


class HaltError(Exception):
    """Nothing more is asked; the text is the reason.

    Attributes:
        spent: Whether it is because no further call is allowed.
    """

    def __init__(self, reason: str, *, spent: bool = False) -> None:
        super().__init__(reason)
        self.spent = spent


class Asking:
    """Asks and grades one item's prompts; a context manager, inside that of the model.

    A reply is stored as soon as it is there, under the key of what was asked and in no cell of the run: the run and its
    reports stay as they are, and whoever asks the same later finds it.

    Attributes:
        calls: Calls made.
        reused: Replies that the store had.
        allowed: Calls that may be made in all; may be raised.
    """

    def __init__(
        self,
        run: StoredRun,
        item: Item,
        *,
        model: Model,
        grader: Grader,
        concurrency: int,
        allowed: int,
        stop: Stop,
    ) -> None:
        self.calls = 0
        self.reused = 0
        self.allowed = allowed
        self._run = run
        self._item = item
        self._grader = grader
        self._identity = model.identity()
        self._calls = Calls(model, Purse())
        self._turns = asyncio.Semaphore(concurrency)
        self._stop = stop
        self._grading = Lane("prt-grader")

    async def __aenter__(self) -> Self:
        """Start the grader's thread."""
        self._stop.count(lambda: self._calls.in_flight)
        await self._grading.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the grader's thread end."""
        await self._grading.__aexit__(kind, error, trace)

    async def ask(self, variant: Variant, samples: Sequence[int], *, anew: bool = False) -> list[Result]:
        """Get and grade so many replies to one prompt.

        Args:
            variant: What to ask.
            samples: The numbers of the samples.
            anew: Whether to ask also for what is stored.

        Returns:
            One result a sample.

        Raises:
            HaltError: It was interrupted, or the endpoint failed, or more calls are needed than are allowed.
            PrtError: The model, the grader or the store can't go on.
        """
        messages = item_messages(self._item, variant)
        keys = [cell_key(self._identity, messages, sample) for sample in samples]
        known = {} if anew else await asyncio.to_thread(self._stored, set(keys))
        if self.calls + sum(key not in known for key in keys) > self.allowed:
            raise HaltError("no further call is allowed (--max-calls)", spent=True)
        work = [
            self._settled(variant, messages, sample, key, known.get(key))
            for sample, key in zip(samples, keys, strict=True)
        ]
        results = await unless(self._stop, work, make_no_more=lambda: self._calls.stop(INTERRUPTED))
        for result in results:
            if result.reply.error and result.reply.error.kind in OF_THE_ENDPOINT:
                raise HaltError(f"a call failed: {result.reply.error.message}")
        return results

    async def ungradable(self, variant: Variant) -> str:
        """Say why the grader could not be trusted with a prompt; empty where it can."""
        key = answer_key(self._item, variant)
        (reason,) = await unless(self._stop, [self._grading.do(lambda: prove(self._grader, key))])
        return f"grader: {reason}" if reason else ""

    async def _settled(
        self, variant: Variant, messages: tuple[Message, ...], sample: int, key: str, known: Reply | None
    ) -> Result:
        if known is None:
            reply = await self._asked(Request(messages, {}, self._item.id, variant.condition, sample))
            await asyncio.to_thread(self._keep, NewReply(key, reply))
        else:
            self.reused += 1
            reply = known
        answers = answer_key(self._item, variant)
        grade = await self._grading.do(lambda: self._grader.grade(reply, answers))
        return Result(self._item.id, variant.condition, sample, reply, grade)

    async def _asked(self, request: Request) -> Reply:
        async with self._turns:
            if self._stop.is_set():
                raise HaltError(INTERRUPTED)
            self.calls += 1
            reply = await self._calls.make(request)
        if reply is None:
            raise HaltError(INTERRUPTED)
        return reply

    def _stored(self, keys: set[str]) -> dict[str, Reply]:
        with self._run.store.reading() as connection:
            numbers = newest_replies(connection, self._run.record, keys)
            found = stored_replies(connection, numbers)
        return {key: stored.reply for key, stored in found.items()}

    def _keep(self, new: NewReply) -> None:
        with self._run.store.writing() as connection:
            put_replies(connection, self._run.record, [new], self._run.store.now())


async def unless(
    stop: Stop, work: Sequence[Coroutine[Any, Any, T]], *, make_no_more: Callable[[], None] | None = None
) -> list[T]:
    """Do some work together; what is under way is cancelled when one piece fails, or it is told to stop.

    Args:
        stop: Tells to stop.
        work: The pieces.
        make_no_more: Lets no further call be made. Where it is given, pieces under way have as long as calls in flight
            have until they are dropped.

    Raises:
        HaltError: It was told to stop.
        BaseException: What the first piece to fail raised.
    """
    tasks = [asyncio.ensure_future(each) for each in work]
    told = asyncio.ensure_future(stop.wait())
    done = asyncio.gather(*tasks)
    either: set[asyncio.Future[Any]] = {done, told}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            if make_no_more is not None:
                make_no_more()
                await stop.while_not_dropped(tasks)
                raise_fault(tasks)
            raise HaltError(INTERRUPTED)
        return done.result()
    finally:
        for future in (*either, *tasks):
            future.cancel()
        await asyncio.gather(*either, *tasks, return_exceptions=True)


def raise_fault(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Raise what went wrong in some work that was told to stop, such as a reply that the store could not keep.

    Raises:
        BaseException: What the first piece raised that did not merely stop.
    """
    for task in tasks:
        if task.done() and not task.cancelled():
            fault = task.exception()
            if fault is not None and not isinstance(fault, HaltError):
                raise fault


def failures(results: Sequence[Result]) -> str:
    """Say how many of some calls brought no result, and why the first did; empty where all did."""
    reasons = [result.grade.reason for result in results if result.grade and result.grade.passed is None]
    return f"{counted(len(reasons), 'reply')} without a result ({reasons[0]})" if reasons else ""
