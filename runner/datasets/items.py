"""One row's Draft to an Item: the typed Question, and its gold answer as canonical options or texts."""

from collections.abc import Iterable
from dataclasses import dataclass

from ...perturbations.question import AnswerForm, Example, Gold, Question
from ...perturbations.rendering.template import template_problems, unasked_closing
from ..config.schema import PromptConfig
from ..errors import ConfigError, Problem
from ..problems import RowError, quoted
from ..records import Item
from .fields import Draft
from .golds import WORDS, Decision, Fits, Reading, no_option
from .texts import text_of

TEMPLATE = "prompt.template"


@dataclass(frozen=True, slots=True)
class ItemMaker:
    """What all items of a run share.

    Attributes:
        prompt: What is said around each question.
        examples: The few-shot examples of the config; a row's own stand instead of them.
        answer_form: What the closing line asks for where there are no options.
        asked: How the config says that golds are to be read; None for `auto`.
    """

    prompt: PromptConfig
    examples: tuple[Example, ...]
    answer_form: AnswerForm
    asked: Reading | None

    def item(self, item_id: str, draft: Draft, fits: Fits, decision: Decision) -> Item:
        """Make an item.

        Args:
            item_id: Its id.
            draft: Its row, as read.
            fits: What its gold may mean.
            decision: Which of these holds in its file.

        Raises:
            RowError: If the gold is no option.
        """
        return Item(
            id=item_id,
            question=self._question(draft),
            gold=self._gold(draft, fits, decision),
            cluster=draft.cluster,
            row=draft.row.values,
            number=draft.row.number,
            file=draft.row.file if draft.row.several else "",
            attachments=draft.attachments,
        )

    def _gold(self, draft: Draft, fits: Fits, decision: Decision) -> Gold:
        if draft.options is None:
            if self.asked in {"label", "index", "index1"}:
                raise RowError(f"there are no options, so the answer can't be {WORDS[self.asked]} (dataset.answer_as)")
            return Gold(texts=tuple(dict.fromkeys(text_of(gold).strip() for gold in draft.golds)))
        if not draft.golds:
            return Gold()
        meant = decision.options(fits)
        if not meant:
            raise RowError(no_option(draft.golds, draft.options, self.asked))
        return Gold(options=draft.options.twins(meant))

    def _question(self, draft: Draft) -> Question:
        closing = self.prompt.answer
        form: AnswerForm = "label" if draft.options else self.answer_form
        return Question(
            text=draft.text,
            options=draft.options.texts if draft.options else (),
            system=draft.system or self.prompt.system or "",
            instruction=_unless_blank(self.prompt.instruction),
            context=draft.context,
            examples=draft.examples or self.examples,
            history=draft.history,
            answer_form="none" if closing is not None and not closing.strip() else form,
            answer_instruction=closing if closing is None or closing.strip() else "",
            template=self.prompt.template,
        )


def _unless_blank(text: str | None) -> str:
    return text if text and text.strip() else ""


def template_notes(items: Iterable[Item]) -> list[str]:
    """Check the user's own template on one item of each shape.

    Returns:
        Where the closing line that follows from the grader is left out: a sentence that says so, since the template may
        say in its own words how to answer.

    Raises:
        ConfigError: If it has an unknown field, or leaves a part out that some item has.
    """
    shapes = {(bool(item.question.options), bool(item.question.context)): item.question for item in items}
    templates = [(question.template, question) for question in shapes.values() if question.template]
    problems = dict.fromkeys(problem for each in templates for problem in template_problems(*each))
    if problems:
        raise ConfigError(*(Problem(problem, key=TEMPLATE) for problem in problems))
    left_out = dict.fromkeys(filter(None, (unasked_closing(*each) for each in templates)))
    return [
        f"{TEMPLATE} has no field {{answer}}, so the line {quoted(line)} is not asked; put {{answer}} in, "
        "or set `prompt.answer: ''` where the template says itself how to answer"
        for line in left_out
    ]
