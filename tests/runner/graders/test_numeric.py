"""The numeric grader: which number a reply gives, and when it equals the right one."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import GraderError
from prt.runner.graders import prove
from prt.runner.graders.numerals import as_text, numerals
from prt.runner.graders.quantity import quantity
from prt.runner.graders.separators import plain_digits
from prt.runner.graders.text import View, without_markup
from pydantic import ValidationError

from .keys import data, graded, grader, texts_key

JUDGE = grader("numeric")


def value(reply: str) -> str | None:
    found = quantity(reply).value
    return None if found is None else as_text(found)


@pytest.mark.parametrize(("reply", "right"), data("number_answers.json"))
def test_a_reply_is_read_as_a_careful_person_reads_it(reply: str, right: str | None) -> None:
    assert value(reply) == right
    assert right is not None or quantity(reply).reason


@pytest.mark.parametrize(("written", "number"), data("written_numbers.json"))
def test_a_number_is_read_however_it_is_written(written: str, number: str) -> None:
    read = [numeral.value for numeral in numerals(without_markup(View.of(written)))]
    assert [None if found is None else as_text(found) for found in read] == [number]


@pytest.mark.parametrize("written", ["H2O", "x2", "v1", "B12", "abc", "", "..", "-", "covid19"])
def test_digits_inside_words_are_no_numbers(written: str) -> None:
    assert numerals(View.of(written)) == []


@pytest.mark.parametrize(
    "written",
    [
        "2x",
        "3π",
        r"2\sqrt{3}",
        "√2",
        "2^10",
        "1.2.3",
        "1,2,3",
        "12:30",
        "5! = 120",
        "1e999",
        "9" * 80,
        "1/0",
        "x²5"[2:] + "²",
    ],
)
def test_what_has_no_plain_value_is_never_taken_for_a_number(written: str) -> None:
    assert numerals(View.of(written))[0].value is None


@pytest.mark.parametrize("written", ["1,23,4", "12,34.5", "1.2.3", "1,2,3", "5'11", "1 234 56", "1_00"])
def test_separators_that_make_no_number_are_not_repaired(written: str) -> None:
    assert plain_digits(written) is None


@settings(max_examples=150, deadline=None)
@given(
    st.integers(-(10**12), 10**12),
    st.sampled_from(["{}", "Answer: {}", "The answer is {}.", "**{}**", "#### {}", "${}$"]),
)
def test_every_integer_is_read_back_with_and_without_separators(number: int, form: str) -> None:
    for written in (f"{number}", f"{number:,}", f"{number:,}".replace(",", " "), f"{number}.0"):
        assert value(form.format(written)) == str(number)


@settings(max_examples=150, deadline=None)
@given(st.decimals(-(10**6), 10**6, places=4))
def test_every_decimal_is_read_back_with_a_point_and_with_a_comma(number: object) -> None:
    point = f"{number:f}"
    assert quantity(f"The answer is {point}.").value == Fraction(point)
    assert quantity(f"Die Antwort ist {point.replace('.', ',')}.").value == Fraction(point)


@settings(max_examples=150, deadline=None)
@given(st.fractions(max_denominator=1000))
def test_the_canonical_writing_of_a_number_is_read_as_that_number(number: Fraction) -> None:
    assert quantity(f"Answer: {as_text(number)}").value == number


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.text(max_size=80), st.lists(st.sampled_from([*"0123456789.,-/%$^x=() ", "answer ", "is "])).map("".join)
    )
)
def test_any_reply_has_one_grade_and_no_exception(text: str) -> None:
    grade = graded(JUDGE, text, texts_key("5"))
    assert grade == graded(JUDGE, text, texts_key("5"))
    assert (grade.status == "graded") == (grade.answer is not None)
    if grade.span is not None:
        assert text[slice(*grade.span)] == grade.extracted


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789., abc\n", max_size=60), st.integers(0, 999), st.integers(0, 999))
def test_no_other_number_passes_once_one_is_stated_plainly_at_the_end(text: str, stated: int, gold: int) -> None:
    grade = graded(JUDGE, f"{text}\n\nThe answer is {stated}.", texts_key(str(gold)))
    assert grade.passed is (stated == gold)


@pytest.mark.parametrize(
    ("parameters", "reply", "passed"),
    [
        ({}, "51", True),
        ({}, "51.00", True),
        ({}, "51.01", False),
        ({"tolerance": 0.1}, "51.1", True),
        ({"tolerance": 0.1}, "51.11", False),
        ({"relative_tolerance": 0.01}, "51.51", True),
        ({"relative_tolerance": 0.01}, "51.52", False),
        ({"tolerance": 1.0, "relative_tolerance": 0.001}, "52", True),
        ({}, "$51", True),
        ({}, "51 %", True),
        ({}, "51 km", True),
        ({}, "-51", False),
        ({}, "5100%", False),
        ({}, "151", False),
        ({}, "510", False),
        ({}, "5 1", False),
        ({}, "51 or 52", False),
        ({}, "between 50 and 51", False),
    ],
)
def test_a_number_passes_within_the_tolerance_and_not_beyond(
    parameters: dict[str, object],
    reply: str,
    passed: bool,  # noqa: FBT001  # a column of the table
) -> None:
    assert graded(grader("numeric", **parameters), f"The answer is {reply}.", texts_key("51.0")).passed is passed


def test_a_tolerance_is_a_decimal_and_not_its_binary_neighbour() -> None:
    judge = grader("numeric", tolerance=0.1)
    assert graded(judge, "0.3", texts_key("0.2")).passed is True
    assert graded(judge, "0.30000000000000001", texts_key("0.2")).passed is False


def test_a_percent_sign_does_not_divide_by_a_hundred() -> None:
    assert graded(JUDGE, "50%", texts_key("50")).passed is True
    assert graded(JUDGE, "50%", texts_key("0.5")).passed is False


def test_a_share_is_a_percentage_only_where_the_right_answer_says_percent() -> None:
    verdicts = {reply: graded(JUDGE, reply, texts_key("50%")).passed for reply in ("50%", "50", "0.5", "1/2", "half")}
    assert set(verdicts.values()) == {True}, verdicts
    assert [graded(JUDGE, reply, texts_key("50%")).passed for reply in ("0.5%", "5", "5000%")] == [False] * 3
    assert graded(JUDGE, "0.5", texts_key("50")).passed is False


def test_dozens_are_counted_in_dozens_and_in_all() -> None:
    assert [graded(JUDGE, "The answer is 5 dozen.", texts_key(gold)).passed for gold in ("60", "5", "12")] == [
        True,
        True,
        False,
    ]
    assert graded(JUDGE, "five dozen", texts_key("60")).answer == "60"


@pytest.mark.parametrize(
    ("reply", "gold", "verdict"),
    [
        ("1.234", "1.234", "passed"),
        ("1.234", "1234", "unparsed"),
        ("1,234", "1234", "passed"),
        ("1,234", "1.234", "unparsed"),
        ("1.234", "5", "failed"),
        ("1.2345", "12345", "failed"),
        ("1.234,00", "1234", "passed"),
        ("1.234.567", "1234567", "passed"),
        ("Das Netz kostet 1.234,50 €, zusammen also 1.234 €.", "1234", "passed"),
    ],
)
def test_a_number_with_two_readings_that_is_right_in_the_less_likely_one_is_unparsed(
    reply: str, gold: str, verdict: str
) -> None:
    grade = graded(JUDGE, reply, texts_key(gold))
    assert (grade.status if grade.status != "graded" else "passed" if grade.passed else "failed") == verdict
    if verdict == "unparsed":
        assert "may be 1234 or 1.234" in grade.reason or "may be 1.234 or 1234" in grade.reason
        assert "grade.decimal" in grade.reason
        assert grade.extracted == reply


@pytest.mark.parametrize(
    ("decimal", "reply", "number"),
    [
        ("point", "1.234", "1.234"),
        ("point", "1,234", "1234"),
        ("comma", "1.234", "1234"),
        ("comma", "1,234", "1.234"),
        ("comma", "3.5", "3.5"),
        ("point", "3,5", "3.5"),
    ],
)
def test_the_config_says_which_mark_is_the_decimal_one(decimal: str, reply: str, number: str) -> None:
    judge = grader("numeric", decimal=decimal)
    grade = graded(judge, f"Answer: {reply}", texts_key("7"))
    assert (grade.status, grade.answer) == ("graded", number)


def test_a_right_answer_that_the_decimal_mark_makes_doubtful_is_refused() -> None:
    reason = prove(grader("numeric", decimal="comma"), texts_key("1.234"))
    assert reason is not None
    assert "'1.234' may be 1.234 or 1234" in reason
    assert prove(grader("numeric", decimal="comma"), texts_key("1234")) is None
    assert prove(grader("numeric", decimal="comma"), texts_key("1,234")) is None


@pytest.mark.parametrize("tolerance", [1.0, 5.0])
def test_a_relative_tolerance_that_zero_would_pass_is_no_tolerance(tolerance: float) -> None:
    with pytest.raises(ValidationError, match="less than 1"):
        grader("numeric", relative_tolerance=tolerance)


def test_each_of_several_accepted_numbers_passes() -> None:
    key = texts_key("0.5", "1/3")
    assert [graded(JUDGE, reply, key).passed for reply in ("1/2", r"\boxed{\frac{1}{3}}", "0.33")] == [
        True,
        True,
        False,
    ]


def test_equal_numbers_have_one_canonical_answer() -> None:
    answers = {graded(JUDGE, reply, texts_key("5")).answer for reply in ("1000", "1,000.0", "1e3", "1 000", "$1000")}
    assert answers == {"1000"}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("12", "truncated"),
        ("The answer is 12", "truncated"),
        ("The answer is 12.", "truncated"),
        ("5 + 7 = 12. Next", "truncated"),
        ("The answer is 12. It", "graded"),
        ("#### 12\n", "graded"),
        (r"We get \boxed{12}", "graded"),
        ("12 km", "truncated"),
    ],
)
def test_a_number_at_the_cut_may_go_on_and_is_truncated(text: str, status: str) -> None:
    assert graded(JUDGE, text, texts_key("12"), "length").status == status


def test_a_pattern_says_where_the_number_stands() -> None:
    judge = grader("numeric", pattern=r"VALUE: (.+)")
    key = texts_key("1234")
    assert graded(judge, "VALUE: 5\nVALUE: 1,234 apples\nThe answer is 7.", key).passed is True
    assert graded(judge, "The answer is 1234.", key).status == "unparsed"
    assert graded(judge, "VALUE: many", key).status == "unparsed"
    assert graded(judge, "VALUE: 5 or 6", key).status == "unparsed"
    assert graded(judge, "VALUE: 1,234", key, "length").status == "truncated"


def test_the_extracted_number_is_shown_as_it_stands_in_the_reply() -> None:
    grade = graded(grader("numeric", pattern=r"VALUE: (.+)"), "VALUE: about 1,234 apples", texts_key("1234"))
    assert (grade.extracted, grade.span, grade.answer) == ("1,234", (13, 18), "1234")


def test_a_pattern_that_backtracks_without_end_stops_as_a_judge_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.graders.timed.TIME_LIMIT_S", 0.05)
    grade = graded(grader("numeric", pattern=r"(?:1|1)+$"), "1" * 60 + "x", texts_key("1"))
    assert (grade.status, grade.passed) == ("judge_error", None)
    assert "0.05 s" in grade.reason


def test_a_pattern_that_matches_nothing_at_all_is_refused() -> None:
    with pytest.raises(GraderError, match="matches the empty text"):
        grader("numeric", pattern=r"\d*")
