"""A question that comes as a list of chat messages."""

from dataclasses import dataclass

from pydantic import JsonValue as Json

from ...perturbations.question import Message
from ..problems import RowError, quoted
from .paths import kind_of
from .texts import text_of


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation up to the question: system prompt, earlier turns, and the last user turn's text."""

    system: str
    history: tuple[Message, ...]
    text: str


def is_chat(value: Json) -> bool:
    """Whether a value is a list of objects with a role."""
    return isinstance(value, list) and bool(value) and all(isinstance(turn, dict) and "role" in turn for turn in value)


def read_chat(value: Json) -> Chat:
    """Read messages: at most one system message, first; the last one a user's.

    Raises:
        RowError: If they are otherwise, or hold more than text.
    """
    messages = [_message(turn) for turn in value] if isinstance(value, list) else []
    system = messages.pop(0).content if messages and messages[0].role == "system" else ""
    if any(message.role == "system" for message in messages):
        raise RowError("a system message stands among the other messages; only the first may be one")
    if not messages or messages[-1].role != "user":
        raise RowError("the messages don't end with the user's; there is nothing to answer")
    return Chat(system, tuple(messages[:-1]), messages[-1].content)


def _message(turn: Json) -> Message:
    fields = turn if isinstance(turn, dict) else {}
    try:
        content = text_of(fields.get("content"))
    except ValueError as error:
        raise RowError(f"the content of a message is {error}") from error
    match fields.get("role"):
        case "system" | "developer":
            return Message("system", content)
        case "user":
            return Message("user", content)
        case "assistant":
            return Message("assistant", content)
        case role:
            shown = quoted(role) if isinstance(role, str) else kind_of(role)
            raise RowError(f"a message's role is {shown}; system, user and assistant are allowed")
