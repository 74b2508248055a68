"""Many problems of one file, in few lines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import DatasetError, Problem
from prt.runner.problems import SHOWN, grouped, raise_problems
from prt.runner.suggest import nearest


def row(number: int, message: str = "empty", key: str = "answer") -> Problem:
    return Problem(message, path="data.jsonl", line=number + 10, key=key, row=number)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([4], "data.jsonl:14: answer: row 4: empty"),
        ([4, 7], "data.jsonl: rows 4 and 7: answer: empty"),
        ([4, 7, 8], "data.jsonl: rows 4, 7 and 8: answer: empty"),
        ([4, 7, 8, 9], "data.jsonl: rows 4, 7, 8 and 9: answer: empty"),
        ([4, 7, 8, 9, 10], "data.jsonl: rows 4, 7, 8 and 2 more: answer: empty"),
    ],
)
def test_rows_with_one_problem_are_one_line(rows: list[int], words: str) -> None:
    assert [str(problem) for problem in grouped(map(row, rows))] == [words]


def test_lines_are_named_where_there_are_no_rows() -> None:
    problems = [Problem("broken", path="a.csv", line=line, column=line) for line in (2, 5)]
    assert [str(problem) for problem in grouped(problems)] == ["a.csv: lines 2 and 5: broken"]


def test_another_message_key_or_file_stays_apart() -> None:
    problems = [row(1), row(2, "null"), row(3, key="question"), Problem("empty", path="b.csv", line=4, key="answer")]
    assert grouped(problems) == problems


def test_problems_without_a_place_are_not_counted_together() -> None:
    problems = [Problem("broken", path="a.csv"), Problem("broken", path="a.csv")]
    assert grouped(problems) == problems


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c"])))
def test_no_row_is_lost_or_told_twice(messages: list[str]) -> None:
    groups = grouped(row(number, message) for number, message in enumerate(messages))
    assert sorted(number for group in groups for number in (group.row or 0, *group.also)) == [*range(len(messages))]
    assert len(groups) == len(set(messages))


def test_at_most_twenty_kinds_are_shown_and_the_rows_of_the_others_counted() -> None:
    problems = [row(number, f"kind {number % (SHOWN + 2)}") for number in range(3 * (SHOWN + 2))]
    with pytest.raises(DatasetError) as caught:
        raise_problems(problems, "bad rows")
    lines = str(caught.value).split("\n")
    assert len(lines) == SHOWN + 1
    assert lines[-1] == f"data.jsonl: and 6 more bad rows ({len(problems)} in all)"


def lines_of(*messages: str, advice: str = "") -> list[str]:
    with pytest.raises(DatasetError) as caught:
        raise_problems([Problem(message, path="a") for message in messages], "bad rows", advice=advice)
    return str(caught.value).split("\n")


def test_advice_that_all_problems_end_with_is_said_once() -> None:
    assert lines_of("no x; write y; or z", "no xx; write y; or z") == ["a: no x", "a: no xx; write y; or z"]
    assert lines_of("no x; write y", "no y; write y", advice="skip") == ["a: no x", "a: no y; write y; skip"]
    assert lines_of("no x; write y", advice="skip") == ["a: no x; write y; skip"]


@pytest.mark.parametrize(
    "messages",
    [("no x; write y", "no y; write z"), ("no x; write y", "no y"), ("no x, write y", "no z, write y")],
)
def test_advice_that_differs_stays_with_its_problem(messages: tuple[str, str]) -> None:
    assert lines_of(*messages) == [f"a: {message}" for message in messages]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("solution", None),
        ("position", None),
        ("qestion", "question"),
        ("uqestion", "question"),
        ("Anwser", "answer"),
        ("answers", "answer"),
    ],
)
def test_a_name_is_suggested_for_more_than_its_ending(word: str, near: str | None) -> None:
    assert nearest(word, ["question", "answer"]) == near
