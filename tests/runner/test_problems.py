"""Many problems of one file, in few lines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import DatasetError, Problem
from prt.runner.problems import SHOWN, grouped, raise_problems
from prt.runner.suggest import nearest

WORDS = "abcdefghijklmnopqrstuvwxyz"


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
    problems = [row(number, f"kind {WORDS[number % (SHOWN + 2)]}") for number in range(3 * (SHOWN + 2))]
    with pytest.raises(DatasetError) as caught:
        raise_problems(problems, "bad rows")
    lines = str(caught.value).split("\n")
    assert len(lines) == SHOWN + 1
    assert lines[-1] == f"data.jsonl: and 6 more bad rows ({len(problems)} in all)"


def told(*problems: Problem) -> list[str]:
    with pytest.raises(DatasetError) as caught:
        raise_problems(problems, "bad rows")
    return str(caught.value).split("\n")


def test_of_problems_that_differ_in_their_values_alone_a_few_are_shown_and_the_places_of_the_others() -> None:
    same = [row(at, f'rows {at} and {at + 1} have the same id "q{at}"; name another field', "id") for at in range(1, 9)]
    assert told(*same, row(9, "the id is empty; name another field", "id")) == [
        *(f'data.jsonl:{at + 10}: id: row {at}: rows {at} and {at + 1} have the same id "q{at}"' for at in (1, 2, 3)),
        "data.jsonl: rows 4, 5, 6 and 2 more: id: rows … and … have the same id …",
        "data.jsonl:19: id: row 9: the id is empty; name another field",
    ]


def test_where_one_more_is_left_of_a_kind_it_is_shown_itself() -> None:
    assert len(told(*(row(at, f"{at} cells") for at in range(4)))) == 4
    assert told(*(row(at, f"{at} cells") for at in range(5)))[3] == "data.jsonl: rows 3 and 4: answer: … cells"


def test_problems_of_different_keys_are_of_different_kinds() -> None:
    keys = ["question", "answer", "options", "context", "images", "cluster"]
    assert len(told(*(row(at, f"{at} cells", key) for at, key in enumerate(keys)))) == len(keys)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["is 'a'", "is 'b'", 'is "c"', "is 3", "no", "nothing"]), min_size=1))
def test_no_row_is_lost_where_kinds_are_merged(messages: list[str]) -> None:
    with pytest.raises(DatasetError) as caught:
        raise_problems([row(number, message) for number, message in enumerate(messages)], "bad rows")
    numbers = [number for problem in caught.value.problems for number in (problem.row or 0, *problem.also)]
    assert sorted(numbers) == [*range(len(messages))]


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
