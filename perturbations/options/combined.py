"""Options that name other options by label, such as "Both A and B": rewritten when order or labels change.

Only an option that is nothing but such a reference is rewritten, and only where the labels can't be anything else: it
does not name itself, and the question has no A and B of its own. Otherwise the question keeps its order and labels.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..question import Layout, Question
from ..rendering.labels import answer_key_labels
from .references import NO_ARTICLE, label_references, may_name, patterns

BEFORE = r"(?:(?:both|only|either|neither|all|none|not|answers?|options?|choices?|of|except|but|the)\s+)*"
JOINED = r"\s*(?:,?\s*(?:\band\b|\bor\b|\bnor\b|&)|,)\s*"
CONTRASTED = r"\s*(?:\band\s*/\s*or\b|,?\s*\b(?:(?:and|but)\s+not|without|except|but|plus)\b)\s*"
AFTER = r"(?:\s+(?:only|alone|both|(?:are|is)\s+(?:both\s+)?(?:true|correct|right|false|incorrect|wrong)))?\s*\.?"
SAID = re.compile(
    r"\b(?:both|only|either|neither|all|none|not|answers?|options?|choices?|and|or|nor|alone|are|is)\b|&",
    re.IGNORECASE,
)
"""Words that make a reference of labels; without any of them "B, A, C" may as well be the answer itself."""
NAMED = re.compile(r"\b(?:answers?|options?|choices?)\b", re.IGNORECASE)
CAPITAL_INSIDE = re.compile(r"(?<=[a-z,;]\s)A(?!\w)")
"""A capital A inside a sentence is no article."""
PRONE = r"\b(?i:both|either|neither|only|except)\s+"
WRAPPING = " \t()[].:"


@lru_cache(maxsize=256)
def whole(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Compile the form of an option that consists of labels and of words that combine them."""
    one = rf"[(\[]?{patterns(labels).one.pattern}[)\]]?"
    return re.compile(rf"\s*(?i:{BEFORE}){one}(?:(?i:{JOINED}){one})*(?i:{AFTER})\s*")


@lru_cache(maxsize=256)
def partial(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Compile the signs of a reference inside other words."""
    one = rf"[(\[]?{patterns(labels).one.pattern}[)\]]?"
    ways = (
        rf"{PRONE}{one}{NO_ARTICLE}",
        rf"^\s*{one}(?i:{JOINED}|{CONTRASTED}){one}",
        rf"^\s*{one}\s*/\s*{one}\s+(?i:only|both)\b",
        rf"\b(?i:same\s+as|as\s+in|like)\s+(?i:in\s+)?{one}\s*\.?\s*$",
    )
    return re.compile("|".join(ways))


def combines(option: str, labels: tuple[str, ...]) -> bool:
    """Whether an option is nothing but a reference to options by their labels, in capitals or not."""
    if not may_name(option, labels) or not SAID.search(option):
        return False
    return any(whole(cased).fullmatch(option) for cased in both_cases(labels))


@lru_cache(maxsize=256)
def both_cases(labels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Give the labels as they are, and in the other case where they have one."""
    other = tuple(label.swapcase() for label in labels)
    return (labels,) if other == labels else (labels, other)


def named(option: str, labels: tuple[str, ...]) -> list[str]:
    """Give the labels that a reference names, in the case in which they are shown."""
    for cased in both_cases(labels):
        if whole(cased).fullmatch(option):
            return [labels[cased.index(label)] for label in patterns(cased).one.findall(option)]
    return []


@dataclass(frozen=True, slots=True)
class Combination:
    """What a reference says.

    Attributes:
        words: The option with a gap for each label.
        places: Positions of the options that it names.
    """

    words: str
    places: frozenset[int]


def combination(option: str, labels: tuple[str, ...]) -> Combination | None:
    """Read an option as a reference to options by these labels; None where it is none."""
    if not combines(option, labels):
        return None
    cased = next(cased for cased in both_cases(labels) if whole(cased).fullmatch(option))
    one = patterns(cased).one
    return Combination(one.sub("_", option), frozenset(cased.index(label) for label in one.findall(option)))


def rewritten(option: str, labels: tuple[str, ...], renamed: Mapping[str, str], order: Sequence[str]) -> str:
    """Write a reference in the new labels, those of one option in the order in which they are shown.

    Args:
        option: The option; returned as it is unless it is a reference.
        labels: The labels that it is written in.
        renamed: New label of each.
        order: The new labels in the order shown.
    """
    if not combines(option, labels):
        return option
    new = sorted((renamed[label] for label in named(option, labels)), key=list(order).index)
    if whole(labels).fullmatch(option):
        return replaced(option, labels, new)
    return replaced(option, both_cases(labels)[1], [label.swapcase() for label in new])


def replaced(option: str, labels: tuple[str, ...], new: Iterable[str]) -> str:
    """Put new labels in the place of those in an option, one after the other."""
    following = iter(new)
    return patterns(labels).one.sub(lambda _: next(following), option)


def combination_unclear(question: Question, layout: Layout) -> str:
    """Say which option may or may not name others by label; empty where that is plain for all."""
    labels = answer_key_labels(question, layout)
    folded = {label.casefold() for label in labels}
    for own, option in zip(labels, question.options, strict=True):
        if option.strip(WRAPPING).casefold() in folded:
            return f"an option's text is itself a label: {option!r}"
        if combines(option, labels):
            if doubt := doubted(question, option, own, labels):
                return f"the option {option!r} {doubt}"
        elif hints(option, labels):
            return f"an option may name others by label: {option!r}"
    return ""


def doubted(question: Question, option: str, own: str, labels: tuple[str, ...]) -> str:
    """Say why labels in an option may be something else; empty where they can't."""
    spoken = named(option, labels)
    if own in spoken:
        return "names itself, so its letters may be something else"
    texts = (question.text, *question.context)
    words = {word for label in spoken for word in (label, label.swapcase())}
    if not NAMED.search(option) and any(stands_in(word, text) for word in words for text in texts):
        return "names letters that the question uses too"
    return ""


def stands_in(label: str, text: str) -> bool:
    """Whether a label stands in a text as a word of its own; an article or a pronoun before a word does not count."""
    if label == "A" and CAPITAL_INSIDE.search(text):
        return True
    follows = r"(?!\s+\w)" if label in {"A", "a", "I", "i"} else ""
    return bool(re.search(rf"(?<![\w'’]){re.escape(label)}(?!\w){follows}", text))


def hints(option: str, labels: tuple[str, ...]) -> bool:
    """Whether an option has signs of a reference that is not plain enough to be rewritten."""
    if not may_name(option, labels):
        return False
    return any(
        whole(cased).fullmatch(option) or partial(cased).search(option) or label_references(option, cased)
        for cased in both_cases(labels)
    )
