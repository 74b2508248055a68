"""A model as the judge of a duel: asked through engine and store, so that what it said once is never paid for again."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..config.duel import DimensionConfig
from ..engine.summary import RunSummary
from ..errors import JudgingStoppedError
from ..judging.asking import Judge, JudgeCall, Judged, Session, ask_judge
from ..judging.prompts import JudgePrompt, Matter, pairwise, pass_fail, scored
from ..judging.verdict import PASS_FAIL, PREFERENCE, Verdict
from ..records import Item
from .judging import Opinion, Question

PREFERRED = dict(zip(PREFERENCE.labels, (1.0, 0.0, 0.5), strict=True))
"""The score of the first shown, by the label."""
PASSED = dict(zip(PASS_FAIL.labels, (1.0, 0.0), strict=True))


@dataclass(slots=True)
class ModelJudge:
    """Asks a model.

    Attributes:
        judge: The model.
        session: What all judging of the command shares.
        name: The duel's name.
        owner: The runs whose answers are judged.
        failed: How many calls failed, so that asking again may help.
        summary: How asking ended and what it took; None before that.
    """

    judge: Judge
    session: Session
    name: str
    owner: str
    failed: int = 0
    summary: RunSummary | None = None

    async def opinions(self, questions: Sequence[Question]) -> Sequence[Opinion]:
        """Judge each question by itself.

        Raises:
            JudgingStoppedError: Not all calls could be made; what came is kept.
            StoreError: The store refuses.
        """
        found: dict[str, Opinion] = {}

        def note(judged: Judged) -> None:
            found[judged.call.id] = opinion_of(judged.verdict)

        summary = await ask_judge(
            (call_of(number, question) for number, question in enumerate(questions)),
            judge=self.judge,
            session=self.session,
            total=len(questions),
            name=f"{self.name} judge",
            owner=self.owner,
            on_judged=note,
            rated=False,
        )
        self.summary = summary
        self.failed = summary.by_status.get("error", 0)
        if summary.state == "stopped":
            given = sum(opinion.score is not None for opinion in found.values())
            told = f"the judge has given {given} of {len(questions)} verdicts"
            raise JudgingStoppedError(f"{told}: {summary.reason}")
        return [found[str(number)] for number in range(len(questions))]


def call_of(number: int, question: Question) -> JudgeCall:
    """The call for one question."""
    return JudgeCall(id=str(number), prompt=prompt_of(question), item=question.item.id, condition=question.dimension.id)


def prompt_of(question: Question) -> JudgePrompt:
    """What the judge is asked."""
    dimension = question.dimension
    rubric, matter = rubric_of(dimension), matter_of(question.item, reference=dimension.reference)
    if dimension.grader == "pairwise":
        first, second = question.answers
        return pairwise(rubric, first, second, matter)
    (answer,) = question.answers
    return (scored if dimension.verdict == "score" else pass_fail)(rubric, answer, matter)


def rubric_of(dimension: DimensionConfig) -> str:
    """The dimension in words."""
    return "\n\n".join(filter(None, (dimension.description, dimension.rubric)))


def matter_of(item: Item, *, reference: bool) -> Matter:
    """What the judge sees beside the answers: the conversation, the options, the passages, and a right answer."""
    question = item.question
    turns = [f"{turn.role}: {turn.content}" for turn in question.history]
    asked = [*turns, f"user: {question.text}"] if turns else [question.text]
    options = [f"- {option}" for option in question.options]
    right = (*(question.options[at] for at in item.gold.options), *item.gold.texts)
    return Matter(
        question="\n".join([*asked, *options]),
        references=right if reference else (),
        context="\n\n".join(question.context),
    )


def opinion_of(verdict: Verdict) -> Opinion:
    """A verdict as the score of what was shown first, or alone."""
    if verdict.problem:
        return Opinion(None, verdict.problem)
    if verdict.label is not None:
        return Opinion((PREFERRED | PASSED)[verdict.label], verdict.reason)
    return Opinion(verdict.score, verdict.reason)
