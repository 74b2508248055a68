"""The typed prompt: what an item asks, apart from how it is written out.

A `Question` is never one flat string: generators edit the parts that they declare, and options, gold answer, labels and
layout stay structure. A `Layout` says how a Question is written out. Options are tracked by their index in the dataset
(the canonical option), never by letter or text.
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

from .given import check_word, tuple_given

Role = Literal["system", "user", "assistant"]
Markup = Literal["plain", "markdown", "xml", "json", "yaml", "json_line"]
LabelStyle = Literal["A", "a", "1", "i", "I"]
Wrapper = Literal["A.", "A)", "(A)", "[A]", "A:"]
DescriptorCase = Literal["title", "upper", "lower", "none"]
AnswerForm = Literal["label", "number", "text", "none"]
ANSWER_FORMS: tuple[AnswerForm, ...] = get_args(AnswerForm)
SEVERAL = {
    "options": "('yes', 'no')",
    "context": "('A passage.',)",
    "examples": "(Example('1 + 1?', answer='2'),)",
    "history": "(Message('user', 'Hello'),)",
}
"""The parts of a question that are several, each with an example of how it is written."""


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

    def __post_init__(self) -> None:
        """Make tuples of lists, and refuse what is no text, list of parts, or form of an answer.

        Raises:
            TypeError: With the part, what was found and how to write it.
            ValueError: For an answer's form that there is not.
        """
        for name in ("text", "system", "instruction"):
            if not isinstance(value := getattr(self, name), str):
                raise TypeError(f"Question: {name} is {value!r}, of the type {type(value).__name__}; write a text")
        for name, example in SEVERAL.items():
            if type(value := getattr(self, name)) is not tuple:
                object.__setattr__(self, name, tuple_given("Question", name, value, example))
        if self.answer_form not in ANSWER_FORMS:
            check_word("Question", "answer_form", self.answer_form, ANSWER_FORMS)


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

    def __post_init__(self) -> None:
        """Make tuples of lists.

        Raises:
            TypeError: For anything else, with how to write it.
        """
        for name, example in (("options", "(0,)"), ("texts", "('Paris',)")):
            if type(value := getattr(self, name)) is not tuple:
                object.__setattr__(self, name, tuple_given("Gold", name, value, example))


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

    def __post_init__(self) -> None:
        """Make a tuple of a list of patterns.

        Raises:
            TypeError: For anything else, with how to write it.
        """
        if type(self.protect) is not tuple:
            object.__setattr__(
                self, "protect", tuple_given("Subject", "protect", self.protect, "(r'[A-Z]{2}-[0-9]+',)")
            )


def check_subject(subject: Subject) -> None:
    """Refuse a subject whose parts are not what they should be, so that no generator stumbles over them.

    Raises:
        TypeError: With the part and what was found.
        ValueError: For a right option that is none of the question's.
    """
    if not isinstance(subject, Subject):
        raise TypeError(f"a Subject is needed, such as Subject('q1', Question('…')); found {subject!r}")
    question, gold = subject.question, subject.gold
    for name, value, kind in (
        ("item_id", subject.item_id, str),
        ("question", question, Question),
        ("layout", subject.layout, Layout),
        ("gold", gold, Gold),
    ):
        if not isinstance(value, kind):
            raise TypeError(f"Subject: {name} is {value!r}; write a {kind.__name__}")
    for name, values in (("options", question.options), ("context", question.context), ("gold.texts", gold.texts)):
        for each in values:
            if not isinstance(each, str):
                raise TypeError(f"item {subject.item_id!r}: {name} holds {each!r}, which is no text")
    count = len(question.options)
    for option in gold.options:
        if isinstance(option, bool) or not isinstance(option, int) or not 0 <= option < count:
            allowed = f"indices from 0 to {count - 1}" if count else "texts, as the question has no options"
            raise ValueError(f"item {subject.item_id!r}: gold.options holds {option!r}; allowed are {allowed}")
