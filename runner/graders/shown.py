"""The options of a question as shown: labels, texts, and which of them count as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..records import AnswerKey
from .base import UnusableKeyError
from .text import View, fold, is_plain, lower, without_markup

ENDS = " \t\n.,;:!?。'\""
"""What does not belong to an option's text at its ends."""
QUESTIONS_KEPT = 256
"""Of so many questions what is known of their options is kept: those whose replies come at the same time."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The options as shown; equal ones count as one, named by the first in the dataset's order.

    Attributes:
        shown: The labels as shown.
        labels: Label in lower case to option.
        written: The texts as shown.
        counted: Which option each one shown counts as.
        spellings: Text in lower case, as it may stand in a sentence, to its spellings, each with its option.
        canonical: Canonical option index to option.
    """

    shown: tuple[str, ...]
    labels: dict[str, int]
    written: tuple[str, ...]
    counted: tuple[int, ...]
    spellings: dict[str, dict[str, int]]
    canonical: dict[int, int]


@lru_cache(maxsize=QUESTIONS_KEPT)
def shown_of(labels: tuple[str, ...], texts: tuple[str, ...], permutation: tuple[int, ...]) -> Shown:
    """The options of a question.

    Args:
        labels: Labels in the order shown.
        texts: Option texts in the order shown.
        permutation: `permutation[shown position]` is the canonical option index.
    """
    option = counted_as(texts, permutation)
    spellings: dict[str, dict[str, int]] = {}
    for text, index in zip(texts, option, strict=True):
        spelled = _core(text)
        if spelled:
            spellings.setdefault(lower(spelled), {})[spelled] = index
    shown = tuple(fold(label) for label in labels)
    folded = {lower(label): index for label, index in zip(shown, option, strict=True)}
    return Shown(shown, folded, texts, option, spellings, dict(zip(permutation, option, strict=True)))


def shown_options(key: AnswerKey) -> Shown:
    """The options of an item as shown.

    Raises:
        UnusableKeyError: It has none.
    """
    if not key.options:
        raise UnusableKeyError("the item has no options to choose from; give it options, or grade it by another grader")
    return shown_of(key.labels, key.options, key.permutation or tuple(range(len(key.options))))


def gold_options(key: AnswerKey, shown: Shown) -> frozenset[int]:
    """The right ones among the options shown.

    Raises:
        UnusableKeyError: None of them is.
    """
    gold = _counted_gold(shown, key.item.gold.options)
    if not gold:
        raise UnusableKeyError("the item's right answer is none of the options shown")
    return gold


@lru_cache(maxsize=QUESTIONS_KEPT)
def _counted_gold(shown: Shown, gold: tuple[int, ...]) -> frozenset[int]:
    return frozenset(shown.canonical[index] for index in gold if index in shown.canonical)


def counted_as(texts: Sequence[str], permutation: Sequence[int]) -> tuple[int, ...]:
    """Which option each one shown counts as: of equal ones, the first in the dataset's order.

    Args:
        texts: Option texts in the order shown.
        permutation: `permutation[shown position]` is the canonical option index.
    """
    plain = [" ".join(fold(text).split()) for text in texts]
    first: dict[str, int] = {}
    for text, index in sorted(zip(plain, permutation, strict=True), key=lambda pair: pair[1]):
        first.setdefault(text, index)
    return tuple(first[text] for text in plain)


def _core(text: str) -> str:
    """An option's text as it may stand in a sentence: without markup, and without punctuation at its ends."""
    words = text.split()
    if is_plain(text) and "".join(words).isalnum():
        return " ".join(words)
    spelled = " ".join(without_markup(View.of(text)).text.split())
    return spelled.strip(ENDS) or spelled
