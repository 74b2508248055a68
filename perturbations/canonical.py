r"""One JSON text per value: what seeds and hashes are computed from, and what a bundle holds.

Keys are sorted, nothing is padded, text stays readable. Lone surrogates, which UTF-8 can't encode, and the characters
at which some readers break lines stand as `\uXXXX`; so the text is always one line, and always encodable.
"""

import hashlib
import json
import re
from dataclasses import fields, is_dataclass

UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def canonical_json(value: object) -> str:
    """Write a JSON-able value as its one canonical line; dataclasses are objects, tuples are lists.

    Raises:
        ValueError: For NaN and infinity, which JSON does not have.
        TypeError: For a value that JSON can't hold.
    """
    compact = (",", ":")
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=compact, default=field_values
    )
    return escaped(text)


def field_values(value: object) -> dict[str, object]:
    """Give the fields of a dataclass by name, one level deep.

    Raises:
        TypeError: For anything else.
    """
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} can't be written as JSON")
    return {field.name: getattr(value, field.name) for field in fields(value)}


def escaped(json_text: str) -> str:
    """Write the characters that break lines or encodings as JSON escapes; the text must be JSON already."""
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


def canonical_hash(tag: str, value: object) -> bytes:
    """SHA-256 of a value's canonical JSON; the tag keeps hashes made for different purposes apart."""
    return hashlib.sha256(canonical_json([tag, value]).encode()).digest()
