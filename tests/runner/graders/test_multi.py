"""The grader `multi`: a set of options, right only as a whole, and nothing where it can't be told."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.graders import prove
from prt.runner.graders.several import choose_several
from prt.runner.records import AnswerKey

from .keys import CITIES, LETTERS, data, graded, grader, options_key, options_shown

JUDGE = grader("multi")
KEY = options_key(gold=(0, 2))
LABELS = {"letters": LETTERS, "numbers": tuple("123456789"), "small": tuple("abcdefgh")}


def chosen(reply: str, labels: str) -> str | None:
    options = choose_several(reply, options_shown(CITIES, LABELS[labels][:4])).options
    return None if options is None else "".join(LETTERS[option] for option in sorted(options))


@pytest.mark.parametrize(
    ("labels", "reply", "right"), [(kind, *row) for kind, rows in data("multi_answers.json").items() for row in rows]
)
def test_a_set_is_read_as_a_careful_person_reads_it(labels: str, reply: str, right: str | None) -> None:
    assert chosen(reply, labels) == right


@pytest.mark.parametrize(
    "reply", ["A, C", "C and A", "AC", "Lyon, Marseille", '{"answer": ["A", "C"]}', "A. Lyon\nC. Marseille"]
)
def test_all_right_options_pass_in_any_form_and_order(reply: str) -> None:
    grade = graded(JUDGE, reply, KEY)
    assert (grade.status, grade.passed, grade.answer) == ("graded", True, "0,2")


@pytest.mark.parametrize("reply", ["A", "C", "A, B", "A, B, C", "B, D", "A, B, C, D"])
def test_one_too_few_or_too_many_fails(reply: str) -> None:
    grade = graded(JUDGE, reply, KEY)
    assert (grade.status, grade.passed) == ("graded", False)


def test_with_partial_a_part_is_enough_and_a_wrong_one_is_not() -> None:
    lenient = grader("multi", partial=True)
    assert [graded(lenient, reply, KEY).passed for reply in ("A", "C", "A, C", "A, B", "B")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert lenient.identity() != JUDGE.identity()


@pytest.mark.parametrize(
    ("options", "reply", "right"),
    [
        (("Lyon", "Nice", "All of the above"), "All of the above", "C"),
        (("Lyon", "Nice", "All of these"), "The answer is all of the above.", "C"),
        (("Lyon", "Nice", "All of the above"), "C. All of the above", "C"),
        (("Lyon", "Nice", "All of the above"), "A, B", "AB"),
        (("Lyon", "Nice", "All of the above"), "All of the above is wrong. A", "A"),
        (("Lyon", "Nice", "All of the above"), "None of the above", ""),
        (("Lyon", "Nice", "None of the above"), "None of the above.", "C"),
        (("Lyon", "Nice", "None of these"), "None of the above", "C"),
        (("Lyon", "Nice", "None of the above"), "All of the above", "ABC"),
        (("Lyon", "Nice", "All of these", "All of them"), "All of the above", None),
        (("Lyon", "Nice", "Alle genannten"), "Todas las anteriores", "C"),
    ],
)
def test_an_option_that_stands_for_all_or_none_is_that_option(
    options: tuple[str, ...], reply: str, right: str | None
) -> None:
    found = choose_several(reply, options_shown(options, LETTERS[: len(options)])).options
    assert (None if found is None else "".join(LETTERS[option] for option in sorted(found))) == right


def test_all_and_none_are_graded_and_never_pass_where_some_are_right() -> None:
    for partial in (False, True):
        judge = grader("multi", partial=partial)
        every, none = (graded(judge, f"The answer is {words} of the above.", KEY) for words in ("all", "none"))
        assert [(grade.status, grade.passed, grade.answer) for grade in (every, none)] == [
            ("graded", False, "0,1,2,3"),
            ("graded", False, "none"),
        ]
        assert [grade.extracted for grade in (every, none)] == ["all of the above", "none of the above"]


def test_words_for_all_lead_back_to_where_they_stand() -> None:
    reply = "Let me see.\n\n**All of the above**, since each is on a river."
    grade = graded(JUDGE, reply, KEY)
    assert grade.span is not None
    assert reply[slice(*grade.span)] == grade.extracted == "All of the above"


def test_options_are_told_by_what_they_are_and_not_by_where_they_are_shown() -> None:
    turned = options_key(gold=(0, 2), permutation=(3, 2, 1, 0))
    assert [graded(JUDGE, reply, turned).answer for reply in ("B, D", "Lyon and Marseille")] == ["0,2", "0,2"]
    assert graded(JUDGE, "A, C", turned).passed is False


def test_equal_options_are_one() -> None:
    key = options_key(("Lyon", "Paris", "Lyon", "Nice"), gold=(0, 2))
    assert prove(JUDGE, key) is None
    assert [graded(JUDGE, reply, key).passed for reply in ("A", "C", "A, C", "Lyon", "A, D")] == [
        True,
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (options_key(gold=(0, 1, 2, 3)), "all options are right, so that no reply could be wrong"),
        (options_key(gold=()), "none of the options shown"),
        (options_key(("B", "A", "C"), gold=(0, 1)), 'correct answer "A, B" is not graded as passed'),
    ],
)
def test_a_question_that_can_not_be_graded_is_refused(key: AnswerKey, reason: str) -> None:
    found = prove(JUDGE, key)
    assert found is not None
    assert reason in found


def test_what_was_read_is_shown_from_the_first_to_the_last() -> None:
    reply = "I considered B.\nThe answer is A and C, I am sure."
    grade = graded(JUDGE, reply, KEY)
    assert grade.span is not None
    assert reply[slice(*grade.span)] == grade.extracted == "A and C"
    joined = graded(JUDGE, "Answer: AC!", KEY)
    assert (joined.extracted, joined.span) == ("AC", (8, 10))


@pytest.mark.parametrize(
    ("reply", "status"), [("Answer: A, C", "truncated"), (r"\boxed{A, C}", "graded"), ('["A","C"]', "graded")]
)
def test_a_cut_off_reply_counts_only_where_the_set_is_closed(reply: str, status: str) -> None:
    assert graded(JUDGE, reply, KEY, "length").status == status


def test_a_refusal_and_an_empty_reply_are_what_they_are() -> None:
    assert graded(JUDGE, "I'm sorry, but I can't help with that.", KEY).status == "refused"
    assert graded(JUDGE, "", KEY).status == "unparsed"


SETS = st.sets(st.integers(0, 5), min_size=1, max_size=5).map(sorted)
FORMS = ("{}", "Answer: {}", "The correct options are {}.", "The answer is {}.", "**{}**", "Final answer: {}")


@settings(max_examples=200, deadline=None)
@given(
    SETS,
    st.sampled_from(FORMS),
    st.sampled_from([", ", " and ", "; ", " & ", ",", "/", "\n- "]),
    st.permutations(range(6)),
)
def test_every_set_in_every_form_is_read_back(right: list[int], form: str, gap: str, order: list[int]) -> None:
    key = options_key(tuple(f"city {letter}x" for letter in "klmnop"), gold=right, permutation=order)
    reply = form.format(gap.join(key.labels[order.index(option)] for option in right))
    grade = graded(JUDGE, reply, key)
    assert (grade.passed, grade.answer) == (True, ",".join(map(str, right))), reply


@settings(max_examples=200, deadline=None)
@given(SETS, SETS, st.sampled_from(FORMS))
def test_another_set_never_passes(right: list[int], said: list[int], form: str) -> None:
    key = options_key(tuple(f"city {letter}x" for letter in "klmnop"), gold=right)
    reply = form.format(", ".join(LETTERS[option] for option in said))
    assert graded(JUDGE, reply, key).passed is (right == said)
