"""Asking the models of a score: each reply is found in the store or asked for, and is on the disk before it counts."""

import asyncio
import platform
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ...perturbations import Subject, baseline_variant
from ...perturbations.question import Gold, Message, Question
from ..engine.budget import Purse, Use
from ..engine.calls import Calls
from ..engine.giving_up import Failures
from ..engine.jobs import Job
from ..engine.journal import Journal, Written
from ..engine.stopping import Stop
from ..errors import ScoringStoppedError
from ..models.base import Model, adaptations_of
from ..paraphrasing.sampling import Extra, LateModel
from ..plan import cell_key
from ..records import AnswerKey, Cell, Item, Reply, Request
from ..store.database import Store
from ..store.results import newest_replies, stored_replies
from ..store.runs import SCORING, RunRecord, RunSpec, finish_run, keep_adaptations, open_run

_ITEM = Item(SCORING, Question("what the models of a score were asked"), Gold())


def begin_desk(
    store: Store,
    model: Model,
    *,
    role: str,
    name: str,
    owner: str,
    config: Mapping[str, Json],
    fresh: bool,
    asked: Sequence[Json],
) -> RunRecord:
    """Begin the hidden run that keeps the replies of one model, or resume it.

    Args:
        store: The results database.
        model: The model.
        role: What it is to the score: `sut`, `judge`, `generator`.
        name: The name of the work.
        owner: What is scored.
        config: The config without secrets, for the record.
        fresh: Use no stored reply.
        asked: What decides its replies besides its identity and what it is sent.
    """
    spec = RunSpec(
        name=f"{name}: {role}",
        model={**model.identity(), "asked": [owner, *asked]},
        grader={"name": SCORING, "version": 1},
        config=config,
        prt_version=version("prompt-robustness"),
        environment={"model": model.name, "python": platform.python_version(), "platform": platform.platform()},
    )
    original = baseline_variant(Subject(_ITEM.id, _ITEM.question))
    return open_run(store, spec, items=[_ITEM], variants=[original], token=secrets.token_hex(2), fresh=fresh)


@dataclass(slots=True)
class DeskTook:
    """What one model of a score took, this time.

    Attributes:
        calls: Calls made, retries included.
        unanswered: Those of them of which no answer is stored.
        prompt_tokens: Tokens in, of the replies that say so.
        completion_tokens: Tokens out, likewise.
        elapsed_s: 0: all models are asked in the same time.
        unsaid: Answers that don't say their tokens.
    """

    calls: int = 0
    unanswered: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    elapsed_s: float = 0.0
    unsaid: int = 0


class Desk:
    """One model of a score as it is asked; enter it before asking.

    Attributes:
        model: The model.
        made: Calls that were made now.
        found: Replies that were in the store.
    """

    def __init__(
        self,
        model: Model,
        *,
        store: Store,
        run: RunRecord,
        purse: Purse,
        extra: Extra,
        place: Sequence[Json],
        patience: int | None,
        stop: Stop,
    ) -> None:
        """Get ready; nothing is asked or entered yet.

        Args:
            model: The model, not entered.
            store: The results database.
            run: The run that keeps its replies.
            purse: What its calls may spend.
            extra: Further parameters of a request.
            place: What decides a reply besides identity, messages and sample.
            patience: So many calls that fail alike before any is answered are enough; None for never.
            stop: Tells, where it is set, until when calls in flight are waited for.
        """
        self.model = LateModel(model, extra)
        self.made = self.found = 0
        self._answers = self._unsaid = 0
        self._tokens = Use()
        self._calls = Calls(self.model, purse)
        self._stop = stop
        self._store = store
        self._run = run
        self._place = [*place]
        self._failures = Failures(patience, concurrency=model.concurrency)
        self._journal = Journal(store, run, written=self._written, failed=self._failed)
        self._saving: dict[str, asyncio.Future[None]] = {}
        self._asking: dict[str, asyncio.Task[Reply]] = {}
        self._broken: Exception | None = None

    async def __aenter__(self) -> Self:
        """Begin to write; the model is entered when it is first asked."""
        await self.model.__aenter__()
        await self._journal.__aenter__()
        self._stop.count(lambda: self._calls.in_flight)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for calls in flight where the user has stopped, else cancel them; write what came; leave the model."""
        self._calls.stop("the score is done")
        if self._stop.is_set():
            await self._stop.while_not_dropped(self._asking.values())
        for task in self._asking.values():
            task.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)
        await self._journal.__aexit__(kind, error, trace)
        await self.model.__aexit__(kind, error, trace)

    def conclude(self, reason: str) -> None:
        """Write down how the hidden run ended, and which parameters the model refused.

        Args:
            reason: Why not all could be asked; empty where all was.
        """
        keep_adaptations(self._store, self._run, adaptations_of(self.model))
        finish_run(self._store, self._run, "stopped" if reason else "complete", reason)

    @property
    def took(self) -> DeskTook:
        """What it took, this time."""
        made = self._calls.made
        tokens = self._tokens
        return DeskTook(made, made - self._answers, tokens.prompt, tokens.completion, unsaid=self._unsaid)

    @property
    def adaptations(self) -> tuple[str, ...]:
        """Parameters that the model refused, now or when the same work was begun, and what was done."""
        return tuple(dict.fromkeys((*self._run.adaptations, *adaptations_of(self.model))))

    async def ask(self, messages: tuple[Message, ...], *, item: str, condition: str, sample: int = 0) -> Reply:
        """Get a reply, from the store or from the model; equal prompts are asked once.

        Args:
            messages: What is sent.
            item: The row that it is for.
            condition: What it is for.
            sample: Which of several replies to the same messages is meant.

        Raises:
            PrtError: The model, the budget or the store can't go on.
        """
        key = cell_key(self.model.identity(), messages, sample, self._place)
        task = self._asking.get(key)
        if task is None:
            cell = Cell(key, 0, item, condition, sample, sample, messages, AnswerKey(_ITEM))
            task = asyncio.create_task(self._settle(cell))
            self._asking[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: str, task: asyncio.Task[Reply]) -> None:
        """Let go of a call that is settled; who waited for it has its error, if anyone still waits."""
        del self._asking[key]
        if not task.cancelled():
            task.exception()

    async def _settle(self, cell: Cell) -> Reply:
        known = await asyncio.to_thread(stored_reply, self._store, self._run, cell.key)
        if known is not None:
            self.found += 1
            return known
        request = Request(cell.messages, item_id=cell.item_id, condition=cell.condition, repeat=cell.repeat)
        reply = await self._calls.make(request)
        if reply is None:
            raise asyncio.CancelledError
        self.made += 1
        self._answers += reply.error is None
        self._unsaid += reply.says_no_tokens
        self._tokens += Use(reply.prompt_tokens or 0, reply.completion_tokens or 0)
        await self._save(cell.key, reply)
        if hopeless := self._failures.add(cell, reply):
            raise ScoringStoppedError(f"{self.model.name}: {hopeless}")
        return reply

    async def _save(self, key: str, reply: Reply) -> None:
        """Have a reply written, and wait until it is."""
        if self._broken is not None:
            raise self._broken
        saved = self._saving[key] = asyncio.get_running_loop().create_future()
        self._journal.add_reply(Job(key, []), reply)
        await asyncio.shield(saved)

    def _written(self, written: Written) -> None:
        self._settled(job.key for job, _ in written.replies)

    def _settled(self, keys: Iterable[str]) -> None:
        for key in keys:
            saved = self._saving.pop(key)
            if not saved.done():
                saved.set_result(None)

    def _failed(self, error: Exception) -> None:
        self._broken = error
        for saved in self._saving.values():
            if not saved.done():
                saved.set_exception(error)
                saved.exception()
        self._saving.clear()


def stored_reply(store: Store, run: RunRecord, key: str) -> Reply | None:
    """The reply in the store that serves a key; None where there is none."""
    with store.reading() as connection:
        stored = stored_replies(connection, newest_replies(connection, run, [key])).get(key)
    return None if stored is None else stored.reply
