"""What holds for every file that could be written: texts come back as they were, and nothing ends in a traceback."""

import csv
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import DatasetError
from prt.runner.records import Item

from .dataset_files import load

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
SPOKEN = TEXTS.filter(lambda text: bool(text.strip()))
ROWS = st.lists(st.fixed_dictionaries({"question": SPOKEN, "answer": SPOKEN, "note": TEXTS}), min_size=1, max_size=5)
Row = dict[str, str]


def loaded(content: bytes, name: str, **config: Any) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        items = load(Path(folder), content, name, fields={"id": "#"}, **config).items
    return [{"question": item.question.text, "answer": item.gold.texts[0], **_note(item.row)} for item in items]


def _note(row: object) -> Row:
    return {"note": row["note"]} if isinstance(row, dict) else {}


def stripped(rows: list[Row]) -> list[Row]:
    return [row | {"answer": row["answer"].strip()} for row in rows]


def table(rows: list[Row], delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, ["question", "answer", "note"], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, ascii_only=st.booleans(), name=st.sampled_from(["data.jsonl", "data.jsonl.gz"]))
def test_texts_come_back_from_jsonl(rows: list[Row], *, ascii_only: bool, name: str) -> None:
    content = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows).encode()
    assert loaded(content, name) == stripped(rows)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, indented=st.booleans())
def test_texts_come_back_from_json(rows: list[Row], *, indented: bool) -> None:
    content = json.dumps({"data": rows}, ensure_ascii=False, indent=2 if indented else None).encode()
    assert loaded(content, "data.json", rows="data") == stripped(rows)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([("data.csv", ","), ("data.tsv", "\t"), ("data.csv.gz", ","), ("data.tsv.gz", "\t")]))
def test_texts_come_back_from_tables(rows: list[Row], form: tuple[str, str]) -> None:
    name, delimiter = form
    assert loaded(table(rows, delimiter), name) == stripped(rows)


NAMES = st.sampled_from(["data.jsonl", "data.json", "data.csv", "data.tsv"])
PIECES = st.sampled_from(
    [b'{"question":', b'"a",', b'"answer":', b'"b"}', b"\n", b"\r", b",", b'"', b"[", b"]", b"\x00", b"\xff", b"\x85"]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=12).map(b"".join)), NAMES)
def test_any_bytes_load_or_are_refused_with_a_sentence(content: bytes, name: str) -> None:
    sentence = name
    with tempfile.TemporaryDirectory() as folder:
        try:
            load(Path(folder), content, name)
        except DatasetError as error:
            sentence = str(error)
    assert sentence.startswith(name)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["text", "label", "role", "x"]), inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["question", "options", "answer", "id"]), JSON), max_size=3))
def test_any_rows_load_or_are_refused_with_a_sentence(rows: list[object]) -> None:
    sentence = "data.jsonl"
    items: Sequence[Item] = ()
    with tempfile.TemporaryDirectory() as folder:
        try:
            items = load(Path(folder), rows).items
        except DatasetError as error:
            sentence = str(error)
    assert sentence.startswith("data.jsonl")
    for item in items:
        item.question.text.encode()
        assert bool(item.gold.options) == bool(item.question.options)
        assert all(0 <= option < len(item.question.options) for option in item.gold.options)


@pytest.mark.parametrize("name", ["data.csv", "data.jsonl"])
def test_ten_thousand_rows_load(tmp_path: Path, name: str) -> None:
    rows = [{"question": f"Is {number} even?", "answer": str(number % 2 == 0), "note": ""} for number in range(10_000)]
    content = table(rows, ",") if name.endswith("csv") else "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert len(load(tmp_path, content, name).items) == 10_000
