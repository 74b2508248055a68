"""The numbers of a passage: which of them count, and how they are linked with one another."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from . import phrases
from .announce import LEADING, Announcement, Passage
from .number_words_elsewhere import other_number
from .numerals import Numeral, in_words, numerals
from .patterns import Part, Pattern
from .separators import Decimal
from .words import SPACED, any_of

Link = Literal["equals", "operator", "alternative"]

_LOOK_BACK = 40
WORD = rf"(?: ?[{SPACED}.²³°%/]{{0,20}})[\s)}}]*"
"""What may stand between a number and the sign after it: a unit."""
_PERHAPS = Part(lambda: any_of("maybe|perhaps|possibly|vielleicht|peut-être|quizás|forse|talvez"))
_SPOKEN = Part(lambda: any_of(phrases.MINUS, "plus|times|divided by"))
_LINKS: tuple[tuple[Link, Pattern], ...] = (
    ("equals", Pattern(lambda: rf"{WORD}(?:=|≈|≃|\\approx|->|→|⇒)[\s({{]*(?:[a-z] ?(?:=|≈)[\s({{]*)?[€£¥]?\s*")),
    (
        "operator",
        Pattern(lambda: rf"{WORD}(?:[*×÷^/+·±–—~-]|\+/-|{_SPOKEN}|\\times|\\cdot|\\div|\\pm)[\s({{]*[€£¥]?\s*"),
    ),
    ("operator", Pattern(lambda: rf"{WORD}(?<!out )of\s+(?:the\s+|these\s+|those\s+)?[€£¥]?")),
    (
        "alternative",
        Pattern(
            lambda: rf"{WORD}[(,]?\s*(?<!out )(?<!out  ){any_of(phrases.AND, phrases.UP_TO)}\s*{_PERHAPS}?\s*[€£¥]?\s*"
        ),
    ),
    ("alternative", Pattern(lambda: rf"{WORD}[(,]?\s*{_PERHAPS}\s*[€£¥]?\s*")),
)
_COMMA = Pattern(lambda: rf"{WORD},\s*")
_VARIABLE = Pattern(lambda: rf"{WORD}(?:[,;]|\s{any_of(phrases.AND)})\s*[a-z]\w? ?= ?")
_ASSIGNED = Pattern(lambda: r"(?<![a-z])[a-z]\w? ?= ?\Z")
_PRONOUN = Pattern(
    lambda: (
        r"one\s+(?:of|that|who|which|whose|where|with|can|could|must|should|would|might|may|has|is|was|needs|way|another|more"
        r"|thing)(?![a-z])"
    )
)
_LIST_END = Pattern(lambda: r"\s*(?:[,.;)]|\Z|\n)")
_STEP = Pattern(lambda: rf"{any_of(phrases.STEP)} *[(#:]* *\Z")
_LIST_MARK = Pattern(lambda: r"^[ ]*(?P<mark>\d{1,2})[.)][ ]+\S", re.MULTILINE)


@dataclass(frozen=True)
class Figures(Passage):
    """A passage with its numbers.

    Attributes:
        decimal: What is known of the decimal mark.
    """

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
        return pronoun or self.is_after(_STEP, numeral.start)

    @cached_property
    def _asked_places(self) -> frozenset[int]:
        """Where a number stands for sure: right after an announcement, and where nothing else is said before it."""
        leading = LEADING.match(self.text)
        return frozenset((*(mark.at for mark in self.marks), leading.end() if leading else 0))

    def _elsewhere(self, found: list[Numeral]) -> Iterator[Numeral]:
        """Words of other languages than English, where a number stands for sure."""
        starts = [numeral.start for numeral in found]
        for place in self._asked_places:
            spoken = other_number(self.text, place)
            before = bisect_left(starts, spoken.end) - 1 if spoken else -1
            if spoken is not None and (before < 0 or found[before].end <= spoken.start):
                yield in_words(self.text, spoken)

    @cached_property
    def starts(self) -> list[int]:
        """Where the numbers start."""
        return [numeral.start for numeral in self.numerals]

    def is_after(self, pattern: Pattern, position: int) -> bool:
        """Whether a pattern fits what stands right before a place."""
        return pattern.search(self.text[max(0, position - _LOOK_BACK) : position]) is not None

    @cached_property
    def marks(self) -> list[Announcement]:
        """The announcements that are plain enough for a number."""
        return [mark for mark in self.announcements if mark.kind in ("final", "noun", "numbered")]

    def link(self, number: int) -> Link | None:
        """How a number is linked with the next one."""
        if number + 1 >= len(self.numerals):
            return None
        end, following = self.numerals[number].end, self.numerals[number + 1]
        if _COMMA.fullmatch(self.text, end, following.start) and _LIST_END.match(self.text, following.end):
            return "alternative"
        if _VARIABLE.fullmatch(self.text, end, following.start) and self.is_after(_ASSIGNED, self.starts[number]):
            return "alternative"
        return next((link for link, pattern in _LINKS if pattern.fullmatch(self.text, end, following.start)), None)

    def links_end(self, first: int) -> int:
        """The last of the numbers that are linked with one another from the first on."""
        last = first
        while self.link(last) is not None:
            last += 1
        return last

    def span(self, number: int) -> tuple[int, int]:
        """Where a number stands in the source."""
        return self.view.span(self.numerals[number].start, self.numerals[number].end)
