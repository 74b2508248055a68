"""A row's options, in whatever shape the data has them."""

import re
from collections.abc import Sequence

from pydantic import JsonValue as Json

from ..problems import RowError, quoted
from .option_set import OptionSet, default_labels
from .paths import kind_of, needs_text, path_to_texts
from .strict_json import parse_json
from .texts import is_blank, text_of

# A label that an option's text in a list carries: "A) text", "(A)text", "[A] text", "A. text".
CARRIED = re.compile(r"\s*(?:\(([A-Z])\)|\[([A-Z])\]|([A-Z])\)|([A-Z])[.:](?=\s))\s*")


def read_options(value: Json, path: str = "options") -> OptionSet:
    """Read options.

    Args:
        value: A list of texts; a list of `{label, text}`; `{label: [...], text: [...]}`; an object that gives each
            label its text; a text that holds a JSON list; or a text with labelled lines. Empty ones at the end are
            left out.
        path: Where they stand, for messages.

    Raises:
        RowError: If it is none of these.
    """
    if isinstance(value, str):
        return _from_text(value, path)
    if isinstance(value, list):
        return _from_list(value, path)
    if isinstance(value, dict):
        return _from_object(value, path)
    raise RowError(f"the options are {kind_of(value)}; a list, an object or a text with labelled lines is needed")


def from_columns(values: Sequence[Json], paths: Sequence[str]) -> OptionSet:
    """Read options that stand in columns of their own; an answer may name the column."""
    texts = _texts(values)
    return OptionSet.of(texts, paths[: len(texts)])


def split_options(text: str, separator: str) -> OptionSet:
    """Read options that stand in one text with a separator between them."""
    return OptionSet.of(_texts([part.strip() for part in text.split(separator)]))


def _from_text(text: str, path: str) -> OptionSet:
    if not text.strip():
        raise RowError("the options are empty")
    from .lettered import read_lines_as_options  # noqa: PLC0415 - most options are lists or columns

    if text.lstrip().startswith(("[", "{")):
        try:
            value = parse_json(text)
        except ValueError:
            return read_lines_as_options(text)
        return read_options(value, path) if isinstance(value, list | dict) else read_lines_as_options(text)
    return read_lines_as_options(text)


def _from_list(values: list[Json], path: str) -> OptionSet:
    if any(isinstance(value, dict) for value in values):
        return _labelled(values, path)
    texts = _texts(values)
    if len(texts) < 2 or not CARRIED.match(texts[0]):
        return OptionSet.of(texts)
    carried = [match for match in map(CARRIED.match, texts) if match]
    labels = tuple(match[match.lastindex or 0] for match in carried)
    if labels != default_labels(len(texts)):
        return OptionSet.of(texts)
    stripped = (text[match.end() :] for text, match in zip(texts, carried, strict=True))
    return OptionSet(tuple(stripped), labels, own=True)


def _labelled(values: list[Json], path: str) -> OptionSet:
    labels: list[Json] = []
    texts: list[Json] = []
    for value in values:
        if not isinstance(value, dict) or "label" not in value or "text" not in value:
            raise RowError(f"an option is {kind_of(value)}, where a text is needed{needs_text(values, path)}")
        labels.append(value["label"])
        texts.append(value["text"])
    return _with_labels(labels, texts)


def _from_object(value: dict[str, Json], path: str) -> OptionSet:
    labels, texts = value.get("label"), value.get("text")
    if isinstance(labels, list) and isinstance(texts, list):
        return _with_labels(labels, texts)
    within = [key for key, inner in value.items() if isinstance(inner, list | dict)]
    if within:
        raise RowError(f"the options are {kind_of(value)}; name the texts: {_texts_within(value, within, path)}")
    return _with_labels(list(value), list(value.values()))


def _texts_within(value: dict[str, Json], keys: Sequence[str], path: str) -> str:
    """What a config must write where options are a list in an object, or an object of objects."""
    if isinstance(value[keys[0]], list):
        inner = f"{path}.{keys[0]}"
        return f"`{path_to_texts(value[keys[0]], inner) or inner}`"
    each = [path_to_texts(value[key], f"{path}.{key}") or f"{path}.{key}" for key in keys]
    return f"`[{', '.join(each)}]`"


def _with_labels(labels: Sequence[Json], texts: Sequence[Json]) -> OptionSet:
    if len(labels) != len(texts):
        raise RowError(f"the labels and the options differ in number: {len(labels)} and {len(texts)}")
    read = _texts(texts)
    named = [_text(label, "label") for label in labels[: len(read)]]
    twice = next((label for label in named if named.count(label) > 1), None)
    if twice is not None:
        raise RowError(f"two options have the label {quoted(twice)}")
    return OptionSet(tuple(read), tuple(named), own=True)


def _texts(values: Sequence[Json]) -> list[str]:
    end = len(values)
    while end and is_blank(values[end - 1]):
        end -= 1
    if not end:
        raise RowError("there are no options")
    empty = next((at for at, value in enumerate(values[:end], 1) if is_blank(value)), None)
    if empty is not None:
        raise RowError(f"option {empty} of {end} is empty")
    return [_text(value, "option") for value in values[:end]]


def _text(value: Json, what: str) -> str:
    try:
        return text_of(value)
    except ValueError as error:
        raise RowError(f"an {what} is {error}") from error
