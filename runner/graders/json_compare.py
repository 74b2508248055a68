"""Whether two JSON values are equal, and where they differ first."""

import json
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue as Json

from ..datasets.paths import kind_of
from ..problems import quoted


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the right one; the wider of the two holds.

    Attributes:
        absolute: As a difference.
        relative: As a share of the right number.
    """

    absolute: Fraction = Fraction(0)
    relative: Fraction = Fraction(0)

    def covers(self, value: float, right: float) -> bool:
        """Whether a number is near enough to the right one; both are taken as they are written."""
        given, wanted = Fraction(repr(value)), Fraction(repr(right))
        return abs(given - wanted) <= max(self.absolute, self.relative * abs(wanted))


def difference(value: Json, right: Json, tolerance: Tolerance, path: str = "") -> str:
    """Say where a value first differs from the right one.

    The order of keys does not count, that of elements does; 1 and 1.0 are equal, 1 and true are not.

    Args:
        value: The value.
        right: The right one.
        tolerance: How near numbers must be.
        path: Where both stand in something larger, for the sentence.

    Returns:
        A clause such as "`items[1].price` is 5, where 7 is right"; empty where they are equal.

    Raises:
        RecursionError: They are nested too deeply.
    """
    if isinstance(value, dict) and isinstance(right, dict):
        return _of_objects(value, right, tolerance, path)
    if isinstance(value, list) and isinstance(right, list):
        return _of_lists(value, right, tolerance, path)
    if isinstance(value, int | float) and isinstance(right, int | float) and not {type(value), type(right)} & {bool}:
        equal = tolerance.covers(value, right)
    else:
        equal = type(value) is type(right) and value == right
    return "" if equal else f"{_at(path)} is {_shown(value)}, where {_shown(right)} is right"


def _of_objects(value: dict[str, Json], right: dict[str, Json], tolerance: Tolerance, path: str) -> str:
    for key, wanted in right.items():
        inner = f"{path}.{key}" if path else key
        if key not in value:
            return f"{_at(inner)} is missing"
        found = difference(value[key], wanted, tolerance, inner)
        if found:
            return found
    more = next((key for key in value if key not in right), None)
    return "" if more is None else f"{_at(f'{path}.{more}' if path else more)} is there, and the right answer has none"


def _of_lists(value: list[Json], right: list[Json], tolerance: Tolerance, path: str) -> str:
    if len(value) != len(right):
        return f"{_at(path)} has {len(value)} elements, where {len(right)} are right"
    differences = (
        difference(given, wanted, tolerance, f"{path}[{at}]")
        for at, (given, wanted) in enumerate(zip(value, right, strict=True))
    )
    return next(filter(None, differences), "")


def _at(path: str) -> str:
    return f"`{path}`" if path else "the value"


def _shown(value: Json) -> str:
    if isinstance(value, dict | list):
        return kind_of(value)
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def canonical_text(value: Json) -> str:
    """One text for equal values: keys sorted, whole numbers without a fraction.

    Raises:
        RecursionError: It is nested too deeply.
    """
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
