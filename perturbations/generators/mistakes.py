"""Single typing mistakes in single words. The first and the last letter stay, and so does what turns a meaning round.

Mistakes are made by grapheme: a letter with combining marks stays as it is, and nothing comes between it and them.
"""

import random
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..lexicon.scripts import MARKS
from ..lexicon.terms import term_texts
from ..lexicon.words import is_english_word, is_stopword, misspellings, names, stopwords
from .keyboards import Keyboard, neighbours

Operation = Literal["replace", "delete", "insert", "transpose", "misspelling"]

WEIGHTS: Mapping[Operation, float] = {
    "replace": 0.5,
    "delete": 0.2,
    "insert": 0.2,
    "transpose": 0.1,
    "misspelling": 0.5,
}
"""How likely each operation is, relative to the others that are asked for."""
GRAPHEME = re.compile(rf"[^\W\d_][{MARKS}]*")
OPPOSING_PREFIXES = (
    *("un", "in", "im", "il", "ir", "dis", "non", "mis", "anti", "ante", "counter", "under", "over", "pre", "post"),
    *(
        "sub",
        "super",
        "hyper",
        "hypo",
        "inter",
        "intra",
        "macro",
        "micro",
        "endo",
        "exo",
        "homo",
        "hetero",
        "mono",
        "poly",
    ),
)
OPPOSING_SUFFIXES = ("less", "ful", "able", "ible")
SHORTEST_STEM = 3
DOUBLED = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in one word.

    Attributes:
        start: Offset in the word.
        before: What stands there in the word; empty for an insertion.
        after: What is typed; empty for a deletion.
        operation: What went wrong.
    """

    start: int
    before: str
    after: str
    operation: Operation

    def made_in(self, word: str) -> str:
        """Give the word with the mistake in it."""
        return word[: self.start] + self.after + word[self.start + len(self.before) :]


@dataclass(frozen=True, slots=True)
class Grapheme:
    """A letter with its marks, where it stands in its word."""

    start: int
    text: str

    @property
    def plain(self) -> bool:
        """Whether it is a letter without marks."""
        return len(self.text) == 1

    @property
    def end(self) -> int:
        """Offset behind it."""
        return self.start + len(self.text)


def draw_mistake(
    word: str, operations: Sequence[Operation], keyboard: Keyboard, taken: Container[str], rng: random.Random
) -> Mistake | None:
    """Draw a mistake that makes no other word and takes no affix away.

    Args:
        word: The word, as it stands in the text.
        operations: What may go wrong; drawn by `WEIGHTS`.
        keyboard: Where the letters lie.
        taken: Case-folded words that the mistake must not make, beside the common English ones.
        rng: The source of chance.

    Returns:
        The mistake; None where every one of these operations would make another word of it.
    """
    for operation in in_drawn_order(operations, rng):
        mistakes = list(OPERATIONS[operation](word, keyboard))
        for mistake in rng.sample(mistakes, len(mistakes)):
            if is_harmless(word, mistake.made_in(word), taken):
                return mistake
    return None


def in_drawn_order(operations: Sequence[Operation], rng: random.Random) -> Iterator[Operation]:
    """Draw operations by weight without replacement, until none is left."""
    left = list(operations)
    while left:
        drawn = rng.choices(left, [WEIGHTS[operation] for operation in left])[0]
        left.remove(drawn)
        yield drawn


def is_harmless(word: str, mistaken: str, taken: Container[str]) -> bool:
    """Say whether a mistake leaves a word recognisable as itself: changed, no other word, with its affixes."""
    right, wrong = word.casefold(), mistaken.casefold()
    other = same_word(right, wrong) or is_word(wrong, taken) or may_be_foreign(right, wrong)
    return not other and keeps_affixes(right, wrong)


def same_word(right: str, wrong: str) -> bool:
    """Say whether a mistake changes nothing but case or the spelling of "-ise", which is no mistake."""
    return right.replace("iz", "is") == wrong.replace("iz", "is")


def may_be_foreign(right: str, wrong: str) -> bool:
    """Say whether a mistake only doubles a letter, or makes one of two, in a word that is not known.

    That is how many words of other languages differ: "pero" and "perro", "capello" and "cappello".
    """
    known = is_english_word(right) or right in stopwords()["en"]
    return not known and DOUBLED.sub(r"\1", right) == DOUBLED.sub(r"\1", wrong)


def is_word(mistaken: str, taken: Container[str]) -> bool:
    """Say whether a case-folded mistake is a word or a name of its own."""
    known = mistaken in term_texts() or mistaken in names() or is_stopword(mistaken) or is_english_word(mistaken)
    return known or mistaken in taken


def keeps_affixes(word: str, mistaken: str) -> bool:
    """Say whether prefixes and suffixes that can turn a meaning round are still there."""
    longest = len(word) - SHORTEST_STEM
    prefixes = (
        prefix for prefix in OPPOSING_PREFIXES if word == prefix or (len(prefix) <= longest and word.startswith(prefix))
    )
    suffixes = (suffix for suffix in OPPOSING_SUFFIXES if len(suffix) <= longest and word.endswith(suffix))
    return all(mistaken.startswith(prefix) for prefix in prefixes) and all(map(mistaken.endswith, suffixes))


def graphemes(word: str) -> list[Grapheme]:
    """Split a word into letters with their marks."""
    return [Grapheme(match.start(), match[0]) for match in GRAPHEME.finditer(word)]


def beside(letter: str, keyboard: Keyboard) -> list[str]:
    """Give the letters beside a letter on the keyboard, in its case."""
    if letter.isupper():
        return [neighbour.upper() for neighbour in neighbours(keyboard).get(letter.lower(), "")]
    return list(neighbours(keyboard).get(letter, ""))


def replacements(word: str, keyboard: Keyboard) -> Iterator[Mistake]:
    """Strike a neighbouring key in place of an inner letter."""
    for letter in graphemes(word)[1:-1]:
        for neighbour in beside(letter.text, keyboard):
            yield Mistake(letter.start, letter.text, neighbour, "replace")


def deletions(word: str, _keyboard: Keyboard) -> Iterator[Mistake]:
    """Leave an inner letter out."""
    for letter in graphemes(word)[1:-1]:
        if letter.plain:
            yield Mistake(letter.start, letter.text, "", "delete")


def insertions(word: str, keyboard: Keyboard) -> Iterator[Mistake]:
    """Strike a letter twice, or a neighbouring key along with it, before the last letter."""
    for letter in graphemes(word)[:-1]:
        if letter.plain:
            doubled = letter.text.lower() if letter.start == 0 and len(letter.text.lower()) == 1 else letter.text
            for struck in (doubled, *beside(doubled, keyboard)):
                yield Mistake(letter.end, "", struck, "insert")


def transpositions(word: str, _keyboard: Keyboard) -> Iterator[Mistake]:
    """Exchange two inner letters that stand side by side."""
    inner = graphemes(word)[1:-1]
    for left, right in pairwise(inner):
        if left.plain and right.plain and left.text.casefold() != right.text.casefold():
            yield Mistake(left.start, left.text + right.text, right.text + left.text, "transpose")


def known_misspellings(word: str, _keyboard: Keyboard) -> Iterator[Mistake]:
    """Write a word as it is commonly misspelled."""
    wrong = misspellings().get(word.lower())
    if wrong and word in {word.lower(), word.capitalize()}:
        yield Mistake(0, word, word[0] + wrong[1:], "misspelling")


OPERATIONS: Mapping[Operation, Callable[[str, Keyboard], Iterator[Mistake]]] = {
    "replace": replacements,
    "delete": deletions,
    "insert": insertions,
    "transpose": transpositions,
    "misspelling": known_misspellings,
}
