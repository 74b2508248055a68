"""Arithmetic and boolean expressions, worked out in two ways that share no step: nothing of a text is ever evaluated.

`value_of` climbs by precedence; `reduced` rewrites, brackets first and then one level of operators after the other. A
third reading, `left_to_right`, is that of a calculator without precedence. An expression that two of them read alike is
no proof of how its author reads it; see `agreed`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

MOST_TOKENS = 64
TokenKind = Literal["value", "operator", "open", "close"]


@dataclass(frozen=True, slots=True)
class Token:
    """One sign of an expression.

    Attributes:
        start: Its offset in the text.
        end: The offset behind it.
        kind: What it is.
        sign: The operator; empty for others.
        value: The number, or 1 and 0 for true and false; 0 for others.
    """

    start: int
    end: int
    kind: TokenKind
    sign: str = ""
    value: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Operators:
    """The operators of a kind of expression.

    Attributes:
        before: Those that stand before one operand, and bind tighter than all others.
        levels: Those between two operands, the tightest level first.
    """

    before: Mapping[str, Callable[[Fraction], Fraction]]
    levels: Sequence[Mapping[str, Callable[[Fraction, Fraction], Fraction]]]


ARITHMETIC = Operators(
    {"-": lambda value: -value, "+": lambda value: value},
    (
        {"*": lambda left, right: left * right, "/": lambda left, right: left / right},
        {"+": lambda left, right: left + right, "-": lambda left, right: left - right},
    ),
)
LOGIC = Operators({"not": lambda value: 1 - value}, ({"and": min}, {"or": max}))


class MalformedError(Exception):
    """Tokens are no expression."""


def agreed(tokens: Sequence[Token], operators: Operators) -> Fraction | None:
    """Give the value that both ways of working it out agree on; None where it has none."""
    first = value_of(tokens, operators)
    return first if first == reduced(tokens, operators) else None


def value_of(tokens: Sequence[Token], operators: Operators) -> Fraction | None:
    """Work an expression out by climbing its operators; None where it is none, or divides by zero."""
    if len(tokens) > MOST_TOKENS:
        return None
    try:
        value, end = climb(tokens, 0, len(operators.levels) - 1, operators)
    except (MalformedError, ZeroDivisionError):
        return None
    return value if end == len(tokens) else None


def climb(tokens: Sequence[Token], at: int, level: int, operators: Operators) -> tuple[Fraction, int]:
    """Work out what starts at a token and is bound by operators of a level or tighter ones; say where it ends."""
    if level < 0:
        return operand(tokens, at, operators)
    value, at = climb(tokens, at, level - 1, operators)
    while at < len(tokens) and tokens[at].sign in operators.levels[level]:
        function = operators.levels[level][tokens[at].sign]
        right, at = climb(tokens, at + 1, level - 1, operators)
        value = function(value, right)
    return value, at


def operand(tokens: Sequence[Token], at: int, operators: Operators) -> tuple[Fraction, int]:
    """Work out one operand: a value, one with operators before it, or an expression in brackets."""
    if at >= len(tokens):
        raise MalformedError
    token = tokens[at]
    if token.kind == "value":
        return token.value, at + 1
    if token.sign in operators.before:
        value, end = operand(tokens, at + 1, operators)
        return operators.before[token.sign](value), end
    if token.kind != "open":
        raise MalformedError
    value, end = climb(tokens, at + 1, len(operators.levels) - 1, operators)
    if end >= len(tokens) or tokens[end].kind != "close":
        raise MalformedError
    return value, end + 1


Item = Fraction | str


def reduced(tokens: Sequence[Token], operators: Operators) -> Fraction | None:
    """Work an expression out by rewriting it, the innermost brackets first; None as for `value_of`."""
    if len(tokens) > MOST_TOKENS:
        return None
    items: list[Item] = [ITEMS[token.kind] or token.sign or token.value for token in tokens]
    try:
        while "(" in items:
            start = len(items) - 1 - items[::-1].index("(")
            end = start + items[start:].index(")")
            items[start : end + 1] = [single(items[start + 1 : end], operators)]
        return single(items, operators)
    except (MalformedError, ValueError, ZeroDivisionError):
        return None


ITEMS: Mapping[TokenKind, str] = {"open": "(", "close": ")", "value": "", "operator": ""}


def single(items: list[Item], operators: Operators) -> Fraction:
    """Rewrite what has no brackets to the one value that it is."""
    items = without_signs(items, operators)
    for level in operators.levels:
        position = 1
        while position < len(items):
            sign = items[position]
            if isinstance(sign, str) and sign in level:
                left, right = items[position - 1], (items[position + 1 : position + 2] or [""])[0]
                if isinstance(left, str) or isinstance(right, str):
                    raise MalformedError
                items[position - 1 : position + 2] = [level[sign](left, right)]
            else:
                position += 1
    if len(items) != 1 or isinstance(items[0], str):
        raise MalformedError
    return items[0]


def without_signs(items: list[Item], operators: Operators) -> list[Item]:
    """Apply what stands before an operand and not between two, from right to left."""
    done: list[Item] = []
    for position in range(len(items) - 1, -1, -1):
        item = items[position]
        leads = position == 0 or isinstance(items[position - 1], str)
        if isinstance(item, str) and item in operators.before and leads and done:
            operand_there = done.pop()
            if isinstance(operand_there, str):
                raise MalformedError
            item = operators.before[item](operand_there)
        done.append(item)
    return done[::-1]


def left_to_right(tokens: Sequence[Token], operators: Operators) -> Fraction | None:
    """Work an expression out as if all operators between two operands were of one level."""
    together = {sign: function for level in operators.levels for sign, function in level.items()}
    return reduced(tokens, Operators(operators.before, (together,)))
