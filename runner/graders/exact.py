"""The grader `exact`: whether the whole reply is one of the accepted texts."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, identity, register
from .normal import NormalForm
from .status import Reading, grade_reply
from .text import blank_reasoning


@dataclass(frozen=True, slots=True)
class ExactGrader:
    """Passes a reply that, reasoning aside, equals an accepted text in normal form; see `NormalForm`."""

    form: NormalForm
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "exact"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            ignore_case=self.form.ignore_case,
            ignore_punctuation=self.form.ignore_punctuation,
            ignore_accents=self.form.ignore_accents,
        )

    def samples(self, key: AnswerKey) -> Samples:
        """The accepted texts, and one that is none of them."""
        accepted = self.form.accepted(key)
        other = "another answer"
        while self.form(other) in accepted:
            other += " still"
        return Samples(key.item.gold.texts, (other,))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        accepted = self.form.accepted(key)
        return grade_reply(reply, lambda text: self._read(text, accepted), count_as_fail=self.count_as_fail)

    def _read(self, text: str, accepted: Collection[str]) -> Reading:
        shown = blank_reasoning(text)
        answer = self.form(shown)
        if not answer:
            return Reading(None, found=False, reason="nothing follows the reasoning")
        start, end = len(shown) - len(shown.lstrip()), len(shown.rstrip())
        passed = answer in accepted
        return Reading(passed, passed, final=False, extracted=text[start:end], answer=answer, span=(start, end))


@register("exact")
def make_exact(config: GradeConfig, base: Path) -> ExactGrader:
    """The grader of a `grade: exact`."""
    del base
    form = NormalForm(config.ignore_case, config.ignore_punctuation, config.ignore_accents)
    return ExactGrader(form, tuple(config.count_as_fail))
