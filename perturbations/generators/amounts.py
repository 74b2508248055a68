"""What a text says in numbers, apart from how it writes them: for comparing a paraphrase with its original."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from ..lexicon.terms import Found, find_terms, terms
from ..lexicon.words import words_of
from ..protection.quantities import number_pattern, unit_pattern

SIGNS = {"−": "-", "-": "-", "±": "±", "<": "<", ">": ">", "≤": "≤", "≥": "≥"}
"""Signs that make another number; plus and "about" do not."""
TENS = {str(ten) for ten in range(20, 100, 10)}
THOUSANDS = re.compile(r"\d{1,3}([,’'])\d{3}(?:\1\d{3})*(?:\.\d+)?")
ORDINALS = {"st", "nd", "rd", "th"}


def numbers_in(text: str, language: str) -> Counter[str]:
    """Count the numbers of a text, in figures and in words, each in one form: `1,000` and `1000`, `three` and `3`."""
    figures = (number for match in number_pattern().finditer(text) for number in figures_of(match.groupdict()))
    return Counter([*figures, *number_words(text, language)])


def figures_of(groups: Mapping[str, str | None]) -> Iterator[str]:
    """Give the number, or both numbers of a range, in one form."""
    suffix = groups["suffix"] if groups["suffix"] in ORDINALS else ""
    yield SIGNS.get(groups["sign"] or "", "") + plain_digits(groups["digits"] or "") + (suffix or "")
    if groups["to"]:
        yield plain_digits(groups["to"])


def plain_digits(digits: str) -> str:
    """Take out spaces, and separators of thousands where they can't be anything else."""
    digits = "".join(digits.split())
    match = THOUSANDS.fullmatch(digits)
    return digits.replace(match[1], "") if match else digits


def number_words(text: str, language: str) -> Iterator[str]:
    """Give the number words of a text as figures, with "twenty-five" as one number."""
    tens: Found | None = None
    for found in find_terms(text, "number", language):
        joined = tens is not None and text[tens.end : found.start] == "-" and len(found.term.meaning) == 1
        if tens is not None and joined:
            yield str(int(tens.term.meaning) + int(found.term.meaning))
            tens = None
            continue
        if tens is not None:
            yield tens.term.meaning
        tens = found if found.term.meaning in TENS else None
        if tens is None:
            yield found.term.meaning
    if tens is not None:
        yield tens.term.meaning


def ones_in(text: str) -> int:
    """Count the word "one", which may be the number 1 or no number at all."""
    return sum(word == "one" for word in words_of(text))


def units_in(text: str, language: str) -> set[str]:
    """Give the units and currencies that stand with the numbers of a text."""
    meanings = unit_meanings()
    found: set[str] = set()
    for match in number_pattern().finditer(text):
        marks = (match["before"] or "", match["unit"] or "")
        found |= {meanings.get(unit_name(mark), unit_name(mark)) for mark in marks if mark.strip()}
    for number in find_terms(text, "number", language):
        unit = unit_pattern().match(text, number.end)
        found |= {meanings[unit_name(unit[0])]} if unit else set()
    return found


def unit_name(mark: str) -> str:
    """Write a unit as the list of units has it; of a currency with its country, only the sign."""
    name = " ".join(mark.strip(" -\u00a0").lower().split())
    return "$" if name.endswith("$") else name


@cache
def unit_meanings() -> Mapping[str, str]:
    """Give the class of each unit by its name."""
    return {term.text: term.meaning for term in terms() if term.kind == "unit"}
