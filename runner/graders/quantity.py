"""Which number a reply gives as its answer: the announced one, else the last. What can't be told is said."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from fractions import Fraction

from . import phrases
from .announce import (
    BUT_WRONG,
    DOUBTED,
    JUST_NO,
    LEADING,
    NEGATED,
    NEXT_QUESTION,
    TAKEN_BACK,
    UNSURE,
    WINDOW,
    Announcement,
    last_end,
)
from .figures import WORD
from .json_replies import json_answer
from .numerals import Numeral
from .patterns import Pattern
from .remarks import Remarks
from .separators import Decimal
from .text import View, visible, without_markup
from .words import any_of

_BOUND = Pattern(lambda: rf"(?:{any_of(phrases.BOUND)}|(?<!answer)[<>≤≥]|\\[lg]eq?)\s*\Z")
_BOUND_AFTER = Pattern(lambda: rf"{WORD}(?:{any_of(phrases.BOUND_AFTER)}|\+(?!\s*\d))")
_TAG_END = Pattern(lambda: r"</answer>|\n")
_BRACE = Pattern(lambda: r"[{}]")
_CLOSED = Pattern(lambda: r"\s*[^\s\d.,]|[.,]\s|[ ]*\n")
_EXPLAINED = Pattern(lambda: r" *(?:[^\s.,;:!?\d]{1,15})?[.!)\]}]* *\n\s*(?=[^\W\d_])")
_SAID = Pattern(lambda: rf"{WORD}?\s*(?:[.!,;]|\n|\Z)")
_ENTRY = r"[-+$€£ ]*\d[\d.,]*+(?: ?[^\W\d]{1,15})?[;]?[ ]*+"
_WORD = Pattern(lambda: WORD)
_ANSWER = Pattern(lambda: any_of(phrases.ANSWER))
_JOINED_BOX = Pattern(lambda: rf"\}}[\s$\]]*(?:[,;/&]|{any_of(phrases.AND)})[\s$\[]*\Z")
_COLUMN = Pattern(lambda: rf"\s*{_ENTRY}(?:\n\s*+{_ENTRY})+\s*\Z")
_CONCLUDING = Pattern(lambda: any_of(phrases.CONCLUDING))
_UNKNOWING = Pattern(lambda: any_of(phrases.UNKNOWING))
_BUT = Pattern(lambda: any_of(phrases.BUT))
_REFERRING = Pattern(
    lambda: (
        r"(?<![a-z])(?:the|these|those|all|both|other|each|every|between|first|last|next|my|our|your|his|her|its|"
        r"their) \Z"
    )
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
        return replace(_Answers(without_markup(value), decimal).only(), final=True)
    if view.blank:
        return Quantity(reason="nothing follows the reasoning")
    view = without_markup(view)
    further = NEXT_QUESTION.search(view.folded)
    if further is not None and view.text[: further.start()].strip():
        first = _Answers(view.cut(0, further.start()), decimal).answer()
        if first.span is not None:
            return replace(first, final=True)
    return _Answers(view, decimal).answer()


def only_number(text: str, decimal: Decimal = "auto") -> Quantity:
    """The number that a short text is about: a gold answer, or what a pattern found."""
    return _Answers(without_markup(View.of(text)), decimal).only()


@dataclass(frozen=True, slots=True)
class _Read:
    """A number of a passage as an answer: its place among the numbers, and the reason why it has no value, if so."""

    number: int
    reason: str = ""
    final: bool = False


@dataclass(frozen=True)
class _Answers(Remarks):
    """A passage whose numbers may answer."""

    def only(self) -> Quantity:
        """The announced number; without an announcement the only number, or the result of the only sum."""
        if not self.numerals:
            return Quantity(reason="there is no number")
        same = self.numerals[0].value is not None and len({numeral.value for numeral in self.numerals}) == 1
        if self.marks or same or self.links_end(0) == len(self.numerals) - 1:
            return self.answer()
        return Quantity(span=self.span(0), reason="there are several numbers")

    def answer(self) -> Quantity:
        """The number announced last; the last number where none is announced."""
        if len({numeral.value for numeral in self.numerals}) > 1 and _COLUMN.match(self.text):
            return Quantity(span=self.span(0), reason="there are several numbers, one below another")
        if sum(mark.kind == "numbered" for mark in self.marks) > 1:
            return Quantity(reason="several answers are given, one after another")
        for mark in reversed(self.marks):
            read = self._announced(mark)
            if read is not None:
                return self._unless_taken_back(read)
            if mark.assertive:
                return self._last(mark.stop, "an answer is announced, but no number follows")
        accepted = [number for number in range(len(self.numerals)) if self.is_accepted(number)]
        if accepted:
            return self._unless_taken_back(self._read(accepted[-1], accepted[-1], final=False))
        return self._first_line() or self._last(0, "there is no number")

    def _first_line(self) -> Quantity | None:
        """The number that is the whole first line, where an explanation follows; None where there is none."""
        leading = LEADING.match(self.text)
        if not self.numerals or leading is None or self.starts[0] > leading.end():
            return None
        first, last = self.numerals[0], len(self.numerals) - 1
        if not _EXPLAINED.match(self.text, first.end) or self.numerals[last].value == first.value:
            return None
        if self._is_concluded(last):
            return Quantity(span=self.span(0), reason="the first line gives another number than the last")
        return self._unless_taken_back(self._read(0, 0, final=True))

    def _is_concluded(self, number: int) -> bool:
        """Whether a number is a line of its own, the result of a sum, or in a sentence that draws a conclusion."""
        start = self.starts[number]
        line = self.text.rfind("\n", 0, start) + 1
        alone = LEADING.fullmatch(self.text, line, start) is not None
        result = number > 0 and self.link(number - 1) == "equals"
        return alone or result or _CONCLUDING.search(self.text, self.sentence(start)[0], start) is not None

    def _announced(self, mark: Announcement) -> _Read | None:
        stop = bisect_left(self.starts, self._reach(mark))
        first = self._first(mark, stop)
        while first < stop and self.is_after(NEGATED, self.starts[first]):
            first = self.links_end(first) + 1
        if first >= stop:
            return None
        last = self.links_end(first)
        if self._are_several(mark, last, stop):
            return _Read(first, "several numbers are given, and none as the result")
        leading = LEADING.fullmatch(self.text, 0, mark.at) is not None
        return self._read(first, last, final=leading or mark.kind == "final")

    def _are_several(self, mark: Announcement, last: int, stop: int) -> bool:
        """Whether a box or a tag holds further numbers after one, or stands beside another box."""
        if not self.text.startswith(("\\", "<"), mark.start):
            return False
        further = {self.numerals[number].value for number in range(last + 1, stop)}
        before = bisect_left(self.starts, mark.start) - 1
        if before >= 0 and self.is_after(_JOINED_BOX, mark.start):
            further.add(self.numerals[before].value)
        return bool(further - {self.numerals[last].value})

    def _first(self, mark: Announcement, stop: int) -> int:
        """The number that an announcement is about; a word amid the sentence only where no digits are."""
        first = mark.first(self.starts)
        if first >= stop or not self.numerals[first].words or self.starts[first] <= mark.at:
            return first
        telling = [number for number in range(first, stop) if not self.is_after(_REFERRING, self.starts[number])]
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
        spoken = [number for number in range(len(self.numerals)) if not self.is_after(_REFERRING, self.starts[number])]
        last = (written or spoken or [-1])[-1]
        if self.declines or self._is_unknowing(last):
            return Quantity(reason="the reply gives no answer")
        if last < 0 or self.starts[last] < start:
            return Quantity(reason=reason)
        denied, last = last, self.before_denied(last)
        first = last
        while first and self.link(first - 1) is not None:
            first -= 1
        doubt = self._doubt(first, last)
        if doubt:
            return Quantity(span=self.span(last), reason=doubt)
        last = self.links_end(last)
        others = {self.numerals[number].value for number in spoken if number > max(last, denied)}
        if others - {self.numerals[last].value}:
            return Quantity(span=self.span(last), reason="another number follows the last one in words")
        return self._unless_taken_back(self._read(first, last, final=False))

    def _doubt(self, first: int, last: int) -> str:
        """Why linked numbers that no words announce don't answer; empty where they may."""
        if self.is_aside(first, last, concluded=self._is_concluded(last)):
            return "the last number stands beside another one"
        start = self.starts[first]
        if self.is_conditional(start) and _ANSWER.search(self.text, self.sentence(start)[0], start):
            return "the answer is given under a condition"
        if self.is_after(UNSURE, start) or self.is_asked(start):
            return "the last number is denied, supposed or asked about"
        return ""

    def _is_unknowing(self, last: int) -> bool:
        """Whether the reply says that it gives no answer, without a "but" before its last number."""
        unknowing = last_end(_UNKNOWING, self.text, 0)
        if unknowing is None:
            return False
        return last < 0 or _BUT.search(self.text, unknowing, self.starts[last]) is None

    def _read(self, first: int, last: int, *, final: bool) -> _Read:
        """The number that linked numbers amount to: the result after an equals sign, or the only one."""
        links = [self.link(number) for number in range(first, last)]
        at = self.numerals[last]
        if "alternative" in links or (links and links[-1] != "equals"):
            return _Read(last, "several numbers are given, and none as the result")
        if self.is_after(_BOUND, self.starts[last]) or _BOUND_AFTER.match(self.text, at.end):
            return _Read(last, "only a bound is given")
        if self.is_rejected(last) or self.is_only_if(last):
            return _Read(last, "the number is called wrong, or given under a condition")
        if at.value is None:
            return _Read(last, f"{self.text[at.start : at.end]!r} is part of an expression, or no number")
        return _Read(last, final=final and _CLOSED.match(self.text, at.end) is not None)

    def _unless_taken_back(self, read: _Read) -> Quantity:
        """What was read, or what is said instead after it was taken back."""
        numeral, span = self.numerals[read.number], self.span(read.number)
        doubted = last_end(DOUBTED, self.text, numeral.end)
        if doubted is not None and (restated := self._restated(doubted)) is not None:
            return restated
        unit = _WORD.match(self.text, numeral.end)
        at_once = BUT_WRONG.match(self.text, numeral.end) or BUT_WRONG.match(self.text, unit.end() if unit else 0)
        ends = (last_end(each, self.text, numeral.end) for each in (TAKEN_BACK, JUST_NO))
        back = max(filter(None, (*ends, at_once and at_once.end())), default=None)
        if back is None:
            return Quantity(None if read.reason else numeral, span, read.reason, read.final)
        again = _Answers(self.view.cut(back, len(self.text)), self.decimal).answer()
        return again if again.span else Quantity(span=span, reason="the answer is taken back")

    def _restated(self, start: int) -> Quantity | None:
        """The number that a correction gives at once: "Actually, it is 15."; None where it gives none."""
        leading = LEADING.match(self.text, start)
        number = bisect_left(self.starts, start)
        if leading is None or number == len(self.numerals) or self.starts[number] > leading.end():
            return None
        if not _SAID.match(self.text, self.numerals[number].end):
            return None
        return _Answers(self.view.cut(start, len(self.text)), self.decimal).answer()
