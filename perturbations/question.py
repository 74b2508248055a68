"""The typed prompt: what an item asks, apart from how it is written out.

A `Question` is never one flat string: generators edit the parts that they declare, and options, gold answer, labels and
layout stay structure. A `Layout` says how a Question is written out. Options are tracked by their index in the dataset
(the canonical option), never by letter or text.
"""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["system", "user", "assistant"]
Markup = Literal["plain", "markdown", "xml", "json", "yaml", "json_line"]
LabelStyle = Literal["A", "a", "1", "i", "I"]
Wrapper = Literal["A.", "A)", "(A)", "[A]", "A:"]
DescriptorCase = Literal["title", "upper", "lower", "none"]
AnswerForm = Literal["label", "number", "text", "none"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part of a chat message that is no text to be reworded, such as an image; it is sent as the data has it.

    Attributes:
        part: Canonical JSON of the part, as OpenAI-compatible chat endpoints take it.
        before: Whether it stands before the message's text.
    """

    part: str
    before: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, as it is sent to a model: its text, and what goes with it unchanged."""

    role: Role
    content: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One worked (few-shot) example; `answer` is an index into `options` where there are options, else the text."""

    text: str
    options: tuple[str, ...] = ()
    answer: int | str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of one prompt, in the order in which they are written out.

    Attributes:
        text: What the item asks; the last user turn where there is a history.
        options: Option texts in the order shown; empty where the answer is free.
        system: System prompt, sent as a message of its own.
        instruction: The task in words, above the question.
        context: Passages that the question refers to.
        examples: Few-shot examples.
        history: Earlier turns of the conversation.
        answer_form: What the closing line asks for: the label of an option, a number, a text, or nothing at all.
        answer_instruction: The user's own closing line, used verbatim instead of the one derived from `answer_form` and
            the labels in use. `{labels}` in it stands for the labels as shown, `{label_range}` for the first and
            the last; each is filled once.
        template: The user's own text for the whole user message, with the fields `{instruction}`, `{context}`,
            `{examples}`, `{question}`, `{options}`, `{answer_instruction}`; None writes the parts out by the layout.
    """

    text: str
    options: tuple[str, ...] = ()
    system: str = ""
    instruction: str = ""
    context: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    history: tuple[Message, ...] = ()
    answer_form: AnswerForm = "text"
    answer_instruction: str | None = None
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a Question is written out.

    Attributes:
        markup: Plain text, Markdown, XML, JSON or YAML; `json_line` is JSON in one line, its keys shortened.
        labels: The first label of the option labels: A B C, a b c, 1 2 3, i ii iii, I II III.
        wrapper: How a label is written before its option, shown on the label A.
        option_separator: Text between two options.
        descriptor_case: Casing of field names such as "Question"; "none" leaves them out.
        descriptor_separator: Text between a field's name and its content.
        field_separator: Text between two fields.
    """

    markup: Markup = "plain"
    labels: LabelStyle = "A"
    wrapper: Wrapper = "A."
    option_separator: str = "\n"
    descriptor_case: DescriptorCase = "title"
    descriptor_separator: str = ": "
    field_separator: str = "\n\n"


@dataclass(frozen=True, slots=True)
class Gold:
    """What counts as right: canonical option indices, or accepted answer texts. Either may hold several."""

    options: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What a generator is given: one item's question under the baseline layout, its gold answer, what to protect.

    Attributes:
        item_id: The item's id in its dataset; every random draw depends on it.
        question: The original question; its options are in canonical order.
        layout: The baseline layout.
        gold: What counts as right. Generators use it to protect and to balance, never to write.
        protect: The user's own regular expressions for text that must not change.
    """

    item_id: str
    question: Question
    layout: Layout = field(default_factory=Layout)
    gold: Gold = field(default_factory=Gold)
    protect: tuple[str, ...] = ()
