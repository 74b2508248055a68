"""Inputs that other tools' users reported as misread, with the value that is right; `source` names the report."""

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


def test_a_number_that_only_ends_like_the_right_one_fails() -> None:
    assert graded(grader("numeric"), "The answer is 25", texts_key("5")).passed is False


def test_a_right_answer_may_be_written_as_a_sentence() -> None:
    judge, key = grader("numeric"), texts_key("The answer is 72.")
    assert graded(judge, "The answer is 72, in total, so the farmer earns that much.", key).passed is True


def test_none_of_the_above_is_an_answer_only_where_it_is_an_option() -> None:
    options = options_shown(("one", "two", "None of the above"), ("A", "B", "C"))
    assert choose("ANSWER: None of the above", options).option == 2
