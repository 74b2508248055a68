"""The difference between two texts, word by word."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.difference import marked_difference

PIECES = st.lists(st.sampled_from(["the ", "cat ", "sat", ".", "\n", "e\u0301", "猫", "”", " "]), max_size=30).map(
    "".join
)


@settings(deadline=None, max_examples=150)
@given(st.one_of(PIECES, st.text()), st.one_of(PIECES, st.text()))
def test_both_texts_are_read_off_the_marks(before: str, after: str) -> None:
    marks = marked_difference(before, after)
    assert "".join(text for mark, text in marks if mark != "insert") == before
    assert "".join(text for mark, text in marks if mark != "delete") == after
    assert all(text for _, text in marks)


def test_a_changed_word_is_marked_alone() -> None:
    assert marked_difference("What is the capital?", "What is teh capital?") == [
        ("equal", "What is "),
        ("delete", "the"),
        ("insert", "teh"),
        ("equal", " capital?"),
    ]


def test_equal_texts_have_no_marks_but_one() -> None:
    assert marked_difference("same text", "same text") == [("equal", "same text")]
    assert marked_difference("", "") == []


def test_insertions_and_deletions_stand_at_their_place() -> None:
    assert marked_difference("a b", "a new b") == [("equal", "a "), ("insert", "new "), ("equal", "b")]
    assert marked_difference("a old b", "a b") == [("equal", "a "), ("delete", "old "), ("equal", "b")]


def test_signs_and_white_space_are_marked_apart_from_words() -> None:
    assert marked_difference("A. x\nB. y", "A) x; B) y") == [
        ("equal", "A"),
        ("delete", "."),
        ("insert", ")"),
        ("equal", " x"),
        ("delete", "\n"),
        ("insert", "; "),
        ("equal", "B"),
        ("delete", "."),
        ("insert", ")"),
        ("equal", " y"),
    ]


def test_a_letter_is_not_torn_from_its_marks() -> None:
    assert marked_difference("cafe\u0301", "cafe\u0300") == [("delete", "cafe\u0301"), ("insert", "cafe\u0300")]


def test_chinese_is_compared_by_character() -> None:
    assert marked_difference("今天下雨", "今天下雪") == [("equal", "今天下"), ("delete", "雨"), ("insert", "雪")]


def test_long_texts_take_no_long_time() -> None:
    before = " ".join(f"word{number % 977}" for number in range(20_000))
    after = before.replace("word500 ", "wrod500 ")
    start = time.process_time()
    marks = marked_difference(before, after)
    assert time.process_time() - start < 5
    assert sum(mark == "insert" for mark, _ in marks) == before.count("word500 ")
