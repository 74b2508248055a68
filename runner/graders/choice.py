"""The grader `choice`: which of the options shown a reply chooses, by label or text."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .plain import Choice, plain_choice
from .shown import Shown, gold_options, shown_options
from .status import Reading, grade_reply


@dataclass(frozen=True, slots=True)
class ChoiceGrader:
    """Passes a reply that chooses a right option; equal options are one. Ambiguous replies are `unparsed`.

    `Grade.answer` is the index of the option in the dataset, so that answers compare across orders and labels.
    """

    count_as_fail: Collection[Status]
    name: ClassVar[str] = "choice"
    version: ClassVar[int] = 4

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(self, self.count_as_fail)

    def samples(self, key: AnswerKey) -> Samples:
        """The label alone, announced, and with its option's text, of each option shown.

        Raises:
            UnusableKeyError: No option is right, or each is.
        """
        shown = shown_options(key)
        gold = gold_options(key, shown)
        right: list[str] = []
        wrong: list[str] = []
        for label, text in zip(key.labels, key.options, strict=True):
            replies = (label, f"Answer: {label}", f"{label}. {text}")
            (right if shown.labels[label.lower()] in gold else wrong).extend(replies)
        if not wrong:
            raise UnusableKeyError("every option counts as right, so that no reply could be wrong")
        return Samples(tuple(right), tuple(wrong))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        shown = shown_options(key)
        gold = gold_options(key, shown)
        return grade_reply(reply, lambda text: _read(text, key, shown, gold), count_as_fail=self.count_as_fail)


def _read(text: str, key: AnswerKey, shown: Shown, gold: frozenset[int]) -> Reading:
    choice = plain_choice(text, shown) or _weighed(text, key)
    extracted = text[slice(*choice.span)] if choice.span else None
    if choice.option is None:
        found = choice.span is not None
        return Reading(None, found=found, final=False, extracted=extracted, reason=choice.reason, span=choice.span)
    passed = choice.option in gold
    return Reading(passed, final=choice.final, extracted=extracted, answer=str(choice.option), span=choice.span)


def _weighed(text: str, key: AnswerKey) -> Choice:
    from .choosing import weigh  # noqa: PLC0415 - plain replies need none of its patterns
    from .options import options_shown  # noqa: PLC0415 - as above

    return weigh(text, options_shown(key))


@register("choice")
def make_choice(config: GradeConfig, base: Path) -> ChoiceGrader:
    """The grader of a `grade: choice`."""
    del base
    return ChoiceGrader(tuple(config.count_as_fail))
