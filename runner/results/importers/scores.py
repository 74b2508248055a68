"""Scores as other tools write them, as numbers; and which of them are a pass."""

import math
from collections.abc import Iterable

from ...problems import quoted

Value = float | str | None
"""A score: a number, a text that can't be read as one, or None where there is none."""

WORDS = {
    **dict.fromkeys(("true", "pass", "passed", "yes", "correct"), 1.0),
    **dict.fromkeys(("false", "fail", "failed", "no", "incorrect"), 0.0),
}


def as_number(value: object) -> Value:
    """Read a score: true and false, a number, a word for right or wrong; NaN and an empty text are no score."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, str):
        return _word(value.strip())
    return None if value is None else quoted(value)


def _word(text: str) -> Value:
    if not text:
        return None
    if text.casefold() in WORDS:
        return WORDS[text.casefold()]
    try:
        return as_number(float(text))
    except ValueError:
        return text


def passed(value: Value, threshold: float | None) -> bool | None:
    """Whether a score passes: 1 and 0, or any number by the threshold that it must reach.

    Raises:
        ValueError: It is neither.
    """
    if value is None:
        return None
    if isinstance(value, str) or (threshold is None and value not in {0.0, 1.0}):
        raise ValueError(shown(value))
    return value >= (1.0 if threshold is None else threshold)


def shown(value: float | str) -> str:
    """A score as messages show it."""
    return quoted(value) if isinstance(value, str) else f"{value:g}"


def numbers(values: Iterable[Value]) -> list[float]:
    """Those scores that are numbers."""
    return [value for value in values if isinstance(value, float)]
