"""A user's own template: filled once, verbatim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.question import Example, Layout, Question
from prt.perturbations.rendering.render import render
from prt.perturbations.rendering.template import template_problems


def filled(template: str, question: Question, layout: Layout | None = None) -> str:
    shown = Question(
        **{
            name: getattr(question, name)
            for name in ("text", "options", "instruction", "context", "examples", "answer_form")
        },
        template=template,
    )
    return render(shown, layout or Layout())[-1].content


def test_each_field_is_filled_with_its_part() -> None:
    question = Question(
        "Why?",
        options=("x", "y"),
        instruction="Choose.",
        context=("p", "q"),
        examples=(Example("How?", ("u", "v"), 1),),
        answer_form="label",
    )
    template = "<{instruction}|{context}|{examples}|{question}|{options}|{answer}>"
    assert filled(template, question) == (
        "<Choose.|p\n\nq|Question: How?\n\nOptions:\nA. u\nB. v\n\nAnswer: B|Why?|A. x\nB. y|"
        "Answer with the letter of the correct option, A or B.>"
    )


def test_both_names_of_the_closing_line_mean_it() -> None:
    question = Question("Why?", answer_form="text")
    assert filled("{answer}", question) == filled("{answer_instruction}", question) != ""


def test_braces_in_the_dataset_are_never_read_as_fields() -> None:
    question = Question("{options} {answer} {{question}} {0}", options=("{question}", "y"), answer_form="none")
    assert filled("{question}\n{options}", question) == "{options} {answer} {{question}} {0}\nA. {question}\nB. y"


def test_what_is_no_field_stands_as_it_is_written() -> None:
    template = '{"a": {"b": []}} {} { question } {{question}} {unknown} {question}'
    assert filled(template, Question("Q")) == '{"a": {"b": []}} {} { question } {question} {unknown} Q'


@settings(deadline=None, max_examples=50)
@given(st.text(), st.text(alphabet="{}quesion \\n"))
def test_a_question_in_a_template_stands_there_byte_for_byte(before: str, text: str) -> None:
    before = before.replace("{", "(").replace("}", ")")
    assert filled(before + "{question}", Question(text)) == before + text


def test_options_in_a_template_follow_the_layout() -> None:
    layout = Layout(labels="i", wrapper="[A]", option_separator="; ")
    assert filled("{options}", Question("q", options=("x", "y")), layout) == "[i] x; [ii] y"


def test_a_template_is_not_changed_by_a_markup() -> None:
    question = Question("q", options=("x", "y"))
    assert filled("{question} {options}", question, Layout(markup="json")) == "q A. x\nB. y"


FULL = Question("q", options=("x",), instruction="i", context=("c",), examples=(Example("e"),), answer_instruction="a")


def test_a_template_with_all_parts_has_no_problem() -> None:
    assert template_problems("{instruction}{context}{examples}{question}{options}{answer} {{x}}", FULL) == ()


def test_an_unknown_field_is_named_with_what_is_allowed() -> None:
    (problem,) = template_problems("{question} {choices}", Question("q"))
    assert problem == (
        "The template has the unknown field {choices}; fields are {instruction}, {context}, {examples}, {question}, "
        "{options}, {answer}; {{choices}} stands for {choices} itself."
    )


def test_a_template_without_the_question_is_a_problem() -> None:
    assert template_problems("Go.", Question("q")) == (
        "The template has no field {question}, so no question would be asked.",
    )


def test_doubled_braces_around_a_field_leave_it_unfilled_and_that_is_said() -> None:
    assert len(template_problems("{{question}}", Question("q"))) == 1


@pytest.mark.parametrize(
    "part",
    ["options", "context", "instruction", "examples", "answer"],
)
def test_a_part_that_would_be_left_out_is_a_problem(part: str) -> None:
    template = "{instruction}{context}{examples}{question}{options}{answer}".replace("{" + part + "}", "")
    (problem,) = template_problems(template, FULL)
    assert problem.startswith(f"The template has no field {{{part}}}, but ")


def test_a_derived_closing_line_may_be_left_out() -> None:
    assert template_problems("{question}{options}", Question("q", options=("x",), answer_form="label")) == ()
