"""Why a question's options must keep their order, or their labels: its own texts speak of them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ..question import Layout, Question
from ..rendering.closing import LABELS_FIELD
from ..rendering.labels import answer_key_labels, option_labels
from .references import NO_ARTICLE, PLACE, Reference, label_references, patterns

MOST_NAMED = 26
"""So many labels an instruction may name."""


def order_bound(question: Question, layout: Layout) -> str:
    """Say which words fix the order of the options: a label named for its option, or a place among them.

    Words that name every label, such as "answer with A, B, C or D", hold in any order; so do those that name more than
    this question has, as an instruction for questions of several lengths does.
    """
    labels = answer_key_labels(question, layout)
    for part, text, task in texts(question):
        if place := PLACE.search(text):
            return f"{part} speaks of an option by its place: {place[0]!r}"
        for reference in label_references(text, labels, task=task):
            if reference.labels != frozenset(labels) and not (task and names_more(reference, text, labels, layout)):
                return spoken(part, reference)
    return ""


def names_more(reference: Reference, text: str, labels: tuple[str, ...], layout: Layout) -> bool:
    """Whether a reference goes on beyond the last label, so that it names all there are and more: "A-E" of A to D."""
    beyond = option_labels(layout.labels, max(MOST_NAMED, len(labels)))
    return any(
        reference.text in wider.text and wider.labels >= frozenset(labels) for wider in label_references(text, beyond)
    )


def labels_bound(question: Question, layout: Layout) -> str:
    """Say which words fix the labels of the options: any that name one.

    Words that tell how to answer do so in any case, and in passing: "e.g. B", "from A to E", "one of ABCD".
    """
    labels = answer_key_labels(question, layout)
    if reason := named_labels(question, labels):
        return reason
    for part, text, task in texts(question):
        if task and labels and (found := asked_labels(text, labels)):
            return spoken(part, found)
    return ""


def asked_labels(text: str, labels: tuple[str, ...]) -> Reference | None:
    """Find a label that an instruction names in another case, alone or run together with others; None without any."""
    other = tuple(label.swapcase() for label in labels)
    if references := label_references(text, other, task=True):
        return references[0]
    match = alone_or_together(labels).search(text)
    return Reference(match[0], frozenset(labels)) if match else None


@lru_cache(maxsize=256)
def alone_or_together(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Compile what finds a label by itself, articles and "A:" for an answer aside, and the first three in one word."""
    together = rf"|(?<!\w){re.escape(''.join(labels[:3]))}\w*" if len(labels) > 2 else ""
    return re.compile(rf"{patterns(labels).one.pattern}(?![:'’]){NO_ARTICLE}{together}")


def named_labels(question: Question, labels: tuple[str, ...]) -> str:
    """Say which words outside the options name one of these labels."""
    for part, text, task in texts(question):
        for reference in label_references(text, labels, task=task):
            return spoken(part, reference)
    return ""


def spoken(part: str, reference: Reference) -> str:
    """Write the reason."""
    return f"{part} names an option's label: {reference.text!r}"


def texts(question: Question) -> Iterator[tuple[str, str, bool]]:
    """Give all texts around the options by name, and whether each tells how to answer."""
    yield "the question", question.text, False
    yield "the instruction", question.instruction, True
    yield "the system prompt", question.system, True
    yield "the answer instruction", (question.answer_instruction or "").replace(LABELS_FIELD, ""), True
    yield "the template", question.template or "", True
    yield from (("a passage", passage, False) for passage in question.context)
    yield from (("an earlier turn", message.content, False) for message in question.history)
