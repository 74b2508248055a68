"""Paths into a row, such as `question.stem`, `choices[].text`, `input[1].content`, `0`.

At each object the longest key wins, so that a key with dots in it is found as it stands. `[]` takes each element of a
list. A text that holds JSON (a cell of a CSV file) is opened where a path leads into it.
"""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue as Json

from ..problems import did_you_mean, listed
from .strict_json import parse_json

POSITION = re.compile(r"\[(-?\d+)\]|(\d+)(?=[.\[]|$)")


class PathError(LookupError):
    """A path leads nowhere in this row; the text says where it ends and what there is instead."""


def resolve(value: Json, path: str) -> Json:
    """Follow a path.

    Args:
        value: A row, or any JSON value.
        path: Keys and positions, joined by dots; positions count from 0, or from the end (`[-1]`);
            empty is the value itself.

    Returns:
        What stands there; a list, flattened by one level, where the path has `[]`.

    Raises:
        PathError: If there is nothing.
    """
    if isinstance(value, Mapping) and path in value:
        return value[path]
    return _follow(value, path, path)


def _follow(value: Json, rest: str, path: str) -> Json:
    if not rest:
        return value
    if isinstance(value, str):
        return _follow(_opened(value, rest, path), rest, path)
    if isinstance(value, dict):
        return _in_object(value, rest, path)
    if isinstance(value, list):
        return _in_list(value, rest, path)
    raise PathError(f"{_place(rest, path)} is {kind_of(value)}, with nothing in it")


def _in_object(value: dict[str, Json], rest: str, path: str) -> Json:
    for key, tail in _splits(rest):
        if key in value:
            return _follow(value[key], tail, path)
    key = re.split(r"[.\[]", rest, maxsplit=1)[0]
    if not key:
        raise PathError(f"{_place(rest, path)} is an object with the keys {listed(value)}, not a list")
    where = "" if rest == path else f" in {_place(rest, path)}"
    there = f"there {'are' if len(value) > 1 else 'is'} {listed(value) or 'nothing'}"
    raise PathError(f"no `{key}`{where}; {there}{did_you_mean(key, value)}")


def _splits(rest: str) -> Iterator[tuple[str, str]]:
    """Each way to cut a key off the front of a path, longest key first."""
    yield rest, ""
    for at in range(len(rest) - 1, 0, -1):
        if rest[at] in ".[":
            yield rest[:at], rest[at:].removeprefix(".")


def _in_list(value: list[Json], rest: str, path: str) -> Json:
    if rest.startswith("[]"):
        return _each(value, rest[2:].removeprefix("."), path)
    found = POSITION.match(rest)
    if found is None:
        each = f"{path[: len(path) - len(rest)].rstrip('.')}[].{rest}"
        raise PathError(f"{_place(rest, path)} is a list; use `[]` for each element (`{each}`), `[0]` for the first")
    position = int(found[1] or found[2])
    if not -len(value) <= position < len(value):
        raise PathError(f"{_place(rest, path)} is a list of {len(value)}, without position {position}")
    return _follow(value[position], rest[found.end() :].removeprefix("."), path)


def _each(value: list[Json], rest: str, path: str) -> list[Json]:
    parts = [_follow(element, rest, path) for element in value]
    if "[]" not in rest:
        return parts
    return [inner for part in parts if isinstance(part, list) for inner in part]


def _opened(value: str, rest: str, path: str) -> Json:
    try:
        inner = parse_json(value) if value.lstrip().startswith(("{", "[")) else value
    except ValueError as error:
        raise PathError(f"{_place(rest, path)} is a text that is no JSON ({error})") from error
    if isinstance(inner, dict | list):
        return inner
    raise PathError(f"{_place(rest, path)} is a text, with nothing in it")


def _place(rest: str, path: str) -> str:
    walked = path[: len(path) - len(rest)].rstrip(".")
    return f"`{walked}`" if walked else "the row"


def path_to_texts(value: Json, path: str) -> str | None:
    """The path, as a config writes it, of the texts in what stands at a path; None where there are none.

    Args:
        value: What stands there: an object, or a list of objects. Of its texts the longest are taken, since what else
            an object holds (a label, a kind) is short.
        path: The path.
    """
    if isinstance(value, list):
        objects = [element for element in value if isinstance(element, dict)]
        base = f"{path.removesuffix('[]')}[]"
    else:
        objects = [value] if isinstance(value, dict) else []
        base = path
    lengths = {key: sum(_text_length(each.get(key)) for each in objects) for each in objects[:1] for key in each}
    longest = max(lengths, key=lengths.__getitem__, default="")
    return f"{base}.{longest}" if lengths.get(longest) else None


def _text_length(value: Json) -> int:
    texts = value if isinstance(value, list) else [value]
    return sum(len(text) for text in texts if isinstance(text, str))


def needs_text(value: Json, path: str) -> str:
    """`; name the key of its text: …` for an object or a list of objects, else nothing."""
    found = path_to_texts(value, path)
    return f"; name the key of its text: `{found}`" if found else ""


def kind_of(value: Json) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "a list"
    return f"an object with the keys {listed(value)}"
