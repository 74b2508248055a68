"""A question that comes as a list of chat messages."""

from dataclasses import dataclass

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_json
from ...perturbations.question import Attachment, Message
from ..problems import RowError, listed, quoted
from .paths import kind_of
from .strict_json import parse_json
from .texts import text_of

ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "gpt": "assistant",
}
"""What the speakers of a conversation are called in the formats in use, and what they are."""
TEXT_PARTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation up to the question.

    Attributes:
        system: The system prompt.
        history: Earlier turns.
        text: The last user turn's text.
        attachments: What else stands in the last user turn, such as images.
    """

    system: str
    history: tuple[Message, ...]
    text: str
    attachments: tuple[Attachment, ...] = ()


def is_chat(value: Json) -> bool:
    """Whether a value is a list of objects with a role (`from` in some formats)."""
    turns = value if isinstance(value, list) else []
    return bool(turns) and all(isinstance(turn, dict) and (turn.keys() & {"role", "from"}) for turn in turns)


def opened_chat(value: Json) -> Json:
    """Open a text that is a conversation written as JSON, as a cell of a table holds one; anything else stays."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        inner = parse_json(value)
    except ValueError:
        return value
    return inner if is_chat(inner) else value


def is_parts(value: Json) -> bool:
    """Whether a value is the content of one message in parts, such as a text and an image."""
    parts = value if isinstance(value, list) else []
    return bool(parts) and all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts)


def read_chat(value: Json) -> Chat:
    """Read messages: at most one system message, first; the last one a user's.

    Raises:
        RowError: If they are otherwise.
    """
    messages = [_message(turn) for turn in value] if isinstance(value, list) else []
    system = messages.pop(0) if messages and messages[0].role == "system" else Message("system", "")
    if any(message.role == "system" for message in messages):
        raise RowError("a system message stands among the other messages; only the first may be one")
    if system.attachments:
        raise RowError("the system message holds more than text; only the other turns may")
    if not messages or messages[-1].role != "user":
        raise RowError(
            "the messages don't end with the user's; there is nothing to answer (where the last one is the right"
            " answer, name the messages in dataset.fields.answer too)"
        )
    last = messages.pop()
    return Chat(system.content, tuple(messages), last.content, last.attachments)


def split_answered(value: Json) -> tuple[Json, Json]:
    """Take the assistant's last turn, which is the right answer, off a conversation.

    Returns:
        The conversation before it, and its text.

    Raises:
        RowError: If the last turn is not the assistant's.
    """
    turns = value if isinstance(value, list) else []
    last = _message(turns[-1]) if turns else None
    if last is None or last.role != "assistant":
        raise RowError("the messages don't end with the assistant's, which would be the right answer")
    return turns[:-1], last.content


def _message(turn: Json) -> Message:
    fields = turn if isinstance(turn, dict) else {}
    name = fields.get("role", fields.get("from"))
    role = ROLES.get(name) if isinstance(name, str) else None
    content = fields.get("content", fields.get("value"))
    if role is None:
        shown = quoted(name) if isinstance(name, str) else kind_of(name)
        raise RowError(f"a message's role is {shown}; system, user and assistant are allowed")
    try:
        text, attachments = _parts(content) if isinstance(content, list) else (text_of(content), ())
    except ValueError as error:
        raise RowError(f"the content of a message is {error}") from error
    return Message(role, text, attachments)  # type: ignore[arg-type] # the roles of the table


def _parts(parts: list[Json]) -> tuple[str, tuple[Attachment, ...]]:
    """The text of a content in parts, and its other parts.

    Texts that follow each other are one, a line each. Where images stand between texts, the last text is the message's,
    and the earlier ones go with the images, unchanged.
    """
    texts = [_text_part(part) for part in parts]
    if not any(text is not None for text in texts):
        raise RowError("a message has no text among its parts, so there is nothing to ask in other words")
    last = max(at for at, text in enumerate(texts) if text is not None)
    first = last
    while first and texts[first - 1] is not None:
        first -= 1
    joined = "\n".join(text for text in texts[first : last + 1] if text is not None)
    before = [Attachment(canonical_json(part), before=True) for part in parts[:first]]
    after = [Attachment(canonical_json(part)) for part in parts[last + 1 :]]
    return joined, (*before, *after)


def _text_part(part: Json) -> str | None:
    """A part's text; None where it is of another kind."""
    if isinstance(part, str):
        return text_of(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        raise RowError(f"a part of a message is {kind_of(part)}, where an object with a `type` is needed")
    if kind not in TEXT_PARTS:
        return None
    if not isinstance(part.get("text"), str):
        raise RowError(f"a text part of a message has no `text`; it has {listed(part)}")
    return text_of(part["text"])
