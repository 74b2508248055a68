"""Parquet files, and tables in memory, as rows."""

from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue as Json

from ..errors import DatasetError, Problem
from .extras import needed
from .files import Source
from .values import json_value

WHAT = "a Parquet file"
BATCH = 1000


def read_parquet(source: Source) -> Iterator[dict[str, Json]]:
    """Read a Parquet file batch by batch.

    Raises:
        DatasetError: If pyarrow is not installed, the file is damaged, or a value has no form in JSON.
    """
    arrow = needed("pyarrow", "parquet", source.name, WHAT)
    parquet = needed("pyarrow.parquet", "parquet", source.name, WHAT)
    try:
        file = parquet.ParquetFile(arrow.BufferReader(source.stream.read()))
        for batch in file.iter_batches(batch_size=BATCH):
            yield from rows_of(batch, source.name)
    except (arrow.ArrowException, OSError, ValueError) as error:
        text = f"the Parquet data is damaged or cut off ({_first_line(error)}); fetch the file again"
        raise DatasetError(Problem(text, path=source.name)) from error


def rows_of(table: Any, name: str) -> Iterator[dict[str, Json]]:
    """The rows of a table, or of a batch of one, of pyarrow.

    Raises:
        DatasetError: If a value has no form in JSON.
    """
    names = table.schema.names
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise DatasetError(Problem(f"two columns are named `{twice}`; rename one", path=name))
    for row in table.to_pylist():
        try:
            yield {key: json_value(value) for key, value in row.items()}
        except ValueError as error:
            raise DatasetError(Problem(f"it holds {error}", path=name)) from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n", maxsplit=1)[0].rstrip(".")
