"""Chat messages as endpoints take them: a text, or a list of parts where images and the like go with it."""

import json
from collections.abc import Iterable

from pydantic import JsonValue as Json

from ...perturbations.question import Message


def content_of(message: Message) -> Json:
    """A message's text; with attachments, its parts in the order of the data, the text as one of them."""
    if not message.attachments:
        return message.content
    before = [json.loads(each.part) for each in message.attachments if each.before]
    after = [json.loads(each.part) for each in message.attachments if not each.before]
    return [*before, {"type": "text", "text": message.content}, *after]


def as_sent(messages: Iterable[Message]) -> list[dict[str, Json]]:
    """Messages as JSON."""
    return [{"role": message.role, "content": content_of(message)} for message in messages]
