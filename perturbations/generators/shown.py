"""The text parts of a question that reach the model."""

from collections.abc import Iterable

from ..protection.blocks import block_spans
from ..protection.parts import text_parts
from ..question import Question
from ..rendering.template import FIELD, FIELDS

FIELD_OF = {"text": "question", "instruction": "instruction", "context": "context"}
"""The field of a user's own template that shows a part; the system prompt is a message of its own."""


def shown_parts(question: Question, names: Iterable[str]) -> dict[str, str]:
    """Give the named parts by path, without those that are empty or that the user's own template leaves out."""
    parts = text_parts(question, (name for name in names if is_shown(question, name)))
    return {path: text for path, text in parts.items() if text.strip()}


def is_shown(question: Question, name: str) -> bool:
    """Say whether a part reaches the model."""
    if question.template is None or name not in FIELD_OF:
        return True
    used = {FIELDS.get(match[2] or "") for match in FIELD.finditer(question.template)}
    return FIELD_OF[name] in used


def begins_with_code(text: str) -> bool:
    """Say whether nothing but white space stands before the first code of a text."""
    return any(span.kind == "code" and not text[: span.start].strip() for span in block_spans(text))
