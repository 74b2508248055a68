"""Plain text reads back as the texts that were written, by a reader who knows the marks, or is not used."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.question import Example, Layout, Question
from prt.perturbations.rendering.document import document
from prt.perturbations.rendering.plain import item_texts, marks, plain_pieces, read_plain, write_plain
from prt.perturbations.rendering.render import misread, user_text

QUESTION = Question(
    "Which?",
    ("x", "y"),
    instruction="Choose.",
    context=("p", "q"),
    examples=(Example("How?", ("u", "v"), 1), Example("How many?", answer="4")),
    answer_form="label",
)
REFUSED = "a text of the question can't stand in plain text and be read back unchanged"


def read(question: Question, layout: Layout, message: str) -> list[str]:
    return read_plain(message, marks(plain_pieces(document(question, layout), layout)))


def test_a_message_gives_back_the_texts_of_the_item_in_order() -> None:
    texts = ["p", "q", "How?", "u", "v", "B", "How many?", "4", "Which?", "x", "y"]
    assert item_texts(document(QUESTION, Layout())) == texts
    assert read(QUESTION, Layout(), user_text(QUESTION, Layout())) == texts


def test_there_is_one_mark_more_than_there_are_texts() -> None:
    found = marks(plain_pieces(document(QUESTION, Layout()), Layout()))
    assert found[:3] == ["Choose.\n\nContext 1: ", "\n\nContext 2: ", "\n\nQuestion: "]
    assert found[-1] == "\n\nAnswer with the letter of the correct option, A or B."
    assert len(found) == 12


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("A. x", "A. x "),
        ("A. x\nB. y", "A. y\nB. x"),
        ("Question: Which?", "Question: which?"),
        ("Context 1: p", "Context 1: q"),
    ],
)
def test_a_writer_that_alters_a_text_is_caught(was: str, becomes: str) -> None:
    message = user_text(QUESTION, Layout())
    wrong = message.replace(was, becomes)
    assert wrong != message
    assert read(QUESTION, Layout(), wrong) != item_texts(document(QUESTION, Layout()))


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("\nB. y", ""),
        ("Options:", "Choices:"),
        ("Choose.", "Choose!"),
        ("A or B.", "A or C."),
        ("Context 2: q\n\n", ""),
    ],
)
def test_a_writer_that_loses_or_alters_a_mark_is_caught(was: str, becomes: str) -> None:
    wrong = user_text(QUESTION, Layout()).replace(was, becomes)
    with pytest.raises(ValueError, match="mark"):
        read(QUESTION, Layout(), wrong)


@pytest.mark.parametrize(
    "question",
    [
        Question("See\n\nOptions:\nA. none", ("x", "y"), answer_form="label"),
        Question("Which?", ("x\nB. z", "y"), answer_form="label"),
        Question("Which?", ("x", "y"), context=("p\n\nQuestion: r",), answer_form="label"),
        Question("Which?", examples=(Example("e\n\nAnswer: 3", answer="4"),)),
    ],
)
def test_a_text_that_holds_the_mark_after_it_can_be_read_in_two_ways_and_is_refused(question: Question) -> None:
    assert misread(question, Layout()) == REFUSED


@pytest.mark.parametrize(
    "text",
    [
        "Question: Which?",
        "Options:\nA. x\nB. y\nWhich?",
        "one\n\ntwo\n\nthree",
        "A. x",
        "",
        "\n",
        "\n\nOptions:",
        "Answer: ",
    ],
)
def test_a_text_that_looks_like_a_prompt_but_fits_in_one_way_is_not_refused(text: str) -> None:
    assert misread(Question(text, ("x", "y"), answer_form="label"), Layout()) == ""


def test_texts_that_hold_what_stands_between_them_can_not_be_told_apart() -> None:
    layout = Layout(descriptor_case="none", field_separator=" ")
    question = Question("Which one?", context=("p",), answer_form="none")
    assert misread(question, layout) == REFUSED
    assert misread(question, replace(layout, field_separator="\t")) == ""


def test_overlapping_places_of_a_mark_are_two_ways() -> None:
    with pytest.raises(ValueError, match="two ways"):
        read_plain("xaaay", ["", "aa", ""])
    assert read_plain("xaay", ["", "aa", ""]) == ["x", "y"]
    with pytest.raises(ValueError, match="begin and end"):
        read_plain("ab", ["ab", "b"])


def test_of_a_template_the_options_are_read_back() -> None:
    question = Question("Which?", ("x; B. z", "y"), template="{question} {options}")
    assert misread(question, Layout(option_separator="; ")) == "an option holds what would stand between options"
    assert misread(question, Layout()) == ""
    assert misread(replace(question, options=()), Layout(option_separator="; ")) == ""


SHORT = st.text("ab: \n", max_size=6)


@settings(deadline=None, max_examples=300)
@given(st.lists(SHORT, min_size=2, max_size=4), st.data())
@example(["a", "", "b"], None)
def test_where_a_message_is_read_there_is_no_other_way_to_read_it(texts: list[str], data: st.DataObject | None) -> None:
    between = ["", *(data.draw(st.text("ab: \n", max_size=3)) if data else "" for _ in texts[1:]), ""]
    message = "".join(mark + text for mark, text in zip(between, [*texts, ""], strict=True))
    ways = readings(message, between[1:-1])
    assert texts in ways
    try:
        assert [read_plain(message, between)] == ways
    except ValueError:
        assert len(ways) > 1


def readings(message: str, inner: list[str]) -> list[list[str]]:
    """Every way to take a message apart at its marks, found by trying all places."""
    if not inner:
        return [[message]]
    places = [place for place in range(len(message) + 1) if message.startswith(inner[0], place)]
    return [
        [message[:place], *rest] for place in places for rest in readings(message[place + len(inner[0]) :], inner[1:])
    ]


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=20), st.lists(st.text(max_size=8), max_size=6))
def test_any_unicode_text_is_given_back_byte_for_byte_or_refused(text: str, options: list[str]) -> None:
    question = Question(text, tuple(options), answer_form="label")
    for layout in (Layout(), Layout(descriptor_case="none"), Layout(option_separator=" | ", field_separator="\n")):
        tree = document(question, layout)
        if not misread(question, layout):
            assert read(question, layout, write_plain(tree, layout)) == [text, *options]
