"""The grader `label`: which of a closed set of labels a reply gives, the same ones for every item."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..errors import GraderError
from ..problems import listed
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .choice import ChoiceGrader
from .choosing import choose
from .normal import NormalForm
from .options import Options, options_of
from .status import Reading, grade_reply

_FORM = NormalForm(ignore_case=True, ignore_punctuation=True)
_FIRST_PRIVATE = 0xE000
"""Labels are read as `choice` reads option texts; the letters of such options are characters that no reply has."""


@dataclass(frozen=True, slots=True)
class LabelGrader:
    """Passes a reply that gives the right label, as a whole word in any case; several or none are `unparsed`.

    `Grade.answer` is the label as the config writes it.
    """

    labels: tuple[str, ...]
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "label"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`; a new version of `choice`, which reads alike, is one of this as well."""
        return identity(self, self.count_as_fail, labels=[*self.labels], choice=ChoiceGrader.version)

    def samples(self, key: AnswerKey) -> Samples:
        """Each label alone and announced."""
        gold = self._gold(key)
        right: list[str] = []
        wrong: list[str] = []
        for number, label in enumerate(self.labels):
            (right if number in gold else wrong).extend((label, f"Answer: {label}"))
        return Samples(tuple(right), tuple(wrong))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        gold = self._gold(key)
        return grade_reply(reply, lambda text: self._read(text, gold), count_as_fail=self.count_as_fail)

    def _read(self, text: str, gold: Collection[int]) -> Reading:
        choice = choose(text, self._options())
        extracted = text[slice(*choice.span)] if choice.span else None
        if choice.option is None:
            reason = choice.reason.replace("option", "label")
            return Reading(None, found=choice.span is not None, extracted=extracted, reason=reason, span=choice.span)
        answer = self.labels[choice.option]
        return Reading(choice.option in gold, final=choice.final, extracted=extracted, answer=answer, span=choice.span)

    def _options(self) -> Options:
        count = len(self.labels)
        hidden = tuple(chr(_FIRST_PRIVATE + number) for number in range(count))
        return options_of(hidden, self.labels, tuple(range(count)))

    def _gold(self, key: AnswerKey) -> frozenset[int]:
        if not key.item.gold.texts:
            raise UnusableKeyError("the item has no label as its right answer; items with options are for `choice`")
        places = {_FORM(label): number for number, label in enumerate(self.labels)}
        for text in key.item.gold.texts:
            if _FORM(text) not in places:
                raise UnusableKeyError(f"the right answer {text!r} is none of grade.labels: {listed(self.labels)}")
        return frozenset(places[_FORM(text)] for text in key.item.gold.texts)


@register("label")
def make_label(config: GradeConfig, base: Path) -> LabelGrader:
    """The grader of a `grade: {grader: label, labels: [...]}`.

    Raises:
        GraderError: Two labels are one text, apart from case and the marks around it.
    """
    del base
    labels = tuple(config.labels or ())
    forms = [_FORM(label) for label in labels]
    twice = next((label for label, form in zip(labels, forms, strict=True) if forms.count(form) > 1), None)
    if twice is not None:
        raise GraderError(f"grade.labels: {twice!r} stands there twice; case and marks around a label do not count")
    return LabelGrader(labels, tuple(config.count_as_fail))
