"""What a reply says around a number: it is wrong, holds under a condition, or only belongs to another number."""

from . import phrases
from .announce import NEGATED, NO_MUSING, WHEN
from .figures import WORD, Figures
from .patterns import Part, Pattern
from .words import any_of

_SAID = Part(lambda: any_of(phrases.SAID))
_REJECTED = Pattern(
    lambda: (
        rf"{WORD}[\"']?\s*(?:{_SAID}\s+(?:(?:also|clearly|definitely|obviously|far|way|much|a|too|viel|bien)\s+)*"
        rf"{any_of(phrases.MISTAKEN, phrases.WRONG_NUMBER)}|{any_of(phrases.WRONG_AFTER)})"
    )
)
_ONLY_IF = Pattern(
    lambda: rf"{WORD},?\s*(?:(?:only\s+|nur,?\s+)?{any_of(WHEN, 'si')}{NO_MUSING}|{any_of(phrases.SEEMING)})"
)
_ACCEPTED = Pattern(
    lambda: (
        rf"{WORD}[\"']?\s*{any_of(phrases.COPULA)}\s*(?:(?:the|my|our|die|la|le|il|a|o|indeed|therefore)\s+)*"
        rf"(?:(?:{any_of(phrases.BEST)}\s*){{0,3}}{any_of(phrases.ANSWER)}(?!\s+(?:to|for|of|in|if|only)(?![a-z]))"
        rf"|{any_of(phrases.BEST)}\s*(?:[.,;!]|\n|\Z))"
    )
)
_DENIED_BESIDE = Pattern(lambda: rf"[,;(–—]\s*(?:(?:and|und|et|y|e)\s+)?{any_of(phrases.NOT)}\s+\Z")
_RATE = Pattern(lambda: rf"(?:{any_of(phrases.RATE)}|\bout\s+of)\s*\Z")
_TIME = Pattern(
    lambda: (
        rf" ?{any_of('second*|minute*|hour*|day*|week*|month*|year*|sekunde*|stunde*|tag|tage*|woche*|monat*|jahr')}"
        rf"| ?{any_of('jahre*|seconde*|heure*|jour*|semaine*|mois|an|ans|segundo*|minuto*|hora*|día*|semana*|mes')}"
        rf"| ?{any_of('meses|año*|ore|secondi|minuti|giorni|settimane|mesi|anni|dia|dias|anos|час*|дн*|недел*|минут*')}"
    )
)
_WITHIN = Pattern(lambda: rf"{WORD}{any_of('in|within|over|for|during|innerhalb von|en|pendant|durante|em|за')}\s*")
_IN_BRACKETS = Pattern(lambda: r"[(\[][^()\[\]\n]{0,80}\Z")
_TO_BRACKET = Pattern(lambda: r"[^()\[\]\n]{0,80}[)\]]")
_CLOCK = Pattern(lambda: r" ?(?:am|pm|a\.m|p\.m|o'clock|uhr|heures)(?![a-z])|:\d\d")
_YEAR = Pattern(lambda: r"(?:19|20)\d\d(?![\d.,]*\d)")
_IN_YEAR = Pattern(
    lambda: rf"{any_of('in|im|en|nel|em|since|seit|depuis|desde|dal|year|jahr|año|année|anno|ano|of')}\s*\Z"
)
_BECAUSE = (
    "because|since|weil|denn|parce que|parce qu'|puisque|car|porque|ya que|perché|poiché|pois|omdat|eftersom|ponieważ|"
    "потому что|так как|因为|因為|if|wenn|falls|jeśli|если|如果"
)
_REASON = Pattern(lambda: rf"{any_of(_BECAUSE)}[^=,;:，；：.!?。\n]{{0,60}}\Z")


class Remarks(Figures):
    """A passage with what it says of its numbers."""

    def is_rejected(self, number: int) -> bool:
        """Whether the words after a number call it wrong."""
        return _REJECTED.match(self.text, self.numerals[number].end) is not None

    def is_only_if(self, number: int) -> bool:
        """Whether a number is given under a condition, or only seems to be right."""
        return _ONLY_IF.match(self.text, self.numerals[number].end) is not None

    def is_accepted(self, number: int) -> bool:
        """Whether the words after a number call it the answer."""
        accepted = _ACCEPTED.match(self.text, self.numerals[number].end) is not None
        return accepted and not self.is_after(NEGATED, self.starts[number]) and not self.is_asked(self.starts[number])

    def before_denied(self, number: int) -> int:
        """The number that one is set against, as 18 in "18, not 20"; the same where it is set against none."""
        while number and self.is_after(_DENIED_BESIDE, self.starts[number]):
            if self.sentence(self.starts[number])[0] > self.starts[number - 1]:
                break
            number -= 1
        return number

    def is_aside(self, first: int, last: int, *, concluded: bool) -> bool:
        """Whether linked numbers only belong to another number before them.

        They stand in brackets, give a rate, a time or a year, or tell the reason.

        Args:
            first: The first of the linked numbers.
            last: The last.
            concluded: Whether the sentence draws a conclusion.
        """
        before = self.numerals[first - 1] if first else None
        if before is None or before.value in (None, self.numerals[last].value):
            return False
        if last > first and self.link(last - 1) == "equals":
            return False
        start, end = self.starts[first], self.numerals[last].end
        if self.is_after(_RATE, start) or self._is_bracketed(start, end) or self._is_reason(first):
            return True
        within = _WITHIN.fullmatch(self.text, before.end, start) is not None
        if within and _TIME.match(self.text, end):
            return True
        year = _YEAR.fullmatch(self.text, start, end) is not None and self.is_after(_IN_YEAR, start)
        if year and not _YEAR.fullmatch(self.text, before.start, before.end):
            return True
        return not concluded and _CLOCK.match(self.text, end) is not None and not _CLOCK.match(self.text, before.end)

    def _is_bracketed(self, start: int, end: int) -> bool:
        opened = _IN_BRACKETS.search(self.text, max(0, start - 82), start)
        return opened is not None and _TO_BRACKET.match(self.text, end) is not None

    def _is_reason(self, first: int) -> bool:
        begin = self.sentence(self.starts[first])[0]
        reason = _REASON.search(self.text, max(begin, self.starts[first] - 90), self.starts[first])
        return reason is not None and begin <= self.starts[first - 1] < reason.start()
