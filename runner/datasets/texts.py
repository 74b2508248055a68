"""JSON values as the texts that a prompt or an answer holds."""

import re

from pydantic import JsonValue as Json

from .paths import kind_of

# Lone surrogates can't be encoded; NUL is refused by databases and endpoints.
UNSENDABLE = re.compile("[\0\ud800-\udfff]")
EXACT_FLOAT = 2**53


def text_of(value: Json) -> str:
    """Write a scalar as text; 51.0 is `51`, true is `true`.

    Raises:
        ValueError: If it isn't a text, a number, true or false, or can't be sent to a model; the text says what it is.
    """
    if isinstance(value, str):
        return _sendable(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < EXACT_FLOAT else repr(value)
    if isinstance(value, int):
        return str(value)
    raise ValueError(f"{kind_of(value)}, where a text is needed")


def _sendable(text: str) -> str:
    found = UNSENDABLE.search(text)
    if not found:
        return text
    what = "NUL character" if found[0] == "\0" else "lone surrogate, half of a character"
    raise ValueError(f"a text with a {what} ({ascii(found[0])[1:-1]}), which can't be sent")


def is_blank(value: Json) -> bool:
    """Whether a field holds nothing: null, white space, an empty list."""
    return value is None or value == [] or (isinstance(value, str) and not value.strip())


def folded(text: str) -> str:
    """A text without what doesn't tell answers apart: case, and white space at its ends and in runs."""
    return " ".join(text.casefold().split())
