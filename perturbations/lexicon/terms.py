"""Words and phrases that carry the meaning of a question: negations, quantifiers, numbers, months, weekdays, units."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from .words import WORD, data_lines, words_in

TermKind = Literal["negation", "quantifier", "number", "month", "weekday", "unit"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase that carries meaning; terms of one class mean the same.

    Attributes:
        language: ISO 639-1 code, or `-` where the term belongs to no language.
        kind: What it does in a question.
        meaning: The class.
        text: The term in lower case, with straight apostrophes and single spaces.
    """

    language: str
    kind: TermKind
    meaning: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A term where it stands in a text, as code-point offsets."""

    start: int
    end: int
    term: Term


@cache
def terms() -> tuple[Term, ...]:
    """Load all terms."""
    rows = (line.split("\t") for line in data_lines("terms.tsv"))
    return tuple(
        Term(language, kind, meaning, text)  # type: ignore[arg-type] # a test holds the file to the kinds
        for language, kind, meaning, listed in rows
        for text in listed.split(", ")
    )


def alternation(phrases: Iterable[str]) -> str:
    """Write a pattern for any of some phrases, the longest first; either apostrophe and any white space will do."""
    escaped = (re.escape(phrase).replace(r"\ ", r"\s++").replace("'", "['’]") for phrase in phrases)
    return "|".join(sorted(escaped, key=lambda pattern: (-len(pattern), pattern)))


@cache
def term_texts() -> frozenset[str]:
    """Give the texts of all terms, for telling whether a word is one."""
    return frozenset(term.text for term in terms())


@cache
def index_of(language: str) -> Mapping[str, Mapping[TermKind, Sequence[Term]]]:
    """Index the terms of a language, or of all, by their first word and their kind, the longest first."""
    index: dict[str, dict[TermKind, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for term in terms():
        first = WORD.match(term.text)
        if first and term.kind != "unit" and language in {"", term.language}:
            index[first[0]][term.kind].append(term)
    return {first: {kind: longest_first(group) for kind, group in kinds.items()} for first, kinds in index.items()}


def longest_first(listed: Iterable[Term]) -> list[Term]:
    """Sort terms by their length, so that a phrase is found before its first word."""
    return sorted(listed, key=lambda term: -len(term.text))


@cache
def whole_phrase(phrase: str) -> re.Pattern[str]:
    """Compile a pattern for a phrase that ends where a word does, once it may stand in a text: few of them ever do."""
    return re.compile(rf"{alternation([phrase])}(?!\w)", re.IGNORECASE)


def find_terms(text: str, kind: TermKind, language: str = "") -> Iterator[Found]:
    """Find the terms of a kind as whole words, the longest at each place, in every language or in one.

    Units are no such terms: they are found with their numbers.
    """
    return (found for found in terms_in(text, language) if found.term.kind == kind)


@lru_cache(maxsize=32)
def terms_in(text: str, language: str) -> tuple[Found, ...]:
    """Find the terms of all kinds in one pass; those of one kind don't overlap."""
    index = index_of(language)
    ends: dict[TermKind, int] = defaultdict(int)
    found: list[Found] = []
    # Small letters of an ASCII text stand where its letters stand; of others, "İ" takes two places.
    small = text.lower() if text.isascii() else ""
    for word in words_in(small or text):
        known = index.get(word[0] if small else word[0].lower())
        if known is None:
            continue
        start = word.start()
        for kind, listed in known.items():
            term = first_match(text, start, listed) if start >= ends[kind] else None
            if term:
                ends[kind] = term.end
                found.append(term)
    return tuple(found)


def first_match(text: str, start: int, listed: Iterable[Term]) -> Found | None:
    """Find the first of some terms that stands whole at a place and means what it says there."""
    if text[max(0, start - 1) : start].isalnum():
        return None
    matches = ((whole_phrase(term.text).match(text, start), term) for term in listed)
    return next((Found(start, match.end(), term) for match, term in matches if match and not asks(text, match)), None)


def asks(text: str, match: re.Match[str]) -> bool:
    """Say whether "many", "much" or "often" stands behind "how", where it asks and quantifies nothing."""
    return (
        match[0].lower() in {"many", "much", "often"}
        and text[max(0, match.start() - 4) : match.start()].lower() == "how "
    )
