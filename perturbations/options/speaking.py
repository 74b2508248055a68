"""Why a question's options must keep their order, or their labels: its own texts speak of them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ..question import Layout, Question
from ..rendering.closing import LABELS_FIELD
from ..rendering.labels import answer_key_labels
from .references import NO_ARTICLE, PLACE, Reference, label_references, patterns


def order_bound(question: Question, layout: Layout) -> str:
    """Say which words fix the order of the options: a label named for its option, or a place among them.

    Words that name every label, such as "answer with A, B, C or D", hold in any order.
    """
    labels = frozenset(answer_key_labels(question, layout))
    for part, text, task in texts(question):
        if place := PLACE.search(text):
            return f"{part} speaks of an option by its place: {place[0]!r}"
        for reference in label_references(text, answer_key_labels(question, layout), task=task):
            if reference.labels != labels:
                return spoken(part, reference)
    return ""


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
    return re.compile(rf"{patterns(labels).one.pattern}(?!:){NO_ARTICLE}{together}")


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
