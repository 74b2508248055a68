"""The graders of text: `exact`, `contains` and `regex`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import GraderError
from prt.runner.graders import Grader
from prt.runner.graders.normal import NormalForm

from .keys import graded, grader, texts_key

EXACT, CONTAINS = grader("exact"), grader("contains")


@pytest.mark.parametrize(
    "reply",
    [
        "Café Noir",
        "café noir",
        "CAFÉ NOIR.",
        " Café  Noir\n",
        "**Café Noir**",
        "“Café Noir”",
        "`Café Noir`",
        "'Café Noir'!",
        "Cafe\u0301 Noir",
        "Ｃａｆé Noir",
        "Café\u00a0Noir",
        "Café\u200b Noir",
        "- Café Noir",
        "> Café Noir",
        "(Café Noir)",
        "<think>Perhaps tea?</think>\n\nCafé Noir",
        "### Café Noir",
        "_Café Noir_",
        "Café Noir:",
    ],
)
def test_equal_answers_are_equal_however_they_are_written(reply: str) -> None:
    assert graded(EXACT, reply, texts_key("Café Noir")).passed is True


@pytest.mark.parametrize(
    "reply", ["Cafe Noir", "Café", "the Café Noir", "Café Noir or tea", "Answer: Café Noir", "CaféNoir", "x"]
)
def test_another_text_fails_and_keeps_what_was_replied(reply: str) -> None:
    grade = graded(EXACT, reply, texts_key("Café Noir"))
    assert (grade.status, grade.passed) == ("graded", False)
    assert grade.answer == NormalForm(ignore_case=True, ignore_punctuation=True)(reply)


def test_case_and_punctuation_count_where_the_config_says_so() -> None:
    strict = grader("exact", ignore_case=False, ignore_punctuation=False)
    key = texts_key("Paris")
    assert [graded(strict, reply, key).passed for reply in ("Paris", "paris", "Paris.", " Paris ")] == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("gold", "reply"), [("C++", "C"), ("-5", "5"), (".5", "5"), ("#1", "1"), ("50%", "50"), ("a", "an a")]
)
def test_signs_that_belong_to_an_answer_are_no_punctuation(gold: str, reply: str) -> None:
    assert graded(EXACT, reply, texts_key(gold)).passed is False
    assert graded(EXACT, gold, texts_key(gold)).passed is True


def test_an_answer_that_is_punctuation_is_compared_as_it_is() -> None:
    assert graded(EXACT, "?", texts_key("?")).passed is True
    assert graded(EXACT, "!", texts_key("?")).passed is False


def test_case_is_folded_as_unicode_says() -> None:
    assert graded(EXACT, "STRASSE", texts_key("Straße")).passed is True


@pytest.mark.parametrize("judge", [EXACT, CONTAINS])
def test_each_accepted_text_passes(judge: Grader) -> None:
    key = texts_key("Paris", "City of Light")
    assert [graded(judge, reply, key).passed for reply in ("paris", "City of light", "Rome")] == [True, True, False]


def test_a_cut_off_reply_is_never_exact_since_it_may_go_on() -> None:
    assert graded(EXACT, "Paris", texts_key("Paris"), "length").status == "truncated"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    form = NormalForm(ignore_case=True, ignore_punctuation=True)
    assert form(form(text)) == form(text)


@pytest.mark.parametrize(
    "reply",
    [
        "Paris",
        "It is Paris.",
        "**Paris**, of course",
        "PARIS",
        "the Paris of today",
        "Pa\u200bris",
        "“Paris”",
        "Paris's river",
        "Not Paris.",
    ],
)
def test_a_text_that_stands_in_the_reply_passes(reply: str) -> None:
    grade = graded(CONTAINS, reply, texts_key("Paris"))
    assert (grade.passed, grade.answer) == (True, "paris")


@pytest.mark.parametrize("reply", ["Parisian", "comParis", "Par is", "Rome", "<think>Paris</think>Rome", "Paris2"])
def test_a_text_inside_another_word_does_not(reply: str) -> None:
    grade = graded(CONTAINS, reply, texts_key("Paris"))
    assert (grade.status, grade.passed, grade.answer) == ("graded", False, None)


@pytest.mark.parametrize(
    ("gold", "reply", "passed"),
    [
        ("5", "It is 5.", True),
        ("5", "It is 15.", False),
        ("5", "It is 5.2", False),
        ("5", "It is -5", False),
        ("5", "5,000", False),
        ("New York", "new\n york", True),
        ("C++", "I like C++.", True),
        ("$5", "It costs $5.", True),
        ("東京", "東京都です", True),
        ("it", "with", False),
        ("e", "é", False),
        ("H2O", "H2O2", False),
        ("may be", "Maybe", False),
        ("A. B.", "a. b. c.", True),
    ],
)
def test_words_and_numbers_are_found_whole(gold: str, reply: str, passed: bool) -> None:  # noqa: FBT001  # a column
    assert graded(CONTAINS, reply, texts_key(gold)).passed is passed


def test_case_counts_in_contained_text_where_the_config_says_so() -> None:
    strict = grader("contains", ignore_case=False)
    assert [graded(strict, reply, texts_key("May")).passed for reply in ("In May", "It may")] == [True, False]


def test_contained_text_stands_in_a_cut_off_reply_unless_it_is_at_the_cut() -> None:
    key = texts_key("Paris")
    assert graded(CONTAINS, "It is Paris, the ci", key, "length").passed is True
    assert graded(CONTAINS, "It is Paris", key, "length").status == "truncated"
    assert graded(CONTAINS, "It is the ci", key, "length").status == "truncated"


def test_the_span_of_contained_text_is_its_place_in_the_reply() -> None:
    reply = "<think>Rome?</think>It is **Pari\u200bs**."
    grade = graded(CONTAINS, reply, texts_key("Paris"))
    assert grade.span is not None
    assert reply[slice(*grade.span)] == grade.extracted == "Pari\u200bs"


def test_a_pattern_extracts_its_first_group_of_the_last_match() -> None:
    judge = grader("regex", pattern=r"city: (\w+)")
    key = texts_key("Paris")
    assert graded(judge, "City: Rome. No, city: PARIS", key).passed is True
    assert graded(judge, "city: Paris. No, city: Rome", key).passed is False
    assert graded(judge, "Paris", key).status == "unparsed"
    assert graded(judge, "<think>city: Paris</think>", key).status == "unparsed"


def test_a_pattern_without_a_group_extracts_its_whole_match() -> None:
    assert graded(grader("regex", pattern=r"[A-Z]\d"), "It is B7 here", texts_key("b7")).passed is True


def test_a_pattern_with_alternatives_extracts_the_group_that_took_part() -> None:
    judge = grader("regex", pattern=r"first: (\w+)|second: (\w+)")
    assert graded(judge, "second: Paris", texts_key("Paris")).answer == "paris"


def test_case_counts_for_a_pattern_where_the_config_says_so() -> None:
    judge = grader("regex", pattern=r"City: (\w+)", ignore_case=False)
    assert graded(judge, "city: Paris", texts_key("Paris")).status == "unparsed"
    assert graded(judge, "City: paris", texts_key("Paris")).passed is False


def test_a_match_at_the_cut_may_go_on_and_is_truncated() -> None:
    judge = grader("regex", pattern=r"city: (\w+)")
    assert graded(judge, "city: Paris", texts_key("Paris"), "length").status == "truncated"
    assert graded(judge, "city: Paris. It", texts_key("Paris"), "length").passed is True


def test_a_pattern_that_backtracks_without_end_stops_as_a_judge_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.graders.timed.TIME_LIMIT_S", 0.05)
    grade = graded(grader("regex", pattern=r"(a|a)+$"), "a" * 60 + "!", texts_key("a"))
    assert (grade.status, grade.passed) == ("judge_error", None)
    assert "took longer than 0.05 s" in grade.reason


@pytest.mark.parametrize("pattern", ["a*", "(x?)", "^(.*)$"])
def test_a_pattern_that_finds_nothing_at_all_is_refused(pattern: str) -> None:
    with pytest.raises(GraderError, match="matches the empty text"):
        grader("regex", pattern=pattern)
