"""Options such as "Both A and B": rewritten where that is plain, else a reason to leave the question alone."""

import pytest
from prt.perturbations.options.combined import combination_unclear, combines, rewritten
from prt.perturbations.question import Layout, Question

LABELS = ("A", "B", "C", "D")
SWAPPED = {"A": "C", "B": "A", "C": "B", "D": "D"}


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("Both A and B", "Both A and C"),
        ("A and C only", "B and C only"),
        ("Only A", "Only C"),
        ("A only", "C only"),
        ("Neither B nor D", "Neither A nor D"),
        ("Either A or C.", "Either B or C."),
        ("Options A and B", "Options A and C"),
        ("Both (A) and (B)", "Both (A) and (C)"),
        ("A, B, and C", "A, B, and C"),
        ("A & B", "A & C"),
        ("A and B are true", "A and C are true"),
        ("All except B", "All except A"),
        ("both a and c.", "both b and c."),
        ("  A or B  ", "  A or C  "),
    ],
)
def test_a_reference_is_rewritten_for_the_new_labels(option: str, expected: str) -> None:
    assert rewritten(option, LABELS, SWAPPED, LABELS) == expected


def test_a_reference_is_rewritten_for_another_style() -> None:
    numbers = dict(zip(LABELS, "1234", strict=True))
    assert rewritten("Both (A) and (C)", LABELS, numbers, [*"1234"]) == "Both (1) and (3)"


def test_new_labels_are_listed_in_the_order_in_which_they_are_shown() -> None:
    labels = tuple("ABCDEFGHIJK")
    renamed = dict(zip(labels, map(str, range(1, 12)), strict=True))
    assert rewritten("K and B", labels, renamed, [*renamed.values()]) == "2 and 11"


@pytest.mark.parametrize(
    "option",
    [
        "I and III only",
        "Vitamin A",
        "A",
        "B, A, C",
        "Both",
        "Vitamins A and C",
        "A + B",
        "Both A and R",
        "Apples and Bananas",
        "",
    ],
)
def test_anything_else_is_no_reference(option: str) -> None:
    assert not combines(option, LABELS)
    assert rewritten(option, LABELS, SWAPPED, LABELS) == option


@pytest.mark.parametrize(
    "option",
    [
        "I and III only",
        "Vitamin A",
        "Vitamins A and C",
        "Statement I",
        "only a few",
        "A + B",
        "II",
        "Like A Rolling Stone",
    ],
)
def test_options_with_ordinary_letters_and_statement_numbers_are_clear(option: str) -> None:
    assert combination_unclear(Question("q", ("x", "y", option)), Layout()) == ""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("x", "y", "B, A, C", "z"), "may name others by label: 'B, A, C'"),
        (("x", "y", "Both A and R"), "may name others by label"),
        (("x", "y", "Use the method in (A), but faster"), "may name others by label"),
        (("x", "y", "Both A and B, since they agree"), "may name others by label"),
        (("x", "y", "The same as option B in water"), "may name others by label"),
        (("x", "y", "A and/or B"), "may name others by label"),
        (("x", "y", "A but not B"), "may name others by label"),
        (("x", "y", "A or B but not both"), "may name others by label"),
        (("x", "y", "A/B only"), "may name others by label"),
        (("x", "y", "Same as (a)"), "may name others by label"),
        (("x", "y", "As in B."), "may name others by label"),
        (("A only", "B only", "Both A and B"), "'A only' names itself"),
        (("x", "b", "y"), "is itself a label: 'b'"),
        (("x", "(C)", "y"), "is itself a label: '(C)'"),
    ],
)
def test_what_may_be_a_reference_or_not_is_told(options: tuple[str, ...], reason: str) -> None:
    assert reason in combination_unclear(Question("q", options), Layout())


@pytest.mark.parametrize(
    "text",
    ["Consider events A and B.", "Statement A: ... Statement B: ...", "If A occurs, what follows?", "Let B be a set."],
)
def test_letters_of_the_questions_own_make_a_reference_unclear(text: str) -> None:
    assert "uses too" in combination_unclear(Question(text, ("x", "y", "Both A and B")), Layout())


@pytest.mark.parametrize("text", ["A dog barks. Which is true?", "What is a 12-sided solid?", "It's a boy's"])
def test_an_article_is_no_letter_of_the_questions_own(text: str) -> None:
    assert combination_unclear(Question(text, ("x", "y", "Both A and B")), Layout()) == ""


def test_a_reference_that_says_options_is_clear_whatever_the_question_says() -> None:
    assert combination_unclear(Question("Let B be a set.", ("x", "y", "Options A and B")), Layout()) == ""
