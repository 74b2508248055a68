"""The grader `choice`: which of the options shown a reply chooses, by label or text."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .choosing import choose
from .options import Options, options_of
from .status import Reading, grade_reply


@dataclass(frozen=True, slots=True)
class ChoiceGrader:
    """Passes a reply that chooses a right option; equal options are one. Ambiguous replies are `unparsed`.

    `Grade.answer` is the index of the option in the dataset, so that answers compare across orders and labels.
    """

    count_as_fail: Collection[Status]
    name: ClassVar[str] = "choice"
    version: ClassVar[int] = 3

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(self, self.count_as_fail)

    def samples(self, key: AnswerKey) -> Samples:
        """The label alone, announced, and with its option's text, of each option shown.

        Raises:
            UnusableKeyError: No option is right, or each is.
        """
        options = shown_options(key)
        right: list[str] = []
        wrong: list[str] = []
        for label, text in zip(key.labels, key.options, strict=True):
            replies = (label, f"Answer: {label}", f"{label}. {text}")
            (right if options.labels[label.lower()] in gold_options(key, options) else wrong).extend(replies)
        if not wrong:
            raise UnusableKeyError("every option counts as right, so that no reply could be wrong")
        return Samples(tuple(right), tuple(wrong))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        options = shown_options(key)
        gold = gold_options(key, options)
        return grade_reply(reply, lambda text: _read(text, options, gold), count_as_fail=self.count_as_fail)


def _read(text: str, options: Options, gold: frozenset[int]) -> Reading:
    choice = choose(text, options)
    extracted = text[slice(*choice.span)] if choice.span else None
    if choice.option is None:
        found = choice.span is not None
        return Reading(None, found=found, final=False, extracted=extracted, reason=choice.reason, span=choice.span)
    passed = choice.option in gold
    return Reading(passed, final=choice.final, extracted=extracted, answer=str(choice.option), span=choice.span)


def shown_options(key: AnswerKey) -> Options:
    """The options of an item as shown.

    Raises:
        UnusableKeyError: It has none.
    """
    if not key.options:
        raise UnusableKeyError("the item has no options to choose from; give it options, or grade it by another grader")
    return options_of(key.labels, key.options, key.permutation or tuple(range(len(key.options))))


def gold_options(key: AnswerKey, options: Options) -> frozenset[int]:
    """The right ones among the options shown.

    Raises:
        UnusableKeyError: None of them is.
    """
    gold = frozenset(options.canonical[index] for index in key.item.gold.options if index in options.canonical)
    if not gold:
        raise UnusableKeyError("the item's right answer is none of the options shown")
    return gold


@register("choice")
def make_choice(config: GradeConfig, base: Path) -> ChoiceGrader:
    """The grader of a `grade: choice`."""
    del base
    return ChoiceGrader(tuple(config.count_as_fail))
