"""What must hold over all rows of a dataset: each field is in some row, and no id stands twice."""

import re
from collections.abc import Sequence

from ..errors import Problem
from ..problems import RowError, did_you_mean, listed, quoted, raise_problems
from .fields import Fields
from .paths import PathError, resolve
from .rows import Row


def refuse_unknown_fields(rows: Sequence[Row], fields: Fields) -> None:
    """Check that each field that the config names is in at least one row.

    Raises:
        DatasetError: With one problem for each that isn't.
    """
    unknown = [(key, path) for key, path in fields.paths() if not any(_has(row, path) for row in rows)]
    name = fields.config.path
    unknown += [("filter", path) for path in fields.config.filter if not any(_has(row, path) for row in rows)]
    raise_problems([_unknown(rows, key, path, name) for key, path in unknown], "fields that are in no row")


def _has(row: Row, path: str) -> bool:
    try:
        resolve(row.values, path)
    except PathError:
        return False
    return True


def _unknown(rows: Sequence[Row], key: str, path: str, name: str) -> Problem:
    keys = list(dict.fromkeys(key for row in rows for key in row.values))
    why = f"`{path}` is in no row; the rows have {listed(keys)}{did_you_mean(path, keys)}"
    try:
        resolve(rows[0].values, path)
    except PathError as error:
        if re.split(r"[.\[]", path, maxsplit=1)[0] in rows[0].values:
            why = f"`{path}` is in no row; in row 1: {error}"
    if key == "answer":
        why = f"no row has an answer: {why}; without right answers there is nothing to grade"
    if len(keys) == 1 and ";" in keys[0]:
        why += "; if semicolons separate the columns, set dataset.delimiter: ';'"
    return Problem(why, path=name, key=f"dataset.{key}" if key == "filter" else f"dataset.fields.{key}")


def unnamed_columns(rows: Sequence[Row], fields: Fields) -> tuple[str, ...]:
    """Give the columns of some rows that no field of the config names, in the order in which they come."""
    named = {re.split(r"[.\[]", path, maxsplit=1)[0] for _, path in fields.paths()}
    return tuple(key for key in dict.fromkeys(key for row in rows for key in row.values) if key not in named)


def unique_ids(rows: Sequence[Row], fields: Fields) -> list[str]:
    """Read each row's id.

    Raises:
        DatasetError: For ids that are missing or stand twice, with both rows.
    """
    ids: list[str] = []
    problems: list[Problem] = []
    first: dict[str, Row] = {}
    for row in rows:
        try:
            item_id = fields.id_of(row)
        except RowError as error:
            problems.append(row_problem(error, row))
            continue
        earlier = first.setdefault(item_id, row)
        if earlier is not row:
            problems.append(_twice(item_id, earlier, row, fields))
        ids.append(item_id)
    raise_problems(problems, "ids that can't be used")
    return ids


def _twice(item_id: str, earlier: Row, row: Row, fields: Fields) -> Problem:
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
