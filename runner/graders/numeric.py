"""The grader `numeric`: whether the number that a reply gives is a right one."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .numerals import as_text
from .quantity import Quantity, only_number, quantity
from .status import Reading, grade_reply, judge_error
from .text import blank_reasoning
from .timed import SearchTimeoutError, TimedPattern


@dataclass(frozen=True, slots=True)
class NumericGrader:
    """Passes a number within the tolerance of any accepted one; units, currencies and percent signs are not compared.

    Attributes:
        tolerance: Absolute difference that still counts as equal.
        relative_tolerance: Difference as a share of the right number that still counts as equal; the wider one holds.
        pattern: Where the number stands: the last match, its first group where it has one; None reads by itself.
        count_as_fail: The statuses that count as fail.
    """

    tolerance: Fraction
    relative_tolerance: Fraction
    pattern: TimedPattern | None
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "numeric"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            tolerance=as_text(self.tolerance),
            relative_tolerance=as_text(self.relative_tolerance),
            pattern=self.pattern.source if self.pattern else None,
        )

    def samples(self, key: AnswerKey) -> Samples:
        """Each accepted number, and one that is none of them."""
        accepted = _accepted(key)
        other = max(accepted) + 1
        while any(self._equals(other, right) for right in accepted):
            other = other * 2 + 1
        if self.pattern is None:
            return Samples(tuple(f"Answer: {as_text(right)}" for right in accepted), (f"Answer: {as_text(other)}",))
        frames = self.pattern.frames(as_text(accepted[0]), as_text(other))
        return Samples(*(((text,) if text else ()) for text in frames))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        accepted = _accepted(key)
        try:
            return grade_reply(reply, lambda text: self._read(text, accepted), count_as_fail=self.count_as_fail)
        except SearchTimeoutError as error:
            return judge_error(str(error))

    def _read(self, text: str, accepted: tuple[Fraction, ...]) -> Reading:
        found = quantity(text) if self.pattern is None else _found(self.pattern, text)
        extracted = text[slice(*found.span)] if found.span else None
        if found.value is None:
            seen = found.span is not None
            return Reading(None, found=seen, extracted=extracted, reason=found.reason, span=found.span)
        passed = any(self._equals(found.value, right) for right in accepted)
        return Reading(passed, final=found.final, extracted=extracted, answer=as_text(found.value), span=found.span)

    def _equals(self, value: Fraction, right: Fraction) -> bool:
        return abs(value - right) <= max(self.tolerance, self.relative_tolerance * abs(right))


def _found(pattern: TimedPattern, text: str) -> Quantity:
    """The number in the last match of a pattern."""
    match = pattern.last(blank_reasoning(text))
    if match is None:
        return Quantity(reason="the pattern is nowhere in the reply")
    start, end, final = match
    number = only_number(text[start:end])
    if number.span is None:
        return Quantity(span=(start, end), reason=f"the pattern's match holds no number: {number.reason}")
    return Quantity(number.value, (start + number.span[0], start + number.span[1]), number.reason, final)


def _accepted(key: AnswerKey) -> tuple[Fraction, ...]:
    return _numbers(key.item.gold.texts)


@lru_cache(maxsize=4096)
def _numbers(texts: tuple[str, ...]) -> tuple[Fraction, ...]:
    if not texts:
        raise UnusableKeyError("the item has no right answer as a text to read a number from")
    read = {text: only_number(text) for text in texts}
    for text, number in read.items():
        if number.value is None:
            raise UnusableKeyError(f"the right answer {text!r} is no number: {number.reason}")
    return tuple(number.value for number in read.values() if number.value is not None)


@register("numeric")
def make_numeric(config: GradeConfig, base: Path) -> NumericGrader:
    """The grader of a `grade: {grader: numeric}`."""
    del base
    pattern = None if config.pattern is None else TimedPattern.of(config.pattern, ignore_case=False)
    tolerances = Fraction(repr(config.tolerance)), Fraction(repr(config.relative_tolerance))
    return NumericGrader(*tolerances, pattern, tuple(config.count_as_fail))
