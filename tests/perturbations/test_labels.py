"""Option labels: right, unique, as many as asked for."""

from itertools import product

import pytest
from prt.perturbations.question import LabelStyle, Layout, Question, Wrapper
from prt.perturbations.rendering.labels import answer_key_labels, label_map, label_noun, option_labels, wrapped

STYLES: tuple[LabelStyle, ...] = ("A", "a", "1", "i", "I")
WRAPPERS: tuple[Wrapper, ...] = ("A.", "A)", "(A)", "[A]", "A:")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("A", ("A", "B", "C", "D")),
        ("a", ("a", "b", "c", "d")),
        ("1", ("1", "2", "3", "4")),
        ("i", ("i", "ii", "iii", "iv")),
        ("I", ("I", "II", "III", "IV")),
    ],
)
def test_labels_begin_as_their_style_says(style: LabelStyle, expected: tuple[str, ...]) -> None:
    assert option_labels(style, 4) == expected


def test_after_z_letters_go_on_as_in_a_spreadsheet() -> None:
    labels = option_labels("A", 60)
    assert labels[24:29] == ("Y", "Z", "AA", "AB", "AC")
    assert labels[51:54] == ("AZ", "BA", "BB")


@pytest.mark.parametrize(
    ("number", "numeral"), [(4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (49, "XLIX"), (90, "XC"), (1994, "MCMXCIV")]
)
def test_numerals_are_those_of_the_romans(number: int, numeral: str) -> None:
    assert option_labels("I", number)[-1] == numeral


@pytest.mark.parametrize(("style", "wrapper"), [*product(STYLES, WRAPPERS)])
def test_no_label_stands_twice_among_eight_hundred(style: LabelStyle, wrapper: Wrapper) -> None:
    labels = [wrapped(label, wrapper) for label in option_labels(style, 800)]
    assert len(set(labels)) == len({label.casefold() for label in labels}) == 800


def test_no_options_have_no_labels() -> None:
    assert answer_key_labels(Question("q"), Layout()) == ()


@pytest.mark.parametrize(
    ("wrapper", "expected"), [("A.", "B."), ("A)", "B)"), ("(A)", "(B)"), ("[A]", "[B]"), ("A:", "B:")]
)
def test_a_wrapper_stands_around_the_label(wrapper: Wrapper, expected: str) -> None:
    assert wrapped("B", wrapper) == expected


def test_the_label_map_leads_from_shown_label_to_canonical_option() -> None:
    question = Question("q", options=("third", "first", "second"))
    assert label_map(question, Layout(labels="i"), (2, 0, 1)) == {"i": 2, "ii": 0, "iii": 1}


def test_a_label_map_of_another_number_of_options_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        label_map(Question("q", options=("x", "y", "z")), Layout(), (0, 1))


@pytest.mark.parametrize(
    ("style", "count", "noun"),
    [("A", 4, "letter"), ("a", 26, "letter"), ("A", 27, "label"), ("1", 4, "number"), ("I", 4, "numeral")],
)
def test_an_instruction_calls_labels_what_they_are(style: LabelStyle, count: int, noun: str) -> None:
    assert label_noun(style, count) == noun
