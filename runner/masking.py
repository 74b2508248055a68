"""The secrets that this process was given, hidden in whatever it prints or logs.

A model is opened with its secrets, and they are kept here from then on. With what the environment holds under telling
names (`OPENAI_API_KEY`, `DB_PASSWORD`), they are taken out of messages, tracebacks and logs. What may be a word of any
message, such as the `EMPTY` that stands for no key, is not.
"""

import os
from collections.abc import Iterable

from pydantic import JsonValue as Json

from .models.redaction import Redactor, is_no_word, lets_in

_kept: set[str] = set()


def keep_secrets(values: Iterable[str]) -> None:
    """Hide these values from now on."""
    _kept.update(values)


def masked(text: str) -> str:
    """The text without any secret that is known by now."""
    telling = (value for name, value in os.environ.items() if lets_in(name))
    return Redactor(filter(is_no_word, (*_kept, *telling)))(text)


def masked_json(value: Json) -> Json:
    """The value with every text in it masked, names too."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {masked(name): masked_json(part) for name, part in value.items()}
    if isinstance(value, list):
        return [masked_json(part) for part in value]
    return value
