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
_BEGUN = Pattern(lambda: r"\{\s*[\"}]|\[[ \t\n\r]*+(?:[]\[{\"]|[-+.\w]++[ \t\n\r]*+[],])")
"""How JSON begins; all else needs no look."""
_UNPAIRED = Pattern(lambda: r"\{[ \t\n\r]*+\"[^\"\\\x00-\x1f]*+\"[ \t\n\r]*+(?!:)")
"""An object whose first key has no value, up to where the colon is missing."""
_LENIENT = json.JSONDecoder()
_NEAR = (256, 4_096)
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
            return Found(reason=f"the reply is not one JSON value: {_clause(_Failure(error, 0))}")
    scan = _Scan(plain)
    found = [each for each in scan.values() if each.kind in kinds]
    if not found:
        return Found(reason=f"there is no JSON {' or '.join(sorted(kinds))} in the reply")
    last = found[-1]
    if last.broken:
        reason = f"the JSON in the reply is not valid: {scan.reason(last)}"
        return Found(span=(last.start, last.end), reason=reason)
    return Found(last.value, (last.start, last.end), closed=not plain[: last.start].strip())


@dataclass(frozen=True, slots=True)
class _Value:
    """An object or array in a text, or what was meant to be one and is broken."""

    kind: Kind
    start: int
    end: int
    value: Json = None
    broken: bool = False


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why what begins at a bracket is no JSON; the places of the error count from the offset."""

    error: ValueError | RecursionError
    offset: int


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

    def reason(self, value: _Value) -> str:
        """Why a broken value is none."""
        read = self._read(value.start)
        return _clause(read) if isinstance(read, _Failure) else ""

    def _value(self, start: int) -> _Value | None:
        """The value that begins at a bracket; None where the bracket is prose."""
        meant = _MEANT.match(self.text, start) is not None
        if not meant and not _BEGUN.match(self.text, start):
            return None
        kind = _BRACKETS[self.text[start]]
        if unpaired := _UNPAIRED.match(self.text, start):
            return _Value(kind, start, self._closed.get(start, unpaired.end()), broken=True)
        read = self._read(start)
        if not isinstance(read, _Failure):
            return _Value(kind, start, read[1], read[0])
        if not meant and not isinstance(read.error, RecursionError):
            return None
        return _Value(kind, start, self._end(start, read), broken=True)

    def _read(self, start: int) -> tuple[Json, int] | _Failure:
        """The value that begins at a bracket and where it ends.

        It is looked for in the text near by first: an error counts the lines of all the text before it.
        """
        for size in _NEAR:
            near = self.text[start : start + size]
            try:
                value, length = DECODER.raw_decode(near)
            except (ValueError, RecursionError) as error:
                if len(near) < size or not _is_cut(error, size):
                    return _Failure(error, start)
            else:
                return value, start + length
        try:
            whole: tuple[Json, int] = DECODER.raw_decode(self.text, start)
        except (ValueError, RecursionError) as error:
            return _Failure(error, 0)
        return whole

    def _end(self, start: int, failure: _Failure) -> int:
        """Where broken JSON ends: at the bracket that closes it, or else where its error is."""
        error = failure.error
        if isinstance(error, RecursionError):
            return len(self.text)
        if not isinstance(error, json.JSONDecodeError):  # valid but for what `DECODER` refuses, as a key twice
            try:
                return _LENIENT.raw_decode(self.text, start)[1]
            except (ValueError, RecursionError):
                return self._closed.get(start, len(self.text))
        return self._closed.get(start, failure.offset + error.pos)

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


def _is_cut(error: ValueError | RecursionError, size: int) -> bool:
    """Whether the error may be that the text near by ends."""
    if isinstance(error, RecursionError):
        return False
    if not isinstance(error, json.JSONDecodeError):
        return True  # a number may have more digits than are near by
    return error.msg.startswith("Unterminated") or error.pos > size - _TOKEN


def _clause(failure: _Failure) -> str:
    error = failure.error
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        message = f"{error.msg[0].lower()}{error.msg[1:].removesuffix(' at')}"
        return f"{message} at character {failure.offset + error.pos + 1}"
    if "digits" in str(error):  # Python's own limit for whole numbers
        return "it has a number of thousands of digits"
    return str(error)
