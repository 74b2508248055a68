"""Questions written out as messages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.question import Example, Layout, Message, Question
from prt.perturbations.rendering.render import render

QUESTION = Question(
    "Which?",
    options=("x", "y"),
    instruction="Choose.",
    context=("p", "q"),
    examples=(Example("How?", ("u", "v"), 1), Example("How many?", answer="4")),
    answer_form="label",
)


def shown(question: Question, layout: Layout | None = None) -> str:
    return render(question, layout or Layout())[-1].content


def test_the_parts_stand_in_their_order() -> None:
    assert shown(QUESTION) == (
        "Choose.\n\nContext 1: p\n\nContext 2: q\n\n"
        "Question: How?\n\nOptions:\nA. u\nB. v\n\nAnswer: B\n\nQuestion: How many?\n\nAnswer: 4\n\n"
        "Question: Which?\n\nOptions:\nA. x\nB. y\n\n"
        "Answer with the letter of the correct option, A or B."
    )


def test_separators_casing_and_labels_are_those_of_the_layout() -> None:
    layout = Layout(
        labels="i",
        wrapper="(A)",
        option_separator=" | ",
        descriptor_case="upper",
        descriptor_separator=" - ",
        field_separator="\n",
    )
    assert shown(Question("Which?", ("x", "y"), context=("p",), answer_form="none"), layout) == (
        "CONTEXT - p\nQUESTION - Which?\nOPTIONS - (i) x | (ii) y"
    )


def test_a_layout_without_names_leaves_them_out() -> None:
    layout = Layout(descriptor_case="none")
    assert shown(Question("Which?", ("x", "y"), answer_form="none"), layout) == "Which?\n\nA. x\nB. y"


@pytest.mark.parametrize("text", ["What is 2 + 2?", "", "  two\r\nlines\t "])
def test_a_part_that_stands_alone_is_written_bare(text: str) -> None:
    assert shown(Question(text, answer_form="none")) == text


def test_the_system_prompt_and_the_history_are_messages_of_their_own() -> None:
    history = (Message("user", "Hi"), Message("assistant", "Hello {question}"))
    messages = render(Question("Go on.", system="Be {brief}.", history=history, answer_form="none"), Layout())
    assert messages == (Message("system", "Be {brief}."), *history, Message("user", "Go on."))


def test_without_a_system_prompt_there_is_no_such_message() -> None:
    assert [message.role for message in render(Question("q"), Layout())] == ["user"]


def test_examples_are_written_in_the_labels_of_the_question() -> None:
    layout = Layout(labels="1", wrapper="[A]")
    assert "[1] u\n[2] v\n\nAnswer: 2" in shown(QUESTION, layout)


def test_an_example_whose_answer_is_no_option_shows_it_as_it_is() -> None:
    assert shown(Question("q", examples=(Example("e", ("u",), 5),))).split("\n\n")[2] == "Answer: 5"


def test_markdown_has_a_heading_for_each_part_and_a_list_of_options() -> None:
    assert shown(Question("Which?", ("x\ny", "z"), answer_form="none"), Layout(markup="markdown", wrapper="A)")) == (
        "## Question\n\nWhich?\n\n## Options\n\n- **A)** x\n  y\n- **B)** z"
    )


def test_xml_escapes_what_would_be_markup() -> None:
    assert shown(Question("a < b & c?", ("</option>",), answer_form="none"), Layout(markup="xml")) == (
        "<prompt>\n  <Question>a &lt; b &amp; c?</Question>\n  <Options>\n"
        '    <option label="A">&lt;/option&gt;</option>\n  </Options>\n</prompt>'
    )


def test_json_is_an_object_of_parts_with_options_by_label() -> None:
    layout = Layout(markup="json", descriptor_case="lower", labels="1")
    assert shown(Question('Say "hi"', ("x", "y"), answer_form="label"), layout) == (
        '{\n  "question": "Say \\"hi\\"",\n  "options": {\n    "1": "x",\n    "2": "y"\n  },\n'
        '  "answer_format": "Answer with the number of the correct option, 1 or 2."\n}'
    )


def test_yaml_quotes_all_texts_and_labels() -> None:
    layout = Layout(markup="yaml", descriptor_case="lower", labels="1")
    assert shown(Question("yes: no", ("- x", "012"), answer_form="none"), layout) == (
        'question: "yes: no"\noptions:\n  "1": "- x"\n  "2": "012"'
    )


@settings(deadline=None, max_examples=60)
@given(st.text(), st.lists(st.text(), max_size=5))
def test_plain_text_holds_every_part_byte_for_byte(text: str, options: list[str]) -> None:
    message = shown(Question(text, tuple(options), instruction="Choose.", answer_form="label"))
    place = message.index(text)
    for option in options:
        place = message.index(option, place)


def test_rendering_twice_gives_the_same() -> None:
    assert render(QUESTION, Layout(markup="yaml")) == render(QUESTION, Layout(markup="yaml"))
