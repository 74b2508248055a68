"""Options that name other options by label, such as "Both A and B": rewritten when order or labels change.

Only an option that is nothing but such a reference is rewritten, and only where the labels can't be anything else: it
does not name itself, and the question has no A and B of its own. Otherwise the question keeps its order and labels.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from .labels import answer_key_labels
from .question import Layout, Question
from .references import label_references, patterns

BEFORE = r"(?:(?:both|only|either|neither|all|none|not|answers?|options?|choices?|of|except|but|the)\s+)*"
JOINED = r"\s*(?:,?\s*(?:\band\b|\bor\b|\bnor\b|&)|,)\s*"
AFTER = r"(?:\s+(?:only|alone|both|(?:are|is)\s+(?:both\s+)?(?:true|correct|right|false|incorrect|wrong)))?\s*\.?"
SAID = re.compile(
    r"\b(?:both|only|either|neither|all|none|not|answers?|options?|choices?|and|or|nor|alone|are|is)\b|&",
    re.IGNORECASE,
)
"""Words that make a reference of labels; without any of them "B, A, C" may as well be the answer itself."""
NAMED = re.compile(r"\b(?:answers?|options?|choices?)\b", re.IGNORECASE)
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
    return re.compile(rf"{PRONE}{one}|^\s*{one}(?i:{JOINED}){one}")


def combines(option: str, labels: tuple[str, ...]) -> bool:
    """Whether an option is nothing but a reference to options by their labels."""
    return bool(labels and whole(labels).fullmatch(option) and SAID.search(option))


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
    one = patterns(labels).one
    new = iter(sorted((renamed[label] for label in one.findall(option)), key=list(order).index))
    return one.sub(lambda _: next(new), option)


def combination_unclear(question: Question, layout: Layout) -> str:
    """Say which option may or may not name others by label; empty where that is plain for all."""
    labels = answer_key_labels(question, layout)
    for own, option in zip(labels, question.options, strict=True):
        if option.strip(WRAPPING).casefold() in {label.casefold() for label in labels}:
            return f"an option's text is itself a label: {option!r}"
        if combines(option, labels):
            if doubt := doubted(question, option, own, labels):
                return f"the option {option!r} {doubt}"
        elif hints(option, labels):
            return f"an option may name others by label: {option!r}"
    return ""


def doubted(question: Question, option: str, own: str, labels: tuple[str, ...]) -> str:
    """Say why labels in an option may be something else; empty where they can't."""
    named = patterns(labels).one.findall(option)
    if own in named:
        return "names itself, so its letters may be something else"
    texts = (question.text, *question.context)
    if not NAMED.search(option) and any(stands_in(label, text) for label in named for text in texts):
        return "names letters that the question uses too"
    return ""


def stands_in(label: str, text: str) -> bool:
    """Whether a label stands in a text as a word of its own; an article or a pronoun before a word does not count."""
    word = r"(?!\s+[^\W\d_])" if label in {"A", "a", "I", "i"} else ""
    return bool(re.search(rf"(?<!\w){re.escape(label)}(?!\w){word}", text))


def hints(option: str, labels: tuple[str, ...]) -> bool:
    """Whether an option has signs of a reference that is not plain enough to be rewritten."""
    if not labels:
        return False
    other_case = tuple(label.swapcase() for label in labels if label.swapcase() != label)
    listed = whole(labels).fullmatch(option)
    return bool(listed or partial(labels).search(option) or label_references(option, labels)) or (
        bool(other_case) and combines(option, other_case)
    )
