"""One row's Draft to an Item: the typed Question, and its gold answer as canonical options or texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..perturbations.canonical import canonical_hash
from ..perturbations.dependent import place_bound, speaks_of_all
from ..perturbations.question import AnswerForm, Example, Gold, Question
from ..perturbations.references import label_references
from .config import PromptConfig
from .fields import Draft
from .golds import Decision, Fits, Reading, no_option
from .option_set import OptionSet
from .problems import RowError
from .records import Item
from .texts import text_of


@dataclass(frozen=True, slots=True)
class ItemMaker:
    """What all items of a run share.

    Attributes:
        file: The dataset, as messages name it.
        prompt: What is said around each question.
        examples: The few-shot examples.
        answer_form: What the closing line asks for where there are no options.
        asked: How the config says that golds are to be read; None for `auto`.
        seed: Decides the order of shuffled options; None where they stay.
    """

    file: str
    prompt: PromptConfig
    examples: tuple[Example, ...]
    answer_form: AnswerForm
    asked: Reading | None
    seed: int | None

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
        order = self._order(item_id, draft.options)
        return Item(
            id=item_id,
            question=self._question(draft, order),
            gold=self._gold(draft, fits, decision, order),
            cluster=draft.cluster,
            row=draft.row.values,
            place=f"{self.file}, row {draft.row.number}",
        )

    def _order(self, item_id: str, options: OptionSet | None) -> tuple[int, ...]:
        if options is None:
            return ()
        if self.seed is None or not can_be_shuffled(options):
            return tuple(range(len(options.texts)))
        return shuffled(options.texts, self.seed, item_id)

    def _gold(self, draft: Draft, fits: Fits, decision: Decision, order: Sequence[int]) -> Gold:
        if draft.options is None:
            return Gold(texts=tuple(dict.fromkeys(text_of(gold).strip() for gold in draft.golds)))
        meant = decision.options(fits)
        if not meant:
            raise RowError(no_option(draft.golds, draft.options, self.asked))
        right = draft.options.twins(meant)
        return Gold(options=tuple(shown for shown, index in enumerate(order) if index in right))

    def _question(self, draft: Draft, order: Sequence[int]) -> Question:
        closing = self.prompt.answer
        form: AnswerForm = "label" if draft.options else self.answer_form
        return Question(
            text=draft.text,
            options=tuple(draft.options.texts[index] for index in order) if draft.options else (),
            system=draft.system or self.prompt.system or "",
            instruction=_unless_blank(self.prompt.instruction),
            context=draft.context,
            examples=self.examples,
            history=draft.history,
            answer_form="none" if closing is not None and not closing.strip() else form,
            answer_instruction=closing if closing is None or closing.strip() else "",
            template=self.prompt.template,
        )


def _unless_blank(text: str | None) -> str:
    return text if text and text.strip() else ""


def can_be_shuffled(options: OptionSet) -> bool:
    """Whether no option names another by its label or its place, so that another order keeps their meaning."""
    if any(label_references(text, options.labels) for text in options.texts):
        return False
    return not place_bound(sorted(options.texts, key=speaks_of_all))


def shuffled(options: Sequence[str], seed: int, item_id: str) -> tuple[int, ...]:
    """An order of options that hangs on the seed and the item alone; "None of the above" and the like stay last."""
    ranks = [canonical_hash("prt.shuffle_options", [seed, item_id, index]) for index in range(len(options))]
    return tuple(sorted(range(len(options)), key=lambda index: (speaks_of_all(options[index]), ranks[index])))
