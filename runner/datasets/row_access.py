"""What stands at a path of one row, as a text where one is needed; each error names the field at fault."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pydantic import JsonValue as Json

from ..problems import RowError
from .option_set import OptionSet
from .options import read_options
from .paths import PathError, needs_text, resolve
from .rows import Row
from .texts import is_blank, text_of

ROW_NUMBER = "#"
FILE = "#file"
"""What stands for a row's number and its file, where a path is named."""


@contextmanager
def blamed(key: str) -> Iterator[None]:
    """Give a row's error the field at fault."""
    try:
        yield
    except RowError as error:
        error.key = error.key or key
        raise


def as_list(value: str | Sequence[str] | None) -> list[str]:
    """One path, several or none as a list."""
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def value_at(row: Row, path: str) -> Json:
    """What stands at a path.

    Raises:
        RowError: If there is nothing.
    """
    try:
        return resolve(row.values, path)
    except PathError as error:
        raise RowError(str(error), path) from error


def value_or_none(row: Row, path: str) -> Json:
    """What stands at a path; None where there is nothing."""
    try:
        return resolve(row.values, path)
    except PathError:
        return None


def options_of(value: Json, path: str) -> OptionSet:
    """Options that stand at a path, as `read_options` reads them."""
    with blamed(path):
        return read_options(value, path)


def usual_options(row: Row) -> OptionSet | None:
    """The options under their usual name, for a config that names none.

    Raises:
        RowError: If what stands there can't be read.
    """
    value = row.values.get("options")
    if is_blank(value):
        return None
    try:
        return options_of(value, "options")
    except RowError as error:
        raise RowError(f"{error}; if these are no options, set dataset.fields.options: []", error.key) from None


def text_at(value: Json, path: str) -> str:
    """A value that stands at a path as text.

    Raises:
        RowError: If it is none.
    """
    try:
        return text_of(value)
    except ValueError as error:
        hint = needs_text(value, path) if isinstance(value, dict) else ""
        raise RowError(f"this is {error}{hint}", path) from error


def id_part(row: Row, path: str) -> str:
    """A part of an id: the row's number, its file's name, or what stands at a path."""
    if path == ROW_NUMBER and path not in row.values:
        return str(row.number)
    if path == FILE and path not in row.values:
        return row.stem
    return text_at(value_at(row, path), path)


def passages(row: Row, paths: Sequence[str]) -> Iterator[str]:
    """The passages at paths; empty ones are none."""
    for path in paths:
        value = value_or_none(row, path)
        texts, place = (value, f"{path.removesuffix('[]')}[]") if isinstance(value, list) else ([value], path)
        yield from (text_at(text, place) for text in texts if not is_blank(text))


def nothing(value: Json) -> str:
    """What a value that is missing is, in words."""
    return "null" if value is None else "an empty list" if value == [] else "empty"
