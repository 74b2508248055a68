"""Replies that already exist."""

import json
from pathlib import Path

import pytest
from prt.runner.config.schema import ReplayModel
from prt.runner.errors import DatasetError
from prt.runner.models.base import Model
from prt.runner.records import Reply, Request

from .asking import opened, replies, request


def model_of(tmp_path: Path, text: str, name: str = "replies.jsonl") -> Model:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return opened(ReplayModel(path=name), base=tmp_path)


def lines(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def cell(item_id: str, condition: str = "baseline", repeat: int = 0) -> Request:
    asked = request(item_id=item_id, condition=condition)
    return Request(asked.messages, item_id=item_id, condition=condition, repeat=repeat)


def test_a_reply_is_found_by_item_condition_and_repeat(tmp_path: Path) -> None:
    text = lines(
        {"item": "a", "reply": "A"},
        {
            "item": "a",
            "condition": "typo.1",
            "reply": "B",
            "finish_reason": "length",
            "model": "m-1",
            "fingerprint": "f",
        },
        {"item": "a", "condition": "typo.1", "repeat": 1, "reply": ""},
        {"item": 7, "condition": "", "reply": "Größer \U0001f600", "other": [1]},
    )
    asked = (cell("a"), cell("a", "typo.1"), cell("a", "typo.1", 1), cell("7"))
    assert replies(model_of(tmp_path, text), *asked) == [
        Reply(text="A"),
        Reply(text="B", finish_reason="length", model="m-1", fingerprint="f"),
        Reply(text=""),
        Reply(text="Größer \U0001f600"),
    ]


@pytest.mark.parametrize(("name", "mark"), [("replies.csv", ","), ("replies.tsv", "\t")])
def test_a_table_says_the_same(tmp_path: Path, name: str, mark: str) -> None:
    rows = (("item", "condition", "repeat", "reply"), ("1", "", "", "A"), ("1", "typo.1", "2", '"B\nand more"'))
    text = "".join(mark.join(row) + "\n" for row in rows)
    got = replies(model_of(tmp_path, text, name), cell("1"), cell("1", "typo.1", 2))
    assert [answer.text for answer in got] == ["A", "B\nand more"]


@pytest.mark.parametrize("asked", [cell("b"), cell("a", "typo.1"), cell("a", "baseline", 1)])
def test_a_reply_that_is_not_there_is_this_cell_s_error(tmp_path: Path, asked: Request) -> None:
    (answer,) = replies(model_of(tmp_path, lines({"item": "a", "reply": "A"})), asked)
    assert answer.error is not None
    assert answer.error.kind == "bad_request"
    assert answer.error.message == (
        f"no reply for item {asked.item_id!r} under {asked.condition!r}, repeat {asked.repeat} in replies.jsonl"
    )


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            {"item": "a"},
            "there is no `reply`; a row has `item`, `condition`, `repeat` and `reply`, and this one has `item`",
        ),
        ({"id": "a", "text": "A"}, "there is no `item`, `reply`; "),
        ({"item": "a", "reply": None}, "reply: this is null; write a text, or leave the row out if there is no reply"),
        ({"item": "a", "reply": 7}, "reply: this is a number; "),
        ({"item": ["a"], "reply": "A"}, "item: this is a list; write the item's id"),
        ({"item": True, "reply": "A"}, "item: this is true; "),
        ({"item": "a", "reply": "A", "repeat": -1}, 'repeat: this is "-1"; write a whole number from 0'),
        ({"item": "a", "reply": "A", "repeat": "1.5"}, 'repeat: this is "1.5"; '),
        ({"item": "a", "reply": "A", "condition": 3}, "condition: this is a number; write a text"),
        ({"item": "first", "reply": "A"}, "item 'first' under 'baseline', repeat 0 has a reply on line 1 already"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, row: object, problem: str) -> None:
    with pytest.raises(DatasetError) as failed:
        model_of(tmp_path, lines({"item": "first", "reply": "A"}, row))
    assert str(failed.value).startswith(f"replies.jsonl:2: {problem}")


def test_all_bad_rows_are_named_together(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as failed:
        model_of(tmp_path, lines({"item": "a"}, {"item": "b", "reply": "B"}, {"item": "c"}))
    (problem,) = failed.value.problems
    assert (problem.line, problem.also) == (1, (3,))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("replies.json", "[]", "replies are read from JSONL, CSV or TSV"),
        ("replies.jsonl", "", "the file is empty"),
        ("replies.jsonl", "{", "not valid JSON"),
        ("replies.csv", "item,reply\n1\n", "1 cell where the first row has 2"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(DatasetError, match=name) as failed:
        model_of(tmp_path, text, name)
    assert problem in str(failed.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"replies\.jsonl: .*no such file"):
        opened(ReplayModel(path="replies.jsonl"), base=tmp_path)


def test_the_identity_is_the_content_wherever_it_lies(tmp_path: Path) -> None:
    one = model_of(tmp_path, lines({"item": "a", "reply": "A"}), "one.jsonl")
    same = model_of(tmp_path, lines({"item": "a", "reply": "A"}), "same.jsonl")
    other = model_of(tmp_path, lines({"item": "a", "reply": "B"}), "other.jsonl")
    assert one.identity() == same.identity() != other.identity()
