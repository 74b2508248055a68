"""Golds of which the opposite, or another number, can be written in the same form."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ..question import Gold, Question

OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
AFFIRMING = {"yes", "true"}
ONE_WORD = re.compile(r"([^\w]{0,4})([^\W\d_]+)([^\w]{0,4})")
NUMBER = re.compile(r"\s*(?P<sign>-?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.(?P<decimals>[0-9]{1,6}))?\s*")


@dataclass(frozen=True, slots=True)
class Binary:
    """A gold that is yes or no, or true or false.

    Attributes:
        holds: Whether it affirms.
        affirming: The word that affirms, as the item writes it.
        denying: The word that denies.
        opposite: The gold that says the other thing.
    """

    holds: bool
    affirming: str
    denying: str
    opposite: Gold

    @property
    def truth(self) -> bool:
        """Whether the words are true and false."""
        return self.affirming.lower() == "true"


def binary_gold(question: Question, gold: Gold) -> Binary | None:
    """Read a gold as yes or no, or as true or false; None where it is neither, or not all of it says the same."""
    if question.options:
        return binary_options(question.options, gold)
    words = [ONE_WORD.fullmatch(text.strip()) for text in gold.texts]
    said = {match[2].lower() for match in words if match}
    if len(said) != 1 or not all(words) or not said <= OPPOSITES.keys():
        return None
    first = next(match[2] for match in words if match)
    return binary(first, opposite_word(first), Gold(texts=tuple(map(opposite_text, gold.texts))))


def binary_options(options: tuple[str, ...], gold: Gold) -> Binary | None:
    """Read a gold among two options that are opposites of each other."""
    words = [ONE_WORD.fullmatch(option.strip()) for option in options]
    said = [match[2] for match in words if match]
    if len(said) != 2 or len(options) != 2 or len(gold.options) != 1 or gold.options[0] not in {0, 1}:
        return None
    if OPPOSITES.get(said[0].lower()) != said[1].lower():
        return None
    right = gold.options[0]
    return binary(said[right], said[1 - right], Gold(options=(1 - right,)))


def binary(right: str, wrong: str, opposite: Gold) -> Binary:
    """Sort two opposite words into the one that affirms and the one that denies."""
    holds = right.lower() in AFFIRMING
    return Binary(holds, right if holds else wrong, wrong if holds else right, opposite)


def opposite_text(text: str) -> str:
    """Write a text of one word with the opposite word."""
    return ONE_WORD.sub(lambda match: match[1] + opposite_word(match[2]) + match[3], text, count=1)


def opposite_word(word: str) -> str:
    """Give the opposite of a word in its case."""
    other = OPPOSITES[word.lower()]
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other


@dataclass(frozen=True, slots=True)
class Number:
    """A gold that is one number.

    Attributes:
        value: The number.
        of: Writes another number as such a gold; None where it can't be written so, or is no option, or several.
    """

    value: Fraction
    of: Callable[[Fraction], Gold | None]


def number_gold(question: Question, gold: Gold) -> Number | None:
    """Read a gold as one number; None where it is none, or holds several."""
    texts = question.options or gold.texts
    values = [number_in(text) for text in texts]
    known = [value for value in values if value is not None]
    if not known or len(known) != len(values):
        return None
    if question.options:
        return number_option(known, gold)
    if len(set(known)) != 1:
        return None
    return Number(known[0], lambda value: number_texts(value, gold.texts))


def number_option(values: list[Fraction], gold: Gold) -> Number | None:
    """Read a gold among options that are numbers, of which no other equals it."""
    if len(gold.options) != 1 or not 0 <= gold.options[0] < len(values):
        return None
    right = values[gold.options[0]]

    def option(value: Fraction) -> Gold | None:
        return Gold(options=(values.index(value),)) if values.count(value) == 1 else None

    return Number(right, option) if values.count(right) == 1 else None


def number_texts(value: Fraction, texts: tuple[str, ...]) -> Gold | None:
    """Write a number in the form of each of some texts; None where one has too few decimals for it."""
    written = [number_text(value, text) for text in texts]
    known = tuple(text for text in written if text is not None)
    return Gold(texts=known) if len(known) == len(texts) else None


def number_in(text: str) -> Fraction | None:
    """Read a text that is a number in figures; None where it is anything else."""
    match = NUMBER.fullmatch(text)
    return Fraction(text.strip().replace(",", "")) if match else None


def number_text(value: Fraction, like: str) -> str | None:
    """Write a number with the decimals and separators of a text that is one; None where it takes more or fewer.

    A last 0 is written only where the text has one, since "2.0" is no usual answer beside "3.5".
    """
    match = NUMBER.fullmatch(like)
    if match is None:
        return None
    decimals = len(match["decimals"] or "")
    scaled = value * 10**decimals
    if scaled.denominator != 1:
        return None
    digits = f"{abs(scaled.numerator):0{decimals + 1}d}"
    if decimals and digits[-1] == "0" and match["decimals"][-1] != "0":
        return None
    whole, rest = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    grouped = f"{int(whole):,}" if "," in match["whole"] else whole
    return ("-" if value < 0 else "") + grouped + (f".{rest}" if rest else "")
