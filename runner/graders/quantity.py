"""Which number a reply gives as its answer: the announced one, else the last. What can't be told is said."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from . import phrases
from .announce import LEADING, NEGATED, NEXT_QUESTION, TAKEN_BACK, WINDOW, Announcement, Passage, last_end
from .json_replies import json_answer
from .number_words_elsewhere import other_number
from .numerals import Numeral, in_words, numerals
from .separators import Decimal
from .text import View, visible, without_markup
from .words import SPACED, any_of

Link = Literal["equals", "operator", "alternative"]

_LOOK_BACK = 40
_WORD = rf"(?: ?[{SPACED}.²³°%/]{{0,20}})[\s)}}]*"
_SPOKEN = any_of(phrases.MINUS, "plus|times|divided by")
_LINKS: tuple[tuple[Link, re.Pattern[str]], ...] = (
    ("equals", re.compile(rf"{_WORD}(?:=|≈|≃|\\approx|->|→|⇒)[\s({{]*(?:[a-z] ?(?:=|≈)[\s({{]*)?[€£¥]?\s*")),
    ("operator", re.compile(rf"{_WORD}(?:[*×÷^/+·±–—~-]|\+/-|{_SPOKEN}|\\times|\\cdot|\\div|\\pm)[\s({{]*[€£¥]?\s*")),
    ("operator", re.compile(rf"{_WORD}of\s+(?:the\s+|these\s+|those\s+)?[€£¥]?")),
    ("alternative", re.compile(rf"{_WORD}[(,]?\s*{any_of(phrases.AND, phrases.UP_TO)}\s*[€£¥]?\s*")),
)
_COMMA = re.compile(rf"{_WORD},\s*")
_VARIABLE = re.compile(rf"{_WORD}(?:[,;]|\s{any_of(phrases.AND)})\s*[a-z]\w? ?= ?")
_ASSIGNED = re.compile(r"(?<![a-z])[a-z]\w? ?= ?\Z")
_PRONOUN = re.compile(
    r"one\s+(?:of|that|who|which|whose|where|with|can|could|must|should|would|might|may|has|is|was|needs|way|another|more|thing)(?![a-z])"
)
_LIST_END = re.compile(r"\s*(?:[,.;)]|\Z|\n)")
_BOUND = re.compile(rf"(?:{any_of(phrases.BOUND)}|(?<!answer)[<>≤≥]|\\[lg]eq?)\s*\Z")
_BOUND_AFTER = re.compile(rf"{_WORD}(?:{any_of(phrases.BOUND_AFTER)}|\+(?!\s*\d))")
_STEP = re.compile(rf"{any_of(phrases.STEP)} *[(#:]* *\Z")
_LIST_MARK = re.compile(r"^[ ]*(?P<mark>\d{1,2})[.)][ ]+\S", re.MULTILINE)
_TAG_END = re.compile(r"</answer>|\n")
_BRACE = re.compile(r"[{}]")
_CLOSED = re.compile(r"\s*[^\s\d.,]|[.,]\s|[ ]*\n")
_UNKNOWING = re.compile(any_of(phrases.UNKNOWING))
_BUT = re.compile(any_of(phrases.BUT))
_REFERRING = re.compile(
    r"(?<![a-z])(?:the|these|those|all|both|other|each|every|between|first|last|next|my|our|your|his|her|its|their) \Z"
)
"""Before a number in words that speaks of things known, as in "for the two of them"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What number a reply gives.

    Attributes:
        numeral: The number, with all that it may be; None where it can't be told.
        span: Where it stands in the source; None where nothing was read.
        reason: Why no number can be told; empty otherwise.
        final: Whether no further text could change it, should the reply have been cut off.
    """

    numeral: Numeral | None = None
    span: tuple[int, int] | None = None
    reason: str = ""
    final: bool = False

    @property
    def value(self) -> Fraction | None:
        """The number's value; None where it can't be told."""
        return self.numeral.value if self.numeral else None


def quantity(source: str, decimal: Decimal = "auto") -> Quantity:
    """Read the number that a reply gives as its answer.

    Args:
        source: The reply's text.
        decimal: What is known of the decimal mark.
    """
    view = visible(source)
    value = json_answer(view)
    if value is not None:
        return replace(Figures(without_markup(value), decimal).only(), final=True)
    if view.blank:
        return Quantity(reason="nothing follows the reasoning")
    view = without_markup(view)
    further = NEXT_QUESTION.search(view.folded)
    if further is not None and view.text[: further.start()].strip():
        first = Figures(view.cut(0, further.start()), decimal).answer()
        if first.span is not None:
            return replace(first, final=True)
    return Figures(view, decimal).answer()


def only_number(text: str, decimal: Decimal = "auto") -> Quantity:
    """The number that a short text is about: a gold answer, or what a pattern found."""
    return Figures(without_markup(View.of(text)), decimal).only()


@dataclass(frozen=True, slots=True)
class _Read:
    """A number of a passage as an answer: its place among the numbers, and the reason why it has no value, if so."""

    number: int
    reason: str = ""
    final: bool = False


@dataclass(frozen=True)
class Figures(Passage):
    """A passage with its numbers."""

    decimal: Decimal

    @cached_property
    def numerals(self) -> list[Numeral]:
        """All numbers in order, but for those of steps and of the entries of a list, and for words that may be none."""
        marks = [mark.start("mark") for mark in _LIST_MARK.finditer(self.text)]
        listed = frozenset(marks if len(marks) > 1 else ())
        found = [n for n in numerals(self.view, self.decimal) if n.sure or n.start in self._asked_places]
        found = [n for n in found if n.start not in listed and not self._is_counting(n)]
        return sorted((*found, *self._elsewhere(found)), key=lambda numeral: numeral.start)

    def _is_counting(self, numeral: Numeral) -> bool:
        """Whether a number counts a step, or is a pronoun: "one of them"."""
        pronoun = not numeral.sure and _PRONOUN.match(self.text, numeral.start) is not None
        return pronoun or self._is_after(_STEP, numeral.start)

    @cached_property
    def _asked_places(self) -> frozenset[int]:
        """Where a number stands for sure: right after an announcement, and where nothing else is said before it."""
        leading = LEADING.match(self.text)
        return frozenset((*(mark.at for mark in self._marks), leading.end() if leading else 0))

    def _elsewhere(self, found: list[Numeral]) -> Iterator[Numeral]:
        """Words of other languages than English, where a number stands for sure."""
        taken = {numeral.start for numeral in found}
        for place in self._asked_places - taken:
            spoken = other_number(self.text, place)
            if spoken is not None and not any(spoken.start < n.end and n.start < spoken.end for n in found):
                yield in_words(self.text, spoken)

    @cached_property
    def starts(self) -> list[int]:
        """Where the numbers start."""
        return [numeral.start for numeral in self.numerals]

    def _is_after(self, pattern: re.Pattern[str], position: int) -> bool:
        return pattern.search(self.text[max(0, position - _LOOK_BACK) : position]) is not None

    def only(self) -> Quantity:
        """The announced number; without an announcement the only number, or the result of the only sum."""
        if not self.numerals:
            return Quantity(reason="there is no number")
        same = self.numerals[0].value is not None and len({numeral.value for numeral in self.numerals}) == 1
        if self._marks or same or self._links_end(0) == len(self.numerals) - 1:
            return self.answer()
        return Quantity(span=self._span(0), reason="there are several numbers")

    def answer(self) -> Quantity:
        """The number announced last; the last number where none is announced."""
        if sum(mark.kind == "numbered" for mark in self._marks) > 1:
            return Quantity(reason="several answers are given, one after another")
        for mark in reversed(self._marks):
            read = self._announced(mark)
            if read is not None:
                return self._unless_taken_back(read)
            if mark.assertive:
                return self._last(mark.stop, "an answer is announced, but no number follows")
        return self._last(0, "there is no number")

    @cached_property
    def _marks(self) -> list[Announcement]:
        return [mark for mark in self.announcements if mark.kind in ("final", "noun", "numbered")]

    def _announced(self, mark: Announcement) -> _Read | None:
        stop = bisect_left(self.starts, self._reach(mark))
        first = self._first(mark, stop)
        while first < stop and self._is_after(NEGATED, self.starts[first]):
            first = self._links_end(first) + 1
        if first >= stop:
            return None
        leading = LEADING.fullmatch(self.text, 0, mark.at) is not None
        return self._read(first, self._links_end(first), final=leading or mark.kind == "final")

    def _first(self, mark: Announcement, stop: int) -> int:
        """The number that an announcement is about; a word amid the sentence only where no digits are."""
        first = mark.first(self.starts)
        if first >= stop or not self.numerals[first].words or self.starts[first] <= mark.at:
            return first
        telling = [number for number in range(first, stop) if not self._is_after(_REFERRING, self.starts[number])]
        return next((number for number in telling if not self.numerals[number].words), telling[0] if telling else stop)

    def _reach(self, mark: Announcement) -> int:
        """Where the number must have begun that an announcement announces."""
        if self.text.startswith("\\", mark.start):
            return self._brace_end(mark.stop)
        if self.text.startswith(("<", "#"), mark.start):
            end = _TAG_END.search(self.text, mark.stop)
            return end.start() if end else len(self.text)
        return self.clause_end(mark.at) if mark.assertive else mark.at + 1

    def _brace_end(self, start: int) -> int:
        depth = 1
        for brace in _BRACE.finditer(self.text, start, start + 2 * WINDOW):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                return brace.start()
        return min(len(self.text), start + 2 * WINDOW)

    def _last(self, start: int, reason: str) -> Quantity:
        """The last number after a place, or the result of the sum that it ends."""
        written = [number for number, numeral in enumerate(self.numerals) if not numeral.words]
        spoken = [number for number in range(len(self.numerals)) if not self._is_after(_REFERRING, self.starts[number])]
        last = (written or spoken or [-1])[-1]
        if self.declines or self._is_unknowing(last):
            return Quantity(reason="the reply gives no answer")
        if last < 0 or self.starts[last] < start:
            return Quantity(reason=reason)
        first = last
        while first and self._link(first - 1) is not None:
            first -= 1
        if self._is_after(NEGATED, self.starts[first]) or self.is_asked(self.starts[first]):
            return Quantity(span=self._span(last), reason="the last number is denied or asked about")
        last = self._links_end(last)
        others = {self.numerals[number].value for number in spoken if number > last}
        if others - {self.numerals[last].value}:
            return Quantity(span=self._span(last), reason="another number follows the last one in words")
        return self._unless_taken_back(self._read(first, last, final=False))

    def _is_unknowing(self, last: int) -> bool:
        """Whether the reply says that it gives no answer, without a "but" before its last number."""
        unknowing = last_end(_UNKNOWING, self.text, 0)
        if unknowing is None:
            return False
        return last < 0 or _BUT.search(self.text, unknowing, self.starts[last]) is None

    def _link(self, number: int) -> Link | None:
        """How a number is linked with the next one."""
        if number + 1 >= len(self.numerals):
            return None
        end, following = self.numerals[number].end, self.numerals[number + 1]
        if _COMMA.fullmatch(self.text, end, following.start) and _LIST_END.match(self.text, following.end):
            return "alternative"
        if _VARIABLE.fullmatch(self.text, end, following.start) and self._is_after(_ASSIGNED, self.starts[number]):
            return "alternative"
        return next((link for link, pattern in _LINKS if pattern.fullmatch(self.text, end, following.start)), None)

    def _links_end(self, first: int) -> int:
        """The last of the numbers that are linked with one another from the first on."""
        last = first
        while self._link(last) is not None:
            last += 1
        return last

    def _read(self, first: int, last: int, *, final: bool) -> _Read:
        """The number that linked numbers amount to: the result after an equals sign, or the only one."""
        links = [self._link(number) for number in range(first, last)]
        at = self.numerals[last]
        if "alternative" in links or (links and links[-1] != "equals"):
            return _Read(last, "several numbers are given, and none as the result")
        if self._is_after(_BOUND, self.starts[last]) or _BOUND_AFTER.match(self.text, at.end):
            return _Read(last, "only a bound is given")
        if at.value is None:
            return _Read(last, f"{self.text[at.start : at.end]!r} is part of an expression, or no number")
        return _Read(last, final=final and _CLOSED.match(self.text, at.end) is not None)

    def _unless_taken_back(self, read: _Read) -> Quantity:
        numeral = self.numerals[read.number]
        back = last_end(TAKEN_BACK, self.text, numeral.end)
        if back is None:
            return Quantity(None if read.reason else numeral, self._span(read.number), read.reason, read.final)
        again = Figures(self.view.cut(back, len(self.text)), self.decimal).answer()
        return again if again.span else Quantity(span=self._span(read.number), reason="the answer is taken back")

    def _span(self, number: int) -> tuple[int, int]:
        return self.view.span(self.numerals[number].start, self.numerals[number].end)
