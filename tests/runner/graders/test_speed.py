"""No reply keeps a grader busy: the time grows with the reply and no faster."""

import time

import pytest

from .keys import graded, grader, options_key, texts_key

MEGABYTE = 1_000_000
UNITS = (
    "The quick brown fox (A) jumps over B. ",
    "A ",
    "1 ",
    "7",
    "(",
    " x",
    "<think>",
    "the answer is ",
    "*a*_b_",
    "e\u0301",
    "\n.",
    "{",
    '{"a":',
    "not ",
    "Paris ",
    "$",
    "<",
    "`",
    "wait. ",
    "right ",
    "final answer ",
    "A. ",
    "(B)",
    "1/2 ",
    "5 = ",
    "\\boxed{",
    "question: a\n",
    "~~a~~",
    "A\n",
    "- 1\n",
    "A, B or C, ",
)
JUDGES = {
    "choice": (grader("choice"), options_key()),
    "multi": (grader("multi"), options_key(gold=(0, 2))),
    "label": (grader("label", labels=["positive", "Paris"]), texts_key("Paris")),
    "json": (grader("json"), texts_key('{"a": 1}')),
    "exact": (grader("exact"), texts_key("Paris")),
    "contains": (grader("contains"), texts_key("Rome")),
    "regex": (grader("regex", pattern=r"answer is (\w+)\."), texts_key("Paris")),
    "numeric": (grader("numeric"), texts_key("51")),
}


@pytest.mark.parametrize("name", JUDGES)
def test_a_long_reply_of_any_kind_is_graded_in_linear_time(name: str) -> None:
    judge, key = JUDGES[name]
    for unit in UNITS:
        start = time.process_time()
        graded(judge, unit * (MEGABYTE // 16 // len(unit)), key)
        assert time.process_time() - start < 1.5, unit


@pytest.mark.parametrize("name", JUDGES)
def test_a_megabyte_of_prose_with_the_answer_at_its_end_is_graded_quickly(name: str) -> None:
    judge, key = JUDGES[name]
    prose = "The quick brown fox jumps over the lazy dog and finds nothing to eat.\n" * (MEGABYTE // 70)
    start = time.process_time()
    grade = graded(judge, f"{prose}\nThe answer is B.", key)
    assert time.process_time() - start < 1.5
    assert name != "choice" or grade.passed is True
