"""The closing line: it names the labels in use, or says what the user said."""

import pytest
from prt.perturbations.closing import closing_line
from prt.perturbations.question import AnswerForm, LabelStyle, Layout, Question

FOUR = ("w", "x", "y", "z")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("A", "Answer with only the letter of the correct option: A, B, C or D."),
        ("a", "Answer with only the letter of the correct option: a, b, c or d."),
        ("1", "Answer with only the number of the correct option: 1, 2, 3 or 4."),
        ("i", "Answer with only the numeral of the correct option: i, ii, iii or iv."),
        ("I", "Answer with only the numeral of the correct option: I, II, III or IV."),
    ],
)
def test_the_labels_in_use_are_named(style: LabelStyle, expected: str) -> None:
    assert closing_line(Question("q", FOUR, answer_form="label"), Layout(labels=style)) == expected


@pytest.mark.parametrize(("options", "labels"), [(FOUR[:1], "A"), (FOUR[:2], "A or B"), (FOUR[:3], "A, B or C")])
def test_fewer_labels_read_as_a_list_too(options: tuple[str, ...], labels: str) -> None:
    assert closing_line(Question("q", options, answer_form="label"), Layout()).endswith(f"option: {labels}.")


def test_asking_for_a_label_without_options_says_nothing() -> None:
    assert closing_line(Question("q", answer_form="label"), Layout()) == ""


@pytest.mark.parametrize(
    ("form", "words"), [("number", 'reads "Answer: <number>"'), ("text", "only the answer itself")]
)
def test_other_forms_are_asked_for_in_words(form: AnswerForm, words: str) -> None:
    assert words in closing_line(Question("q", answer_form=form), Layout())


def test_no_form_asks_for_nothing() -> None:
    assert closing_line(Question("q", FOUR, answer_form="none"), Layout()) == ""


def test_the_users_own_line_is_taken_verbatim_with_the_labels_filled_in() -> None:
    question = Question("q", FOUR[:3], answer_form="label", answer_instruction="Say {labels}. {other} {{x}}")
    assert closing_line(question, Layout(labels="1")) == "Say 1, 2 or 3. {other} {{x}}"


def test_an_empty_line_of_the_users_leaves_it_out() -> None:
    assert closing_line(Question("q", FOUR, answer_form="label", answer_instruction=""), Layout()) == ""
