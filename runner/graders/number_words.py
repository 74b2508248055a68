"""Numbers in English words: "eight", "twenty-one", "two hundred and five", "half a dozen", "two and a half".

A word is a number far less surely than a digit is: "one" may be a pronoun, "a quarter" a coin. So each says how sure it
is, and who reads a reply decides where it counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .patterns import Pattern
from .words import SPACED


def _counted(words: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + step * place for place, word in enumerate(words.split())}


_DIGITS = _counted("one two three four five six seven eight nine", 1)
_TEENS = {"zero": 0} | _counted("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
_TENS = _counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SIZES = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_PARTS = {f"{word}{end}": size for word, size in _SIZES.items() for end in ("", "s")} | {"halves": 2}
_MOST_PLACES = 30
_ARTICLES = ("a", "an")
_WORDS = (*_DIGITS, *_TEENS, *_TENS, *_SCALES, *_PARTS, "hundred", "dozen")
_FIRST = "|".join(sorted(_WORDS, key=len, reverse=True))
_RUN = Pattern(
    lambda: (
        rf"(?<![{SPACED}'])(?<![{SPACED}]-)(?<!point )(?:(?:half )?an? )?(?:{_FIRST})"
        rf"(?:[ -](?:{_FIRST}|and|point|an?)(?![{SPACED}]))*(?![{SPACED}]|[-'][{SPACED}])"
    )
)
_PIECE = Pattern(lambda: "[a-z]+")

_UNSURE = (["one"], *([word] for word in _PARTS), *([article, word] for article in _ARTICLES for word in _PARTS))
"""What is a number only where one is asked for."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number in words.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        value: Its value; None where numbers stand beside one another, as in "nineteen eighty-four".
        also: Of dozens, how many there are.
        sure: Whether the words are a number wherever they stand; "one" and "a quarter" are not.
    """

    start: int
    end: int
    value: Fraction | None
    also: Fraction | None = None
    sure: bool = True


def english_numbers(text: str) -> Iterator[Spoken]:
    """All numbers in English words, in order.

    Args:
        text: A text in lower case.
    """
    for run in _RUN.finditer(text):
        pieces = list(_PIECE.finditer(text, run.start(), run.end()))
        words = _Words([piece.group() for piece in pieces])
        last = None
        for at, end, value in words.numbers():
            beside = words.number(end)[0] is not None or at == last
            last = end
            said = words.words[at:end]
            counted = value / 12 if said[-1] == "dozen" and said[0] not in ("half", *_ARTICLES) else None
            start, stop = pieces[at].start(), pieces[end - 1].end()
            yield Spoken(start, stop, None if beside else value, counted, said not in _UNSURE)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words one after another, read from a place on: each method gives a value and the place after it."""

    words: list[str]

    def numbers(self) -> Iterator[tuple[int, int, Fraction]]:
        """Where each number begins and ends, and its value."""
        at = 0
        while at < len(self.words):
            value, end = self.number(at)
            if value is not None:
                yield at, end, value
            at = max(end, at + 1)

    def at(self, place: int) -> str:
        return self.words[place] if place < len(self.words) else ""

    def number(self, at: int) -> tuple[Fraction | None, int]:
        """A number with its fraction or decimals."""
        value, end = self.part(at)
        if value is not None:
            return value, end
        whole, end = self.whole(at)
        if whole is None:
            return None, at
        if self.at(end) == "and":
            value, after = self.part(end + 1)
            if value is not None:
                return whole + value, after
        if self.at(end) == "point" and self.at(end + 1) in (*_DIGITS, "zero"):
            return self.decimals(whole, end + 1)
        return whole, end

    def decimals(self, whole: Fraction, at: int) -> tuple[Fraction, int]:
        """The digits after a "point"."""
        places = ""
        while self.at(at) in (*_DIGITS, "zero") and len(places) < _MOST_PLACES:
            places += str(_DIGITS.get(self.at(at), 0))
            at += 1
        return whole + Fraction(int(places), 10 ** len(places)), at

    def part(self, at: int) -> tuple[Fraction | None, int]:
        """A fraction: "half", "a quarter", "two thirds", but no "half a million"."""
        word, following = self.at(at), self.at(at + 1)
        if word == "half":
            return (None, at) if following in _ARTICLES else (Fraction(1, 2), at + 1)
        count = 1 if word in _ARTICLES else (_DIGITS | _TEENS).get(word, 0)
        if count and following in _PARTS:
            return Fraction(count, _PARTS[following]), at + 2
        return None, at

    def whole(self, at: int) -> tuple[Fraction | None, int]:
        """A number without a fraction, by falling scales."""
        total, limit, end = Fraction(0), 10**15, at
        while True:
            joint = end + 1 if end > at and self.at(end) == "and" else end
            count, after = self.hundreds(joint)
            scale = _SCALES.get(self.at(after), 0)
            if count is None or scale >= limit:
                break
            if self.at(after) == "dozen" and end == at:
                return 12 * count, after + 1
            if not scale:
                named = count.denominator == 1 and self.at(joint) not in _ARTICLES
                return (total + count, after) if named or self.at(joint + 1) == "hundred" else (None, at)
            total, limit, end = total + count * scale, scale, after + 1
        return (total, end) if end > at else (None, at)

    def hundreds(self, at: int) -> tuple[Fraction | None, int]:
        """What may stand before a scale: a number below ten thousand, an article, "half a"."""
        if self.at(at) == "half" and self.at(at + 1) in _ARTICLES:
            return Fraction(1, 2), at + 2
        count, end = self.tens(at)
        if self.at(at) in _ARTICLES:
            count, end = 1, at + 1
        if not count:
            return (None, at) if count is None else (Fraction(0), end)
        if self.at(end) != "hundred":
            return Fraction(count), end
        joint = end + 2 if self.at(end + 1) == "and" else end + 1
        rest, after = self.tens(joint)
        return (Fraction(100 * count + rest), after) if rest else (Fraction(100 * count), end + 1)

    def tens(self, at: int) -> tuple[int | None, int]:
        """A number below a hundred."""
        word = self.at(at)
        if word in _TENS:
            unit = _DIGITS.get(self.at(at + 1), 0)
            return _TENS[word] + unit, at + 2 if unit else at + 1
        small = (_DIGITS | _TEENS).get(word)
        return small, at if small is None else at + 1
