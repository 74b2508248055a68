"""Typing mistakes, as people make them: one a word, in a share of the words that carry no protected text."""

import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import ClassVar

from ..generator import Draft, Draw
from ..given import check_rate, check_variants, check_word, words_given
from ..lexicon.scripts import LATIN, MARKS, main_script
from ..lexicon.wording import asks_about_letters
from ..lexicon.words import words_in, words_of
from ..protection.parts import PART_NAMES, apply_edits, text_parts
from ..protection.protect import answers_of, merged_spans
from ..protection.spans import Mask
from ..question import Question, Subject
from ..variant import Edit, Tier
from .keyboards import ROWS, Keyboard
from .mistakes import WEIGHTS, Operation, draw_mistake

SEVERITIES: Mapping[str, float] = {"mild": 0.05, "medium": 0.10, "hard": 0.20}
"""Share of the eligible words that get a mistake."""
SHORTEST, LONGEST = 4, 40
LONG_WORD = re.compile(rf"(?:[{LATIN}][{MARKS}]*+){{{SHORTEST},{LONGEST}}}")
FIRST_OPERATIONS: tuple[Operation, ...] = ("replace", "delete", "insert", "transpose")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text part."""

    part: str
    start: int
    text: str

    @property
    def end(self) -> int:
        """Offset behind the word."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typo:
    """Mistypes a share of the eligible words: unprotected, of 4 to 40 Latin letters; first and last letter stay.

    A mistake that makes another common English word, or a word of the item, or breaks an affix such as "un-" or
    "-less", is drawn again.

    Attributes:
        rate: Share of the eligible words to mistype, 0 to 1; rounded half up, but one word at least.
        layout: Keyboard whose neighbouring keys are struck.
        parts: Text parts that may be mistyped. Earlier turns of a conversation never are.
        operations: What may go wrong: `replace`, `delete`, `insert`, `transpose`, `misspelling`, weighted by
            `mistakes.WEIGHTS`.
        variants: How many variants of each item.
    """

    name: ClassVar[str] = "typo"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"

    rate: float = SEVERITIES["mild"]
    layout: Keyboard = "qwerty"
    parts: tuple[str, ...] = ("text",)
    operations: tuple[Operation, ...] = FIRST_OPERATIONS
    variants: int = 1

    def __post_init__(self) -> None:
        """Refuse parameters outside their range.

        Raises:
            TypeError: For a parameter of another type.
            ValueError: With what was given and what is allowed.
        """
        check_rate("typo", self.rate, "words")
        check_word("typo", "layout", self.layout, tuple(ROWS))
        check_variants("typo", self.variants)
        words_given("typo", "parts", self.parts, PART_NAMES)
        words_given("typo", "operations", self.operations, tuple(WEIGHTS))
        object.__setattr__(self, "parts", tuple(self.parts))
        object.__setattr__(self, "operations", tuple(self.operations))

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft."""
        return {
            "rate": self.rate,
            "layout": self.layout,
            "parts": list(self.parts),
            "operations": list(self.operations),
        }

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Mistype the words that chance picks."""
        parts = text_parts(subject.question, self.parts)
        if reason := obstacle(subject.question, parts):
            return Draft("not_applicable", reason)
        words = eligible_words(parts, subject)
        if not words:
            return Draft("not_applicable", why_no_words(parts))
        if not self.rate:
            return Draft("unchanged", "the rate is 0")
        edits = self.draw_edits(words, mistaken_count(self.rate, len(words)), subject.question, draw.rng)
        if not edits:
            return Draft("not_applicable", self.why_no_mistake())
        question = apply_edits(subject.question, edits)
        return Draft("applied", question=question, edits=edits, severity=len(edits) / len(words))

    def why_no_mistake(self) -> str:
        """Say why no eligible word was mistyped."""
        if self.operations == ("misspelling",):
            return "none of these words has a misspelling that is listed"
        return "every mistake in these words would make another word"

    def draw_edits(self, words: Sequence[Word], count: int, question: Question, rng: random.Random) -> tuple[Edit, ...]:
        """Draw so many words, passing over those in which no mistake is harmless, and a mistake in each."""
        taken = vocabulary(question)
        edits: list[Edit] = []
        for word in rng.sample(words, len(words)):
            mistake = draw_mistake(word.text, self.operations, self.layout, taken, rng)
            if mistake:
                start = word.start + mistake.start
                edits.append(Edit(word.part, start, mistake.before, mistake.after, mistake.operation))
            if len(edits) == count:
                break
        return tuple(sorted(edits, key=lambda edit: (edit.part, edit.start)))


def mistaken_count(rate: float, eligible: int) -> int:
    """Give how many words a positive rate mistypes: rounded half up as it is written in decimals, one at least."""
    exact = Decimal(str(rate)) * eligible
    return max(1, int(exact.to_integral_value(ROUND_HALF_UP)))


def obstacle(question: Question, parts: Mapping[str, str]) -> str:
    """Say why no word of a question may be mistyped at all; empty where nothing stands against it."""
    text = "\n".join(parts.values())
    if not text.strip():
        return "there is no text"
    script = main_script(text)
    if script not in {"", "Latin"}:
        return f"keyboard typos need Latin letters; the text is mostly {script}"
    if asks_about_letters(f"{question.text}\n{question.instruction}"):
        return "the question is about spelling, letters, case or sound"
    return ""


def eligible_words(parts: Mapping[str, str], subject: Subject) -> list[Word]:
    """Find the words that may be mistyped, in order."""
    answers = answers_of(subject)
    return [word for part, text in parts.items() for word in unprotected_words(part, text, answers, subject.protect)]


@lru_cache(maxsize=32)
def unprotected_words(part: str, text: str, answers: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[Word, ...]:
    """Find the words of one part that may be mistyped; remembered for an item's variants."""
    mask = Mask(merged_spans(text, answers, patterns))
    return tuple(word for word in long_words(part, text) if not mask.touches(word.start, word.end))


def long_words(part: str, text: str) -> list[Word]:
    """Find the words of 4 to 40 Latin letters that nothing invisible or combining touches."""
    plain = text.isascii()
    return [
        Word(part, match.start(), match[0])
        for match in words_in(text)
        if len(match[0]) >= SHORTEST and (len(match[0]) <= LONGEST if plain else is_free(match))
    ]


def is_free(match: re.Match[str]) -> bool:
    """Say whether a word is of 4 to 40 Latin letters that nothing invisible or combining touches."""
    text, (start, end) = match.string, match.span()
    return bool(LONG_WORD.fullmatch(match[0])) and not (binds(text, start - 1) or binds(text, end))


def binds(text: str, offset: int) -> bool:
    """Say whether the character there is a mark, a joiner, another invisible character or half a surrogate pair."""
    character = text[offset : offset + 1] if offset >= 0 else ""
    return not character.isascii() and unicodedata.category(character) in {"Mn", "Mc", "Me", "Cf", "Cs"}


def why_no_words(parts: Mapping[str, str]) -> str:
    """Say why no word is eligible."""
    if any(long_words(part, text) for part, text in parts.items()):
        return f"every word of {SHORTEST} letters or more is protected"
    return f"there is no word of {SHORTEST} letters or more"


@lru_cache(maxsize=32)
def vocabulary(question: Question) -> frozenset[str]:
    """Give all words of a question, case-folded: a mistake must not turn one into another. Remembered likewise."""
    texts = (
        *text_parts(question).values(),
        *question.options,
        *(turn.content for turn in question.history),
        *(text for example in question.examples for text in (example.text, *example.options)),
    )
    return frozenset(word for text in texts for word in words_of(text))
