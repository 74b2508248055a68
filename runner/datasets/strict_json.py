"""JSON as the standard has it: no NaN, no key twice, no number beyond a float's range."""

import json
import math

from pydantic import JsonValue as Json


def parse_json(text: str) -> Json:
    """Parse one JSON text.

    Raises:
        ValueError: For what isn't JSON, with one clause that says why; a `json.JSONDecodeError` where a place is known.
    """
    try:
        value: Json = DECODER.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _object(pairs: list[tuple[str, Json]]) -> Json:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    keys = [key for key, _ in pairs]
    twice = next(key for key in keys if keys.count(key) > 1)
    raise ValueError(f"the key {json.dumps(twice, ensure_ascii=False)} stands twice in one object")


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON; write null for what is missing")


def _finite_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text} is out of range")
    return number


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite_float)
