"""The JSON value that a reply gives: the whole reply, or the last complete object or array in it, never repaired."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import JsonValue as Json

from ..datasets.strict_json import DECODER
from .patterns import Pattern
from .text import blank_fences, blank_reasoning

Kind = Literal["object", "array"]

_BRACKETS: dict[str, Kind] = {"{": "object", "[": "array"}
_CLOSING = {"}": "{", "]": "["}
_BRACKET = Pattern(lambda: r"[{}\[\]]")
_OPENING = Pattern(lambda: r"[{\[]")
_MEANT = Pattern(lambda: r"\{\s*(?:[\"'}]|[\w-]+\s*:)|\[\s*[\"'{\[]")
"""How a bracket goes on that begins JSON, or what was meant to be JSON; others are prose, such as `[sic]`."""
_BEGUN = Pattern(lambda: r"\{\s*[\"}]|\[\s*[]\[{\"\dtfnNI-]")
"""How JSON begins; all else needs no look."""
_LENIENT = json.JSONDecoder()
_NEAR = 4_096
"""Characters in which most values end, or are found to be none."""
_TOKEN = 64
"""Characters that a word, an escape or the digits of a number may be cut within."""


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value in a reply.

    Attributes:
        value: The value; meaningless where there is a `reason`.
        span: Where it stands in the reply; None where there is none.
        closed: Whether the reply begins with it and more text could not be part of it.
        reason: Why there is no value; empty otherwise.
    """

    value: Json = None
    span: tuple[int, int] | None = None
    closed: bool = False
    reason: str = ""


def find_json(text: str, kinds: Collection[Kind]) -> Found:
    """Find the JSON value that a reply gives, its reasoning left out.

    Args:
        text: The reply.
        kinds: What to look for in a reply that is more than one value: objects, arrays or both. None of them: only a
            reply that is one JSON value gives one.

    Returns:
        The value, or why there is none: no such value, or the last one is not valid JSON, or has a key twice.
    """
    plain = blank_fences(blank_reasoning(text))
    if not plain.strip():
        return Found(reason="nothing follows the reasoning")
    start, end = len(plain) - len(plain.lstrip()), len(plain.rstrip())
    try:
        value: Json = DECODER.decode(plain)
        return Found(value, (start, end), closed=isinstance(value, dict | list))
    except (ValueError, RecursionError) as error:
        if not kinds:
            return Found(reason=f"the reply is not one JSON value: {_clause(error)}")
    found = [each for each in _Scan(plain).values() if each.kind in kinds]
    if not found:
        return Found(reason=f"there is no JSON {' or '.join(sorted(kinds))} in the reply")
    last = found[-1]
    if last.reason:
        return Found(span=(last.start, last.end), reason=f"the JSON in the reply is not valid: {last.reason}")
    return Found(last.value, (last.start, last.end), closed=not plain[: last.start].strip())


@dataclass(frozen=True, slots=True)
class _Value:
    """An object or array in a text, or what was meant to be one and why it is none."""

    kind: Kind
    start: int
    end: int
    value: Json = None
    reason: str = ""


@dataclass(frozen=True)
class _Scan:
    """A text and the objects and arrays in it; each character is read a bounded number of times."""

    text: str

    def values(self) -> list[_Value]:
        """Those that stand in no other, in order; what lies within broken JSON is part of it and no value."""
        found: list[_Value] = []
        at = 0
        while opening := _OPENING.search(self.text, at):
            start = opening.start()
            value = self._value(start)
            if value is None:
                at = start + 1
            else:
                found.append(value)
                at = max(value.end, start + 1)
        return found

    def _value(self, start: int) -> _Value | None:
        """The value that begins at a bracket; None where the bracket is prose.

        It is looked for in the text near by first: an error counts the lines of all the text before it.
        """
        if not _BEGUN.match(self.text, start) and not _MEANT.match(self.text, start):
            return None
        near = self.text[start : start + _NEAR]
        try:
            value, length = DECODER.raw_decode(near)
        except (ValueError, RecursionError) as error:
            if len(near) < _NEAR or not _is_cut(error):
                return self._broken(start, error, start)
        else:
            return _Value(_BRACKETS[self.text[start]], start, start + length, value)
        try:
            value, end = DECODER.raw_decode(self.text, start)
        except (ValueError, RecursionError) as error:
            return self._broken(start, error, 0)
        return _Value(_BRACKETS[self.text[start]], start, end, value)

    def _broken(self, start: int, error: ValueError | RecursionError, offset: int) -> _Value | None:
        """What was meant to be JSON; the places of the error count from the offset."""
        if not _MEANT.match(self.text, start) and not isinstance(error, RecursionError):
            return None
        end = self._end(start, error, offset)
        return _Value(_BRACKETS[self.text[start]], start, end, reason=_clause(error, offset))

    def _end(self, start: int, error: ValueError | RecursionError, offset: int) -> int:
        """Where broken JSON ends: at the bracket that closes it, or else where its error is."""
        if isinstance(error, RecursionError):
            return len(self.text)
        if not isinstance(error, json.JSONDecodeError):  # valid but for what `DECODER` refuses, as a key twice
            try:
                return _LENIENT.raw_decode(self.text, start)[1]
            except (ValueError, RecursionError):
                return self._closed.get(start, len(self.text))
        return self._closed.get(start, offset + error.pos)

    @cached_property
    def _closed(self) -> dict[int, int]:
        """Where each bracket that is closed is; brackets in texts count too, since what is a text is not sure here."""
        places: dict[int, int] = {}
        opened: dict[str, list[int]] = {"{": [], "[": []}
        for bracket in _BRACKET.finditer(self.text):
            opening = _CLOSING.get(bracket.group())
            if opening is None:
                opened[bracket.group()].append(bracket.start())
            elif opened[opening]:
                places[opened[opening].pop()] = bracket.end()
        return places


def _is_cut(error: ValueError | RecursionError) -> bool:
    """Whether the error may be that the text near by ends."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos > _NEAR - _TOKEN


def _clause(error: ValueError | RecursionError, offset: int = 0) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        message = f"{error.msg[0].lower()}{error.msg[1:].removesuffix(' at')}"
        return f"{message} at character {offset + error.pos + 1}"
    if "digits" in str(error):  # Python's own limit for whole numbers
        return "it has a number of thousands of digits"
    return str(error)
