"""The grader `numeric`: whether the number that a reply gives is a right one."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .numerals import Numeral, as_text
from .quantity import Quantity, only_number, quantity
from .separators import Decimal
from .status import Reading, grade_reply, judge_error
from .text import blank_reasoning
from .timed import SearchTimeoutError, TimedPattern


@dataclass(frozen=True, slots=True)
class NumericGrader:
    """Passes a number within the tolerance of any accepted one; units and currencies are not compared.

    Attributes:
        tolerance: Absolute difference that still counts as equal.
        relative_tolerance: Difference as a share of the right number that still counts as equal; the wider one holds.
        decimal: What is known of the decimal mark; where nothing is, a number that is right only in the less likely of
            two readings is `unparsed`.
        pattern: Where the number stands: the last match, its first group where it has one; None reads by itself.
        count_as_fail: The statuses that count as fail.
    """

    tolerance: Fraction
    relative_tolerance: Fraction
    decimal: Decimal
    pattern: TimedPattern | None
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "numeric"
    version: ClassVar[int] = 3

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            tolerance=as_text(self.tolerance),
            relative_tolerance=as_text(self.relative_tolerance),
            decimal=self.decimal,
            pattern=self.pattern.source if self.pattern else None,
        )

    def samples(self, key: AnswerKey) -> Samples:
        """Each accepted number, and one that is none of them."""
        accepted = self._accepted(key)
        right = [as_text(numeral.value) for numeral in accepted if numeral.value is not None]
        other = Fraction(max(map(Fraction, right))) + 1
        while any(self._equals(Numeral(0, 0, other), numeral) for numeral in accepted):
            other = other * 2 + 1
        if self.pattern is None:
            written = tuple(f"Answer: {self._written(number)}" for number in (*right, as_text(other)))
            return Samples(written[:-1], written[-1:])
        frames = self.pattern.frames(self._written(right[0]), self._written(as_text(other)))
        return Samples(*(((text,) if text else ()) for text in frames))

    def _written(self, number: str) -> str:
        return number.replace(".", ",") if self.decimal == "comma" else number

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        accepted = self._accepted(key)
        try:
            return grade_reply(reply, lambda text: self._read(text, accepted), count_as_fail=self.count_as_fail)
        except SearchTimeoutError as error:
            return judge_error(str(error))

    def _accepted(self, key: AnswerKey) -> tuple[Numeral, ...]:
        return _accepted(key.item.gold.texts, self.decimal)

    def _read(self, text: str, accepted: tuple[Numeral, ...]) -> Reading:
        found = quantity(text, self.decimal) if self.pattern is None else self._found(self.pattern, text)
        extracted = text[slice(*found.span)] if found.span else None
        numeral = found.numeral
        if numeral is None or numeral.value is None:
            seen = found.span is not None
            return Reading(None, found=seen, extracted=extracted, reason=found.reason, span=found.span)
        passed = any(self._equals(numeral, right) for right in accepted)
        if not passed and numeral.otherwise is not None:
            other = replace(numeral, value=numeral.otherwise, otherwise=None)
            if any(self._equals(other, right) for right in accepted):
                reason = f"{extracted!r} may be {as_text(numeral.value)} or {as_text(numeral.otherwise)}"
                advice = "grade.decimal says which: point or comma"
                return Reading(None, extracted=extracted, reason=f"{reason}; {advice}", span=found.span)
        return Reading(passed, final=found.final, extracted=extracted, answer=as_text(numeral.value), span=found.span)

    def _equals(self, numeral: Numeral, right: Numeral) -> bool:
        """Whether a number is a right one: as it is, as counted in its dozens, or as the share that a percentage is."""
        values = [value for value in (numeral.value, numeral.also) if value is not None]
        if right.percent and not numeral.percent:
            values += [100 * value for value in values]
        return right.value is not None and any(self._is_near(value, right.value) for value in values)

    def _is_near(self, value: Fraction, right: Fraction) -> bool:
        return abs(value - right) <= max(self.tolerance, self.relative_tolerance * abs(right))

    def _found(self, pattern: TimedPattern, text: str) -> Quantity:
        """The number in the last match of a pattern."""
        match = pattern.last(blank_reasoning(text))
        if match is None:
            return Quantity(reason="the pattern is nowhere in the reply")
        start, end, final = match
        number = only_number(text[start:end], self.decimal)
        if number.span is None:
            return Quantity(span=(start, end), reason=f"the pattern's match holds no number: {number.reason}")
        return replace(number, span=(start + number.span[0], start + number.span[1]), final=final)


@lru_cache(maxsize=4096)
def _accepted(texts: tuple[str, ...], decimal: Decimal) -> tuple[Numeral, ...]:
    """The accepted numbers of an item.

    Raises:
        UnusableKeyError: There is none, or one that can't be told.
    """
    if not texts:
        raise UnusableKeyError("the item has no right answer as a text to read a number from")
    return tuple(_right_number(text, decimal) for text in texts)


def _right_number(text: str, decimal: Decimal) -> Numeral:
    number = only_number(text, decimal)
    if number.numeral is None:
        raise UnusableKeyError(f"the right answer {text!r} is no number: {number.reason}")
    as_data = only_number(text).value
    if decimal == "comma" and as_data is not None and as_data != number.value and "." in text:
        raise UnusableKeyError(
            f"the right answer {text!r} may be {as_text(as_data)} or {as_text(number.numeral.value or as_data)}, since "
            "grade.decimal is comma; write it without separators"
        )
    return number.numeral


@register("numeric")
def make_numeric(config: GradeConfig, base: Path) -> NumericGrader:
    """The grader of a `grade: {grader: numeric}`."""
    del base
    pattern = None if config.pattern is None else TimedPattern.of(config.pattern, ignore_case=False)
    tolerances = Fraction(repr(config.tolerance)), Fraction(repr(config.relative_tolerance))
    return NumericGrader(*tolerances, config.decimal, pattern, tuple(config.count_as_fail))
