"""The grader `label`: one of a closed set, as a whole word in any script, and nothing where it can't be told."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import GraderError
from prt.runner.graders import prove

from .keys import graded, grader, options_key, texts_key

MOODS = ["positive", "negative", "neutral"]
JUDGE = grader("label", labels=MOODS)
KEY = texts_key("negative")


def label(reply: str, *labels: str) -> str | None:
    judge = grader("label", labels=list(labels or MOODS))
    return graded(judge, reply, texts_key((labels or MOODS)[0])).answer


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("positive", "positive"),
        ("NEGATIVE.", "negative"),
        ("**Neutral**", "neutral"),
        ("The sentiment is positive.", "positive"),
        ("Sentiment: negative\n\nThe reviewer dislikes it, though there are positive sides.", "negative"),
        ("label: neutral", "neutral"),
        ('{"label": "positive"}', "positive"),
        ('```json\n{"sentiment": "negative"}\n```', "negative"),
        ("It is not positive but negative.", "negative"),
        ("The review is neither positive nor negative, so neutral.", "neutral"),
        ("<think>positive? negative?</think>neutral", "neutral"),
        ("positive or negative", None),
        ("positive/negative", None),
        ("Not positive.", None),
        ("positively great", None),
        ("nonnegative", None),
        ("I can't tell.", None),
        ("The answer is positive. Wait, that is wrong.", None),
        ("positive: 0.1, negative: 0.8, neutral: 0.1", None),
        ('{"positive": 0.1, "negative": 0.8, "neutral": 0.1}', None),
        ("positive (10%), negative (80%), neutral (10%)", None),
        ("- positive: 10%\n- negative: 80%\n- neutral: 10%", None),
        ("The sentiment is positive (90%).", "positive"),
        ("- positive: no\n- negative: yes\n- neutral: no", "negative"),
        ('{"positive": false, "negative": true}', "negative"),
        ("non-positive", None),
        ("The review is non-positive.", None),
        ("non-negative", None),
        ("not-negative", None),
        ("pseudo-positive", None),
        ("falsely positive", None),
        ("no positive", None),
        ("There is nothing positive here.", None),
        ("lacks anything positive", None),
        ("nothing but positive", "positive"),
        ("It would be positive if he had enjoyed it.", None),
        ("The least fitting label is positive.", None),
        ("The answer was positive, sorry, negative", "negative"),
    ],
)
def test_one_label_is_read_and_never_one_of_several(reply: str, right: str | None) -> None:
    grade = graded(JUDGE, reply, KEY)
    assert grade.answer == right
    assert (grade.status, grade.passed) == (("unparsed", False) if right is None else ("graded", right == "negative"))
    assert bool(grade.reason) is (right is None)
    assert "option" not in grade.reason


@pytest.mark.parametrize(
    ("labels", "replies"),
    [
        (("积极", "消极", "中性"), ("积极", "情感：积极", "答案是积极。", "不是消极，而是积极")),
        (("положительный", "отрицательный"), ("Положительный", "Отзыв положительный.", "Ответ: положительный")),
        (("إيجابي", "سلبي"), ("إيجابي", "التصنيف: إيجابي")),
        (("सकारात्मक", "नकारात्मक"), ("सकारात्मक", "यह सकारात्मक है।")),
        (("บวก", "ลบ"), ("บวก", "บวก.")),
        (("ポジティブ", "ネガティブ"), ("ポジティブ", "感情：ポジティブ")),
        (("severe toxic", "toxic"), ("severe toxic", "Label: Severe Toxic", "severe  toxic.")),
        (("C++", "C", "C#"), ("C++", "Answer: C++")),
        (("no", "yes", "other", "none"), ("No", "no.", "Answer: no", "The answer is no.")),
        (("ORG-7", "ORG-71"), ("ORG-7", "The label is ORG-7.")),
    ],
)
def test_labels_of_any_script_and_shape_are_read(labels: tuple[str, ...], replies: tuple[str, ...]) -> None:
    assert [label(reply, *labels) for reply in replies] == [labels[0]] * len(replies)
    assert all(prove(grader("label", labels=list(labels)), texts_key(each)) is None for each in labels)


@pytest.mark.parametrize(
    ("labels", "replies"),
    [
        (
            ("positiv", "negativ"),
            ("nicht-positiv", "positiv: 0,1, negativ: 0,9", "Positiv, wenn es ihm gefallen hätte."),
        ),
        (("positif", "négatif"), ("non-positif", "positif : 10 %, négatif : 90 %", "rien de positif")),
        (("positivo", "negativo"), ("no positivo", "positivo (10%), negativo (90%)", "nada positivo")),
        (("积极", "消极"), ("积极：0.1，消极：0.9", "积极（10%）、消极（90%）", "不积极")),
    ],
)
def test_scores_and_negating_words_choose_no_label_in_any_language(
    labels: tuple[str, ...], replies: tuple[str, ...]
) -> None:
    assert {reply: label(reply, *labels) for reply in replies} == dict.fromkeys(replies)


def test_what_was_read_is_shown_where_it_stands() -> None:
    grade = graded(JUDGE, "I say: “Negative”!", KEY)
    assert (grade.passed, grade.extracted, grade.answer, grade.span) == (True, "Negative", "negative", (8, 16))


def test_a_gold_may_differ_in_case_and_several_are_accepted() -> None:
    key = texts_key("Negative", "NEUTRAL.")
    assert [graded(JUDGE, reply, key).passed for reply in MOODS] == [False, True, True]


def test_a_gold_outside_of_the_set_is_refused_with_the_set() -> None:
    reason = prove(JUDGE, texts_key("mixed"))
    assert reason == "the right answer 'mixed' is none of grade.labels: `positive`, `negative`, `neutral`"


def test_an_item_with_options_is_for_another_grader() -> None:
    assert "items with options are for `choice`" in str(prove(JUDGE, options_key()))


def test_labels_that_differ_in_case_alone_are_refused() -> None:
    with pytest.raises(GraderError, match="'yes' stands there twice"):
        grader("label", labels=["yes", "no", "Yes"])


def test_a_cut_off_reply_counts_only_where_more_text_could_not_change_it() -> None:
    assert graded(JUDGE, "negative", KEY, "length").status == "graded"
    assert graded(JUDGE, "The reviewer seems negative", KEY, "length").status == "truncated"


def test_a_refusal_is_one() -> None:
    assert graded(JUDGE, "I'm sorry, but I can't help with that.", KEY).status == "refused"


def test_other_labels_are_another_grader() -> None:
    assert grader("label", labels=MOODS).identity() != grader("label", labels=[*MOODS, "mixed"]).identity()
    assert grader("label", labels=MOODS).identity() != grader("label", labels=MOODS[::-1]).identity()


WORDS = st.text(st.characters(categories=["Ll"], max_codepoint=0x24F), min_size=4, max_size=9)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, min_size=2, max_size=6, unique_by=str.casefold))
def test_a_label_alone_is_always_read_and_two_never(labels: list[str]) -> None:
    judge = grader("label", labels=labels)
    first, second = labels[:2]
    assert graded(judge, first, texts_key(first)).passed is True
    assert graded(judge, f"{first} or {second}", texts_key(first)).status == "unparsed"
