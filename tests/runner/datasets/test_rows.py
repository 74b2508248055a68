"""JSONL, JSON, CSV and TSV, read strictly, with each row's place."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from prt.runner.errors import DatasetError

from .dataset_files import jsonl, load


def message(folder: Path, content: str | bytes, name: str, **config: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        load(folder, content, name, **config)
    return str(caught.value)


def texts(folder: Path, content: str | bytes, name: str, **config: Any) -> list[str]:
    return [item.question.text for item in load(folder, content, name, **config).items]


BROKEN = "line one\u2028line two\x85line three\x0cline four\x1eline five"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data.jsonl", '{"question": "' + BROKEN + '", "answer": "x"}\r\n'.replace("\x1e", "")),
        ("data.csv", f'question,answer\r\n"{BROKEN}",x\r\n'),
        ("data.tsv", f"question\tanswer\r\n{BROKEN}\tx\r\n"),
    ],
)
def test_lines_end_only_where_they_end(tmp_path: Path, name: str, content: str) -> None:
    if name == "data.jsonl":
        content = content.replace("\x0c", "\\f").replace("\x1e", "\\u001e")
    assert texts(tmp_path, content, name) == [BROKEN]


def test_a_byte_order_mark_is_read_away(tmp_path: Path) -> None:
    row = '{"question": "Why?", "answer": "x"}\n'
    assert texts(tmp_path, "\ufeff" + row, "data.jsonl") == ["Why?"]
    assert texts(tmp_path, "\ufeffquestion,answer\nWhy?,x\n", "data.csv") == ["Why?"]
    assert texts(tmp_path, "\ufeff[" + row + "]", "data.json") == ["Why?"]


def test_marks_within_a_file_put_together_are_read_away(tmp_path: Path) -> None:
    row = '\ufeff{"question": "Why?", "answer": "x"}\n'
    assert texts(tmp_path, row + row, "data.jsonl") == ["Why?", "Why?"]


def test_blank_lines_are_no_rows_but_count_as_lines(tmp_path: Path) -> None:
    good, bad = '{"question": "Why?", "answer": "x"}\n', '{"question": "Why?", "answer": ""}\n'
    assert message(tmp_path, good + "\n \n" + bad, "data.jsonl").startswith("data.jsonl:4: answer: row 2:")
    assert message(tmp_path, "question,answer\na,b\n\n,,\nc,\n", "data.csv").startswith("data.csv:5: answer: row 2:")


def test_a_record_over_several_lines_is_named_by_its_first(tmp_path: Path) -> None:
    content = 'question,answer\n"one\ntwo",x\n"three\nfour",\n'
    assert message(tmp_path, content, "data.csv").startswith("data.csv:4: answer: row 2: the answer is empty")


def test_a_field_over_128_kb_is_read(tmp_path: Path) -> None:
    long = "x" * 300_000
    assert texts(tmp_path, f"question,answer\n{long},y\n", "data.csv") == [long]


def test_old_line_ends_and_quoted_line_ends_are_read(tmp_path: Path) -> None:
    assert texts(tmp_path, 'question,answer\r"a\r\nb",x\rc,y\r', "data.csv") == ["a\r\nb", "c"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"question": "a", "answer": NaN}', "NaN is no JSON"),
        ('{"question": "a", "answer": -Infinity}', "-Infinity is no JSON"),
        ('{"question": "a", "answer": 1e999}', "the number 1e999 is out of range"),
        ('{"question": "a", "question": "b"}', 'the key "question" stands twice'),
        ("{'question': 'a'}", "not valid JSON: expecting property name enclosed in double quotes"),
        ('{"question": "a"', "not valid JSON: expecting ',' delimiter"),
        ('"just a text"', "a row is a text"),
        ("[" * 100_000, "it is nested too deeply"),
        ('{"answer": ' + "9" * 5000 + "}", "4300 digits"),
    ],
)
def test_a_line_that_is_no_json_object_is_named(tmp_path: Path, line: str, words: str) -> None:
    content = '{"question": "a", "answer": "x"}\n' + line + "\n"
    text = message(tmp_path, content, "data.jsonl")
    assert text.startswith("data.jsonl:2:")
    assert words in text


def test_bad_lines_of_one_kind_are_shown_once_with_the_places_of_the_others(tmp_path: Path) -> None:
    content = "".join(f'{{"k{number}": 1, "k{number}": 2}}\n' for number in range(50))
    lines = message(tmp_path, content, "data.jsonl").split("\n")
    rest = "data.jsonl: lines 4, 5, 6 and 44 more: the key … stands twice in one object"
    assert lines[3:] == [f"{rest}; each line must be one JSON object"]


def test_lines_with_one_mistake_are_one_line(tmp_path: Path) -> None:
    said = message(tmp_path, '{"a": 1}\n' + "oops\n" * 5, "data.jsonl")
    assert (
        said
        == "data.jsonl: lines 2, 3, 4 and 2 more: not valid JSON: expecting value; each line must be one JSON object"
    )


def test_jsonl_under_the_name_of_json_is_told(tmp_path: Path) -> None:
    assert "set dataset.format: jsonl" in message(tmp_path, jsonl({"a": 1}, {"a": 2}), "data.json")


def test_json_under_the_name_of_jsonl_is_told(tmp_path: Path) -> None:
    assert "set dataset.format: json" in message(tmp_path, '[\n  {"question": "a"}\n]\n', "data.jsonl")


def test_broken_json_is_named_by_line_and_column(tmp_path: Path) -> None:
    assert message(tmp_path, '[\n  {"a": 1},\n  {"a" 2}\n]', "data.json").startswith("data.json:3:8: not valid JSON")


def test_the_rows_of_a_json_file_may_stand_at_a_path(tmp_path: Path) -> None:
    content = '{"meta": 1, "data": {"test": [{"question": "a", "answer": "x"}]}}'
    assert texts(tmp_path, content, "data.json", rows="data.test") == ["a"]
    assert texts(tmp_path, content, "data.json", rows="data.test[]") == ["a"]


def test_an_object_without_a_path_to_its_rows_says_what_there_is(tmp_path: Path) -> None:
    text = message(tmp_path, '{"canary": "x", "examples": []}', "data.json")
    assert text == (
        "data.json: dataset.rows: a list of rows is needed, and this is an object with the keys `canary`, `examples`;"
        " name the list of rows, such as `rows: examples`"
    )


def test_prompt_templates_are_told_from_rows(tmp_path: Path) -> None:
    content = '{"plain": [{"prompt": "Q: {question}"}]}'
    said = message(tmp_path, content, "templates.json")
    assert "its texts with a slot, such as `{question}`, are prompt templates and no data" in said
    assert "name the list" not in said


def test_a_path_to_rows_that_leads_nowhere_says_what_there_is(tmp_path: Path) -> None:
    text = message(tmp_path, '{"examples": []}', "data.json", rows="example")
    assert text == "data.json: dataset.rows: no `example`; there is `examples`; did you mean `examples`?"


def test_rows_that_are_lists_are_named_by_position(tmp_path: Path) -> None:
    fields = {"question": "0", "answer": "1"}
    assert texts(tmp_path, '["a", "x"]\n["b", "y"]\n', "data.jsonl", fields=fields) == ["a", "b"]


def test_rows_of_a_json_file_that_are_no_objects_are_named(tmp_path: Path) -> None:
    assert "row 2: a row is a number" in message(tmp_path, '[{"question": "a", "answer": "x"}, 3]', "data.json")


def test_a_table_may_have_no_header(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        "Which?,red,green,B\n",
        "data.csv",
        header=False,
        fields={"question": "0", "options": ["1", "2"], "answer": "3"},
    )
    assert loaded.items[0].question.options == ("red", "green")
    assert loaded.items[0].gold.options == (1,)


def test_cells_stay_texts(tmp_path: Path) -> None:
    loaded = load(tmp_path, "id,question,answer\n007,a,1e5\n", "data.csv")
    assert loaded.items[0].id == "007"
    assert loaded.items[0].gold.texts == ("1e5",)


def test_ragged_rows_are_named_with_found_and_expected(tmp_path: Path) -> None:
    text = message(tmp_path, "question,answer\na,b\nc\nd,e,f\n", "data.csv")
    assert text.split("\n") == [
        "data.csv:3: 1 cell where the first row has 2",
        "data.csv:4: 3 cells where the first row has 2; a cell with a delimiter in it needs double quotes",
    ]


def test_unquoted_json_in_a_cell_is_told(tmp_path: Path) -> None:
    content = 'question,answer\nWhat date?,{"answer": "03/09/2024", "page": 3}\n'
    assert "JSON in a cell must stand in double quotes" in message(tmp_path, content, "data.csv")


def test_a_quote_that_is_never_closed_is_named_where_it_is_opened(tmp_path: Path) -> None:
    text = message(tmp_path, 'question,answer\na,b\n"c,d\ne,f\n', "data.csv")
    assert text.startswith("data.csv:3: a double quote is opened here and never closed")


def test_text_behind_a_closing_quote_is_no_silent_fix(tmp_path: Path) -> None:
    assert message(tmp_path, 'question\tanswer\n"Hi" he said\tx\n', "data.tsv").startswith("data.tsv:2: broken quoting")


def test_quotes_are_plain_text_when_the_config_says_so(tmp_path: Path) -> None:
    content = 'question\tanswer\n"Hi" he said\tx\n'
    assert texts(tmp_path, content, "data.tsv", quoting=False) == ['"Hi" he said']


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    text = message(tmp_path, "question,text,text\na,b,c\n", "data.csv")
    assert text.startswith("data.csv:1: two columns are named `text`")


def test_an_unnamed_column_has_its_place_for_a_name(tmp_path: Path) -> None:
    loaded = load(tmp_path, ",question,answer\n0,a,b\n", "data.csv")
    assert dict(loaded.items[0].row) == {"column 1": "0", "question": "a", "answer": "b"}


def test_white_space_around_column_names_does_not_count(tmp_path: Path) -> None:
    assert texts(tmp_path, "question, answer\na,b\n", "data.csv") == ["a"]


def test_another_delimiter_is_suggested_and_taken(tmp_path: Path) -> None:
    content = "question;answer\na, b;c\n"
    assert "if semicolons separate the columns, set dataset.delimiter: ';'" in message(
        tmp_path, "question;answer\na;c\n", "data.csv"
    )
    assert texts(tmp_path, content, "data.csv", delimiter=";") == ["a, b"]


@pytest.mark.parametrize("answer", ["c", "c, d"], ids=["unknown columns", "ragged rows"])
@pytest.mark.parametrize(("delimiter", "word", "value"), [(";", "semicolons", "';'"), ("\t", "tabs", '"\\t"')])
def test_a_delimiter_that_stands_in_the_header_is_suggested(
    tmp_path: Path, delimiter: str, word: str, value: str, answer: str
) -> None:
    content = f"question{delimiter}answer\na{delimiter}{answer}\n"
    told = message(tmp_path, content, "data.csv")
    assert f"if {word} separate the columns, set dataset.delimiter: {value}" in told
    assert "header" not in told
    assert texts(tmp_path, content, "data.csv", delimiter=delimiter) == ["a"]
    assert yaml.safe_load(value) == delimiter


def test_a_table_without_a_header_is_told_how_to_be_read(tmp_path: Path) -> None:
    content = "What is 2+2?,4\nWhat is 3+3?,6\n"
    told = message(tmp_path, content, "data.csv")
    assert "the rows have `What is 2+2?`, `4`; " in told
    assert told.count("if the first line is no header, set dataset.header: false") == 1
    fields = {"question": "0", "answer": "1"}
    assert len(texts(tmp_path, content, "data.csv", header=False, fields=fields)) == 2


@pytest.mark.parametrize(("content", "name"), [("question,right\na,b\n", "data.csv"), ('{"q": 1}\n', "data.jsonl")])
def test_no_header_is_missed_where_a_field_is_found_or_the_file_is_no_table(
    tmp_path: Path, content: str, name: str
) -> None:
    assert "header" not in message(tmp_path, content, name)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"data": {"rows": [{"question": "a", "answer": "b"}]}}, "data.rows"),
        ({"tags": ["x"], "data": {"rows": [{"question": "a", "answer": "b"}]}}, "data.rows"),
        ({"data": {"rows": [["a", "b"]]}}, "data.rows"),
        ({"tags": ["x"]}, "tags"),
    ],
)
def test_the_path_of_a_list_within_objects_is_suggested(tmp_path: Path, value: object, path: str) -> None:
    told = message(tmp_path, json.dumps(value), "data.json")
    assert told.endswith(f"; name the list of rows, such as `rows: {path}`")


def test_the_path_of_a_list_that_is_suggested_is_taken(tmp_path: Path) -> None:
    nested = json.dumps({"data": {"rows": [{"question": "a", "answer": "b"}]}})
    assert "such as `rows: data.rows`" in message(tmp_path, nested, "data.json", rows="data")
    assert texts(tmp_path, nested, "data.json", rows="data.rows") == ["a"]


def test_a_name_that_does_not_tell_the_format_asks_for_it(tmp_path: Path) -> None:
    assert "set dataset.format" in message(tmp_path, "question,answer\na,b\n", "data.txt")
    assert texts(tmp_path, "question,answer\na,b\n", "data.txt", format="csv") == ["a"]


@pytest.mark.parametrize(("name", "content"), [("d.csv", "question,answer\n"), ("d.jsonl", "\n\n"), ("d.json", "[]")])
def test_a_file_without_rows_is_refused(tmp_path: Path, name: str, content: str) -> None:
    assert message(tmp_path, content, name) == f"{name}: there are no rows in it"
