"""The vocabulary of a run: frozen values that pass from stage to stage. No I/O here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue as Json

from ..perturbations.question import Attachment, Gold, Message, Question

Status = Literal["graded", "unparsed", "truncated", "refused", "error", "judge_error"]
ErrorKind = Literal[
    "timeout",  # no answer in time, in any attempt
    "connection",  # the connection failed or broke off
    "rate_limit",  # still 429 after the last attempt
    "server",  # still 5xx after the last attempt
    "bad_response",  # an answer that is not what the protocol promises (malformed JSON, no choices)
    "bad_request",  # 4xx: asking again would not help
    "callable",  # the user's own callable raised
]

CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
"""Finish reasons, in lower case, of replies that end too early."""
FILTERED = frozenset({"content_filter", "content_filtered", "safety", "refusal", "prohibited_content", "blocklist"})
"""Finish reasons, in lower case, of replies that the endpoint kept back."""


@dataclass(frozen=True, slots=True)
class Item:
    """One dataset row: a Question and its gold answer.

    Attributes:
        id: Unique in its dataset; the row's 1-based number where the data has none.
        question: The typed prompt.
        gold: What counts as right.
        cluster: What the item belongs to (source document, topic); empty where not given.
        row: The row as loaded, for the user's own graders and templates.
        number: 1-based row in the dataset's file, for messages.
        file: That file, as messages name it; empty where it is the dataset's only one.
        attachments: Images and the like that go with the question, always unchanged.
    """

    id: str
    question: Question
    gold: Gold
    cluster: str = ""
    row: Mapping[str, Json] = field(default_factory=dict)
    number: int = 0
    file: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model: rendered messages and the parameters passed on."""

    messages: tuple[Message, ...]
    params: Mapping[str, Json] = field(default_factory=dict)
    item_id: str = ""
    condition: str = ""
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class ReplyError:
    """Why a call has no answer; `message` carries no secret."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model returned, or why it returned nothing.

    Attributes:
        text: The answer's text; empty where there is none.
        finish_reason: `stop`, `length`, `content_filter` or what else the endpoint said; empty if it said nothing.
        refusal: The endpoint's own refusal text; empty where it did not refuse.
        reasoning: The reasoning that came in a field of its own; empty where there is none.
        model: The model name that the endpoint resolved.
        prompt_tokens: Tokens in, None where unsaid.
        completion_tokens: Tokens out, None where unsaid.
        latency_s: Seconds of the attempt that answered.
        attempts: How many times it was asked.
        error: Set where there is no answer.
        fingerprint: What the endpoint said of the machinery behind the reply (`system_fingerprint`); empty where it
            said nothing.
    """

    text: str = ""
    finish_reason: str = ""
    refusal: str = ""
    reasoning: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_s: float = 0.0
    attempts: int = 1
    error: ReplyError | None = None
    fingerprint: str = ""

    @property
    def says_no_tokens(self) -> bool:
        """Whether it is an answer that does not say what it took."""
        return self.error is None and (self.prompt_tokens is None or self.completion_tokens is None)


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What a grader may know of a question as it was shown.

    Attributes:
        item: The item, with its gold answer.
        labels: Option labels in the order shown, bare: `A`, `B`; empty where there are no options.
        options: Option texts in the order shown.
        permutation: `permutation[shown position]` is the canonical option index.
    """

    item: Item
    labels: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    permutation: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """The reading of one Reply.

    Attributes:
        passed: True, False, or None where nothing could be judged (`error`, `judge_error`).
        status: How it was judged; everything but `graded` is counted apart.
        extracted: What was read as the answer, as it stands in the reply; None where nothing was.
        answer: Its canonical form, comparable across conditions: the canonical option index as text, the number, the
            folded text; None where nothing was read.
        reason: Why it is not `graded`; or what is wrong with a wrong answer, where that is not plain from its text.
        span: Where `extracted` stands in the reply's text, as code-point offsets.
    """

    passed: bool | None
    status: Status
    extracted: str | None = None
    answer: str | None = None
    reason: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """Item × condition × repeat: one call to make.

    `key` is a hash of all that decides the reply, so equal work has an equal key; `sample` tells repeats of the same
    messages apart (the rerun condition asks the original again, as a further sample). `variant` is the position of its
    variant among all variants of the run's items, asked or not, from 0.
    """

    key: str
    variant: int
    item_id: str
    condition: str
    repeat: int
    sample: int
    messages: tuple[Message, ...]
    answer_key: AnswerKey
