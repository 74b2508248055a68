"""Numbers with their signs, separators, exponents and units; dates and times."""

import re
from collections.abc import Iterator
from functools import cache

from ..lexicon.terms import alternation, find_terms, terms
from .spans import Span

SUPERSCRIPTS = "⁰¹²³⁴-⁹⁺⁻"
CURRENCY = r"(?:(?:US|CA|AU|NZ|HK|[AR])?[$]|[€£¥₹₽₩₺¢]|(?:USD|EUR|GBP|CHF|JPY)[ \u00a0]?)"
DIGITS = r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d++(?:[.,’'٫٬]\d++)*+|(?<![\w.])\.\d++)"
EXPONENT = rf"(?:[eE][+−-]?\d++|[ ]?[×x*·][ ]?10(?:(?:\^|\*\*)[{{(]?[+−-]?\d++[)}}]?|[{SUPERSCRIPTS}]++))"
FRACTION = r"(?:[ ]?[½⅓⅔¼¾⅛⅜⅝⅞]|[⁄/]\d++)"
MAGNITUDE = rf"(?:{DIGITS}{EXPONENT}?+{FRACTION}?+|[½⅓⅔¼¾⅛⅜⅝⅞])"
CALENDAR = re.compile(
    r"(?<!\d)\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d++)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
CLOCK = re.compile(
    r"(?<![\w:])\d{1,2}(?:[:h]\d{2}(?::\d{2})?(?:[ ]?[aApP]\.?[mM]\b\.?)?|[ ]?[aApP]\.?[mM]\b\.?|[ ]?o['’]clock\b)"
)
DAY = r"\d{1,2}(?:st|nd|rd|th|º|er|\.)?"
DAY_BEFORE = re.compile(rf"(?<!\w){DAY}\s(?:(?:of|de)\s)?$")
DATE_AFTER = re.compile(rf"\.?,?\s(?:(?:of|de)\s)?(?:{DAY}(?:,?\s(?:de\s)?\d{{4}})?|\d{{4}})(?!\d)")
LONGEST_DAY = 10


@cache
def number_pattern() -> re.Pattern[str]:
    """Compile a pattern for one number or a range of numbers, with sign, currency and unit.

    Groups: `sign`, `before` (currency), `digits`, `suffix` (of an ordinal), `to` (second number of a range), `unit`.
    """
    signed = rf"(?P<sign>(?<!\w)[+−±~≈<>≤≥-])?(?P<before>{CURRENCY}[ ]?)?"
    first = rf"(?P<digits>{MAGNITUDE})(?P<suffix>st|nd|rd|th|s)?+"
    second = rf"(?:[ ]?[–—~…]|-|\.\.)[ ]?{CURRENCY}?(?P<to>{MAGNITUDE})"
    return re.compile(rf"(?=[^\sa-z]){signed}{first}(?:{second})?(?P<unit>{behind_number()})?")


@cache
def unit_pattern() -> re.Pattern[str]:
    """Compile a pattern for a unit right behind its number."""
    return re.compile(behind_number())


@cache
def behind_number() -> str:
    """Write the pattern for a unit right behind its number."""
    units = alternation({term.text for term in terms() if term.kind == "unit"})
    return rf"[ \u00a0-]?(?i:{units})(?![^\W\d_])"


def number_spans(text: str) -> Iterator[Span]:
    """Find numbers in figures and in words."""
    yield from (Span(*match.span(), "number") for match in number_pattern().finditer(text))
    yield from (Span(found.start, found.end, "number") for found in find_terms(text, "number"))


def date_spans(text: str) -> Iterator[Span]:
    """Find dates in figures, times, months beside a number, and weekdays."""
    yield from (Span(*match.span(), "date") for match in CALENDAR.finditer(text))
    yield from (Span(*match.span(), "date") for match in CLOCK.finditer(text))
    yield from (Span(found.start, found.end, "date") for found in find_terms(text, "weekday"))
    for found in find_terms(text, "month"):
        start, end = around_month(text, found.start, found.end)
        if (start, end) != (found.start, found.end):
            yield Span(start, end, "date")


def around_month(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a month by the day before it and the day or year behind it."""
    near = max(0, start - LONGEST_DAY)
    before = DAY_BEFORE.search(text[near:start])
    after = DATE_AFTER.match(text, end)
    return near + before.start() if before else start, after.end() if after else end
