"""Inputs that other tools' users reported as misread, with the value that is right; `source` names the report."""

import json
from pathlib import Path
from typing import Any

import pytest
from prt.runner.graders.choosing import choose
from prt.runner.graders.numerals import as_text
from prt.runner.graders.quantity import quantity

from .keys import data, graded, grader, options_shown, texts_key

CASES = data("public_cases.json")
NAMELESS = tuple(f"the {name} one" for name in ("red", "blue", "green", "white", "black", *"vwxyz"))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["kind"] == "choice"], ids=lambda case: case["reply"][:40]
)
def test_an_option_that_was_misread_elsewhere_is_read_right(case: dict[str, Any]) -> None:
    texts = case.get("texts") or NAMELESS[: len(case["labels"])]
    option = choose(case["reply"], options_shown(texts, case["labels"])).option
    assert (None if option is None else case["labels"][option]) == case["right"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["kind"] == "numeric"], ids=lambda case: case["reply"][:40]
)
def test_a_number_that_was_misread_elsewhere_is_read_right(case: dict[str, Any]) -> None:
    value = quantity(case["reply"]).value
    assert value is not None
    assert as_text(value) == case["right"]


@pytest.mark.parametrize("case", [case for case in CASES if case["kind"] == "regex"], ids=lambda case: case["reply"])
def test_a_reply_in_another_form_than_the_pattern_is_unparsed_and_not_wrong(case: dict[str, Any]) -> None:
    grade = graded(grader("regex", pattern=case["pattern"]), case["reply"], texts_key("C"))
    assert (grade.status, grade.answer) == (("unparsed", None) if case["right"] is None else ("graded", case["right"]))


PUBLISHED = Path(__file__).parents[3].parent / "shared" / "cases" / "public_cases.jsonl"
NO_LABEL = ("no letter", "none", "no_answer")
"""How the file says that no option is meant."""


def published(area: str) -> list[dict[str, Any]]:
    """The rows of an area of the whole file, which lies beside the project where it is developed."""
    if not PUBLISHED.is_file():
        pytest.skip(f"{PUBLISHED} is not here; the rows that it gave are in public_cases.json")
    rows = map(json.loads, PUBLISHED.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row["area"] == area]


def test_every_published_choice_is_read_right() -> None:
    rows = published("extract_mc")
    assert len(rows) == 25
    for row in rows:
        labels = tuple("ABCDEFGHIJ"[: len(row["options"])])
        texts = NAMELESS[: len(labels)] if row["options"][0] == "A" else row["options"]
        option = choose(row.get("input", ""), options_shown(texts, labels)).option
        meant = None if row["right"].startswith(NO_LABEL) else row["right"]
        assert (None if option is None else labels[option]) == meant, row["source"]


def test_every_published_number_is_read_right() -> None:
    rows = published("extract_num")
    assert len(rows) == 5
    for row in rows:
        if gold := row["right"].removeprefix("wrong for gold ") if row["right"].startswith("wrong") else "":
            assert graded(grader("numeric"), row["input"], texts_key(gold)).passed is False
        else:
            assert graded(grader("numeric"), row["input"], texts_key(row["right"])).passed is True


def test_every_published_verdict_in_another_form_is_unparsed() -> None:
    rows = published("extract_judge")
    assert len(rows) == 1
    judge = grader("regex", pattern="GRADE: ([A-Z])")
    assert [graded(judge, row["input"], texts_key("C")).status for row in rows] == ["unparsed"]


def test_a_number_that_only_ends_like_the_right_one_fails() -> None:
    assert graded(grader("numeric"), "The answer is 25", texts_key("5")).passed is False


def test_a_right_answer_may_be_written_as_a_sentence() -> None:
    judge, key = grader("numeric"), texts_key("The answer is 72.")
    assert graded(judge, "The answer is 72, in total, so the farmer earns that much.", key).passed is True


def test_none_of_the_above_is_an_answer_only_where_it_is_an_option() -> None:
    options = options_shown(("one", "two", "None of the above"), ("A", "B", "C"))
    assert choose("ANSWER: None of the above", options).option == 2
