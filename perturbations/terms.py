"""Words and phrases that carry the meaning of a question: negations, quantifiers, numbers, months, weekdays, units."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .words import WORD, data_lines

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
def index_of(kind: TermKind, language: str) -> Mapping[str, tuple[tuple[re.Pattern[str], Term], ...]]:
    """Index the terms of a kind by their first word, the longest first."""
    index: dict[str, list[Term]] = defaultdict(list)
    for term in terms():
        first = WORD.match(term.text)
        if first and term.kind == kind and language in {"", term.language}:
            index[first[0]].append(term)
    return {
        first: tuple((whole_phrase(term.text), term) for term in sorted(listed, key=lambda term: -len(term.text)))
        for first, listed in index.items()
    }


def whole_phrase(phrase: str) -> re.Pattern[str]:
    """Compile a pattern for a phrase that ends where a word does."""
    return re.compile(rf"{alternation([phrase])}(?!\w)", re.IGNORECASE)


def find_terms(text: str, kind: TermKind, language: str = "") -> Iterator[Found]:
    """Find the terms of a kind as whole words, the longest at each place, in every language or in one."""
    index = index_of(kind, language)
    end = 0
    for word in WORD.finditer(text):
        if word.start() < end or text[word.start() - 1 : word.start()].isalnum():
            continue
        for pattern, term in index.get(word[0].lower(), ()):
            match = pattern.match(text, word.start())
            if match and not asks(text, match):
                end = match.end()
                yield Found(match.start(), end, term)
                break


def asks(text: str, match: re.Match[str]) -> bool:
    """Say whether "many" or "much" stands behind "how", where it asks and quantifies nothing."""
    return match[0].lower() in {"many", "much"} and text[max(0, match.start() - 4) : match.start()].lower() == "how "
