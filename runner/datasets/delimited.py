"""CSV and its relatives, read strictly: records with the line on which each starts."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..errors import DatasetError, Problem

# The csv module refuses fields over 128 kB unless told otherwise; a transcript is longer. This is its most anywhere.
LONGEST_FIELD = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a table: the 1-based line on which it starts, and its cells."""

    line: int
    cells: list[str]


def read_records(lines: Iterable[str], name: str, *, delimiter: str, quoting: bool = True) -> Iterator[Record]:
    r"""Split lines, whose ends are kept, into records; a line without anything in its cells is none.

    Args:
        lines: Lines of text, each with its own end.
        name: The file, for messages.
        delimiter: One character.
        quoting: Whether double quotes enclose cells; otherwise they are text.

    Raises:
        DatasetError: For a quote that is never closed, or text after a closing quote.
    """
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(
        lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE, strict=True
    )
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise DatasetError(_problem(error, name, line)) from error
        if cells is None:
            return
        if any(cell and not cell.isspace() for cell in cells):
            yield Record(line, cells)


def _problem(error: csv.Error, name: str, line: int) -> Problem:
    if "unexpected end of data" in str(error):
        text = "a double quote is opened here and never closed"
    else:
        text = f"broken quoting ({error})"
    hint = (
        'double a quote within quotes (""); where quotes are plain text, say so (in a config: dataset.quoting: false)'
    )
    return Problem(f"{text}; {hint}", path=name, line=line)
