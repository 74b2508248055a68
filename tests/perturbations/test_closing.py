"""The closing line: it names the labels in use, or says what the user said."""

import pytest
from prt.perturbations.question import AnswerForm, LabelStyle, Layout, Question
from prt.perturbations.rendering.closing import closing_line

FOUR = ("w", "x", "y", "z")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("A", "Answer with the letter of the correct option, A to D."),
        ("a", "Answer with the letter of the correct option, a to d."),
        ("1", "Answer with the number of the correct option, 1 to 4."),
        ("i", "Answer with the numeral of the correct option, i to iv."),
        ("I", "Answer with the numeral of the correct option, I to IV."),
    ],
)
def test_the_labels_in_use_are_named(style: LabelStyle, expected: str) -> None:
    assert closing_line(Question("q", FOUR, answer_form="label"), Layout(labels=style)) == expected


@pytest.mark.parametrize(("options", "labels"), [(FOUR[:1], "A"), (FOUR[:2], "A or B"), (FOUR[:3], "A to C")])
def test_fewer_labels_read_right_too(options: tuple[str, ...], labels: str) -> None:
    assert closing_line(Question("q", options, answer_form="label"), Layout()).endswith(f"option, {labels}.")


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
