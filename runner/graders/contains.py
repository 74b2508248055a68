"""The grader `contains`: whether an accepted text stands in the reply as a whole word or phrase."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, asked, identity, register
from .normal import NormalForm
from .status import Reading, grade_reply
from .text import View, fold, lower, stands_alone, without_accents, without_markup, without_reasoning


@dataclass(frozen=True, slots=True)
class ContainsGrader:
    """Passes a reply in which an accepted text stands; what is said of it there, a "not" included, does not count."""

    ignore_case: bool
    ignore_accents: bool
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "contains"
    version: ClassVar[int] = 2

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(self, self.count_as_fail, ignore_case=self.ignore_case, ignore_accents=self.ignore_accents)

    def samples(self, key: AnswerKey) -> Samples:
        """The accepted texts, alone and in a sentence, a reply without any, and what is asked."""
        patterns = self._patterns(key)
        right = [reply for text in key.item.gold.texts for reply in (text, f"I think that it is {text}.")]
        other = "nothing"
        while self._found(other, patterns):
            other += "x"
        return Samples(tuple(right), (other,), asked(key))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        patterns = self._patterns(key)
        return grade_reply(reply, lambda text: self._read(text, patterns), count_as_fail=self.count_as_fail)

    def _patterns(self, key: AnswerKey) -> tuple[re.Pattern[str], ...]:
        return _patterns(key.item.gold.texts, self.ignore_case, self.ignore_accents)

    def _read(self, text: str, patterns: tuple[re.Pattern[str], ...]) -> Reading:
        found = self._found(text, patterns)
        if found is None:
            return Reading(passed=False, found=False, final=False)
        start, end, closed = found
        form = NormalForm(self.ignore_case, ignore_punctuation=True, ignore_accents=self.ignore_accents)
        answer = form(text[start:end])
        return Reading(passed=True, final=closed, extracted=text[start:end], answer=answer, span=(start, end))

    def _found(self, text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[int, int, bool] | None:
        """The first place of an accepted text in the source, and whether the reply goes on after it."""
        view = without_markup(without_reasoning(View.of(text)))
        cased = view.folded if self.ignore_case else view.text
        searched = without_accents(cased) if self.ignore_accents else cased
        for pattern in patterns:
            for found in pattern.finditer(searched):
                if stands_alone(view.folded, *found.span()):
                    return *view.span(*found.span()), found.end() < len(searched)
        return None


@lru_cache(maxsize=4096)
def _patterns(  # its parameters are what it is cached by
    texts: tuple[str, ...],
    ignore_case: bool,  # noqa: FBT001
    ignore_accents: bool,  # noqa: FBT001
) -> tuple[re.Pattern[str], ...]:
    form = NormalForm(ignore_case=False, ignore_punctuation=True, ignore_accents=ignore_accents)
    cores = [form(without_markup(View.of(text)).text) for text in texts]
    if not cores or "" in cores:
        raise UnusableKeyError("the item has no right answer as a text, or an empty one")
    spelled = (lower(fold(core)) if ignore_case else fold(core) for core in cores)
    return tuple(re.compile(r"\s+".join(map(re.escape, text.split()))) for text in spelled)


@register("contains")
def make_contains(config: GradeConfig, base: Path) -> ContainsGrader:
    """The grader of a `grade: contains`."""
    del base
    return ContainsGrader(config.ignore_case, config.ignore_accents, tuple(config.count_as_fail))
