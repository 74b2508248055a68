"""Reading rows that are to be scored: what a row is, and what becomes of one that can't be used."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.question import Message
from prt.runner.errors import DatasetError
from prt.runner.scoring.rows import Read, ScoreRow, read_score_rows
from pydantic import JsonValue as Json

HEADER = "input_id,prompt,sut_response"


def read(folder: Path, content: str | bytes, name: str = "rows.jsonl") -> list[Read]:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [*read_score_rows(path)]


def one(folder: Path, **row: Json) -> ScoreRow:
    (found,) = read(folder, json.dumps({"input_id": "a", "sut_response": "x", **row}))
    assert found.row is not None, found.reason
    return found.row


def reason(folder: Path, **row: Json) -> str:
    (found,) = read(folder, json.dumps({"input_id": "a", "sut_response": "x", **row}))
    assert found.row is None
    return found.reason


def test_a_table_is_read_as_json_lines_are(tmp_path: Path) -> None:
    table = read(tmp_path, f'\ufeff{HEADER},weight,context\r\n7,"Why, though?",,2,"[""A."", ""B.""]"\r\n', "rows.csv")
    lines = read(tmp_path, '{"input_id": 7, "prompt": "Why, though?", "weight": 2, "context": ["A.", "B."]}\n')
    assert table[0].row == lines[0].row
    row = lines[0].row
    assert row is not None
    assert (row.id, row.weight, row.question.context, row.context) == ("7", 2.0, ("A.", "B."), "A.\n\nB.")


def test_gzip_a_mark_and_line_separators_within_a_text_change_nothing(tmp_path: Path) -> None:
    line = '\ufeff{"input_id": "a", "prompt": "one\u2028two\x85three", "sut_response": "x"}\n\n'
    (found,) = read(tmp_path, gzip.compress(line.encode()), "rows.jsonl.gz")
    assert found.row is not None
    assert found.row.question.text == "one\u2028two\x85three"


def test_bytes_that_are_no_text_are_the_matter_of_their_row_alone(tmp_path: Path) -> None:
    good = b'{"input_id": "%d", "prompt": "p", "sut_response": "x"}\n'
    found = read(tmp_path, good % 1 + b'{"input_id": "2", "prompt": "caf\xe9"}\n' + good % 3)
    assert [each.reason for each in found] == ["", "the byte 0xe9 is not UTF-8", ""]
    table = read(tmp_path, f"{HEADER}\n".encode() + b"1,p,x\n2,caf\xe9,x\n3,p,x\n", "rows.csv")
    assert [each.reason for each in table] == ["", "the byte 0xe9 is not UTF-8", ""]
    assert [each.line.line for each in table] == [2, 3, 4]


def test_a_broken_record_of_a_table_is_the_matter_of_its_row_alone(tmp_path: Path) -> None:
    text = f'{HEADER}\n1,p,x\n2,"p"q,x\n3,p\n\n4,p,x\n5,"open,x\n'
    found = read(tmp_path, text, "rows.csv")
    assert [bool(each.row) for each in found] == [True, False, False, True, False]
    reasons = [each.reason for each in found if each.reason]
    assert reasons[0].startswith("broken quoting")
    assert reasons[1] == "it has 2 cells, and the header names 3 columns"
    assert reasons[2] == "a double quote is opened here and never closed, so no row after it can be read"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("id,prompt,sut_response\n1,p,x\n", "rows.csv", "there is no column `input_id` (found"),
        (f"{HEADER},prompt\n", "rows.csv", 'names the column "prompt" twice'),
        ("\n\n", "rows.csv", "it has no header"),
        ("", "rows.jsonl", "the file is empty"),
        ("x", "rows.txt", "stand in a file named .jsonl, .csv or .tsv"),
        ("[]", "rows.json", "stand in a file named .jsonl, .csv or .tsv"),
        ("a".encode("utf-16"), "rows.jsonl", "is UTF-16 text"),
    ],
)
def test_a_file_that_holds_no_rows_at_all_is_refused(
    tmp_path: Path, content: str | bytes, name: str, message: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        read(tmp_path, content, name)
    assert message in str(caught.value)


def test_a_prompt_may_stand_in_the_messages_or_follow_them(tmp_path: Path) -> None:
    turns: list[Json] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    last: Json = {"role": "user", "content": "Why?"}
    within = one(tmp_path, messages=[*turns, last])
    assert within.question.text == "Why?"
    assert within.question.history == (Message("user", "Hi"), Message("assistant", "Hello"))
    assert one(tmp_path, messages=[*turns, last], prompt="Why?") == within
    assert one(tmp_path, messages=turns, prompt="Why?") == within
    assert one(tmp_path, messages=json.dumps([*turns, last])) == within


def test_a_context_that_the_prompt_holds_already_is_not_sent_twice(tmp_path: Path) -> None:
    row = one(tmp_path, prompt="Given: It sank. Where is it?", context=["It sank.", "It was big."])
    assert row.question.context == ("It was big.",)
    assert row.context == "It sank.\n\nIt was big."
    assert (
        one(tmp_path, prompt="Where?", context="It sank.", groundtruth_context="It did not.").context == "It did not."
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"prompt": "other", "messages": [{"role": "user", "content": "Why?"}]}, "`prompt`: it is another text than"),
        ({"prompt": "", "messages": []}, "`prompt`: it is empty or missing"),
        ({"messages": "no list"}, "`messages`: "),
        ({"messages": [{"role": "robot", "content": "x"}]}, "`messages`: a message's role is"),
        ({"messages": [{"role": "user", "content": " "}]}, "the user's last message is empty"),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {}}],
                    }
                ]
            },
            "they hold an image or another attachment",
        ),
        ({"prompt": {"a": 1}}, "`prompt`: it is an object with the keys `a`, where a text is needed"),
        ({"prompt": "a\0b"}, "`prompt`: it is a text with a NUL character"),
        ({"prompt": "p", "weight": "heavy"}, "`weight`: it is"),
        ({"prompt": "p", "weight": True}, "`weight`: it is"),
        ({"prompt": "p", "context": [{"text": "x"}]}, "`context`: it holds an object"),
        ({"prompt": "p", "sut_response": [1]}, "`sut_response`: it is a list"),
        ({"prompt": "p", "input_id": None}, "`input_id`: it is empty or missing"),
    ],
)
def test_a_row_that_can_not_be_scored_says_why(tmp_path: Path, row: dict[str, Json], message: str) -> None:
    assert message in reason(tmp_path, **row)


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_whatever_bytes_a_file_holds_each_line_has_a_row_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    good = b'{"input_id": "good", "prompt": "p", "sut_response": "x"}'
    found = read(folder, b"\n".join([good, *lines]))
    assert found[0].row is not None
    assert all((each.row is None) == bool(each.reason) for each in found)
