"""The grader `judge`: another model holds each answer to a rubric, once all answers are there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ...perturbations.question import Message
from ..config.generators import given_params
from ..config.schema import GradeConfig, LocalModel, ModelConfig, RubricFile
from ..datasets.paths import PathError, resolve
from ..errors import GraderError
from ..judging.prompts import PROMPT_VERSION, JudgePrompt, Matter, pass_fail, scored
from ..judging.verdict import PASS_FAIL, READER_VERSION, SCORE, Form, Verdict
from ..records import AnswerKey, Grade, Reply, Status
from .base import JUDGE, Samples, UnusableKeyError, identity, register
from .status import Reading, grade_reply, judge_error
from .text import blank_reasoning

NOT_ASKED = "the judge has not been asked yet"
ROOM = 256
"""Tokens of a local judge's reply, where its config sets no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeGrader:
    """Passes an answer that a judge passes, or scores at the threshold or above.

    It asks nothing itself: `prompt` says what a judge is to be asked about an answer, and `grade_of` what its verdict
    makes of it. Until then an answer is a `judge_error`. A failed call, a refusal by the endpoint, a reply that was cut
    off and an empty one need no judge. Of a reply with reasoning in it the judge sees the rest.

    Attributes:
        rubric: What makes an answer pass.
        form: What the judge gives: pass or fail, or a score.
        threshold: The lowest score that passes.
        reference: Whether the judge is shown right answers.
        context: The path of a row's ground truth that it is shown; None for nothing.
        structured: Whether the endpoint is asked for JSON of a schema; None for where that is known to work.
        model: The judge's block of the config.
        same_model: Whether the judge may be the model under test.
        judge: What decides the judge's replies: its identity once it was opened, before that what the config says.
        count_as_fail: The statuses whose replies did not pass.
    """

    rubric: str
    form: Form
    threshold: float
    reference: bool
    context: str | None
    structured: bool | None
    model: ModelConfig = field(repr=False)
    same_model: bool
    judge: Mapping[str, Json]
    count_as_fail: Collection[Status]
    name: ClassVar[str] = JUDGE
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`; the judge is part of it, and how it is asked and read."""
        threshold: dict[str, Json] = {} if self.form.labels else {"threshold": self.threshold}
        return identity(
            self,
            self.count_as_fail,
            model=dict(self.judge),
            rubric=self.rubric,
            verdict="pass_fail" if self.form.labels else "score",
            **threshold,
            reference=self.reference,
            context=self.context,
            structured=bool(self.structured),
            prompts=PROMPT_VERSION,
            reader=READER_VERSION,
        )

    def by(self, judge: Mapping[str, Json], *, structured: bool) -> "JudgeGrader":
        """The same with its judge opened.

        Args:
            judge: The judge's identity.
            structured: Whether it is asked for JSON of a schema.
        """
        return replace(self, judge=judge, structured=structured)

    def samples(self, key: AnswerKey) -> Samples:
        """None: what a judge makes of a reply is known once it is asked.

        Raises:
            UnusableKeyError: The row has not what the judge is to be shown.
        """
        self._matter(key)
        return Samples()

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`; without a call there is a grade for a reply alone that holds no answer."""
        del key
        return self.without_judge(reply) or judge_error(NOT_ASKED)

    def without_judge(self, reply: Reply) -> Grade | None:
        """The grade of a reply that holds no answer; None where the judge has to be asked."""

        def read(text: str) -> Reading:
            if answer_in(text):
                return Reading(passed=True, final=False)
            return Reading(None, found=False, reason="nothing follows the reasoning")

        grade = grade_reply(reply, read, count_as_fail=self.count_as_fail)
        return None if grade.status == "graded" else grade

    def prompt(self, reply: Reply, key: AnswerKey) -> JudgePrompt:
        """What a judge is asked about an answer.

        Raises:
            UnusableKeyError: The row has not what the judge is to be shown.
        """
        ask = pass_fail if self.form.labels else scored
        return ask(self.rubric, answer_in(reply.text), self._matter(key))

    def grade_of(self, verdict: Verdict) -> Grade:
        """The grade that a judge's verdict gives; one that can't be read is a `judge_error`."""
        if verdict.problem:
            return judge_error(verdict.problem)
        if verdict.score is None:
            return Grade(verdict.label == PASS_FAIL.labels[0], "graded", verdict.label, verdict.label, verdict.reason)
        said = f"{abs(verdict.score):g}"
        reason = f"score {said}" + (f": {verdict.reason}" if verdict.reason else "")
        return Grade(verdict.score >= self.threshold, "graded", said, said, reason)

    def _matter(self, key: AnswerKey) -> Matter:
        references = tuple(right_answers(key)) if self.reference else ()
        if self.reference and not references:
            raise UnusableKeyError("the row has no right answer to show the judge; `reference: false` shows it none")
        context = "" if self.context is None else "\n\n".join(texts_at(key.item.row, self.context))
        if self.context is not None and not context:
            raise UnusableKeyError(f"the row has no text in {self.context!r}, which grade.context names")
        return Matter(question_in(key), references, context)


def answer_in(text: str) -> str:
    """A reply without its reasoning."""
    return blank_reasoning(text).strip()


def question_in(key: AnswerKey) -> str:
    """What was asked, in the dataset's own words, with the options as they were shown."""
    question = key.item.question
    asked = [Message("system", question.system)] if question.system else []
    turns = [f"{message.role}: {message.content}" for message in (*asked, *question.history)]
    options = "\n".join(f"{label}. {text}" for label, text in zip(key.labels, key.options, strict=True))
    parts = (*turns, question.instruction, *question.context, question.text, options)
    return "\n\n".join(filter(str.strip, parts))


def right_answers(key: AnswerKey) -> Iterator[str]:
    """The right answers, each by itself; of options the label as shown with the text."""
    gold = key.item.gold
    for shown, canonical in enumerate(key.permutation):
        if canonical in gold.options:
            yield f"{key.labels[shown]}. {key.options[shown]}"
    yield from (text for text in gold.texts if text.strip())


def texts_at(row: Mapping[str, Json], path: str) -> Sequence[str]:
    """The texts at a path of a row; none where there is nothing."""
    try:
        value = resolve(dict(row), path)
    except PathError:
        return ()
    parts = value if isinstance(value, list) else [value]
    return [part.strip() for part in parts if isinstance(part, str) and part.strip()]


@register("judge")
def make_judge(config: GradeConfig, base: Path) -> JudgeGrader:
    """The grader of a `grade: {grader: judge, rubric: ..., model: ...}`; its model is not opened here.

    Raises:
        GraderError: There is no rubric or no model, or the rubric's file can't be read.
    """
    if config.rubric is None or config.model is None:
        raise GraderError("the grader 'judge' needs grade.rubric, what makes an answer pass, and grade.model")
    form = PASS_FAIL if config.verdict == "pass_fail" else SCORE
    return JudgeGrader(
        rubric=rubric_text(config.rubric, base),
        form=form,
        threshold=config.threshold,
        reference=config.reference,
        context=config.context,
        structured=config.structured,
        model=config.model,
        same_model=config.same_model,
        judge=described(config.model),
        count_as_fail=tuple(config.count_as_fail),
    )


def rubric_text(rubric: str | RubricFile, base: Path) -> str:
    """A rubric as it stands in the config or in its file.

    Raises:
        GraderError: The file can't be read, or holds nothing.
    """
    if isinstance(rubric, str):
        return rubric.strip()
    file = base / Path(rubric.file).expanduser()
    try:
        text = file.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise GraderError(f"grade.rubric.file {rubric.file}: it can't be read ({reason}); name a text file") from None
    if not text:
        raise GraderError(f"grade.rubric.file {rubric.file}: it is empty; write down what makes an answer pass")
    return text


def with_room(model: ModelConfig) -> ModelConfig:
    """A judge's block; a local model whose parameters are not given has room for a reason."""
    if not isinstance(model, LocalModel) or given_params(model):
        return model
    return model.model_copy(update={"params": {**model.params, "max_tokens": ROOM}})


def described(model: ModelConfig) -> dict[str, Json]:
    """What a config says of a model, before it is opened; no secret can stand in these keys."""
    told = {key: getattr(model, key, None) for key in ("provider", "name", "path", "callable")}
    return {key: value for key, value in told.items() if value is not None}
