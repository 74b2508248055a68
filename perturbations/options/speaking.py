"""Why a question's options must keep their order, or their labels: its own texts speak of them."""

from collections.abc import Iterator

from ..question import Layout, Question
from ..rendering.closing import LABELS_FIELD
from ..rendering.labels import answer_key_labels
from .references import PLACE, Reference, label_references


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
    """Say which words fix the labels of the options: any that name one."""
    return named_labels(question, answer_key_labels(question, layout))


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
