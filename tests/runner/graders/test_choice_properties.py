"""What holds of the choice grader whatever is replied, shown or right."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.graders.choosing import choose
from prt.runner.records import AnswerKey

from .keys import CITIES, LETTERS, graded, grader, options_key, options_shown

JUDGE = grader("choice")
LABEL_STYLES = (LETTERS, tuple("abcdefgh"), tuple("12345678"), ("i", "ii", "iii", "iv"), ("I", "II", "III", "IV"))
WORDS = (
    *(
        "A",
        "B",
        "C",
        "D",
        "(A)",
        "(B)",
        "C.",
        "d)",
        "Lyon",
        "Paris",
        "nice",
        "answer",
        "Answer:",
        "the answer is",
        "not",
    ),
    *(
        "but",
        "or",
        "and",
        ",",
        ".",
        "?",
        "\n",
        "\n\n",
        "if",
        "is",
        "wrong",
        "correct",
        "I",
        "a",
        "so",
        "wait",
        "because",
    ),
    *(
        "**",
        "$",
        "\\boxed{",
        "}",
        "<think>",
        "</think>",
        "```",
        "{",
        '"',
        "答案",
        "错误",
        "не",
        "è",
        "1",
        "2",
        "~~",
        "#",
    ),
    *(
        "actually",
        "option",
        "leaving",
        "rules out",
        "I think",
        "than",
        "only",
        "none of the above",
        "I don't know",
        "—",
    ),
)
soups = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
texts = st.one_of(st.text(max_size=200), soups)
PLACID = ("the", "river", "runs", "past", "many", "old", "towns", "where", "people", "trade")
neutral = st.lists(st.sampled_from(PLACID), max_size=20).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(texts, st.integers(0, 3), st.sampled_from(["stop", "length", ""]))
def test_any_reply_has_one_grade_and_no_exception(text: str, gold: int, finish: str) -> None:
    key = options_key(gold=(gold,))
    grade = graded(JUDGE, text, key, finish)
    assert grade == graded(JUDGE, text, key, finish)
    assert (grade.status == "graded") == (grade.answer is not None)
    assert grade.passed is (grade.answer == str(gold))
    assert grade.reason or grade.status == "graded"
    if grade.span is not None:
        assert text[slice(*grade.span)] == grade.extracted


@settings(max_examples=300, deadline=None)
@given(texts, st.integers(0, 3), st.sampled_from(LABEL_STYLES))
def test_no_wrong_option_passes_once_another_is_stated_plainly_at_the_end(
    text: str, stated: int, labels: tuple[str, ...]
) -> None:
    reply = f"{text}\n\nThe answer is ({labels[stated]})."
    assert choose(reply, options_shown(CITIES, labels[:4])).option in (stated, None)


@settings(max_examples=100, deadline=None)
@given(neutral, st.integers(0, 3), st.sampled_from(LABEL_STYLES))
def test_an_option_stated_plainly_after_reasoning_is_read(reasoning: str, stated: int, labels: tuple[str, ...]) -> None:
    for form in ("{}.\n\nThe answer is ({}).", "{}.\n\nAnswer: {}", "{}\n\n({})", "{}. So the correct answer is {}."):
        assert choose(form.format(reasoning, labels[stated]), options_shown(CITIES, labels[:4])).option == stated


REPLIES = (
    "{label}", "({label})", "Answer: {label}", "The answer is {label}.", "{label}. {text}", "{text}",
    "The answer is {text}.", "({label}) {text}", "**{label}**", "Not {other}. The answer is {label}.",
)  # fmt: skip


@pytest.mark.parametrize("form", REPLIES)
@settings(max_examples=40, deadline=None)
@given(st.permutations(range(4)), st.sampled_from(LABEL_STYLES), st.integers(0, 3))
def test_the_order_and_the_labels_shown_do_not_change_which_option_is_read(
    form: str, permutation: Sequence[int], labels: tuple[str, ...], chosen: int
) -> None:
    key = options_key(gold=(chosen,), labels=labels, permutation=permutation)
    place = permutation.index(chosen)
    reply = form.format(label=labels[place], text=CITIES[chosen], other=labels[place - 1])
    grade = graded(JUDGE, reply, key)
    assert (grade.status, grade.answer, grade.passed) == ("graded", str(chosen), True)


def test_a_constant_letter_answers_another_option_in_each_order() -> None:
    orders = [tuple((start + step) % 4 for step in range(4)) for start in range(4)]
    passed = [graded(JUDGE, "A", options_key(gold=(1,), permutation=order)).passed for order in orders]
    assert sorted(map(bool, passed)) == [False, False, False, True]


def test_any_equal_option_is_right_and_has_one_canonical_answer() -> None:
    key = options_key(("Lyon", "Paris", "Paris", "Nice"), gold=(2,), permutation=(3, 2, 0, 1))
    grades = [graded(JUDGE, label, key) for label in "ABCD"]
    assert [grade.passed for grade in grades] == [False, True, False, True]
    assert [grade.answer for grade in grades] == ["3", "1", "0", "1"]


def test_each_of_several_right_options_passes() -> None:
    key = options_key(gold=(0, 1))
    assert [graded(JUDGE, label, key).passed for label in "ABCD"] == [True, True, False, False]


def test_options_that_differ_in_case_only_are_told_apart_by_case() -> None:
    key = options_key(("May", "may", "March"), gold=(0,))
    assert [graded(JUDGE, reply, key).passed for reply in ("The answer is May.", "The answer is may.")] == [True, False]
    assert graded(JUDGE, "The answer is MAY.", key).status == "unparsed"


def test_a_key_without_permutation_is_in_the_dataset_s_order() -> None:
    key = options_key()
    assert graded(JUDGE, "B", AnswerKey(key.item, key.labels, key.options)).passed is True
