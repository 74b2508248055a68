"""JSON values back into frozen dataclasses, by their type hints; a value of another type is named by its path."""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
WORDS = {str: "a text", int: "a whole number", float: "a number", NoneType: "null"}


class DecodeError(ValueError):
    """A value that does not fit its dataclass: the path, what was found, what is allowed."""


def decode(kind: type[T], value: object, path: str = "") -> T:
    """Read a JSON value as a dataclass.

    Args:
        kind: A dataclass of texts, numbers, literals, tuples, unions and dataclasses.
        value: What `json.loads` gave.
        path: Where it stands, for messages.

    Raises:
        DecodeError: Where a value is missing, unknown or of another type.
    """
    known: Any = kind
    decoded: T
    try:
        decoded = reader(known)(value)
    except (MisfitError, KeyError, TypeError, ValueError):
        decoded = decode_dataclass(kind, value, path)  # reads it again, and says what is wrong where
    return decoded


class MisfitError(Exception):
    """A value of another type than its field's."""


@lru_cache(maxsize=256)
def reader(kind: Any) -> Callable[[Any], Any]:
    """Make what reads values of a type fast, and without a word on what does not fit."""
    if is_dataclass(kind):
        types = hints(kind)  # type: ignore[arg-type]  # a class, never an instance
        return object_reader(kind, {field.name: reader(types[field.name]) for field in fields(kind)})
    origin = get_origin(kind)
    if origin is tuple:
        return list_reader(reader(get_args(kind)[0]))
    if origin is Literal:
        return word_reader(frozenset(get_args(kind)))
    if kind in {str, int, NoneType}:
        return scalar_reader(kind)
    if origin in {Union, UnionType}:
        return union_reader({by_type: reader(each) for each in get_args(kind) for by_type in json_types(each)})
    return lambda value: decode_value(kind, value, "")


def json_types(kind: Any) -> tuple[type, ...]:
    """The types of the JSON values that are read as a type."""
    return (dict,) if is_dataclass(kind) else (float, int) if kind is float else (kind,)


def union_reader(by_type: dict[type, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Make what reads a value of one of several types."""

    def read(value: Any) -> Any:
        return by_type[type(value)](value)

    return read


def object_reader(kind: Any, readers: dict[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Make what reads an object as a dataclass."""

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise MisfitError
        return kind(**{name: readers[name](inner) for name, inner in value.items()})

    return read


def list_reader(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make what reads a list as a tuple."""

    def read(value: Any) -> Any:
        if type(value) is not list:
            raise MisfitError
        return tuple([inner(each) for each in value])

    return read


def word_reader(allowed: frozenset[str]) -> Callable[[Any], Any]:
    """Make what reads one of a few words."""

    def read(value: Any) -> Any:
        if type(value) is not str or value not in allowed:
            raise MisfitError
        return value

    return read


def scalar_reader(kind: type) -> Callable[[Any], Any]:
    """Make what reads a text, a whole number or null."""

    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise MisfitError
        return value

    return read


@lru_cache(maxsize=64)
def hints(kind: type) -> dict[str, Any]:
    """Resolve the type hints of a dataclass once."""
    return get_type_hints(kind)


def decode_dataclass(kind: Any, value: object, path: str) -> Any:
    """Read an object that has exactly the fields of a dataclass, those with defaults at will."""
    if not isinstance(value, dict):
        raise DecodeError(mismatch(path, value, "an object"))
    known = {field.name: field for field in fields(kind)}
    if unknown := sorted(set(value) - set(known)):
        raise DecodeError(f"{at(path, unknown[0])}: unknown field; allowed are {', '.join(known)}")
    needed = [name for name, field in known.items() if field.default is MISSING and field.default_factory is MISSING]
    if missing := [name for name in needed if name not in value]:
        raise DecodeError(f"{at(path, missing[0])}: the field is missing")
    types = hints(kind)
    return kind(**{name: decode_value(types[name], inner, at(path, name)) for name, inner in value.items()})


def decode_value(kind: Any, value: object, path: str) -> Any:
    """Read a value of any type that these dataclasses use."""
    if is_dataclass(kind):
        return decode_dataclass(kind, value, path)
    origin = get_origin(kind)
    if origin is tuple:
        return decode_tuple(get_args(kind)[0], value, path)
    if origin in {Union, UnionType}:
        return decode_union(get_args(kind), value, path)
    if origin is Literal:
        return decode_literal(get_args(kind), value, path)
    return decode_scalar(kind, value, path)


def decode_tuple(kind: Any, value: object, path: str) -> tuple[Any, ...]:
    """Read a list."""
    if not isinstance(value, list):
        raise DecodeError(mismatch(path, value, "a list"))
    return tuple(decode_value(kind, inner, f"{path}[{index}]") for index, inner in enumerate(value))


def decode_union(kinds: tuple[Any, ...], value: object, path: str) -> Any:
    """Read a value of one of several scalar types, or an object where a dataclass is among them."""
    for kind in kinds:
        if is_dataclass(kind) and isinstance(value, dict):
            return decode_dataclass(kind, value, path)
        if not is_dataclass(kind) and fits(kind, value):
            return decode_scalar(kind, value, path)
    raise DecodeError(mismatch(path, value, " or ".join(WORDS.get(kind, "an object") for kind in kinds)))


def decode_literal(allowed: tuple[Any, ...], value: object, path: str) -> Any:
    """Read one of a few words."""
    if not isinstance(value, str) or value not in allowed:
        raise DecodeError(mismatch(path, value, "one of " + ", ".join(word or "an empty text" for word in allowed)))
    return value


def decode_scalar(kind: Any, value: object, path: str) -> Any:
    """Read a text, a number or null."""
    if not fits(kind, value):
        raise DecodeError(mismatch(path, value, WORDS[kind]))
    return value


def fits(kind: Any, value: object) -> bool:
    """Whether a value is of a scalar type; true and false are no numbers, and whole numbers are numbers."""
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def at(path: str, name: str) -> str:
    """Extend a path by a field."""
    return f"{path}.{name}" if path else name


def mismatch(path: str, value: object, allowed: str) -> str:
    """Say where another type was found than is allowed."""
    return f"{path or 'the value'}: expected {allowed}, found {shortened(repr(value))}"


def shortened(text: str) -> str:
    """Cut a long value for a message."""
    return text if len(text) <= 60 else text[:57] + "..."
