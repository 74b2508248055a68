"""Markup: what is written reads back as the same texts, by readers of others."""

import json
import re
from typing import cast
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.question import DescriptorCase, Example, LabelStyle, Layout, Markup, Question
from prt.perturbations.rendering.render import misread, render

Texts = dict[str, object]

NASTY = "\x85\u2028\ufeff</Question>&amp;]]>\r\n\"'\\ud83d {x} # - : | > \t ```"
ANY_TEXT = st.text(st.characters(), max_size=30).map(
    lambda text: re.sub("[\ud800-\udbff](?=[\udc00-\udfff])", "", text)  # a pair is one character in JSON
)
XML_TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters="\ufffe\uffff").filter(
        lambda character: character in "\t\n\r" or character >= " "
    ),
    max_size=30,
)


def questions(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Question]:
    return st.builds(
        Question,
        text=texts,
        options=st.lists(texts, max_size=4).map(tuple),
        instruction=texts,
        context=st.lists(texts.filter(bool), min_size=1, max_size=1).map(tuple),
        answer_form=st.just("none"),
    )


def layouts(markup: Markup) -> st.SearchStrategy[Layout]:
    return st.builds(
        Layout,
        markup=st.just(markup),
        labels=st.sampled_from(cast("list[LabelStyle]", ["A", "a", "1", "i", "I"])),
        descriptor_case=st.sampled_from(cast("list[DescriptorCase]", ["title", "upper", "lower", "none"])),
    )


def expected(question: Question, layout: Layout, labels: dict[str, list[str]]) -> Texts:
    name = {"title": str.title, "upper": str.upper, "lower": str.lower, "none": str.lower}[layout.descriptor_case]
    parts: Texts = {"instruction": question.instruction, "context": question.context[0], "question": question.text}
    parts["options"] = dict(zip(labels[layout.labels], question.options, strict=False))
    return {name(part): content for part, content in parts.items() if content or part == "question"}


LABELS = {
    "A": list("ABCD"),
    "a": list("abcd"),
    "1": list("1234"),
    "i": ["i", "ii", "iii", "iv"],
    "I": ["I", "II", "III", "IV"],
}


@settings(deadline=None, max_examples=100)
@given(questions(ANY_TEXT), layouts("json"))
@example(Question(NASTY, (NASTY, "", NASTY), context=(NASTY,), answer_form="none"), Layout(markup="json"))
def test_json_reads_back_as_the_same_texts(question: Question, layout: Layout) -> None:
    assert json.loads(render(question, layout)[-1].content) == expected(question, layout, LABELS)
    assert misread(question, layout) == ""


SHORT = {"instruction": "i", "context": "c", "question": "q", "options": "o"}


@settings(deadline=None, max_examples=60)
@given(questions(ANY_TEXT), layouts("json_line"))
@example(Question(NASTY, (NASTY, "", NASTY), context=(NASTY,), answer_form="none"), Layout(markup="json_line"))
def test_json_in_one_line_reads_back_as_the_same_texts_under_short_keys(question: Question, layout: Layout) -> None:
    message = render(question, layout)[-1].content
    want = expected(question, layout, LABELS)
    assert json.loads(message) == {SHORT[name.lower()]: content for name, content in want.items()}
    assert len(message.splitlines()) == 1
    assert misread(question, layout) == ""


@settings(deadline=None, max_examples=60)
@given(questions(ANY_TEXT), layouts("yaml"))
@example(Question(NASTY, (NASTY, "", NASTY), context=(NASTY,), answer_form="none"), Layout(markup="yaml"))
def test_yaml_reads_back_as_the_same_texts(question: Question, layout: Layout) -> None:
    assert yaml.safe_load(render(question, layout)[-1].content) == expected(question, layout, LABELS)
    assert misread(question, layout) == ""


@settings(deadline=None, max_examples=100)
@given(questions(XML_TEXT), layouts("xml"))
@example(Question(NASTY, (NASTY, "", NASTY), context=(NASTY,), answer_form="none"), Layout(markup="xml"))
def test_xml_reads_back_as_the_same_texts(question: Question, layout: Layout) -> None:
    root = ET.fromstring(render(question, layout)[-1].content)  # noqa: S314 - written by the code under test
    read: Texts = {
        part.tag: {option.get("label"): option.text or "" for option in part} if len(part) else part.text or ""
        for part in root
    }
    assert read == expected(question, layout, LABELS)
    assert misread(question, layout) == ""


@settings(deadline=None, max_examples=150)
@given(questions(ANY_TEXT), layouts("markdown"))
@example(
    Question("a\n\nb", ("x\n\n  y\n", "", "- **A.** z"), context=("`````",), answer_form="none"),
    Layout(markup="markdown"),
)
def test_markdown_reads_back_as_the_same_texts_or_is_not_used(question: Question, layout: Layout) -> None:
    if misread(question, layout):
        return
    sections = re.split(r"(?:^|\n\n)## ([^\n]+)\n\n", render(question, layout)[-1].content)[1:]
    read: Texts = dict(zip(sections[::2], sections[1::2], strict=True))
    want = expected(question, layout, LABELS)
    for name, content in want.items():
        if isinstance(content, dict):
            wrapped = [re.escape(f"- **{label}.** ") + "((?s:.*))" for label in content]
            match = re.fullmatch("\n".join(wrapped), str(read[name]))
            assert match
            assert [text.replace("\n  ", "\n") for text in match.groups()] == [*content.values()]
        else:
            assert read[name] == content
    assert read.keys() == want.keys()


@pytest.mark.parametrize(
    "text",
    [
        "## Options\n\nnone",
        "intro\n\n## Question\n\nother",
        "# a comment\nprint(1)",
        "   ### indented heading",
        "```python\nnever closed",
        "~~~\n```\n",
    ],
)
def test_a_text_that_markdown_would_take_apart_is_not_shown_in_markdown(text: str) -> None:
    assert misread(Question(text, ("x", "y")), Layout(markup="markdown")) == (
        "a text of the question can't stand in markdown and be read back unchanged"
    )


@pytest.mark.parametrize(
    "text",
    ["```python\n# a comment\n```\nWhat does it print?", "C# or F#?", "#hashtag", "a\n---\nb", "* x\n* y", "| a | b |"],
)
def test_code_fences_tables_and_signs_stand_in_markdown_as_they_are(text: str) -> None:
    layout = Layout(markup="markdown")
    assert misread(Question(text, ("x", "y")), layout) == ""
    assert f"## Question\n\n{text}\n\n## Options" in render(Question(text, ("x", "y")), layout)[-1].content


@pytest.mark.parametrize("text", ["\x00", "\x0b", "\x1f", "\ud800"])
def test_characters_that_xml_can_not_hold_are_found(text: str) -> None:
    assert "xml" in misread(Question("q", (text, "y")), Layout(markup="xml"))
    assert misread(Question("q", (text, "y")), Layout(markup="json")) == ""


def test_examples_nest_in_every_markup() -> None:
    question = Question("q", examples=(Example("e", ("x", "y"), 1), Example("f", answer="4")), answer_form="none")
    read = json.loads(render(question, Layout(markup="json", descriptor_case="lower"))[-1].content)
    assert read == {
        "example_1": {"question": "e", "options": {"A": "x", "B": "y"}, "answer": "B"},
        "example_2": {"question": "f", "answer": "4"},
        "question": "q",
    }
    for markup in ("markdown", "xml", "json", "yaml", "json_line"):
        assert misread(question, Layout(markup=markup)) == ""
    assert [*json.loads(render(question, Layout(markup="json_line"))[-1].content)] == ["e1", "e2", "q"]
    assert yaml.safe_load(render(question, Layout(markup="yaml", descriptor_case="lower"))[-1].content) == read


def test_a_template_promises_no_structure_and_plain_text_none_of_markdown() -> None:
    assert misread(Question("# x", template="{question}"), Layout(markup="markdown")) == ""
    assert misread(Question("# x"), Layout()) == ""
