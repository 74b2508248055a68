"""Files to rows: JSONL, JSON, YAML, CSV, TSV, Parquet and Excel, read strictly, with each row's place."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

from pydantic import JsonValue as Json

from ..config.schema import DatasetConfig
from ..errors import DatasetError, Problem
from ..problems import counted, quoted, raise_problems
from .decoding import BOM, read_lines
from .delimited import Record, read_records
from .files import CHUNK, Source, binary_kind
from .paths import PathError, kind_of, resolve
from .strict_json import parse_json

Format = Literal["jsonl", "json", "csv", "tsv", "yaml", "parquet", "xlsx"]
SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}


NO_DATA = {
    ".py": "a Python file",
    ".ipynb": "a notebook",
    ".md": "a page of text (Markdown)",
    ".html": "a web page",
    ".pdf": "a PDF document",
    ".docx": "a Word document",
    ".bib": "a bibliography",
}
"""What files are called that lie beside data, and are named by mistake."""
DELIMITERS = ((";", "semicolons", "';'"), ("\t", "tabs", r'"\t"'), ("|", "bars", "'|'"))
"""What separates columns besides commas, in words and as YAML has it."""
SLOT = "{question}"
"""What prompt templates hold, which lie beside data too."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a data file.

    Attributes:
        number: 1-based, counted over rows that hold something.
        line: 1-based line on which it starts; None in a JSON file, whose lines mean nothing.
        values: Its fields; a list's, or those of a table without header, are named `0`, `1`, …
        file: The file that it stands in, as messages name it.
        stem: That file's name without its ending, below the folder of the dataset.
        several: Whether the dataset has several files.
    """

    number: int
    line: int | None
    values: dict[str, Json]
    file: str = ""
    stem: str = ""
    several: bool = False


def is_table(name: str, config: DatasetConfig) -> bool:
    """Whether a file is CSV or TSV, as the config or its name says."""
    suffix = PurePath(name.removesuffix(".gz")).suffix.lower()
    return (SUFFIXES.get(suffix) if config.format == "auto" else config.format) in {"csv", "tsv"}


def delimiter_hint(columns: Sequence[str]) -> str:
    """What to set where the one column of a table holds what separates columns elsewhere; else nothing."""
    found = (
        f"; if {word} separate the columns, set dataset.delimiter: {value}"
        for delimiter, word, value in DELIMITERS
        if len(columns) == 1 and delimiter in columns[0]
    )
    return next(found, "")


def format_of(name: str) -> Format:
    """Tell a file's format by its name.

    Raises:
        DatasetError: If the name doesn't say.
    """
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    suffix = next((suffix for suffix in reversed(suffixes) if suffix != ".gz"), "")
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if suffix in NO_DATA:
        raise DatasetError(Problem(f"is {NO_DATA[suffix]} by its name, and no data", path=name))
    text = "the name doesn't say what it is; set dataset.format: jsonl, json, csv, tsv or yaml"
    raise DatasetError(Problem(text, path=name))


def read_rows(source: Source, config: DatasetConfig) -> Iterator[Row]:
    """Read the rows of an open file one by one; blank lines are no rows.

    Raises:
        DatasetError: If the file breaks the rules of its format; up to twenty places are named.
    """
    rows = READERS[_format(source, config)](source, config)
    return (replace(row, file=source.name) for row in rows)


def _format(source: Source, config: DatasetConfig) -> Format:
    """The format: as asked; else by the content where that tells for certain, or by the name."""
    if config.format != "auto":
        return config.format
    kind = binary_kind(source.stream.peek(CHUNK))
    return format_of(source.name) if kind is None or kind == "zip" else kind


def _jsonl(source: Source, config: DatasetConfig) -> Iterator[Row]:
    problems: list[Problem] = []
    count = 0
    for number, line in enumerate(read_lines(source, config.encoding, "\n"), 1):
        text = line.removeprefix(BOM)  # files put together by `cat` have marks within
        if not text or text.isspace():
            continue
        count += 1
        try:
            yield Row(count, number, _fields(parse_json(text)))
        except ValueError as error:
            problems.append(_line_problem(error, source.name, number, text))
    raise_problems(problems, "lines that are no JSON object")


def _line_problem(error: ValueError, name: str, number: int, text: str) -> Problem:
    column = error.colno if isinstance(error, json.JSONDecodeError) else None
    hint = "; for JSON over several lines set dataset.format: json" if text.strip() in {"[", "{"} else ""
    return Problem(f"{_clause(error)}; each line must be one JSON object{hint}", path=name, line=number, column=column)


def _clause(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg[0].lower()}{error.msg[1:]}"
    return str(error)


def _fields(value: Json) -> dict[str, Json]:
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(position): element for position, element in enumerate(value)}
    raise ValueError(f"a row is {kind_of(value)}, {quoted(value)}, where an object is needed")


def _json(source: Source, config: DatasetConfig) -> Iterator[Row]:
    text = "".join(read_lines(source, config.encoding, "\n"))
    try:
        value = parse_json(text)
    except json.JSONDecodeError as error:
        hint = "; for one JSON object a line set dataset.format: jsonl" if error.msg == "Extra data" else ""
        place = Problem(_clause(error) + hint, path=source.name, line=error.lineno, column=error.colno)
        raise DatasetError(place) from error
    except ValueError as error:
        raise DatasetError(Problem(str(error), path=source.name)) from error
    return _elements(value, source, config)


def _yaml(source: Source, config: DatasetConfig) -> Iterator[Row]:
    from .yaml_rows import other_config, parse_yaml  # noqa: PLC0415 - each format loads what reads it

    text = "".join(read_lines(source, config.encoding, "\n"))
    told = other_config(text) if config.rows is None else None
    if told:
        hint = "; `rows: tests` reads its tests" if re.search(r"(?m)^tests:\s*[-\[]", text) else ""
        raise DatasetError(Problem(f"is {told}, not data itself{hint}", path=source.name))
    return _elements(parse_yaml(text, source.name), source, config)


def _elements(value: Json, source: Source, config: DatasetConfig) -> Iterator[Row]:
    problems = []
    for number, element in enumerate(_list_at(value, config.rows, source.name), 1):
        try:
            yield Row(number, None, _fields(element))
        except ValueError as error:
            problems.append(Problem(str(error), path=source.name, row=number))
    raise_problems(problems, "rows that are no object")


def _list_at(value: Json, path: str | None, name: str) -> list[Json]:
    try:
        rows = resolve(value, (path or "").removesuffix("[]"))
    except PathError as error:
        text = str(error).replace("the row", "the file")
        raise DatasetError(Problem(text, path=name, key="dataset.rows")) from error
    if isinstance(rows, list):
        return rows
    found = _path_to_list(rows)
    hint = f"; name the list of rows, such as `rows: {'.'.join(filter(None, (path, found)))}`" if found else ""
    if SLOT in json.dumps(rows):
        hint = f"; its texts with a slot, such as `{SLOT}`, are prompt templates and no data"
    text = f"a list of rows is needed, and this is {kind_of(rows)}{hint}"
    raise DatasetError(Problem(text, path=name, key="dataset.rows"))


def _path_to_list(value: Json) -> str:
    """The path of the least deep list in an object, of one with objects in it before others; empty where none is."""
    level: list[tuple[str, Json]] = [("", value)]
    lists: list[tuple[str, list[Json]]] = []
    while level:
        objects = [(path, each) for path, each in level if isinstance(each, dict)]
        level = [(f"{path}.{key}".lstrip("."), each) for path, held in objects for key, each in held.items()]
        lists += [(path, each) for path, each in level if isinstance(each, list)]
    with_objects = [path for path, each in lists if each and isinstance(each[0], dict)]
    return next(iter([*with_objects, *(path for path, _ in lists)]), "")


def _parquet(source: Source, _config: DatasetConfig) -> Iterator[Row]:
    from .columnar import read_parquet  # noqa: PLC0415 - as above

    return (Row(number, None, values) for number, values in enumerate(read_parquet(source), 1))


def _sheet(source: Source, config: DatasetConfig) -> Iterator[Row]:
    from .workbook import read_sheet  # noqa: PLC0415 - as above

    records = read_sheet(source, config.rows)
    if not config.header:
        yield from (Row(number, line, _fields(cells)) for number, (line, cells) in enumerate(records, 1))
        return
    line, header = next(records, (1, []))
    while header and header[-1] is None:
        header.pop()
    columns = _columns(Record(line, ["" if cell is None else str(cell) for cell in header]), source.name)
    problems = []
    for number, (line, cells) in enumerate(records, 1):
        beyond = next((cell for cell in cells[len(columns) :] if cell is not None), None)
        if beyond is not None:
            text = f"the cell {quoted(beyond)} stands in a column that the first row doesn't name"
            problems.append(Problem(text, path=source.name, line=line))
        yield Row(number, line, dict(zip(columns, cells, strict=False)))
    raise_problems(problems, "cells without a column")


def _csv(source: Source, config: DatasetConfig) -> Iterator[Row]:
    return _table(source, config, ",")


def _tsv(source: Source, config: DatasetConfig) -> Iterator[Row]:
    return _table(source, config, "\t")


def _table(source: Source, config: DatasetConfig, usual: str) -> Iterator[Row]:
    delimiter = config.delimiter or usual
    lines = read_lines(source, config.encoding, "")
    records = read_records(lines, source.name, delimiter=delimiter, quoting=config.quoting)
    first = next(records, None)
    if first is None:
        return
    columns = _columns(first, source.name) if config.header else [str(at) for at in range(len(first.cells))]
    if not config.header:
        yield Row(1, first.line, dict(zip(columns, first.cells, strict=True)))
    problems = []
    for number, record in enumerate(records, 1 if config.header else 2):
        if len(record.cells) == len(columns):
            yield Row(number, record.line, dict(zip(columns, record.cells, strict=True)))
        else:
            problems.append(_ragged(record, first, source.name))
    raise_problems(problems, "ragged rows")


def _ragged(record: Record, first: Record, name: str) -> Problem:
    hint = delimiter_hint(first.cells)
    if any(cell.lstrip().startswith("{") and not cell.rstrip().endswith("}") for cell in record.cells):
        hint = "; JSON in a cell must stand in double quotes, its own quotes doubled"
    found = f"{counted(len(record.cells), 'cell')} where the first row has {len(first.cells)}"
    return Problem(
        f"{found}{hint or '; a cell with a delimiter in it needs double quotes'}", path=name, line=record.line
    )


def _columns(header: Record, name: str) -> list[str]:
    """The columns' names; an unnamed one is `column 3`."""
    columns = [cell.strip() or f"column {at}" for at, cell in enumerate(header.cells, 1)]
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        text = f"two columns are named `{twice}`; rename one, or set dataset.header: false"
        raise DatasetError(Problem(text, path=name, line=header.line))
    return columns


READERS: dict[Format, Callable[[Source, DatasetConfig], Iterator[Row]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "yaml": _yaml,
    "csv": _csv,
    "tsv": _tsv,
    "parquet": _parquet,
    "xlsx": _sheet,
}
