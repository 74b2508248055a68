"""A table in whatever text form people have it: CSV, TSV, semicolons, JSONL, JSON, Markdown, a paste from a sheet."""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue as Json

from ..datasets.decoding import BOM
from ..datasets.delimited import Record, read_records
from ..datasets.paths import kind_of
from ..datasets.strict_json import parse_json
from ..datasets.texts import UNSENDABLE
from ..errors import DatasetError, Problem
from ..problems import counted, listed, quoted

TableFormat = Literal["auto", "csv", "tsv", "jsonl", "json", "markdown", "spaces"]
RULE = re.compile(r"[\s|:-]+")
CELL_END = re.compile(r"(?<!\\)\|")
EMPTY = "there is nothing in it"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table: where it stands, and its cells in the order of the columns."""

    number: int
    cells: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header.

    Attributes:
        name: The file, for messages.
        columns: Names of the columns, without white space around them.
        lines: The rows that have a cell for each column.
        bad: The number of each row that hasn't, with what is wrong.
        unit: What `Line.number` counts: lines of the file, or rows of a JSON list.
    """

    name: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    bad: tuple[tuple[int, str], ...]
    unit: Literal["line", "row"] = "line"

    def problem(self, number: int, message: str) -> Problem:
        """A problem of one row."""
        if self.unit == "line":
            return Problem(message, path=self.name, line=number)
        return Problem(message, path=self.name, row=number)


def read_table(text: str, name: str, table_format: TableFormat = "auto") -> Table:
    """Read a table from text.

    Args:
        text: The text, its line ends untouched.
        name: What messages call it.
        table_format: Its format; `auto` goes by its first line, and `csv` takes commas or semicolons by it.

    Raises:
        DatasetError: If it can't be taken apart at all; rows that don't fit are the table's `bad`.
    """
    text = text.removeprefix(BOM)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        raise DatasetError(Problem(EMPTY, path=name))
    form = _format_of(first) if table_format == "auto" else table_format
    table = _READERS[form](text, first, name)
    _check_columns(table.columns, name)
    return table


def _format_of(first: str) -> TableFormat:
    start = first.lstrip()[0]
    if start in "{[|":
        return {"{": "jsonl", "[": "json", "|": "markdown"}[start]  # type: ignore[return-value] # literals
    if "\t" in first:
        return "tsv"
    return "csv" if "," in first or ";" in first else "spaces"


def _check_columns(columns: tuple[str, ...], name: str) -> None:
    unsendable = next((column for column in columns if UNSENDABLE.search(column)), None)
    if unsendable is not None:
        raise DatasetError(Problem(f"the column name {quoted(unsendable)} can't be encoded", path=name))
    if "" in columns:
        at = columns.index("") + 1
        raise DatasetError(Problem(f"column {at} of the header has no name", path=name))
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        raise DatasetError(Problem(f"two columns are named `{twice}`", path=name))


def _tsv(text: str, _first: str, name: str) -> Table:
    return _of_records(read_records(io.StringIO(text, newline=""), name, delimiter="\t"), name)


def _csv(text: str, first: str, name: str) -> Table:
    delimiter = ";" if first.count(";") > first.count(",") else ","
    return _of_records(read_records(io.StringIO(text, newline=""), name, delimiter=delimiter), name)


def _markdown(text: str, _first: str, name: str) -> Table:
    records = (Record(number, _pipe_cells(line)) for number, line in _lines(text) if not RULE.fullmatch(line))
    return _of_records(records, name)


def _spaces(text: str, _first: str, name: str) -> Table:
    return _of_records((Record(number, line.split()) for number, line in _lines(text)), name)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _pipe_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.replace("\\|", "|") for cell in CELL_END.split(inner)]


def _of_records(records: Iterable[Record], name: str) -> Table:
    rows = iter(records)
    header = next(rows, None)
    if header is None:
        raise DatasetError(Problem(EMPTY, path=name))
    columns = tuple(cell.strip() for cell in header.cells)
    lines: list[Line] = []
    bad: list[tuple[int, str]] = []
    for record in rows:
        if len(record.cells) == len(columns):
            lines.append(Line(record.line, tuple(cell.strip() for cell in record.cells)))
        else:
            found = f"{counted(len(record.cells), 'cell')} where the header has {len(columns)}"
            bad.append((record.line, found))
    return Table(name, columns, tuple(lines), tuple(bad))


def _jsonl(text: str, _first: str, name: str) -> Table:
    _refuse_object(text, name)
    return _of_objects(((number, _parsed(line)) for number, line in _lines(text)), name, "line")


def _json(text: str, _first: str, name: str) -> Table:
    value = _parsed(text)
    if isinstance(value, ValueError):
        line = value.lineno if isinstance(value, json.JSONDecodeError) else None
        raise DatasetError(Problem(f"not valid JSON: {value}", path=name, line=line))
    if not isinstance(value, list) or not value:
        found = "an empty list" if isinstance(value, list) else kind_of(value)
        raise DatasetError(Problem(f"a list of rows is needed, and this is {found}", path=name))
    return _of_objects(enumerate(value, 1), name, "row")


def _parsed(text: str) -> Json | ValueError:
    try:
        return parse_json(text)
    except ValueError as error:
        return error


def _refuse_object(text: str, name: str) -> None:
    value = _parsed(text)
    if isinstance(value, dict) and any(isinstance(inner, list | dict) for inner in value.values()):
        needed = "a list of rows, or one object a line, is needed (is it another tool's log? Those of Inspect,"
        needed += " lm-evaluation-harness, promptfoo and OpenAI evals are read)"
        raise DatasetError(Problem(f"this is {kind_of(value)}; {needed}", path=name))


def _of_objects(values: Iterable[tuple[int, Json | ValueError]], name: str, unit: Literal["line", "row"]) -> Table:
    columns: tuple[str, ...] | None = None
    lines: list[Line] = []
    bad: list[tuple[int, str]] = []
    for number, value in values:
        if columns is None and isinstance(value, dict):
            columns = tuple(value)
        wrong = _wrong(value, columns or ())
        if wrong:
            bad.append((number, wrong))
        elif isinstance(value, dict):
            lines.append(Line(number, tuple(value[column] for column in columns or ())))
    return Table(name, columns or (), tuple(lines), tuple(bad), unit)


def _wrong(value: Json | ValueError, columns: tuple[str, ...]) -> str:
    if isinstance(value, ValueError):
        return f"not valid JSON: {value}"
    if not isinstance(value, dict):
        return f"{kind_of(value)}, {quoted(value)}, where an object is needed"
    lacking = [column for column in columns if column not in value]
    more = [key for key in value if key not in columns]
    if not lacking and not more:
        return ""
    parts = [f"{word} {listed(keys)}" for word, keys in (("lacks", lacking), ("has also", more)) if keys]
    return f"it {' and '.join(parts)}, unlike the first row; write null for a missing result"


_READERS: dict[TableFormat, Callable[[str, str, str], Table]] = {
    "csv": _csv,
    "tsv": _tsv,
    "markdown": _markdown,
    "spaces": _spaces,
    "jsonl": _jsonl,
    "json": _json,
}
