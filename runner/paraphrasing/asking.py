"""Asking for paraphrases: a round of proposals, a round of verdicts, and again for what is still without one.

Each call is a cell, kept in the store under the key of all that decides its reply. So interrupted work goes on where it
stopped, and what was once asked is never paid for again.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.text import Text

from ...perturbations.generators.kinds import NOT_WRITTEN
from ...perturbations.generators.paraphrase_llm import Written, obstacle
from ...perturbations.question import Message, Subject
from ...perturbations.variant import Variant
from ..engine.budget import Budget, Purse
from ..engine.failures_told import FailuresTold
from ..engine.giving_up import OF_THE_ENDPOINT, Failures
from ..engine.progress import show_progress
from ..engine.stopping import Stop
from ..engine.summary import CellDone
from ..engine.work import INTERRUPTED, Work
from ..errors import ParaphrasingError, StoreError
from ..graders.base import Grader
from ..logs import shown
from ..models.base import Model, adaptations_of
from ..plan import cell_key
from ..problems import counted
from ..records import AnswerKey, Cell, Grade, Item
from ..store.database import Store
from ..store.results import CellId, cell_id
from ..store.runs import JUDGE, PARAPHRASER, RunRecord, RunState, finish_run, keep_adaptations
from .drafts import Account, Draft, Slot, account, lacking, unjudged
from .paraphrasers import Paraphraser
from .prompts import PROMPT_VERSION, judge_messages, paraphrase_messages
from .reading import ProposalReader, VerdictReader, objection, proposal

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """What all calls for paraphrases share.

    Attributes:
        store: The results database.
        stop: Set to stop asking.
        console: Where progress is shown.
        budget: What all calls may spend together.
        give_up_after: So many calls that fail alike before any is answered are enough; None for never.
        seed: The run's seed.
        protect: The user's patterns for protected text.
        clock: Tells seconds that pass.
    """

    store: Store
    stop: Stop
    console: Console
    budget: Budget
    give_up_after: int | None
    seed: int
    protect: tuple[str, ...]
    clock: Callable[[], float] = time.monotonic

    def subject(self, item: Item) -> Subject:
        """An item as the validators are given it."""
        return Subject(item.id, item.question, gold=item.gold, protect=self.protect)


@dataclass(frozen=True, slots=True)
class Asked:
    """A model, the run in the store that its calls belong to, and those of its calls that failed.

    Attributes:
        purse: What the calls may spend.
        places: The position in the run's suite of each item's variants that are to be written, by item and condition.
    """

    model: Model
    run: RunRecord
    failures: Failures
    purse: Purse
    places: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked for one slot; `key` decides which stored reply serves it."""

    slot: Slot
    messages: tuple[Message, ...]
    key: str

    def cell(self, places: Mapping[tuple[str, str], int]) -> Cell:
        """The call as a cell of its run."""
        item, attempt = self.slot.draft.item, self.slot.attempt
        condition = condition_of(self.slot.number)
        place = places[item.id, condition]
        return Cell(self.key, place, item.id, condition, attempt, attempt, self.messages, AnswerKey(item))


def condition_of(number: int) -> str:
    """The condition under which the proposals for a variant and the verdicts on them are kept."""
    return f"{PARAPHRASER}.{number}"


def to_be_written(baseline: Variant, numbers: int) -> Iterator[Variant]:
    """An item's original, and a place for each paraphrase of it that is asked for."""
    yield baseline
    for number in range(1, numbers + 1):
        place = replace(baseline, condition=condition_of(number), generator=PARAPHRASER)
        yield replace(place, outcome="not_applicable", reason=NOT_WRITTEN)


@dataclass(slots=True)
class Asking:
    """The rounds of one paraphraser.

    Attributes:
        office: What all calls share.
        paraphraser: Who is asked how.
        writer: The model that writes.
        judge: The model that judges; None without one.
        drafts: The items and what was proposed for them.
    """

    office: Office
    paraphraser: Paraphraser
    writer: Asked
    judge: Asked | None
    drafts: list[Draft] = field(default_factory=list)

    async def write(self, items: Sequence[Item]) -> Written:
        """Ask until every variant has a paraphrase or no attempt left.

        Raises:
            ParaphrasingError: It was interrupted, or an endpoint or the store can't go on.
        """
        numbers, attempts = self.paraphraser.numbers(), self.paraphraser.asked.attempts
        made = [Draft(item, self.office.subject(item), [[] for _ in range(numbers)]) for item in items]
        self.drafts = unsettled = [draft for draft in made if not obstacle(draft.subject)]
        with concluded(self.office.store, [asked for asked in (self.writer, self.judge) if asked]):
            for attempt in range(1, attempts + 1):
                if not (slots := list(lacking(unsettled))):
                    break
                wanted = counted(len(slots), "proposal")
                self._tell(f"paraphrases, attempt {attempt} of {attempts}: {wanted}; rates say how many pass")
                unsettled = list({id(slot.draft): slot.draft for slot in slots}.values())
                await self._propose(slots)
                await self._judge(unsettled)
        return Written(
            proposals={draft.item.id: [list(number) for number in draft.proposals] for draft in self.drafts},
            model=self.writer.model.identity(),
            judge=None if self.judge is None else self.judge.model.identity(),
        )

    def account(self) -> Account:
        """Count what came of it."""
        return account(self.drafts)

    def _tell(self, what: str) -> None:
        self.office.console.print(Text(what), soft_wrap=True)
        LOG.info(what, extra=shown(run=self.writer.run.id))

    async def _propose(self, slots: Sequence[Slot]) -> None:
        """Get one more proposal for each variant that lacks one."""
        identity = self.writer.model.identity()
        calls = []
        for slot in slots:
            formality = self.paraphraser.asked.formality
            messages = paraphrase_messages(slot.draft.text, formality=formality, seed=self.office.seed)
            key = cell_key(identity, messages, slot.attempt, [PARAPHRASER, PROMPT_VERSION, slot.number])
            calls.append(Call(slot, messages, key))
        grades = await self._ask(self.writer, calls, ProposalReader(self.office.protect))
        for slot, grade in zip(slots, grades, strict=True):
            slot.proposals.append(proposal(grade))

    async def _judge(self, drafts: Sequence[Draft]) -> None:
        """Let the judge see every proposal that would be taken; one that it refuses may let another take its place."""
        while self.judge is not None and (slots := list(unjudged(drafts))):
            self._tell(f"the judge: {counted(len(slots), 'verdict')}")
            identity = self.judge.model.identity()
            calls = []
            for slot in slots:
                proposed = slot.proposals[slot.attempt].text
                messages = judge_messages(slot.draft.text, proposed, seed=self.office.seed)
                calls.append(Call(slot, messages, cell_key(identity, messages, 0, [JUDGE, PROMPT_VERSION])))
            grades = await self._ask(self.judge, calls, VerdictReader())
            for slot, grade in zip(slots, grades, strict=True):
                slot.draft.judged.add((slot.number, slot.attempt))
                slot.proposals[slot.attempt] = replace(slot.proposals[slot.attempt], objection=objection(grade))

    async def _ask(self, asked: Asked, calls: Sequence[Call], reader: Grader) -> list[Grade]:
        """Make the calls whose replies the store does not have, and read all replies."""
        office, done = self.office, dict[CellId, CellDone]()
        failed = FailuresTold(lambda line: office.console.print(Text(line), soft_wrap=True))
        cells = [call.cell(asked.places) for call in calls]
        with show_progress(office.console, total=len(cells), clock=office.clock) as progress:

            def note(each: CellDone) -> None:
                done[cell_id(each.cell)] = each
                progress(each)
                failed.add(each)

            work = Work(
                model=asked.model,
                grader=reader,
                store=office.store,
                run=asked.run,
                concurrency=asked.model.concurrency,
                failures=asked.failures,
                on_done=note,
                purse=asked.purse,
            )
            await work.through(iter(cells), stop=office.stop)
        failed.conclude()
        if len(done) < len(cells):
            raise ParaphrasingError(work.halted or INTERRUPTED)
        refuse_outages(list(done.values()))
        return [done[cell_id(cell)].grade for cell in cells]


def refuse_outages(done: Sequence[CellDone]) -> None:
    """Stop where calls failed for a reason that lies with the endpoint: asked later, they may well be answered.

    Raises:
        ParaphrasingError: There are such calls.
    """
    errors = [each.reply.error for each in done if each.reply is not None and each.reply.error is not None]
    outages = [error.message.rstrip(".") for error in errors if error.kind in OF_THE_ENDPOINT]
    if outages:
        raise ParaphrasingError(f"{len(outages)} of {counted(len(done), 'call')} failed: {outages[0]}")


@contextmanager
def concluded(store: Store, asked: Sequence[Asked]) -> Iterator[None]:
    """Write down how the runs of a paraphraser and its judge ended, and which parameters the models refused."""
    try:
        yield
    except BaseException as error:
        reason = str(error) if isinstance(error, ParaphrasingError) else INTERRUPTED
        with suppress(StoreError):  # the first reason is the one that counts
            for each in asked:
                conclude(store, each, "stopped", reason)
        raise
    for each in asked:
        conclude(store, each, "complete")


def conclude(store: Store, asked: Asked, state: RunState, reason: str = "") -> None:
    """Write down how one of these runs ended."""
    keep_adaptations(store, asked.run, adaptations_of(asked.model))
    finish_run(store, asked.run, state, reason)
