"""Excel workbooks (.xlsx): one sheet's rows, the first of them the header."""

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator

from pydantic import JsonValue as Json

from ..errors import DatasetError, Problem
from ..problems import did_you_mean, listed
from .extras import needed
from .files import Source
from .values import json_value

WHAT = "an Excel workbook"
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, LookupError),
    *(TypeError, ValueError, RuntimeError, SyntaxError),
)
"""What openpyxl lets through from an archive, or from XML in it, that is not whole; `ParseError` is a SyntaxError."""
Cells = tuple[int, list[Json]]


def read_sheet(source: Source, sheet: str | None) -> Iterator[Cells]:
    """Read a sheet's rows that hold something, each with its number in the sheet.

    Args:
        source: The open file.
        sheet: The sheet's name; None where only one holds anything.

    Raises:
        DatasetError: If openpyxl is not installed, the file is damaged, or it isn't said which sheet to read.
    """
    openpyxl = needed("openpyxl", "xlsx", source.name, WHAT)
    content = io.BytesIO(source.stream.read())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which no row needs
            book = openpyxl.load_workbook(content, read_only=True, data_only=True)
            rows = {each.title: list(_filled(each.iter_rows(values_only=True))) for each in book.worksheets}
    except BROKEN:
        text = "the workbook is damaged or cut off; save it again, or save the sheet as CSV (UTF-8)"
        raise DatasetError(Problem(text, path=source.name)) from None
    yield from rows[_chosen(rows, sheet, source.name)]


def _chosen(rows: dict[str, list[Cells]], sheet: str | None, name: str) -> str:
    names = list(rows)
    if not names:
        raise DatasetError(Problem("there is no sheet in it", path=name))
    if sheet is not None:
        if sheet not in rows:
            text = f"there is no sheet `{sheet}`; there are {listed(names)}{did_you_mean(sheet, names)}"
            raise DatasetError(Problem(text, path=name, key="dataset.rows"))
        return sheet
    filled = [each for each in names if rows[each]]
    if len(filled) > 1:
        text = f"several sheets hold rows: {listed(filled)}; name one, such as `rows: {filled[0]}`"
        raise DatasetError(Problem(text, path=name, key="dataset.rows"))
    return (filled or names)[0]


def _filled(rows: Iterator[tuple[object, ...]]) -> Iterator[Cells]:
    for number, cells in enumerate(rows, 1):
        values = [json_value(cell) for cell in cells]
        if any(value is not None and value != "" for value in values):
            yield number, values
