"""A run's results as a table for other programs: CSV, JSON Lines or Parquet, written row by row."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from sqlalchemy import select

from .datasets.extras import needed
from .errors import UsageError
from .problems import listed
from .reports.csv_text import defused
from .reports.text import visible
from .store.read import Result, StoredRun
from .store.schema import items

ExportFormat = Literal["csv", "jsonl", "parquet"]
STDOUT = "-"
COLUMNS = (
    "item",
    "cluster",
    "condition",
    "repeat",
    "passed",
    "status",
    "answer",
    "extracted",
    "reason",
    "reply",
    "reasoning",
    "refusal",
    "finish_reason",
    "model",
    "prompt_tokens",
    "completion_tokens",
    "latency_s",
    "attempts",
    "error_kind",
    "error_message",
    "fingerprint",
)
NUMBERS = {
    "repeat": "int32",
    "passed": "bool_",
    "prompt_tokens": "int32",
    "completion_tokens": "int32",
    "latency_s": "float64",
    "attempts": "int32",
}
"""The columns that are no texts, with their types in Parquet."""
BATCH = 2_000

Row = Mapping[str, str | int | float | bool | None]
Write = Callable[[Row], object]


def export(run: StoredRun, target: str, form: ExportFormat | None, out: TextIO) -> int:
    """Write a run's results: a row for each cell that has a reply, in the order of the dataset.

    Args:
        run: The run; its store must be open.
        target: The file; `-` for standard output.
        form: The format; by the file's ending where not given, and CSV on standard output.
        out: Standard output.

    Returns:
        How many rows were written.

    Raises:
        UsageError: The file is there already or can't be written, its ending names no format, or Parquet is wanted
            where it can't be.
        StoreError: The store can't be read; no file is left then.
    """
    chosen = form or format_of(target)
    if target == STDOUT:
        if chosen == "parquet":
            raise UsageError("a Parquet file can't be written to standard output; name a file")
        return written(run, text_writer(out, chosen, shown=out.isatty()))
    path = Path(target)
    with new_file(path):
        if chosen == "parquet":
            with parquet_writer(path) as write:
                return written(run, write)
        with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            return written(run, text_writer(file, chosen, shown=False))


def format_of(target: str) -> ExportFormat:
    """The format that a file's ending names."""
    if target == STDOUT:
        return "csv"
    ending = Path(target).suffix.lower().removeprefix(".")
    for form in get_args(ExportFormat):
        if ending == form:
            return form  # type: ignore[no-any-return]  # one of the literals
    endings = listed(f".{form}" for form in get_args(ExportFormat))
    raise UsageError(f"{target}: its ending names no format; use {endings}, or say it by --format")


@contextmanager
def new_file(path: Path) -> Iterator[None]:
    """Make a file that was not there, and leave none where that fails half-way."""
    try:
        path.open("x").close()
    except FileExistsError:
        raise UsageError(f"{path} is there already; name another file, or remove it first") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from None
    try:
        yield
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UsageError(f"{path} can't be written: {error.strerror or error}") from None
        raise


def written(run: StoredRun, write: Write) -> int:
    """Write all rows, and count them."""
    clusters = clusters_of(run)
    count = 0
    for result in run.results():
        write(row_of(result, clusters.get(result.item_id, "")))
        count += 1
    return count


def clusters_of(run: StoredRun) -> dict[str, str]:
    """What the items belong to that belong to anything."""
    chosen = select(items.c.item_id, items.c.cluster).where(items.c.suite == run.record.suite, items.c.cluster != "")
    with run.store.reading() as connection:
        return {row.item_id: row.cluster for row in connection.execute(chosen)}


def row_of(result: Result, cluster: str) -> Row:
    """A result as a row, by `COLUMNS`."""
    reply, grade, error = result.reply, result.grade, result.reply.error
    return {
        "item": result.item_id,
        "cluster": cluster,
        "condition": result.condition,
        "repeat": result.repeat,
        "passed": None if grade is None else grade.passed,
        "status": None if grade is None else grade.status,
        "answer": None if grade is None else grade.answer,
        "extracted": None if grade is None else grade.extracted,
        "reason": None if grade is None else grade.reason,
        "reply": reply.text,
        "reasoning": reply.reasoning,
        "refusal": reply.refusal,
        "finish_reason": reply.finish_reason,
        "model": reply.model,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "latency_s": reply.latency_s,
        "attempts": reply.attempts,
        "error_kind": None if error is None else error.kind,
        "error_message": None if error is None else error.message,
        "fingerprint": reply.fingerprint,
    }


def text_writer(file: TextIO, form: ExportFormat, *, shown: bool) -> Write:
    """Begin a table in text.

    Args:
        file: Where it goes.
        form: CSV with a header, or JSON Lines.
        shown: Whether it goes to a terminal, which no text may steer.
    """

    def safe(text: str) -> str:
        return visible(text, keep="\n\t") if shown else text

    if form == "jsonl":
        return lambda row: file.write(safe(json_line(row)) + "\n")
    table = csv.writer(file, lineterminator="\n")
    table.writerow(COLUMNS)
    return lambda row: table.writerow([safe(csv_cell(row[name])) for name in COLUMNS])


def csv_cell(value: object) -> str:
    r"""A value as it stands in CSV: nothing where there is none; NUL, which programs take for no text, as `\x00`.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return defused(value.replace("\0", r"\x00"))
    return "" if value is None else str(value)


def json_line(row: Row) -> str:
    """A row as a line of JSON; halves of surrogate pairs, which no file can hold, are escaped."""
    line = json.dumps(row, ensure_ascii=False)
    return line if line.isascii() or line == line.encode("utf-8", "replace").decode() else json.dumps(row)


@contextmanager
def parquet_writer(path: Path) -> Iterator[Write]:
    """Begin a Parquet file; rows are written some thousands at a time."""
    arrow = needed("pyarrow", "parquet", str(path), "a Parquet file")
    parquet = needed("pyarrow.parquet", "parquet", str(path), "a Parquet file")
    schema = arrow.schema([(name, getattr(arrow, NUMBERS.get(name, "string"))()) for name in COLUMNS])
    some: list[dict[str, Any]] = []

    def write(row: Row) -> None:
        some.append({name: encodable(value) for name, value in row.items()})
        if len(some) == BATCH:
            flush()

    def flush() -> None:
        file.write_batch(arrow.RecordBatch.from_pylist(some, schema=schema))
        some.clear()

    with parquet.ParquetWriter(path, schema) as file:
        yield write
        flush()


def encodable(value: object) -> object:
    """A value with halves of surrogate pairs escaped, which no file can hold."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
