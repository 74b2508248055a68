"""The closing line of a prompt: how the answer is to be given, in the labels that are in use."""

from ..question import Layout, Question
from .labels import answer_key_labels, enumerated, label_noun, label_range

NUMBER_LINE = 'Finish with a line of its own that reads "Answer: <number>".'
TEXT_LINE = "Give only the answer itself, in as few words as possible."
LABELS_FIELD = "{labels}"
RANGE_FIELD = "{label_range}"


def closing_line(question: Question, layout: Layout) -> str:
    """Write how the answer is to be given; empty where nothing is to be said.

    The user's own `answer_instruction` is taken verbatim, with `{labels}` (A, B, C or D) and `{label_range}` (A to D)
    filled. Otherwise the line follows from `answer_form` and the labels as shown.
    """
    labels = answer_key_labels(question, layout)
    if question.answer_instruction is not None:
        listed, ranged = enumerated(labels), label_range(labels)
        return question.answer_instruction.replace(LABELS_FIELD, listed).replace(RANGE_FIELD, ranged)
    match question.answer_form:
        case "label":
            return label_line(layout, labels)
        case "number":
            return NUMBER_LINE
        case "text":
            return TEXT_LINE
        case "none":
            return ""


def label_line(layout: Layout, labels: tuple[str, ...]) -> str:
    """Ask for a label, naming the first and the last in use; empty where there are none.

    Small models repeat a list of all labels instead of choosing one of them.
    """
    if not labels:
        return ""
    noun = label_noun(layout.labels, len(labels))
    return f"Answer with the {noun} of the correct option, {label_range(labels)}."
