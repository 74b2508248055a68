"""Rows without right answers: read where they are not needed, refused where they are."""

import json
from pathlib import Path

import pytest
from prt.perturbations.question import Gold
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items
from prt.runner.errors import DatasetError

OPTIONS = ["red", "green"]


def load(folder: Path, rows: list[dict[str, object]], *, need_answers: bool) -> LoadedItems:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    config = DatasetConfig(path="rows.jsonl")
    return load_items(config, base=folder, prompt=PromptConfig(), seed=0, need_answers=need_answers)


def test_no_row_needs_an_answer(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"question": "Why?"}, {"question": "Which?", "options": OPTIONS}]
    assert [item.gold for item in load(tmp_path, rows, need_answers=False).items] == [Gold(), Gold()]
    with pytest.raises(DatasetError, match="no row has an answer"):
        load(tmp_path, rows, need_answers=True)


def test_answers_are_read_where_rows_have_them(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"question": "Why?", "answer": "Because."},
        {"question": "How?", "answer": None},
        {"question": "Which?", "options": OPTIONS, "answer": "green"},
        {"question": "What?", "options": OPTIONS, "answer": ""},
    ]
    golds = [item.gold for item in load(tmp_path, rows, need_answers=False).items]
    assert golds == [Gold(texts=("Because.",)), Gold(), Gold(options=(1,)), Gold()]


def test_an_answer_that_is_there_must_still_be_one(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"question": "Which?", "options": OPTIONS, "answer": "blue"}]
    with pytest.raises(DatasetError, match="blue"):
        load(tmp_path, rows, need_answers=False)
