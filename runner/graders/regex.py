"""The grader `regex`: whether what a pattern of the user's extracts is an accepted text."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..errors import GraderError
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, asked, identity, register
from .normal import NormalForm
from .status import Reading, grade_reply, judge_error
from .text import blank_reasoning
from .timed import OTHERS, SearchTimeoutError, TimedPattern


@dataclass(frozen=True, slots=True)
class RegexGrader:
    """Passes a reply whose last match of the pattern gives an accepted text, compared in normal form.

    A reply without a match is `unparsed`; one that the pattern can't search in time is a `judge_error`.
    """

    pattern: TimedPattern
    form: NormalForm
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "regex"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            pattern=self.pattern.source,
            ignore_case=self.form.ignore_case,
            ignore_accents=self.form.ignore_accents,
        )

    def samples(self, key: AnswerKey) -> Samples:
        """For each accepted text the first usual reply with it in which the pattern finds something, if any.

        Raises:
            UnusableKeyError: There is no accepted text, or the pattern finds other answers in such replies and none of
                these.
        """
        accepted = self.form.accepted(key)
        right = tuple(frame for frame in self.pattern.frames(*key.item.gold.texts) if frame is not None)
        others = [other for other in OTHERS if self.form(other) not in accepted]
        wrong = next((frame for frame in self.pattern.frames(*others) if frame is not None), None)
        if wrong is not None and not right:
            golds = " or ".join(map(repr, key.item.gold.texts))
            raise UnusableKeyError(f"the pattern finds an answer in {wrong!r}, and none where {golds} stands there")
        return Samples(right, () if wrong is None else (wrong,), asked(key))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        accepted = self.form.accepted(key)
        try:
            return grade_reply(reply, lambda text: self._read(text, accepted), count_as_fail=self.count_as_fail)
        except SearchTimeoutError as error:
            return judge_error(str(error))

    def _read(self, text: str, accepted: Collection[str]) -> Reading:
        match = self.pattern.last(blank_reasoning(text))
        if match is None:
            return Reading(None, found=False, reason="the pattern is nowhere in the reply")
        start, end, closed = match
        answer = self.form(text[start:end])
        return Reading(answer in accepted, final=closed, extracted=text[start:end], answer=answer, span=(start, end))


@register("regex")
def make_regex(config: GradeConfig, base: Path) -> RegexGrader:
    """The grader of a `grade: {grader: regex, pattern: ...}`.

    Raises:
        GraderError: There is no pattern.
    """
    del base
    if config.pattern is None:
        raise GraderError("the grader 'regex' needs grade.pattern, such as 'The answer is (.+)\\.'")
    pattern = TimedPattern.of(config.pattern, ignore_case=config.ignore_case)
    form = NormalForm(config.ignore_case, ignore_punctuation=True, ignore_accents=config.ignore_accents)
    return RegexGrader(pattern, form, tuple(config.count_as_fail))
