"""What must hold over all rows of a dataset: each field is in some row, and no id stands twice. Noted row by row."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import Problem
from ..problems import RowError, did_you_mean, listed, quoted, raise_problems
from .fields import Fields
from .paths import PathError, resolve
from .rows import Row, delimiter_hint, is_table

NO_HEADER = "; if the first line is no header, set dataset.header: false, and the columns are named `0`, `1`, …"


class ColumnsSeen:
    """What the rows of a dataset have, noted row by row: their columns, and the fields that the config names."""

    def __init__(self, fields: Fields) -> None:
        """Begin with no row."""
        self._fields = fields
        self._columns: dict[str, None] = {}
        self._missing = [*fields.paths(), *(("filter", path) for path in fields.config.filter)]
        self._first: Row | None = None

    def note(self, row: Row) -> None:
        """Note what a row has."""
        if self._first is None:
            self._first = row
        if not self._columns.keys() >= row.values.keys():
            self._columns |= dict.fromkeys(row.values)
        if self._missing:
            self._missing = [(key, path) for key, path in self._missing if not _has(row, path)]

    def refuse_unknown(self) -> None:
        """Check that each field that the config names is in at least one row.

        Raises:
            DatasetError: With one problem for each that isn't.
        """
        if self._first is not None:
            path, keys, first = self._fields.config.path, [*self._columns], self._first
            unknown = [_unknown(first, keys, key, named, path) for key, named in self._missing]
            if not delimiter_hint(keys) and self._may_lack_header(first):
                unknown = [replace(each, message=each.message + NO_HEADER) for each in unknown]
            raise_problems(unknown, "fields that are in no row")

    def _may_lack_header(self, first: Row) -> bool:
        """Whether a table has none of the columns that are wanted, as where its first line is a row."""
        config = self._fields.config
        wanted = {path for _, path in self._fields.paths()}
        return config.header and is_table(first.file, config) and wanted <= {path for _, path in self._missing}


def _has(row: Row, path: str) -> bool:
    try:
        resolve(row.values, path)
    except PathError:
        return False
    return True


def _unknown(first: Row, keys: Sequence[str], key: str, path: str, name: str) -> Problem:
    why = f"`{path}` is in no row; the rows have {listed(keys)}{did_you_mean(path, keys)}"
    try:
        resolve(first.values, path)
    except PathError as error:
        if re.split(r"[.\[]", path, maxsplit=1)[0] in first.values:
            why = f"`{path}` is in no row; in row 1: {error}"
    if key == "answer":
        why = f"no row has an answer: {why}; without right answers there is nothing to grade"
    why += delimiter_hint(keys)
    return Problem(why, path=name, key=f"dataset.{key}" if key == "filter" else f"dataset.fields.{key}")


def unnamed_columns(columns: Iterable[str], fields: Fields) -> tuple[str, ...]:
    """Give the columns that no field of the config names, in the order in which they come."""
    named = {re.split(r"[.\[]", path, maxsplit=1)[0] for _, path in fields.paths()}
    return tuple(column for column in columns if column not in named)


def twice(item_id: str, earlier: Row, row: Row, fields: Fields) -> Problem:
    """Say that two rows have the same id."""
    if earlier.file == row.file:
        both, names = f"rows {earlier.number} and {row.number}", "`#` for the row's number"
    else:
        both = f"row {row.number} and row {earlier.number} of {earlier.file}"
        names = "`#file` for the file's name and `#` for the row's number"
    advice = f"name a field that is unique in dataset.fields.id, or {names}"
    text = f"{both} have the same id {quoted(item_id)}; {advice}"
    return Problem(text, path=row.file, line=row.line, key=fields.config.fields.id or "id")


def row_problem(error: RowError, row: Row) -> Problem:
    """A row's error with its place."""
    return Problem(str(error), path=row.file, line=row.line, key=error.key, row=row.number)
