"""The grader `multi`: whether a reply chooses all right options and no other."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .choice import ChoiceGrader
from .options import Options, options_shown
from .several import choose_several
from .shown import gold_options
from .status import Reading, grade_reply


@dataclass(frozen=True, slots=True)
class MultiGrader:
    """Passes a reply that chooses the right options, all of them and no other; equal options are one.

    `Grade.answer` is the indices of the options in the dataset, in order: `0,2`; `none` where the reply says so.

    Attributes:
        partial: Some of the right options are enough, as long as no other is chosen.
        count_as_fail: The statuses that count as fail.
    """

    partial: bool
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "multi"
    version: ClassVar[int] = 3

    def identity(self) -> dict[str, Json]:
        """See `Grader`; a new version of `choice`, whose reading this builds on, is one of this as well."""
        return identity(self, self.count_as_fail, partial=self.partial, choice=ChoiceGrader.version)

    def samples(self, key: AnswerKey) -> Samples:
        """The right options by label, by text and announced; and the same with one too many, and with one too few."""
        options = options_shown(key)
        gold = gold_options(key, options)
        shown = _shown(key, options)
        right = [each for each in shown if each[2] in gold]
        others = [each for each in shown if each[2] not in gold]
        if not others:
            raise UnusableKeyError("all options are right, so that no reply could be wrong")
        wrong = [[*right, others[0]], others[:1]]
        if len(gold) > 1 and not self.partial:
            wrong.append([each for each in right if each[2] != right[0][2]])
        return Samples(_replies(right), tuple(reply for some in wrong for reply in _replies(some)))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        options = options_shown(key)
        gold = gold_options(key, options)
        return grade_reply(reply, lambda text: self._read(text, options, gold), count_as_fail=self.count_as_fail)

    def _read(self, text: str, options: Options, gold: frozenset[int]) -> Reading:
        chosen = choose_several(text, options)
        extracted = text[slice(*chosen.span)] if chosen.span else None
        if chosen.options is None:
            return Reading(
                None, found=chosen.span is not None, extracted=extracted, reason=chosen.reason, span=chosen.span
            )
        passed = bool(chosen.options) and (chosen.options <= gold if self.partial else chosen.options == gold)
        answer = ",".join(map(str, sorted(chosen.options))) or "none"
        return Reading(passed, final=chosen.final, extracted=extracted, answer=answer, span=chosen.span)


def _shown(key: AnswerKey, options: Options) -> list[tuple[str, str, int]]:
    """Label, text and canonical option of each option shown; of equal ones the first."""
    found: dict[int, tuple[str, str, int]] = {}
    for label, text in zip(key.labels, key.options, strict=True):
        option = options.labels[label.lower()]
        found.setdefault(option, (label, text, option))
    return list(found.values())


def _replies(chosen: list[tuple[str, str, int]]) -> tuple[str, ...]:
    labels = ", ".join(label for label, _, _ in chosen)
    return labels, f"Answer: {labels}", "\n".join(f"{label}. {text}" for label, text, _ in chosen)


@register("multi")
def make_multi(config: GradeConfig, base: Path) -> MultiGrader:
    """The grader of a `grade: multi`."""
    del base
    return MultiGrader(config.partial, tuple(config.count_as_fail))
