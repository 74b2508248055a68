"""Which label styles a question can be shown with: its texts may name labels, or look like some."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ..question import LabelStyle, Layout, Question
from ..rendering.labels import answer_key_labels, option_labels
from .combined import combination_unclear, combines, hints
from .references import label_references
from .speaking import labels_bound, named_labels, texts

STYLES: tuple[LabelStyle, ...] = ("A", "a", "1", "i", "I")
LOOKALIKES: dict[LabelStyle, tuple[LabelStyle, ...]] = {
    "A": ("A", "a"),
    "a": ("a", "A"),
    "1": ("1",),
    "i": ("i", "I"),
    "I": ("I", "i"),
}
LIKE_LABELS: dict[LabelStyle, re.Pattern[str]] = {
    "A": re.compile(r"[A-Za-z]"),
    "a": re.compile(r"[A-Za-z]"),
    "1": re.compile(r"[+\-−]?\d[\d.,]*"),
    "i": re.compile(r"[IVXivx]+"),
    "I": re.compile(r"[IVXivx]+"),
}
"""Options that look like a label of the style themselves."""
NUMERALS = re.compile(r"\b(?:III?|IV|VI{0,3}|IX|XI{0,2})\b")
NAMED_KINDS: tuple[tuple[re.Pattern[str], tuple[LabelStyle, ...]], ...] = (
    (re.compile(r"\bletters?\b", re.IGNORECASE), ("A", "a")),
    (re.compile(r"\bnumbers? of\b", re.IGNORECASE), ("1",)),
    (re.compile(r"\bnumerals?\b", re.IGNORECASE), ("i", "I")),
)
"""What an instruction may call the labels, and the styles that this is true of."""
WRAPPING = " \t()[].:"


def relabel_blocked(question: Question, layout: Layout) -> str:
    """Say why a question's labels can't be others at all; empty where they can."""
    if not question.options:
        return "no options"
    return (
        labels_bound(question, layout)
        or combination_unclear(question, layout)
        or examples_bound(question, layout.labels)
    )


@lru_cache(maxsize=64)
def usable_styles(question: Question, layout: Layout) -> tuple[LabelStyle, ...]:
    """Give the label styles that a question can be shown with, its present one among them."""
    if relabel_blocked(question, layout):
        return (layout.labels,)
    allowed = called_styles(question)
    return tuple(
        style
        for style in STYLES
        if style == layout.labels or (style in allowed and not any(clashes(question, layout, style)))
    )


def called_styles(question: Question) -> set[LabelStyle]:
    """Give the styles that fit what the instructions call the labels, such as "the letter"."""
    task = " ".join(text for _, text, is_task in texts(question) if is_task)
    allowed = set(STYLES)
    for word, styles in NAMED_KINDS:
        if word.search(task):
            allowed &= set(styles)
    return allowed


def clashes(question: Question, layout: Layout, style: LabelStyle) -> Iterator[bool]:
    """Check, one by one, what would make new labels ambiguous; options that are rewritten for them can't."""
    present = answer_key_labels(question, layout)
    options = [option for option in question.options if not combines(option, present)]
    yield any(LIKE_LABELS[style].fullmatch(option.strip(WRAPPING)) for option in options)
    yield style in {"i", "I"} and any(NUMERALS.search(text) for text in (question.text, *question.context, *options))
    for other in LOOKALIKES[style]:
        labels = option_labels(other, len(question.options))
        yield bool(named_labels(question, labels))
        yield any(hints(option, labels) or combines(option, labels) for option in options)
        yield bool(examples_bound(question, other))


def examples_bound(question: Question, style: LabelStyle) -> str:
    """Say that an example names labels itself, where they are not rewritten; empty where none does.

    An example whose options stand inside its text, or whose answer is a text such as "(B)", shows the labels of the
    question's options.
    """
    for example in question.examples:
        labels = option_labels(style, len(example.options))
        if any(hints(option, labels) or combines(option, labels) for option in example.options):
            return "an option of an example names others by label"
        labels = labels or option_labels(style, len(question.options))
        if references := label_references(example.text, labels):
            return f"an example names an option's label: {references[0].text!r}"
        if isinstance(example.answer, str) and names_label(example.answer, labels):
            return f"the answer of an example names a label: {example.answer!r}"
    return ""


def names_label(answer: str, labels: tuple[str, ...]) -> bool:
    """Whether a text answer is a label, or names one."""
    return answer.strip(WRAPPING) in labels or bool(label_references(answer, labels, task=True))
