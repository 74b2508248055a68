"""Protected text: what no generator of words may change, found by position in the text as it stands.

Nothing is swapped for placeholders: generators keep their edits outside the spans, and `check` proves afterwards that
they did. All searches take time linear in the text, except for what the user's own patterns cost.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal

from ..lexicon.folding import in_small_letters
from ..lexicon.terms import alternation, find_terms
from ..question import Subject
from .blocks import block_spans
from .latex import latex_spans
from .patterns import patterns_for
from .quantities import date_spans, number_spans
from .spans import Span, merged
from .tokens import token_spans, word_spans


def protected_spans(text: str, subject: Subject) -> list[Span]:
    """Find everything in a text that must stay byte-equal and in order.

    Args:
        text: Any text part of the subject's question, or of a variant of it.
        subject: Gives the options and gold answers to look for, and the user's own patterns.

    Returns:
        Disjoint spans in order.

    Raises:
        ValueError: Where one of the user's patterns is no regular expression.
    """
    return list(merged_spans(text, answers_of(subject), subject.protect))


def all_spans(text: str, subject: Subject) -> tuple[Span, ...]:
    """Find protected text kind by kind; spans overlap, and of those of one extent the first names the kind."""
    return found_spans(text, answers_of(subject), subject.protect)


def meaning_spans(text: str, answers: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[Span, ...]:
    """Find the same without words that stand out by their capitals, which say nothing of what is asked."""
    return (*sign_spans(text), *answer_spans(text, answers), *user_spans(text, patterns))


def answers_of(subject: Subject) -> tuple[str, ...]:
    """Give what may be an answer, each text once."""
    return tuple(sorted({*subject.question.options, *subject.gold.texts}))


@lru_cache(maxsize=32)
def merged_spans(text: str, answers: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[Span, ...]:
    """Find protected text without overlaps; remembered, too."""
    return tuple(merged(found_spans(text, answers, patterns)))


@lru_cache(maxsize=32)
def found_spans(text: str, answers: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[Span, ...]:
    """Find protected text; remembered, as a draft, its check and further drafts ask about the same text."""
    return (*sign_spans(text), *word_spans(text), *answer_spans(text, answers), *user_spans(text, patterns))


@lru_cache(maxsize=32)
def sign_spans(text: str) -> tuple[Span, ...]:
    """Find what a text shows to be protected by its signs, numbers and words that carry meaning; remembered as well."""
    return tuple(
        chain(
            block_spans(text),
            latex_spans(text),
            (Span(*meant(match), kind) for kind, pattern in patterns_for(text) for match in pattern.finditer(text)),
            date_spans(text),
            number_spans(text),
            term_spans(text),
            token_spans(text),
        )
    )


def meant(match: re.Match[str]) -> tuple[int, int]:
    """Give the extent of a match, or of its last group where the match itself is empty."""
    return match.span() if match.end() > match.start() else match.span(match.lastindex or 0)


def term_spans(text: str) -> Iterator[Span]:
    """Find negations and quantifiers of all known languages."""
    kinds: tuple[Literal["negation", "quantifier"], ...] = ("negation", "quantifier")
    for kind in kinds:
        yield from (Span(found.start, found.end, kind) for found in find_terms(text, kind))


def answer_spans(text: str, answers: Iterable[str]) -> Iterator[Span]:
    """Find options and gold answers where they stand in a text as whole words, in any case and spacing."""
    small = in_small_letters(text)
    for answer in answers:
        pattern = None if surely_absent(answer, small) else whole_words(answer)
        if pattern is not None:
            yield from (Span(*match.span(), "answer") for match in pattern.finditer(text))


def surely_absent(answer: str, small: str) -> bool:
    """Say whether an answer stands nowhere in a text in small letters; in doubt it may, and its pattern tells."""
    return answer.isascii() and not all(word in small for word in answer.lower().split())


@lru_cache(maxsize=256)
def whole_words(answer: str) -> re.Pattern[str] | None:
    """Compile a pattern for an answer as whole words; None for an answer without a letter or digit."""
    words = " ".join(answer.split())
    if not any(character.isalnum() for character in words):
        return None
    return re.compile(rf"(?<!\w){alternation([words])}(?!\w)", re.IGNORECASE)


def user_spans(text: str, patterns: Iterable[str]) -> Iterator[Span]:
    """Find what the user's own patterns protect."""
    for pattern in patterns:
        for match in user_pattern(pattern).finditer(text):
            if match.end() > match.start():
                yield Span(*match.span(), "user")


@lru_cache(maxsize=256)
def user_pattern(pattern: str) -> re.Pattern[str]:
    """Compile one of the user's patterns.

    Raises:
        ValueError: With the pattern and what is wrong with it.
    """
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} in protect is no regular expression: {error}") from error
