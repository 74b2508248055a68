"""What stands out about a grade: each kind on a reply that has it, and on one that lacks it by a word."""

import pytest
from prt.runner.graders.suspicion import KINDS, Kind, suspicion
from prt.runner.records import AnswerKey, Grade, Reply

from .keys import grader, options_key, texts_key

PARIS = options_key()
TEXT = texts_key("Paris")


def kind(name: str, text: str, key: AnswerKey, *, finish_reason: str = "stop", **parameters: object) -> Kind:
    reply = Reply(text=text, finish_reason=finish_reason)
    return suspicion(grader(name, **parameters).grade(reply, key), reply, key, name)


@pytest.mark.parametrize(
    ("name", "text", "key", "expected"),
    [
        ("choice", "I don't know.", PARIS, "unread"),
        ("choice", "A or B", PARIS, "unread"),
        ("choice", "B", PARIS, "ordinary"),
        ("choice", "A", PARIS, "ordinary"),
        ("choice", "I looked at Lyon and Paris. The answer is A.", PARIS, "gold_in_fail"),
        ("choice", "My answer is (A), since the government sits in Paris.", PARIS, "mixed"),
        ("choice", "I looked at Lyon only. The answer is B.", PARIS, "mixed"),
        ("choice", "I looked at Lyon and Paris. The answer is B.", PARIS, "several"),
        ("choice", "It is not Lyon. The answer is B.", PARIS, "ordinary"),
        ("exact", "It is Paris.", TEXT, "gold_in_fail"),
        ("exact", "It is Rome.", TEXT, "ordinary"),
        ("exact", "Parisian", TEXT, "ordinary"),
        ("exact", "7.0 apples", texts_key("7"), "gold_in_fail"),
        ("numeric", "7 of 12, so 5", texts_key("7"), "gold_in_fail"),
        ("numeric", "The answer is 7.", texts_key("7"), "ordinary"),
        ("contains", "It is not Paris.", TEXT, "denied"),
        ("contains", "It is Paris, not Rome.", TEXT, "ordinary"),
    ],
)
def test_a_grade_is_of_the_first_kind_that_fits(name: str, text: str, key: AnswerKey, expected: Kind) -> None:
    assert kind(name, text, key) == expected


def test_a_reply_that_was_cut_off_and_graded_stands_out() -> None:
    assert kind("contains", "It is Paris since", TEXT, finish_reason="length") == "cut_off"
    assert kind("contains", "It is Par", TEXT, finish_reason="length") == "unread"


def test_an_empty_right_answer_stands_out() -> None:
    grade = Grade(False, "graded", "x", "x")  # noqa: FBT003 - a record in its own order
    assert suspicion(grade, Reply(text="x"), texts_key(" "), "python") == "empty_gold"
    assert suspicion(grade, Reply(text="x"), texts_key("y"), "python") == "ordinary"


def test_what_is_right_is_what_was_shown() -> None:
    turned = options_key(("Lyon", "Paris", "Nice"), gold=(2,), permutation=(2, 0, 1))
    assert kind("choice", "The answer is B. Lyon, or so; but Nice is by the sea.", turned) == "gold_in_fail"


def test_every_kind_has_words() -> None:
    assert all(KINDS.values())
    assert len(set(KINDS.values())) == len(KINDS)
