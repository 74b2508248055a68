"""Expressions are worked out rightly in two ways, and a changed one has the result that it says."""

import ast
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.generators.control import Control
from prt.perturbations.generators.control_expressions import agreed, left_to_right, reduced, value_of
from prt.perturbations.generators.control_golds import number_text
from prt.perturbations.generators.control_numbers import logical_answer, numeric_answer
from prt.perturbations.generators.control_reading import arithmetic_in, logic_in
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Gold, Question, Subject

BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
}


def worked_out(node: ast.expr) -> Fraction:
    """What Python's own grammar makes of an expression."""
    match node:
        case ast.BinOp(left, operator, right):
            return BINARY[type(operator)](worked_out(left), worked_out(right))
        case ast.UnaryOp(ast.USub(), operand):
            return -worked_out(operand)
        case ast.UnaryOp(ast.Not(), operand):
            return 1 - worked_out(operand)
        case ast.BoolOp(ast.And(), values):
            return min(map(worked_out, values))
        case ast.BoolOp(ast.Or(), values):
            return max(map(worked_out, values))
        case ast.Constant(value):
            return Fraction(str(int(value) if isinstance(value, bool) else value))
    raise AssertionError(ast.dump(node))


def by_python(text: str) -> Fraction:
    return worked_out(ast.parse(text.strip(), mode="eval").body)


def arithmetic(depth: int) -> st.SearchStrategy[str]:
    number = st.integers(1, 99).map(str)
    if depth == 0:
        return number
    inner = arithmetic(depth - 1)
    pair = st.tuples(inner, st.sampled_from("+-*/"), inner).map(" ".join)
    return st.one_of(number, pair, pair.map(lambda text: f"({text})"), inner.map(lambda text: f"-({text})"))


def logic(depth: int) -> st.SearchStrategy[str]:
    value = st.sampled_from(["True", "False"])
    if depth == 0:
        return value
    inner = logic(depth - 1)
    pair = st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join)
    return st.one_of(value, pair, pair.map(lambda text: f"( {text} )"), inner.map(lambda text: f"not ( {text} )"))


@given(arithmetic(3))
def test_arithmetic_is_worked_out_as_python_does_and_both_ways_agree(text: str) -> None:
    found = arithmetic_in(f"What is {text}?")
    try:
        expected = by_python(text)
    except ZeroDivisionError:
        expected = None
    if found is not None:
        assert value_of(found.tokens, found.operators) == reduced(found.tokens, found.operators) == expected
        assert agreed(found.tokens, found.operators) == expected


@given(logic(4))
def test_logic_is_worked_out_as_python_does_and_both_ways_agree(text: str) -> None:
    found = logic_in(f"{text} is")
    if found is not None:
        assert value_of(found.tokens, found.operators) == reduced(found.tokens, found.operators) == by_python(text)


@given(arithmetic(3), st.integers(0, 9))
def test_every_control_of_arithmetic_has_the_result_that_python_gives(text: str, seed: int) -> None:
    try:
        result = by_python(text)
    except ZeroDivisionError:
        return
    gold = str(result) if result.denominator == 1 else str(float(result))
    item = Subject("1", Question(f"{text} ="), gold=Gold(texts=(gold,)))
    for variant in perturb(item, [Control(kinds=("numbers",), variants=2)], seed=seed):
        if variant.outcome == "applied":
            assert variant.gold is not None
            (new,) = variant.gold.texts
            assert Fraction(new) == by_python(variant.question.text.removesuffix(" =")) != result


@given(logic(4), st.integers(0, 9))
def test_every_control_of_logic_has_the_value_that_python_gives(text: str, seed: int) -> None:
    gold = str(bool(by_python(text)))
    item = Subject("1", Question(f"{text} is"), gold=Gold(texts=(gold,)))
    for variant in perturb(item, [Control(kinds=("logic",), variants=2)], seed=seed):
        if variant.outcome == "applied":
            assert variant.gold is not None
            assert variant.gold.texts == (str(bool(by_python(variant.question.text.removesuffix(" is")))),)
            assert variant.gold.texts != (gold,)


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("What is 12 + 7?", "19"),
        ("(3 + 4) * 2 =", "14"),
        ("48 divided by 6", "8"),
        ("What is seven plus five?", "12"),
        ("What's the sum of 3 and 4?", "7"),
        ("Subtract 3 from 10.", "7"),
        ("Compute 22 / 2 + 9.", "20"),
        ("12,000 − 1,500 = ?", "10,500"),
        ("Q: What is 98 plus 45?\nA:", "143"),
        ("Evaluate the expression: 2.5 × 4", "10"),
        ("How much is 6 multiplied by 7", "42"),
        ("What is the value of -3 + 5?", "2"),
        ("The product of 6 and 7 is", "42"),
    ],
)
def test_usual_ways_of_asking_for_a_result_are_read(text: str, gold: str) -> None:
    (variant,) = perturb(Subject("1", Question(text), gold=Gold(texts=(gold,))), [Control()], seed=1)
    assert variant.outcome == "applied", variant.reason
    assert variant.edits[0].kind == "numbers"


@pytest.mark.parametrize(
    ("text", "gold", "reason"),
    [
        ("Tom has 3 apples and buys 4. How many has he?", "7", "no plain arithmetic"),
        ("What is 12 + 7 rounded to tens?", "20", "no plain arithmetic"),
        ("What is 12 + 7 in binary?", "10011", "no plain arithmetic"),
        ("What is 2^5?", "32", "no plain arithmetic"),
        ("What is 3?", "3", "no plain arithmetic"),
        ("12 + 7", "nineteen", "the answers are not numbers in figures"),
        ("10 / 3", "3.33", "the arithmetic does not give the gold answer"),
        ("1.000 + 2", "1002", "the arithmetic does not give the gold answer"),
        ("twenty-five plus two", "27", "no plain arithmetic"),
        ("2 + 3 * 4", "20", "the arithmetic does not give the gold answer"),
        ("1 / 0", "0", "the arithmetic does not give the gold answer"),
    ],
)
def test_what_is_not_surely_read_is_left_alone(text: str, gold: str, reason: str) -> None:
    (variant,) = perturb(Subject("1", Question(text), gold=Gold(texts=(gold,))), [Control()], seed=1)
    assert variant.reason.startswith(f"numbers: {reason}")


def test_numbers_under_an_instruction_that_may_mean_more_are_left_alone() -> None:
    item = Subject("1", Question("12 + 8", instruction="Round the result to tens."), gold=Gold(texts=("20",)))
    (variant,) = perturb(item, [Control()], seed=1)
    assert variant.reason.startswith("numbers: the instruction may ask something else ('round')")


def test_the_new_result_is_exactly_one_of_the_options() -> None:
    question = Question("What is 12 * 7?", options=("72", "84", "96", "91"), answer_form="label")
    variants = perturb(Subject("1", question, gold=Gold(options=(1,))), [Control(variants=3)], seed=1)
    for variant in variants:
        assert variant.gold is not None
        (right,) = variant.gold.options
        asked = variant.question.text.removeprefix("What is ").removesuffix("?")
        assert Fraction(question.options[right]) == by_python(asked)
    twice = replace(question, options=("72", "84", "72.0", "x"))
    assert perturb(Subject("1", twice, gold=Gold(options=(1,))), [Control()], seed=1)[0].outcome == "not_applicable"


def test_where_the_original_may_be_read_from_left_to_right_both_readings_must_agree_on_the_change() -> None:
    """2 + 3 * 1 is 5 either way; 2 + 3 * 2 is 8 or 10, and nothing says which its author means."""
    item = Subject("1", Question("2 + 3 * 1 ="), gold=Gold(texts=("5",)))
    assert numeric_answer(item, Question("2 + 3 * 2 =")) is None
    assert numeric_answer(item, Question("9 + 3 * 1 =")) == Gold(texts=("12",))
    clear = Subject("1", Question("2 + 3 * 4 ="), gold=Gold(texts=("14",)))
    assert numeric_answer(clear, Question("2 + 3 * 2 =")) == Gold(texts=("8",))
    item = Subject("1", Question("True or False and True is"), gold=Gold(texts=("True",)))
    assert logical_answer(item, Question("True or False and False is")) is None


def test_a_reader_without_precedence_would_be_wrong() -> None:
    found = arithmetic_in("2 + 3 * 4")
    assert found is not None
    assert left_to_right(found.tokens, found.operators) == 20
    assert value_of(found.tokens, found.operators) == 14


def test_a_difference_does_not_change_its_sign() -> None:
    """What is asked as a distance would stay above 0."""
    item = Subject("1", Question("What is the difference between 9 and 7?"), gold=Gold(texts=("2",)))
    assert numeric_answer(item, Question("What is the difference between 6 and 7?")) is None
    for variant in perturb(item, [Control(variants=30)], seed=1):
        if variant.gold is not None:
            assert int(variant.gold.texts[0]) >= 0


@pytest.mark.parametrize(
    ("value", "like", "written"),
    [
        (Fraction(52), "51", "52"),
        (Fraction(52), "51.0", "52.0"),
        (Fraction(1234), "999", "1234"),
        (Fraction(1234567), "1,000", "1,234,567"),
        (Fraction(5, 2), "51", None),
        (Fraction(5, 2), "3.5", "2.5"),
        (Fraction(2), "3.5", None),
        (Fraction(5, 4), "3.5", None),
        (Fraction(-1, 2), "3.5", "-0.5"),
        (Fraction(1, 20), "0.25", "0.05"),
        (Fraction(7), "seven", None),
    ],
)
def test_a_number_is_written_as_the_gold_is_or_not_at_all(value: Fraction, like: str, written: str | None) -> None:
    assert number_text(value, like) == written
