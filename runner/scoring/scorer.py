"""Scoring one row: its variants are made and answered, its answers are judged, and what came is put together."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from ...perturbations.generators.paraphrase_llm import Choice, Proposal, first_passing, obstacle, taken_texts
from ...perturbations.generators.validators import Rejection
from ...perturbations.question import Message
from ..config.score import ScoreConfig
from ..graders.text import blank_reasoning
from ..judging.prompts import JudgePrompt, Matter
from ..paraphrasing.prompts import paraphrase_messages
from ..paraphrasing.replies import UnreadableError, read_paraphrase
from ..problems import RowError
from ..records import CUT_OFF, FILTERED, Reply
from .prompts import conversation, correctness, pair_robustness, reference_messages
from .result import MissingPair, Pair, Reference, RowParts
from .rows import ScoreRow
from .variants import Perturbed, original, paraphrases_wanted, perturbed, proposal_seed, subject_of

ATTEMPTS = 3
"""Proposals for one paraphrase at most."""
REASONS_TOLD = 3
"""Pairs whose reason is told where a row has none with a result."""


class Asks(Protocol):
    """A model as a row asks it; see `asking.Desk`."""

    async def ask(self, messages: tuple[Message, ...], *, item: str, condition: str, sample: int = 0) -> Reply:
        """Get a reply."""
        ...


@dataclass(frozen=True, slots=True)
class Desks:
    """Who is asked.

    Attributes:
        sut: The system under test.
        judge: The judge.
        generator: Who writes paraphrases and references.
    """

    sut: Asks
    judge: Asks
    generator: Asks


class NoAnswerError(Exception):
    """A call came to nothing that can be used; the text says why, as a clause."""


async def score_row(row: ScoreRow, config: ScoreConfig, desks: Desks) -> RowParts:
    """Score one row; no more of its calls than the settings say are in flight at once.

    Args:
        row: The row.
        config: The settings.
        desks: Who is asked.

    Raises:
        RowError: It has no score, with the reason.
        PrtError: A model, the budget or the store can't go on.
    """
    work = _Work(row, config, desks, asyncio.Semaphore(config.sub_call_concurrency_limit))
    try:
        return await work.parts()
    except NoAnswerError as error:
        raise RowError(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Work:
    """The work on one row."""

    row: ScoreRow
    config: ScoreConfig
    desks: Desks
    slots: asyncio.Semaphore

    async def parts(self) -> RowParts:
        async with together() as group:
            base_task = group.create_task(self._base())
            reference_task = group.create_task(self._reference())
            proposals_task = group.create_task(self._paraphrases())
        base, (reference, origin) = base_task.result(), reference_task.result()
        variants = await asyncio.to_thread(self._variants, proposals_task.result())
        matter = Matter(conversation(self.row), (reference,), self._context)
        right = await self._base_correctness(base, matter)  # before the pairs, of which none counts without it
        async with together() as group:
            judged = [group.create_task(self._pair(each, base, right, matter)) for each in variants]
        every = [task.result() for task in judged]
        pairs = tuple(each for each in every if isinstance(each, Pair))
        missing = tuple(each for each in every if isinstance(each, MissingPair))
        if not pairs:
            raise NoAnswerError(why_no_pair(missing))
        weight = self.config.weight if self.row.weight is None else self.row.weight
        return RowParts(weight, base, right, pairs, missing, origin)

    @property
    def _context(self) -> str:
        return self.row.context or self.config.groundtruth_context or ""

    async def _base(self) -> str:
        """The answer to the original: the row's own, or one that is asked for."""
        if self.row.response.strip():
            return self.row.response
        try:
            return await self._answer(original(self.row), "baseline")
        except NoAnswerError as error:
            raise NoAnswerError(f"the original has no answer: {error}") from None

    async def _answer(self, messages: tuple[Message, ...], condition: str) -> str:
        """An answer of the system under test; asked again as often as the settings say."""
        for sample in range(self.config.n_sut_retries + 1):
            reply = await self._ask(self.desks.sut, messages, condition, sample)
            text, problem = answer_in(reply)
            if not problem:
                return text
        raise NoAnswerError(problem)

    async def _ask(self, desk: Asks, messages: tuple[Message, ...], condition: str, sample: int = 0) -> Reply:
        async with self.slots:
            return await desk.ask(messages, item=self.row.id, condition=condition, sample=sample)

    async def _reference(self) -> tuple[str, Reference]:
        """A right answer: the row's, the settings', or one that the generator writes."""
        if given := self.row.reference.strip() or self.config.reference_answer:
            return given, "given"
        reply = await self._ask(self.desks.generator, reference_messages(self.row, self._context), "reference")
        text, problem = answer_in(reply)
        if not problem and reply.refusal:
            problem = f"it refused: {reply.refusal}"
        if problem:
            raise NoAnswerError(f"the generator wrote no reference answer: {problem}")
        return text, "written"

    async def _paraphrases(self) -> list[list[Proposal]]:
        """What the generator proposes for each paraphrase, one after another, since none may repeat an earlier one."""
        wanted = paraphrases_wanted(self.config.perturbations, self.config.num_pairs)
        subject = subject_of(self.row)
        if obstacle(subject):
            return []
        proposals: list[list[Proposal]] = []
        chosen: list[Choice] = []
        for number in range(1, wanted + 1):
            proposed: list[Proposal] = []
            for attempt in range(ATTEMPTS):
                proposed.append(await self._proposal(number, attempt))
                choice = first_passing(subject, proposed, taken_texts(chosen))
                if choice.text is not None:
                    break
            chosen.append(choice)
            proposals.append(proposed)
        return proposals

    async def _proposal(self, number: int, attempt: int) -> Proposal:
        text = self.row.question.text
        messages = paraphrase_messages(text, formality="kept", seed=proposal_seed(self.config.seed, number, attempt))
        reply = await self._ask(self.desks.generator, messages, f"paraphrase.{number}")
        written, problem = answer_in(reply)
        if problem:
            return Proposal("", Rejection("reply", problem))
        try:
            return Proposal(read_paraphrase(written, text))
        except UnreadableError as error:
            return Proposal("", Rejection("reading", str(error)))

    def _variants(self, proposals: Sequence[Sequence[Proposal]]) -> list[Perturbed]:
        config = self.config
        made = perturbed(self.row, config.perturbations, config.num_pairs, seed=config.seed, proposals=proposals)
        if not made:
            raise NoAnswerError("no variant of its prompt can be made by the kinds of `perturbations`")
        return made

    async def _base_correctness(self, base: str, matter: Matter) -> float:
        try:
            return await self._judged(correctness(base, matter), "baseline")
        except NoAnswerError as error:
            raise NoAnswerError(f"the answer to the original is not judged: {error}") from None

    async def _pair(self, variant: Perturbed, base: str, base_correctness: float, matter: Matter) -> Pair | MissingPair:
        """The original and one variant, judged; or why that could not be."""
        try:
            response = await self._answer(variant.messages, variant.condition)
            async with together() as group:
                right = group.create_task(self._judged(correctness(response, matter), variant.condition))
                same = group.create_task(self._same(base, response, matter, variant.condition))
        except NoAnswerError as error:
            return MissingPair(variant.condition, str(error))
        return Pair(
            condition=variant.condition,
            prompt=variant.messages[-1].content,
            response=response,
            correctness=right.result(),
            robustness=same.result(),
            drop=base_correctness - right.result(),
        )

    async def _same(self, base: str, response: str, matter: Matter, condition: str) -> float:
        """How far two answers say the same; the judge is not asked where they are equal."""
        if base.strip() == response.strip():
            return 1.0
        return await self._judged(pair_robustness(base, response, matter), condition)

    async def _judged(self, prompt: JudgePrompt, condition: str) -> float:
        """A score of the judge."""
        reply = await self._ask(self.desks.judge, prompt.messages, condition)
        verdict = prompt.read(reply)
        if verdict.score is None:
            raise NoAnswerError(f"the judge gave no score: {verdict.problem}")
        return verdict.score


def why_no_pair(missing: Sequence[MissingPair]) -> str:
    """Why a row has no pair at all: the reasons of the first ones."""
    told = "; ".join(f"{each.condition}: {each.reason}" for each in missing[:REASONS_TOLD])
    more = len(missing) - REASONS_TOLD
    return f"{told}; and {more} more" if more > 0 else told


@asynccontextmanager
async def together() -> AsyncIterator[asyncio.TaskGroup]:
    """A group of tasks that fails by the first error of one of them, without a group around it."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def answer_in(reply: Reply) -> tuple[str, str]:
    """The answer in a reply, a refusal among them; or why there is none, as a clause."""
    finish = reply.finish_reason.lower()
    text = blank_reasoning(reply.text).strip() or reply.refusal.strip()
    if reply.error is not None:
        return "", f"{reply.error.kind}: {reply.error.message}"
    if finish in CUT_OFF:
        return "", "the reply was cut off; allow it more tokens, such as `params: {max_tokens: 400}`"
    if not text and finish in FILTERED:
        return "", f"the endpoint stopped with {reply.finish_reason}"
    return text, "" if text else "the reply is empty"
