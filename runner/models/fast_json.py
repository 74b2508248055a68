"""JSON by orjson, and by the standard library where orjson is stricter than endpoints are."""

import json

import orjson
from pydantic import JsonValue as Json

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encoded(value: Json) -> bytes:
    """JSON in UTF-8.

    Raises:
        UnicodeEncodeError: A text holds half of a surrogate pair.
    """
    try:
        return orjson.dumps(value)
    except TypeError:  # half a pair, or a number of more than 64 bits
        return _encode(value).encode()


def decoded(body: bytes) -> Json:
    """The value of a body in UTF-8.

    Raises:
        ValueError: It is none to orjson; the standard library may still read it, such as half of a surrogate pair.
    """
    value: Json = orjson.loads(body)
    return value
