"""Controls that change a value of an expression: arithmetic with a computed answer, and boolean expressions.

The original is worked out first, and must give the item's own gold; else it was not read rightly, and stays as it is.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from ..question import Gold, Question, Subject
from ..variant import Edit
from .control_change import Change, Changes, Obstacle
from .control_expressions import Token, agreed, left_to_right, reduced, value_of
from .control_golds import Binary, Number, binary_gold, number_gold, number_text
from .control_reading import Expression, arithmetic_in, logic_in, words_of_numbers
from .control_task import other_task

FARTHEST = 20
"""A number is changed by so many of its last place at most."""
OTHER_OPERATOR = {"and": "or", "or": "and"}


def number_changes(subject: Subject, rng: random.Random) -> Changes:
    """Change one number of the arithmetic that an item asks for.

    Args:
        subject: The item.
        rng: Draws the order of the changes.

    Returns:
        Changes whose result can be written as the gold is; or why there are none.
    """
    question = subject.question
    expression = arithmetic_in(question.text)
    if expression is None:
        return Obstacle("no plain arithmetic")
    gold = number_gold(question, subject.gold)
    if gold is None:
        return Obstacle("the answers are not numbers in figures")
    if agreed(expression.tokens, expression.operators) != gold.value:
        return Obstacle("the arithmetic does not give the gold answer")
    reason = set_elsewhere(question)
    return Obstacle(reason) if reason else number_edits(question.text, expression, gold, rng)


def logic_changes(subject: Subject, rng: random.Random) -> Changes:
    """Change a value or an operator of the boolean expression that an item asks for, or two; as `number_changes`."""
    question = subject.question
    expression = logic_in(question.text)
    if expression is None:
        return Obstacle("no boolean expression")
    gold = binary_gold(question, subject.gold)
    if gold is None or not gold.truth:
        return Obstacle("the answers are not true and false")
    if agreed(expression.tokens, expression.operators) != int(gold.holds):
        return Obstacle("the boolean expression does not give the gold answer")
    reason = set_elsewhere(question)
    return Obstacle(reason) if reason else logic_edits(question.text, expression, gold, rng)


def set_elsewhere(question: Question) -> str:
    """Say what besides the expression may decide its answer; empty where nothing does."""
    return "a passage may say how it is meant" if question.context else other_task(question, asked_in="text")


def number_edits(text: str, expression: Expression, gold: Number, rng: random.Random) -> Iterator[Change]:
    """Give each other number for each number, in drawn order, with the result it makes."""
    changes = [(at, text_of) for at, token in enumerate(expression.tokens) for text_of in other_numbers(text, token)]
    for at, (value, after) in rng.sample(changes, len(changes)):
        token = expression.tokens[at]
        result = value_of(with_token(expression.tokens, at, replace(token, value=value)), expression.operators)
        right = None if result is None else gold.of(result)
        if right is not None:
            yield Change((Edit("text", token.start, text[token.start : token.end], after, "numbers"),), right)


def logic_edits(text: str, expression: Expression, gold: Binary, rng: random.Random) -> Iterator[Change]:
    """Give each change of one value or operator, in drawn order, that turns the result; then those of two."""
    single = [(at, other) for at, token in enumerate(expression.tokens) if (other := opposed(token)) is not None]
    for count in (1, 2):
        sets = [*combinations(single, count)]
        for others in rng.sample(sets, len(sets)):
            tokens = expression.tokens
            for at, other in others:
                tokens = with_token(tokens, at, other)
            if value_of(tokens, expression.operators) == int(not gold.holds):
                yield Change(tuple(logic_edit(text, token) for _, token in others), gold.opposite)


def opposed(token: Token) -> Token | None:
    """Give the other truth value, or the other operator; None for what has none."""
    if token.kind == "value":
        return replace(token, value=1 - token.value)
    return replace(token, sign=OTHER_OPERATOR[token.sign]) if token.sign in OTHER_OPERATOR else None


def logic_edit(text: str, token: Token) -> Edit:
    """Give the edit that writes a truth value or an operator where another one stands."""
    said = text[token.start : token.end]
    word = token.sign or ("true" if token.value else "false")
    return Edit("text", token.start, said, in_case_of(said, word), "logic")


def with_token(tokens: tuple[Token, ...], at: int, token: Token) -> tuple[Token, ...]:
    """Give tokens with another one in one place."""
    return (*tokens[:at], token, *tokens[at + 1 :])


def other_numbers(text: str, token: Token) -> Iterator[tuple[Fraction, str]]:
    """Give the numbers near one, greater than 0 and written as it is, each with its text."""
    if token.kind != "value":
        return
    said = text[token.start : token.end]
    if said[0].isalpha():
        for word, value in words_of_numbers().items():
            if 0 < abs(value - token.value) <= FARTHEST and value > 0:
                yield value, in_case_of(said, word)
        return
    place = Fraction(1, 10 ** len(said.partition(".")[2]))
    for steps in (*range(-FARTHEST, 0), *range(1, FARTHEST + 1)):
        value = token.value + steps * place
        written = number_text(value, said)
        if value > 0 and written is not None:
            yield value, written


def in_case_of(like: str, word: str) -> str:
    """Write a word in the case of another."""
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word.lower()


def numeric_answer(subject: Subject, question: Question) -> Gold | None:
    """Work out anew what is right for a changed question, from its text; None where it is not sure, or nothing new.

    It is not sure where the original can be read from left to right as well, and the changed text then gives another
    result. Nor does a result below 0 stand for one above it, which may have been meant as a distance.
    """
    before, after = arithmetic_in(subject.question.text), arithmetic_in(question.text)
    gold = number_gold(subject.question, subject.gold)
    if before is None or after is None or gold is None:
        return None
    result = sure_result(before, after, gold.value)
    if result is None or result == gold.value or (result < 0) != (gold.value < 0):
        return None
    return gold.of(result)


def logical_answer(subject: Subject, question: Question) -> Gold | None:
    """As `numeric_answer`, for a boolean expression."""
    before, after = logic_in(subject.question.text), logic_in(question.text)
    gold = binary_gold(subject.question, subject.gold)
    if before is None or after is None or gold is None:
        return None
    result = sure_result(before, after, Fraction(int(gold.holds)))
    return gold.opposite if result == int(not gold.holds) else None


def sure_result(before: Expression, after: Expression, known: Fraction) -> Fraction | None:
    """Work out a changed expression; None where another reading of the original, as right as ours, gives another."""
    result = reduced(after.tokens, after.operators)
    also_right = left_to_right(before.tokens, before.operators) == known
    return None if also_right and left_to_right(after.tokens, after.operators) != result else result
