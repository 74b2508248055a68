"""`filter:` which rows of a dataset are used: by what stands at a path, equal, one of several, or like a pattern."""

import re
from collections.abc import Callable, Sequence

from pydantic import JsonValue as Json

from ..config.schema import DatasetConfig, FilterTest
from ..errors import DatasetError, Problem
from ..problems import counted
from .paths import PathError, resolve
from .rows import Row
from .texts import is_blank, text_of

Scalar = str | bool | int | float | None
Wanted = Scalar | Sequence[Scalar] | FilterTest
Test = Callable[[Json], bool]


def row_filter(config: DatasetConfig) -> Callable[[Row], bool]:
    """What tells whether a row passes all tests of `filter`."""
    tests = {path: test_of(wanted) for path, wanted in config.filter.items()}
    return lambda row: all(_passes(row, path, test) for path, test in tests.items())


def refuse_none_kept(kept: int, rows: int, config: DatasetConfig) -> None:
    """Check that some row passes.

    Raises:
        DatasetError: If none does.
    """
    if not kept:
        text = f"keeps none of the {counted(rows, 'row')}"
        raise DatasetError(Problem(text, path=config.path, key="dataset.filter"))


def test_of(wanted: Wanted) -> Test:
    """The test that a value of `filter` stands for."""
    if isinstance(wanted, FilterTest):
        return _written(wanted)
    among = _texts([wanted] if wanted is None or isinstance(wanted, str | bool | int | float) else wanted)
    return lambda value: any(text in among for text in _texts(_each(value)))


def _written(wanted: FilterTest) -> Test:
    if wanted.regex is not None:
        pattern = re.compile(wanted.regex)
        return lambda value: any(text is not None and pattern.search(text) for text in _texts(_each(value)))
    unwanted = test_of(wanted.not_in or [])
    return lambda value: not unwanted(value)


def _passes(row: Row, path: str, test: Test) -> bool:
    try:
        return test(resolve(row.values, path))
    except PathError:
        return test(None)


def _each(value: Json) -> list[Json]:
    """A value's elements where it is a list, such as tags; itself else."""
    return value if isinstance(value, list) and value else [value]


def _texts(values: Sequence[Json] | Sequence[Scalar]) -> list[str | None]:
    """Values as texts, since a table has nothing else; None for what is empty."""
    return [None if is_blank(value) else _text(value) for value in values]


def _text(value: Json) -> str:
    return "" if isinstance(value, dict | list) else text_of(value).strip()
