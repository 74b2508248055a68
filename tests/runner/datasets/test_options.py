"""Options in every shape in which data has them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.datasets.lettered import read_lines_as_options, split_by_pattern, split_inside
from prt.runner.datasets.options import from_columns, read_options, split_options
from prt.runner.problems import RowError
from pydantic import JsonValue as Json


@pytest.mark.parametrize(
    ("value", "texts", "labels"),
    [
        (["red", "green"], ("red", "green"), ("A", "B")),
        ([1, 2.0, 0.5, True], ("1", "2", "0.5", "true"), ("A", "B", "C", "D")),
        ([{"label": "A", "text": "x"}, {"label": "B", "text": "y"}], ("x", "y"), ("A", "B")),
        ({"text": ["x", "y"], "label": ["1", "2"]}, ("x", "y"), ("1", "2")),
        ({"A": "x", "B": "y", "C": "z"}, ("x", "y", "z"), ("A", "B", "C")),
        ({"A": "x", "B": "y", "C": None}, ("x", "y"), ("A", "B")),
        (["x", "y", "", None], ("x", "y"), ("A", "B")),
        (["A)21", "B)21.5", "C)22"], ("21", "21.5", "22"), ("A", "B", "C")),
        (["(A) x", "(B) y"], ("x", "y"), ("A", "B")),
        (["A. x", "B. y"], ("x", "y"), ("A", "B")),
        (["A.D.", "B.C."], ("A.D.", "B.C."), ("A", "B")),
        (["A) x", "y"], ("A) x", "y"), ("A", "B")),
        ('["x", "y"]', ("x", "y"), ("A", "B")),
        ("A. x\nB. y", ("x", "y"), ("A", "B")),
        ("\nA. x\r\nB. y\r\n", ("x", "y"), ("A", "B")),
        ("(A) x\n(B) y", ("x", "y"), ("A", "B")),
        ("[A] x\n[B] y", ("x", "y"), ("A", "B")),
        ("A) x\nB) y", ("x", "y"), ("A", "B")),
        ("A: x\nB: y", ("x", "y"), ("A", "B")),
        ("a) x\nb) y", ("x", "y"), ("a", "b")),
        ("1. x\n2. y", ("x", "y"), ("1", "2")),
        ("A．甲\nB．乙", ("甲", "乙"), ("A", "B")),
        ("A.甲\nB.乙", ("甲", "乙"), ("A", "B")),
        ("- Yes\n- No", ("Yes", "No"), ("A", "B")),
        ("A.\n  x\nB.\n  y", ("x", "y"), ("A", "B")),
        ("A. x\n x2\n\n x3\nB. y", ("x\n x2\n\n x3", "y"), ("A", "B")),
        ("A. 1. first\nB. see (A)", ("1. first", "see (A)"), ("A", "B")),
        ("A: f4, B: Rd2, C: Kg1", ("f4", "Rd2", "Kg1"), ("A", "B", "C")),
        ("A) x B) y", ("x", "y"), ("A", "B")),
        ("(A) x; (B) y, z; (C) w", ("x", "y, z", "w"), ("A", "B", "C")),
        ("A. only one", ("only one",), ("A",)),
    ],
)
def test_options_are_read(value: Json, texts: tuple[str, ...], labels: tuple[str, ...]) -> None:
    options = read_options(value)
    assert options.texts == texts
    assert options.labels == labels


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1,2,3", "{split: …, at: …}"),
        ("", "the options are empty"),
        ([], "there are no options"),
        (["x", "", "y"], "option 2 of 3 is empty"),
        (["x", ["y"]], "an option is a list"),
        ([{"text": "x"}], "name the key of its text: `options[].text`"),
        ({"text": ["x"], "label": ["A", "B"]}, "the labels and the options differ in number: 2 and 1"),
        ({"choices": ["x", "y"]}, "name the texts: `options.choices`"),
        ({"choices": [{"id": 1, "content": "x"}]}, "name the texts: `options.choices[].content`"),
        ({"A": {"text": "x"}, "B": {"text": "y"}}, "name the texts: `[options.A.text, options.B.text]`"),
        ([{"id": 1}], "where a text is needed"),
        ([{"label": "A", "text": "x"}, {"label": "A", "text": "y"}], 'two options have the label "A"'),
        (7, "the options are a number"),
        ("A. x\nC. y", "labelled `A`, `C`, where `B` follows on `A`"),
        ("A. x\nB. y\nB. z", "labelled `A`, `B`, `B`"),
        ("B. x\nC. y", "no lines labelled A, B"),
        ("A. x B. y\nC. z D. w", "labelled `A`, `C`"),
        ("- x\ny", "begin with a bullet and some don't"),
        ("A: x, B: y C: z", "can be split in more than one way"),
        ("A: x, B: y, B: z", "labelled `A`, `B`, `B`"),
        (["x", "\ud83d"], "lone surrogate"),
    ],
)
def test_what_can_be_read_in_no_one_way_is_refused(value: Json, words: str) -> None:
    with pytest.raises(RowError) as caught:
        read_options(value)
    assert words in str(caught.value)


def test_an_empty_column_at_the_end_is_left_out() -> None:
    options = from_columns(["x", "y", ""], ["o1", "o2", "o3"])
    assert options.texts == ("x", "y")
    assert options.names == ("o1", "o2")


def test_an_empty_column_between_others_is_refused() -> None:
    with pytest.raises(RowError, match="option 1 of 2 is empty"):
        from_columns(["", "y"], ["o1", "o2"])


def test_one_text_is_split_where_the_config_says() -> None:
    assert split_options("Earth, Jupiter ,Mars", ",").texts == ("Earth", "Jupiter", "Mars")
    assert split_options("Yes\nNo", "\n").texts == ("Yes", "No")


@pytest.mark.parametrize(
    ("text", "left", "texts", "cue"),
    [
        ("Which?\nOptions:\n(A) x\n(B) y", "Which?", ("x", "y"), ""),
        ("Which?\nOptions:\n- Yes\n- No", "Which?", ("Yes", "No"), ""),
        ("Which?\n\nAnswer Choices:\n\nA. x\nB. y\n", "Which?", ("x", "y"), ""),
        ("**Options:**\nA) x\nB) y\nWhich?", "Which?", ("x", "y"), ""),
        ("Which is it:\n(A) x\n(B) y", "Which is it:", ("x", "y"), ""),
        ("¿Cuál?\nA. 1 m/s\nB. 7,2 km/h.\nAnswer:", "¿Cuál?", ("1 m/s", "7,2 km/h."), "Answer:"),
        ("Which?\nA. x\nB. y\nAnswer with a letter.", "Which?\nAnswer with a letter.", ("x", "y"), ""),
        ("A. one\nB. two\nWhich?\nA. x\nB. y", "A. one\nB. two\nWhich?", ("x", "y"), ""),
        ("1. this\n2. that\nWhich holds?\nA. 1\nB. 2", "1. this\n2. that\nWhich holds?", ("1", "2"), ""),
        ("Which?\n1. x\n2. y", "Which?", ("x", "y"), ""),
        ("Which?\nA. x\n x2\nB. y\n y2\nAnswer:", "Which?", ("x\n x2", "y\n y2"), "Answer:"),
        ("- a fact\n- more\nWhich?\n- Yes\n- No", "- a fact\n- more\nWhich?", ("Yes", "No"), ""),
    ],
)
def test_options_inside_a_text_are_taken_out(text: str, left: str, texts: tuple[str, ...], cue: str) -> None:
    inside = split_inside(text)
    assert inside.text == left
    assert inside.options.texts == texts
    assert inside.cue == cue


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which of these?", "there are no option lines in"),
        ("Which?\nA. x\nC. y", "there are no option lines in"),
        ("Which?\nA. x\nB. y\nD. z", "labelled `A`, `B`, `D`"),
        ("Options:\nB. x\nC. y", "begin with the label `B`"),
        ("Moves: A: f4, B: Rd2", "or a `pattern` beside `inside`"),
    ],
)
def test_a_text_without_readable_options_is_refused(text: str, words: str) -> None:
    with pytest.raises(RowError) as caught:
        split_inside(text)
    assert words in str(caught.value)


def test_a_pattern_finds_options_within_a_line() -> None:
    text = "FEN: 8/8 w Moves: A: f4, B: Rd2 Answer with the letter."
    inside = split_by_pattern(text, re.compile("Moves: (.+?) Answer with.*"))
    assert inside.text == "FEN: 8/8 w"
    assert inside.options.texts == ("f4", "Rd2")


def test_options_without_marks_may_stay_in_the_question() -> None:
    with pytest.raises(RowError, match=r"leave them in the question \(`options: \[\]`\) and grade by"):
        split_by_pattern("Which is a metal? A iron B salt", re.compile("A iron.*"))


def test_a_pattern_that_finds_nothing_says_so() -> None:
    with pytest.raises(RowError, match="the pattern finds no options"):
        split_by_pattern("Which?", re.compile("Moves: (.+)"))


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1, max_size=12)
SPOKEN = WORDS.map(str.strip).filter(bool)


@settings(max_examples=80, deadline=None)
@given(st.lists(SPOKEN, min_size=2, max_size=30), st.sampled_from(["{}. ", "({}) ", "[{}] ", "{}) ", "{}: "]))
def test_lettered_lines_give_back_their_texts(texts: list[str], wrapper: str) -> None:
    labels = [chr(ord("A") + at) for at in range(len(texts))][:26]
    lines = "\n".join(wrapper.format(label) + text for label, text in zip(labels, texts, strict=False))
    assert read_lines_as_options(lines).texts == tuple(texts[:26])


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60))
def test_no_text_breaks_the_readers(text: str) -> None:
    sentences = []
    for read in (read_options, split_inside):
        try:
            read(text)
        except RowError as error:
            sentences.append(str(error))
    assert all(sentences)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(WORDS.filter(lambda text: text.strip() and not text.lstrip().startswith(("A", "(A", "[A"))), min_size=1)
)
def test_a_list_of_options_is_kept_verbatim(texts: list[str]) -> None:
    assert read_options(list(texts)).texts == tuple(texts)
