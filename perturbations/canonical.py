r"""One JSON text per value: what seeds and hashes are computed from, and what a bundle holds.

Keys are sorted, nothing is padded, text stays readable. Lone surrogates, which UTF-8 can't encode, and the characters
at which some readers break lines stand as `\uXXXX`; so the text is always one line, and always encodable.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, NamedTuple

UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
COMPACT = (",", ":")


def canonical_json(value: object) -> str:
    """Write a JSON-able value as its one canonical line; dataclasses are objects, tuples are lists.

    Raises:
        ValueError: For NaN and infinity, which JSON does not have.
        TypeError: For a value that JSON can't hold.
    """
    return escaped(json_text(value))


def json_text(value: object) -> str:
    """Write a value as `canonical_json` does, but for the characters that break lines or encodings.

    Two lone surrogates side by side, which their escapes can't tell from one character, are kept apart here.

    Raises:
        ValueError: As `canonical_json`.
        TypeError: As `canonical_json`.
    """
    parts: list[str] = []
    write(value, parts)
    return "".join(parts)


def write(value: Any, parts: list[str]) -> None:
    """Append the JSON of a value; dataclasses, which are most of what is written, take half the time of the encoder."""
    kind: Any = type(value)
    if kind is str:
        parts.append(encode_basestring(value))
    elif value is None:
        parts.append("null")
    elif kind is int:
        parts.append(int.__repr__(value))
    elif kind is tuple or kind is list:
        mark = "["
        for inner in value:
            parts.append(mark)
            write(inner, parts)
            mark = ","
        parts.append("]" if value else "[]")
    elif (access := field_access(kind)) is not None:
        for name, inner in zip(access.keys, access.values(value), strict=True):
            parts.append(name)
            if type(inner) is str:
                parts.append(encode_basestring(inner))
            else:
                write(inner, parts)
        parts.append("}")
    else:
        parts.append(ENCODER.encode(value))


def field_values(value: object) -> dict[str, object]:
    """Give the fields of a dataclass by name, one level deep.

    Raises:
        TypeError: For anything else.
    """
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} can't be written as JSON")
    return {field.name: getattr(value, field.name) for field in fields(value)}


class FieldAccess(NamedTuple):
    """The keys of a dataclass's fields in their order, as they stand in JSON, and what reads all the values."""

    keys: tuple[str, ...]
    values: Callable[[object], tuple[object, ...]]


@lru_cache(maxsize=256)
def field_access(kind: Any) -> FieldAccess | None:
    """Give what writes a dataclass; None for a type that is none."""
    if not is_dataclass(kind):
        return None
    names = sorted(field.name for field in fields(kind))
    keys = tuple(f"{',' if at else '{'}{encode_basestring(name)}:" for at, name in enumerate(names))
    if len(names) > 1:
        return FieldAccess(keys, attrgetter(*names))
    return FieldAccess(keys, lambda value: tuple(getattr(value, name) for name in names))


ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=COMPACT, default=field_values
)


def escaped(json_text: str) -> str:
    """Write the characters that break lines or encodings as JSON escapes; the text must be JSON already."""
    if json_text.isascii() and "\x7f" not in json_text:
        return json_text
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


def canonical_hash(tag: str, value: object) -> bytes:
    """SHA-256 of a value's canonical JSON; the tag keeps hashes made for different purposes apart."""
    return hashlib.sha256(canonical_json([tag, value]).encode()).digest()
