"""Which number a reply gives as its answer: the announced one, else the last. What can't be told is said."""

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from . import phrases
from .announce import LEADING, NEGATED, NEXT_QUESTION, TAKEN_BACK, WINDOW, Announcement, Passage, last_end
from .numerals import Numeral, numerals
from .text import View, json_answer, visible, without_markup
from .words import SPACED, any_of

Link = Literal["equals", "operator", "alternative"]

_LOOK_BACK = 40
_WORD = rf"(?: ?[{SPACED}.²³°%/]{{0,20}})[\s)}}]*"
_SPOKEN = any_of(phrases.MINUS, "plus|times|divided by")
_LINKS: tuple[tuple[Link, re.Pattern[str]], ...] = (
    ("equals", re.compile(rf"{_WORD}(?:=|≈|≃|\\approx|->|→|⇒)[\s({{]*(?:[a-z] ?(?:=|≈)[\s({{]*)?[€£¥]?\s*")),
    ("operator", re.compile(rf"{_WORD}(?:[*×÷^/+·±–—~-]|\+/-|{_SPOKEN}|\\times|\\cdot|\\div|\\pm)[\s({{]*[€£¥]?\s*")),
    ("alternative", re.compile(rf"{_WORD}[(,]?\s*{any_of(phrases.AND, phrases.UP_TO)}\s*[€£¥]?\s*")),
)
_COMMA = re.compile(rf"{_WORD},\s*")
_LIST_END = re.compile(r"\s*(?:[,.;)]|\Z|\n)")
_BOUND = re.compile(rf"(?:{any_of(phrases.BOUND)}|(?<!answer)[<>≤≥]|\\[lg]eq?)\s*\Z")
_STEP = re.compile(rf"{any_of(phrases.STEP)} *[(#:]* *\Z")
_LIST_MARK = re.compile(r"^[ ]*(?P<mark>\d{1,2})[.)][ ]+\S", re.MULTILINE)
_TAG_END = re.compile(r"</answer>|\n")
_BRACE = re.compile(r"[{}]")
_CLOSED = re.compile(r"\s*[^\s\d.,]|[.,]\s|[ ]*\n")
_UNKNOWING = re.compile(any_of(phrases.UNKNOWING))


@dataclass(frozen=True, slots=True)
class Quantity:
    """What number a reply gives.

    Attributes:
        value: The number; None where it can't be told.
        span: Where it stands in the source; None where nothing was read.
        reason: Why no number can be told; empty otherwise.
        final: Whether no further text could change it, should the reply have been cut off.
    """

    value: Fraction | None = None
    span: tuple[int, int] | None = None
    reason: str = ""
    final: bool = False


def quantity(source: str) -> Quantity:
    """Read the number that a reply gives as its answer.

    Args:
        source: The reply's text.
    """
    view = visible(source)
    value = json_answer(view)
    if value is not None:
        return replace(Figures(without_markup(value)).only(), final=True)
    if view.blank:
        return Quantity(reason="nothing follows the reasoning")
    view = without_markup(view)
    further = NEXT_QUESTION.search(view.folded)
    if further is not None and view.text[: further.start()].strip():
        first = Figures(view.cut(0, further.start())).answer()
        if first.span is not None:
            return replace(first, final=True)
    return Figures(view).answer()


def only_number(text: str) -> Quantity:
    """The number that a short text is about: a gold answer, or what a pattern found."""
    return Figures(without_markup(View.of(text))).only()


@dataclass(frozen=True, slots=True)
class _Read:
    """A number of a passage as an answer: its place among the numbers, its value or the reason why it has none."""

    number: int
    value: Fraction | None
    reason: str = ""
    final: bool = False


@dataclass(frozen=True)
class Figures(Passage):
    """A passage with its numbers."""

    @cached_property
    def numerals(self) -> list[Numeral]:
        """All numbers in order, but for those of steps and of the entries of a list."""
        marks = [mark.start("mark") for mark in _LIST_MARK.finditer(self.text)]
        listed = frozenset(marks if len(marks) > 1 else ())
        return [n for n in numerals(self.view) if n.start not in listed and not self._is_after(_STEP, n.start)]

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
        if self._marks() or self._links_end(0) == len(self.numerals) - 1:
            return self.answer()
        return Quantity(span=self._span(0), reason="there are several numbers")

    def answer(self) -> Quantity:
        """The number announced last; the last number where none is announced."""
        marks = self._marks()
        if sum(mark.kind == "numbered" for mark in marks) > 1:
            return Quantity(reason="several answers are given, one after another")
        for mark in reversed(marks):
            read = self._announced(mark)
            if read is not None:
                return self._unless_taken_back(read)
            if mark.assertive:
                return self._last(mark.stop, "an answer is announced, but no number follows")
        return self._last(0, "there is no number")

    def _marks(self) -> list[Announcement]:
        return [mark for mark in self.announcements if mark.kind in ("final", "noun", "numbered")]

    def _announced(self, mark: Announcement) -> _Read | None:
        first = bisect_left(self.starts, mark.stop)
        stop = bisect_left(self.starts, self._reach(mark))
        while first < stop and self._is_after(NEGATED, self.starts[first]):
            first = self._links_end(first) + 1
        if first >= stop:
            return None
        leading = LEADING.fullmatch(self.text, 0, mark.at) is not None
        return self._read(first, self._links_end(first), final=leading or mark.kind == "final")

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
        if self.declines or _UNKNOWING.search(self.text):
            return Quantity(reason="the reply gives no answer")
        last = len(self.numerals) - 1
        if last < 0 or self.starts[last] < start:
            return Quantity(reason=reason)
        first = last
        while first and self._link(first - 1) is not None:
            first -= 1
        if self._is_after(NEGATED, self.starts[first]) or self.is_asked(self.starts[first]):
            return Quantity(span=self._span(last), reason="the last number is denied or asked about")
        return self._unless_taken_back(self._read(first, last, final=False))

    def _link(self, number: int) -> Link | None:
        """How a number is linked with the next one."""
        if number + 1 >= len(self.numerals):
            return None
        end, following = self.numerals[number].end, self.numerals[number + 1]
        if _COMMA.fullmatch(self.text, end, following.start) and _LIST_END.match(self.text, following.end):
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
            return _Read(last, None, "several numbers are given, and none as the result")
        if self._is_after(_BOUND, self.starts[last]):
            return _Read(last, None, "only a bound is given")
        if at.value is None:
            return _Read(last, None, f"{self.text[at.start : at.end]!r} is part of an expression, or no number")
        return _Read(last, at.value, final=final and _CLOSED.match(self.text, at.end) is not None)

    def _unless_taken_back(self, read: _Read) -> Quantity:
        back = last_end(TAKEN_BACK, self.text, self.numerals[read.number].end)
        if back is None:
            return Quantity(read.value, self._span(read.number), read.reason, read.final)
        again = Figures(self.view.cut(back, len(self.text))).answer()
        return again if again.span else Quantity(span=self._span(read.number), reason="the answer is taken back")

    def _span(self, number: int) -> tuple[int, int]:
        return self.view.span(self.numerals[number].start, self.numerals[number].end)
