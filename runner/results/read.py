"""Results made elsewhere: a table item × condition, or long rows, to a `ResultsTable`. One bad line rejects it all."""

import math
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from pydantic import JsonValue as Json

from ..datasets.decoding import read_lines
from ..datasets.files import CHUNK, UTF16_MARKS, Source, opened
from ..datasets.paths import kind_of
from ..datasets.texts import is_blank, text_of
from ..errors import DatasetError, Problem
from ..problems import counted, listed, quoted, raise_problems
from .assembling import BASELINES, assembled
from .columns import NEEDED, LongColumns, long_columns, wide_columns
from .result import Given, Outcome, Result
from .table import ResultsTable
from .tables import Line, Table, TableFormat, read_table

PASS = frozenset({"1", "1.0", "true", "pass", "yes", *"✓✔✅☑"})
FAIL = frozenset({"0", "0.0", "false", "fail", "no", *"✗✘❌☒☐"})
MISSING = frozenset({"", "na", "null", "-"})
ALLOWED = "1/0, true/false, pass/fail, yes/no and ✓/✗ are allowed; an empty cell, NA, null or - is a missing result"
THRESHOLD = "a score passes from a number on that --threshold names, such as --threshold 0.5"
EMOJI_STYLE = "\ufe0f"
"""What makes a mark colourful, as ✔️ and ☑️."""


def read_results(
    source: Path | None,
    text: str | None,
    *,
    format: TableFormat = "auto",  # noqa: A002 - the word users know it by
    baseline: str | None = None,
    name: str | None = None,
) -> ResultsTable:
    """Read results.

    Args:
        source: The file, plain or gzipped; None to read `text`.
        text: The table itself, such as a paste on stdin; None to read `source`.
        format: How the table is written; `auto` goes by its first line.
        baseline: The condition that the others are compared with. Where not given it is the one named `baseline`,
            `original` or `base`, else the first.
        name: What messages and reports call the input; the path, or `standard input`, where not given.

    Returns:
        The results, the baseline's first.

    Raises:
        DatasetError: If a line is malformed, a result stands twice, or there is nothing to compare.
    """
    given = _read_file(source, name or str(source)) if source else pasted(text or "", name or "standard input")
    results, notes = results_of(given, format)
    return assembled(results, baseline, name=given.name, sha256=given.sha256, notes=notes)


def results_of(
    given: Given, table_format: TableFormat = "auto", threshold: float | None = None
) -> tuple[list[Result], list[str]]:
    """Read the results of one table, and what the user should read besides.

    Args:
        given: The table's text.
        table_format: How it is written.
        threshold: The least number that passes; None where results are pass or fail.

    Raises:
        DatasetError: If a line is malformed, or a result stands twice.
    """
    table = read_table(given.text, given.name, table_format)
    columns = long_columns(table.columns, given.name)
    results, bad = _read_long(table, columns, threshold) if columns else _read_wide(table, threshold)
    advice = "a column `repeat` would tell runs apart" if columns else "an item has one row"
    bad += [(number, f"{twice}; {advice}") for number, twice in _twice(results, table.unit)]
    bad += _torn(results, table.unit)
    malformed = [table.problem(number, message) for number, message in sorted([*table.bad, *bad])]
    raise_problems(malformed, "malformed lines; nothing was read")
    passing = [] if threshold is None else [f"a score passes from {threshold:g} on, as asked"]
    return results, [*passing, *_column_notes(table, columns, results)]


def _column_notes(table: Table, columns: LongColumns | None, results: Sequence[Result]) -> Iterator[str]:
    """Say what was read from columns that not every table has, and which were not read."""
    cluster = columns.cluster if columns else wide_columns(table.columns).cluster
    if columns and columns.repeat is not None:
        count = len({result.repeat for result in results})
        yield f"the column `{table.columns[columns.repeat]}` tells {counted(count, 'repeat')} apart"
    if cluster is not None:
        count = len({result.cluster for result in results})
        yield f"the column `{table.columns[cluster]}` puts the items into {counted(count, 'cluster')}"
    if columns and (unused := columns.unused(table.columns)):
        yield f"columns that were not read: {listed(unused)}"


def _read_file(path: Path, name: str) -> Given:
    with opened(path, name) as source:
        return decoded(source)


def decoded(source: Source) -> Given:
    """The text of an open file.

    Raises:
        DatasetError: If it is none.
    """
    text = "".join(read_lines(source, _encoding(source), ""))
    return Given(source.name, text, source.sha256())


def pasted(text: str, name: str) -> Given:
    """A text that comes from no file."""
    return Given(name, text, sha256(text.encode(errors="surrogatepass")).hexdigest())


def _encoding(source: Source) -> str:
    """Spreadsheets save "Unicode text" as UTF-16, which its mark tells for certain."""
    return "utf-16" if source.stream.peek(CHUNK).startswith(UTF16_MARKS) else "utf-8"


def _read_long(
    table: Table, columns: LongColumns, threshold: float | None
) -> tuple[list[Result], list[tuple[int, str]]]:
    _refuse_texts(table, [columns.passed], threshold)
    results: list[Result] = []
    bad: list[tuple[int, str]] = []
    for line in table.lines:
        try:
            item, condition = (_name(line, at, table) for at in (columns.item, columns.condition))
            repeat = "" if columns.repeat is None else _name(line, columns.repeat, table)
            cluster = None if columns.cluster is None else _name(line, columns.cluster, table)
            passed = _outcome(line, columns.passed, table, threshold)
            results.append(Result(line.number, item, condition, repeat, passed, cluster))
        except ValueError as error:
            bad.append((line.number, str(error)))
    return results, bad


def _read_wide(table: Table, threshold: float | None) -> tuple[list[Result], list[tuple[int, str]]]:
    if not table.columns:
        return [], []
    columns = wide_columns(table.columns)
    _check_header(table, columns.item)
    _refuse_texts(table, columns.conditions, threshold)
    results: list[Result] = []
    bad: list[tuple[int, str]] = []
    for line in table.lines:
        try:
            item = _name(line, columns.item, table)
            cluster = None if columns.cluster is None else _name(line, columns.cluster, table)
            cells = [(table.columns[at], _outcome(line, at, table, threshold)) for at in columns.conditions]
            results += [Result(line.number, item, condition, "", passed, cluster) for condition, passed in cells]
        except ValueError as error:
            bad.append((line.number, str(error)))
    return results, bad


def _check_header(table: Table, at_item: int) -> None:
    first, *others = table.columns
    if first.casefold() in BASELINES and at_item == 0:
        text = f"the first column, `{first}`, holds results where the item is needed; {NEEDED}"
        raise DatasetError(Problem(text, path=table.name, line=1))
    if others and all(other.casefold() in PASS | FAIL | MISSING for other in others):
        text = f"the first line, {listed(table.columns)}, holds results where a header is needed; {NEEDED}"
        raise DatasetError(Problem(text, path=table.name, line=1))


def _refuse_texts(table: Table, columns: Sequence[int], threshold: float | None) -> None:
    """Refuse columns that hold something else than results in every line, each in one sentence."""
    problems = []
    for at in columns:
        cells = [line.cells[at] for line in table.lines if _word(line.cells[at]) not in MISSING]
        scores = any(_number(cell) is not None for cell in cells)
        is_result = any(_word(cell) in PASS | FAIL for cell in cells) or (scores and threshold is not None)
        if len(cells) > 1 and not is_result:
            allowed = _allowed(scores=scores)
            text = f"the column `{table.columns[at]}` holds no result in any of its {len(cells)} {table.unit}s, such as"
            problems.append(Problem(f"{text} {quoted(cells[0])}; leave it out, or: {allowed}", path=table.name, line=1))
    raise_problems(problems, "columns without a result")


def _word(value: Json) -> str | None:
    """A cell as it is compared with the words for results; None where it can't be one."""
    if isinstance(value, list | dict):
        return None
    return "null" if value is None else str(value).strip().removesuffix(EMOJI_STYLE).casefold()


def _number(value: Json) -> float | None:
    """A cell as a score; None where it is none."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _name(line: Line, at: int, table: Table) -> str:
    value = line.cells[at]
    if is_blank(value):
        raise ValueError(f"`{table.columns[at]}` is empty")
    try:
        return text_of(value)
    except ValueError as error:
        raise ValueError(f"`{table.columns[at]}` is {error}") from error


def _outcome(line: Line, at: int, table: Table, threshold: float | None) -> Outcome:
    value = line.cells[at]
    word, number = _word(value), _number(value)
    if threshold is not None and number is not None:
        return number >= threshold
    if word in PASS:
        return True
    if word in FAIL:
        return False
    if word in MISSING:
        return None
    found = quoted(value) if isinstance(value, str) else kind_of(value) + f" ({quoted(value)})"
    allowed = _allowed(scores=number is not None)
    raise ValueError(f"{found} under `{table.columns[at]}` is no result; {allowed}")


def _allowed(*, scores: bool) -> str:
    """What a cell may hold, with how scores are read where there are any."""
    return f"{ALLOWED}; {THRESHOLD}" if scores else ALLOWED


def _twice(results: Sequence[Result], unit: str) -> Iterator[tuple[int, str]]:
    first: dict[tuple[str, str, str], int] = {}
    told: set[int] = set()
    for result in results:
        earlier = first.setdefault((result.item, result.condition, result.repeat), result.number)
        if earlier != result.number and result.number not in told:
            told.add(result.number)
            repeat = f", repeat {quoted(result.repeat)}" if result.repeat else ""
            what = f"item {quoted(result.item)} under `{result.condition}`{repeat}"
            yield result.number, f"a second result of {what}, after that of {unit} {earlier}"


def _torn(results: Sequence[Result], unit: str) -> Iterator[tuple[int, str]]:
    """Each item that is in two clusters, once."""
    first: dict[str, Result] = {}
    told: set[str] = set()
    for result in results:
        earlier = first.setdefault(result.item, result)
        if earlier.cluster != result.cluster and result.item not in told:
            told.add(result.item)
            clusters = f"{quoted(result.cluster)} here and in {quoted(earlier.cluster)} in {unit} {earlier.number}"
            advice = "an item belongs to one cluster; name the column otherwise if it holds something else"
            yield result.number, f"item {quoted(result.item)} is in cluster {clusters}; {advice}"
