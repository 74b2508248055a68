"""Rows to be scored, read one by one: a row that can't be used is one with a reason, and the next one is read."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

from pydantic import JsonValue as Json

from ...perturbations.question import Question
from ..datasets.chats import opened_chat, read_chat
from ..datasets.decoding import BOM
from ..datasets.delimited import LONGEST_FIELD
from ..datasets.files import CHUNK, UTF16_MARKS, Source, opened
from ..datasets.paths import kind_of
from ..datasets.rows import SUFFIXES
from ..datasets.strict_json import parse_json
from ..datasets.texts import is_blank, text_of
from ..errors import DatasetError, Problem
from ..problems import RowError, did_you_mean, listed, quoted

REQUIRED = ("input_id", "prompt", "sut_response")
OPTIONAL = ("messages", "context", "reference_answer", "groundtruth_context", "weight")
ESCAPED = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One row as the file has it.

    Attributes:
        number: 1-based, counted over rows that hold something.
        line: 1-based line on which it starts.
        values: Its columns; empty where it can't be read.
        problem: Why it can't be read, as a clause; empty where it can.
    """

    number: int
    line: int
    values: Mapping[str, Json]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row that can be scored.

    Attributes:
        id: Its `input_id`.
        question: What is asked, with the conversation and the passages that go with it.
        response: The answer that the system has given; empty where it is yet to be asked.
        reference: A right answer; empty where none is given.
        context: What answers may rely on; empty where there is nothing.
        weight: What it counts in the pooled score; None for what the settings say.
    """

    id: str
    question: Question
    response: str = ""
    reference: str = ""
    context: str = ""
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What was made of one line: a row, or the reason why there is none.

    Attributes:
        line: The line.
        id: Its `input_id`, as far as it could be read.
        row: The row; None where it can't be scored.
        reason: Why it can't; empty where it can.
    """

    line: Line
    id: str
    row: ScoreRow | None
    reason: str = ""


def read_score_rows(path: Path) -> Iterator[Read]:
    """Read the rows of a file, JSONL or CSV, plain or gzipped.

    Args:
        path: The file.

    Yields:
        One for each row, in order; never more than one is held.

    Raises:
        DatasetError: The file can't be read at all, or lacks a column.
    """
    first: dict[str, int] = {}
    with opened(path, str(path)) as source:
        for line in _lines(source):
            read = _read(line)
            earlier = first.setdefault(read.id, line.line) if read.row else line.line
            if earlier != line.line:
                reason = f"input_id {quoted(read.id)} stands in line {earlier} already"
                read = replace(read, row=None, reason=reason)
            yield read


def _lines(source: Source) -> Iterator[Line]:
    if source.stream.peek(CHUNK).startswith(UTF16_MARKS):
        raise DatasetError(Problem("is UTF-16 text; save it as UTF-8", path=source.name))
    suffixes = Path(source.name.lower().removesuffix(".gz")).suffixes
    form = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if form not in {"jsonl", "csv", "tsv"}:
        raise DatasetError(Problem("rows to be scored stand in a file named .jsonl, .csv or .tsv", path=source.name))
    newline = "\n" if form == "jsonl" else ""
    text = io.TextIOWrapper(source.stream, "utf-8-sig", errors="surrogateescape", newline=newline)
    try:
        yield from _json_lines(text) if form == "jsonl" else _records(text, source.name, "," if form == "csv" else "\t")
    finally:
        if not text.closed:
            text.detach()


def _json_lines(text: io.TextIOWrapper) -> Iterator[Line]:
    number = 0
    for at, line in enumerate(text, 1):
        bare = line.removeprefix(BOM).strip()
        if not bare:
            continue
        number += 1
        if problem := _undecoded(bare):
            yield Line(number, at, {}, problem)
            continue
        try:
            value = parse_json(bare)
        except ValueError as error:
            told = f"not valid JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
            yield Line(number, at, {}, f"{told}; each line must be one JSON object")
            continue
        if isinstance(value, dict):
            yield Line(number, at, value)
        else:
            yield Line(number, at, {}, f"a row is {kind_of(value)}, where an object is needed")


def _records(text: io.TextIOWrapper, name: str, delimiter: str) -> Iterator[Line]:
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    header: list[str] = []
    number = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            number += 1
            yield Line(number, line, {}, _broken(error))
            continue
        if cells is None:
            break
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = _header(cells, name)
            continue
        number += 1
        problem = next(filter(None, map(_undecoded, cells)), "")
        if len(cells) != len(header):
            problem = problem or f"it has {len(cells)} cells, and the header names {len(header)} columns"
        yield Line(number, line, {} if problem else dict(zip(header, cells, strict=True)), problem)
    if not header:
        raise DatasetError(Problem(f"it has no header; needed are the columns {listed(REQUIRED)}", path=name))


def _broken(error: csv.Error) -> str:
    if "unexpected end of data" in str(error):
        return "a double quote is opened here and never closed, so no row after it can be read"
    return f"broken quoting ({error}); double a quote within quotes"


def _header(cells: list[str], name: str) -> list[str]:
    header = [cell.strip() for cell in cells]
    missing = [column for column in REQUIRED if column not in header]
    if "messages" in header and "prompt" in missing:
        missing.remove("prompt")
    if missing:
        near = next(filter(None, (did_you_mean(column, header) for column in missing)), "")
        text = f"there is no column {listed(missing)} (found {listed(header)}); needed are {listed(REQUIRED)}{near}"
        raise DatasetError(Problem(text, path=name, line=1))
    if twice := next((column for column in header if header.count(column) > 1), None):
        raise DatasetError(Problem(f"the header names the column {quoted(twice)} twice", path=name, line=1))
    return header


def _undecoded(text: str) -> str:
    bad = ESCAPED.search(text)
    return f"the byte 0x{ord(bad[0]) & 0xFF:02x} is not UTF-8" if bad else ""


def _read(line: Line) -> Read:
    """What one line comes to."""
    known = line.values.get("input_id")
    name = text_of(known) if isinstance(known, str | int | float) and not _unsendable(known) else ""
    if line.problem:
        return Read(line, name, None, line.problem)
    try:
        return Read(line, name, _row(line.values))
    except RowError as error:
        return Read(line, name, None, f"`{error.key}`: {error}" if error.key else str(error))


def _unsendable(value: Json) -> bool:
    try:
        text_of(value)
    except ValueError:
        return True
    return False


def _row(values: Mapping[str, Json]) -> ScoreRow:
    """A row of its columns.

    Raises:
        RowError: It can't be scored.
    """
    name = _text(values, "input_id")
    if not name.strip():
        raise RowError("it is empty or missing; each row needs an id of its own", "input_id")
    passages = _passages(values, "context")
    question = _asked(values)
    shown = "\n".join([question.system, question.text, *(turn.content for turn in question.history)])
    sent = tuple(passage for passage in passages if passage not in shown)
    truth = _passages(values, "groundtruth_context") or passages
    return ScoreRow(
        id=name,
        question=replace(question, context=sent),
        response=_text(values, "sut_response"),
        reference=_text(values, "reference_answer"),
        context="\n\n".join(truth),
        weight=_weight(values.get("weight")),
    )


def _asked(values: Mapping[str, Json]) -> Question:
    """The conversation; `prompt` is its last user turn, or follows it."""
    prompt, messages = _text(values, "prompt"), opened_chat(values.get("messages"))
    if is_blank(messages):
        if not prompt.strip():
            raise RowError("it is empty or missing, and there are no `messages`", "prompt")
        return Question(prompt, answer_form="none")
    turns = messages if isinstance(messages, list) else []
    last = turns[-1] if turns and isinstance(turns[-1], dict) else {}
    if prompt.strip() and last.get("role", last.get("from")) not in {"user", "human"}:
        turns = [*turns, {"role": "user", "content": prompt}]
    elif not turns:
        raise RowError(
            f"it is {kind_of(messages)}, where a list of messages with `role` and `content` is needed", "messages"
        )
    try:
        chat = read_chat(turns)
    except RowError as error:
        text = "they don't end with the user's, and there is no `prompt`" if "don't end" in str(error) else str(error)
        raise RowError(text, "messages") from None
    if chat.attachments or any(turn.attachments for turn in chat.history):
        raise RowError("they hold an image or another attachment, which can't be judged as text", "messages")
    if not chat.text.strip():
        raise RowError("the user's last message is empty", "messages")
    if prompt.strip() and prompt.strip() != chat.text.strip():
        raise RowError("it is another text than the user's last message in `messages`; leave one of them out", "prompt")
    return Question(chat.text, system=chat.system, history=chat.history, answer_form="none")


def _text(values: Mapping[str, Json], key: str) -> str:
    value = values.get(key)
    if value is None:
        return ""
    try:
        return text_of(value)
    except ValueError as error:
        raise RowError(f"it is {error}", key) from None


def _passages(values: Mapping[str, Json], key: str) -> tuple[str, ...]:
    """A text, or a list of texts, also as a cell of a table holds one."""
    value = values.get(key)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            inner = parse_json(value)
        except ValueError:
            inner = value
        value = inner if isinstance(inner, list) and all(isinstance(each, str) for each in inner) else value
    if is_blank(value):
        return ()
    try:
        every = [text_of(each) for each in (value if isinstance(value, list) else [value])]
    except ValueError as error:
        raise RowError(f"it holds {error}", key) from None
    return tuple(each for each in every if each.strip())


def _weight(value: Json) -> float | None:
    if is_blank(value):
        return None
    try:
        weight = -1.0 if isinstance(value, bool | list | dict) or value is None else float(value)
    except (ValueError, OverflowError):
        weight = -1.0
    if not isfinite(weight) or weight < 0:
        raise RowError(f"it is {quoted(value)}; a weight is a number of at least 0", "weight")
    return weight
