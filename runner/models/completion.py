"""The body of a chat completion, read for what it says and not for what it promises."""

import json

from pydantic import JsonValue as Json

from ..records import Reply
from .failure import FailedAttempt
from .fast_json import decoded
from .status import HttpAnswer, one_line, page_title

BOM = "\ufeff"
REASONING_PARTS = frozenset({"reasoning", "thinking"})
MOST_TOKENS = (1 << 31) - 1
"""What the store's columns hold; no call takes as many, so an endpoint that says more says nothing."""


def parse_json(text: str, source: str, content_type: str = "") -> Json:
    """Parse the body of a success.

    Args:
        text: The body.
        source: Who sent it, for the message.
        content_type: What the response calls it, for the message.

    Raises:
        FailedAttempt: It is no JSON.
    """
    try:
        value: Json = json.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError) as error:
        raise malformed(f"{source} sent {_instead_of_json(text, error, content_type)}") from None
    return value


def parse_object(text: str, source: str, content_type: str = "") -> dict[str, Json]:
    """Parse the body of a success, which has to be a JSON object.

    Raises:
        FailedAttempt: It is none.
    """
    return _object(parse_json(text, source, content_type), source)


def read_object(answer: HttpAnswer, source: str) -> dict[str, Json]:
    """Read the body of a success, which has to be a JSON object, the fast way where that is possible.

    Raises:
        FailedAttempt: It is none.
    """
    try:
        value = decoded(answer.body)
    except ValueError:
        return parse_object(answer.text, source, answer.content_type)
    return _object(value, source)


def _object(value: Json, source: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise malformed(f"{source} sent JSON that is no object")
    return value


def _instead_of_json(text: str, error: Exception, content_type: str) -> str:
    if not text.strip():
        return "an empty body"
    if content_type.startswith("text/event-stream"):
        return "a stream of events, though none was asked for, instead of JSON"
    if text.lstrip().startswith("<"):
        return f"{one_line(page_title(text))} instead of JSON"
    kind = "" if "json" in content_type or not content_type else f"of the type {one_line(content_type)} "
    return f"a body {kind}that is no JSON ({error})"


def malformed(message: str, *, again: bool = True) -> FailedAttempt:
    """The failure of a response that is not what the protocol promises."""
    return FailedAttempt("bad_response", message, again=again)


def read_completion(body: dict[str, Json], source: str) -> Reply:
    """Read the first choice of a chat completion.

    Args:
        body: The response.
        source: Who sent it, for messages.

    Raises:
        FailedAttempt: There is no choice, no message in it, or content that is neither text, parts nor null.
    """
    choice = _first_choice(body, source)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise malformed(f"{source} sent a choice without a message")
    content = message.get("content")
    text, refusal, reasoning = (content, "", "") if isinstance(content, str) else _joined_parts(content, source)
    usage = body.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    return Reply(
        text=text,
        finish_reason=_text(choice.get("finish_reason")),
        refusal=_text(message.get("refusal")) or refusal,
        reasoning=_text(message.get("reasoning_content") or message.get("reasoning")) or reasoning,
        model=_text(body.get("model")),
        prompt_tokens=_count(tokens.get("prompt_tokens")),
        completion_tokens=_count(tokens.get("completion_tokens")),
        fingerprint=_text(body.get("system_fingerprint")),
    )


def _first_choice(body: dict[str, Json], source: str) -> dict[str, Json]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        shown = "no `choices`" if "choices" not in body else f"`choices: {json.dumps(choices)[:40]}`"
        raise malformed(f"{source} sent {shown}, so there is no answer in it")
    if not isinstance(choices[0], dict):
        raise malformed(f"{source} sent a choice that is no object")
    return choices[0]


def _joined_parts(content: Json, source: str) -> tuple[str, str, str]:
    """Text, refusal and reasoning of content in parts; null is no part."""
    if content is None:
        return "", "", ""
    if not isinstance(content, list):
        raise malformed(f"{source} sent a message whose content is neither text, a list of parts nor null")
    parts = [_part(part) for part in content]
    return _joined(parts, "text"), _joined(parts, "refusal"), _joined(parts, "reasoning")


def _part(part: Json) -> tuple[str, str]:
    if not isinstance(part, dict):
        return "text", _text(part)
    kind = _text(part.get("type")) or "text"
    value = part.get(kind, part.get("text"))
    if isinstance(value, list):
        value = "".join(_part(inner)[1] for inner in value)
    return "reasoning" if kind in REASONING_PARTS else kind, _text(value)


def _joined(parts: list[tuple[str, str]], kind: str) -> str:
    return "".join(text for part_kind, text in parts if part_kind == kind)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None
