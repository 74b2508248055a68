"""Texts that ask for the value of an expression and for nothing else, read into tokens."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ..lexicon.terms import terms
from .control_expressions import ARITHMETIC, LOGIC, MOST_TOKENS, Operators, Token, TokenKind

LONGEST = 2000
"""No longer text is read."""
PLAIN = re.IGNORECASE | re.ASCII
"""Only ASCII letters have another case here, so that what is found can be looked up."""
BEFORE = re.compile(
    r"\s*(?:(?:question|problem|q)\s*[.:]\s*)?"
    r"(?:(?:what\s+is|what['’]s|how\s+much\s+(?:is|are)|calculate|compute|evaluate|work\s+out|find|solve)\b\s*)?"
    r"(?:(?:the\s+)?(?:value|result|answer)\s+(?:of|to)\b\s*)?"
    r"(?:(?:(?:this|the)\s+)?(?:following\s+)?(?:(?:arithmetic|boolean|logical)\s+)?"
    r"(?:expression|problem|calculation)\b\s*)?:?\s*",
    PLAIN,
)
BEHIND = re.compile(
    r"\s*(?:=|equals?\b(?:\s+to\b)?|is\b(?:\s+equal\s+to\b)?|evaluates?\s+to\b)?\s*[?.]{0,3}\s*"
    r"(?:(?:answer|a)\s*:\s*)?$",
    PLAIN,
)
FIGURES = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.[0-9]{1,6})?(?![.,]?[0-9])"
SIGNS: Mapping[str, str] = {
    **dict.fromkeys(("+", "plus"), "+"),
    **dict.fromkeys(("-", "−", "–", "minus"), "-"),
    **dict.fromkeys(("*", "×", "·", "x", "times", "multiplied by"), "*"),
    **dict.fromkeys(("/", "÷", "divided by"), "/"),
}
LOGIC_TOKEN = re.compile(
    r"\s*+(?:(?P<value>\b(?:true|false)\b)|(?P<operator>\b(?:not|and|or)\b)|(?P<open>\()|(?P<close>\)))", PLAIN
)
TRUTH = {"true": Fraction(1), "false": Fraction(0)}
SPOKEN = (
    (r"(?:the\s+)?sum\s+of", "and", "a+b"),
    (r"(?:the\s+)?difference\s+(?:between|of)", "and", "a-b"),
    (r"(?:the\s+)?product\s+of", "and", "a*b"),
    (r"(?:the\s+)?quotient\s+of", "and", "a/b"),
    ("add", "(?:and|to)", "a+b"),
    ("subtract", "from", "b-a"),
    ("multiply", "(?:by|and)", "a*b"),
    ("divide", "by", "a/b"),
)
"""Forms that name an operation and its two numbers, and how these are to be put together."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that a text asks the value of."""

    tokens: tuple[Token, ...]
    operators: Operators


def arithmetic_in(text: str) -> Expression | None:
    """Read a text that asks for the result of one piece of arithmetic; None where it says anything else."""
    start, end = inner(text)
    spoken = spoken_tokens(text, start, end)
    if spoken:
        return Expression(spoken, ARITHMETIC)
    tokens = tuple(tokens_in(text, start, end, arithmetic_token()))
    operators = sum(token.kind == "operator" for token in tokens)
    values = sum(token.kind == "value" for token in tokens)
    return Expression(tokens, ARITHMETIC) if operators and values > 1 else None


def logic_in(text: str) -> Expression | None:
    """Read a text that asks for the value of one boolean expression; None where it says anything else."""
    start, end = inner(text)
    tokens = tuple(tokens_in(text, start, end, LOGIC_TOKEN))
    return Expression(tokens, LOGIC) if any(token.kind == "operator" for token in tokens) else None


def inner(text: str) -> tuple[int, int]:
    """Give the extent of a text without the words that ask and those that lead to the answer; of a long one, none."""
    if len(text) > LONGEST:
        return 0, 0
    before = BEFORE.match(text)
    start = before.end() if before else 0
    behind = BEHIND.search(text, start)
    return start, behind.start() if behind else len(text)


def tokens_in(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[Token]:
    """Read a stretch of a text into tokens; nothing at all where something else stands in it, or too many of them."""
    tokens: list[Token] = []
    at = start
    while at < end and len(tokens) <= MOST_TOKENS:
        match = pattern.match(text, at, end)
        if match is None:
            break
        tokens.append(token_of(match))
        at = match.end()
    if not text[at:end].strip() and len(tokens) <= MOST_TOKENS:
        yield from tokens


def token_of(match: re.Match[str]) -> Token:
    """Give what a match of a token pattern stands for."""
    kind: TokenKind = next(kind for kind in TOKEN_KINDS if match[kind])
    start, end = match.span(kind)
    said = " ".join(match[kind].lower().split())
    if kind == "value":
        return Token(start, end, kind, value=value_of_word(said))
    return Token(start, end, kind, sign=SIGNS.get(said, said) if kind == "operator" else "")


TOKEN_KINDS: tuple[TokenKind, ...] = ("value", "operator", "open", "close")


def value_of_word(said: str) -> Fraction:
    """Give the number that figures or a word stand for, or 1 and 0 for true and false."""
    words = {**TRUTH, **words_of_numbers()}
    return words[said] if said in words else Fraction(said.replace(",", ""))


def spoken_tokens(text: str, start: int, end: int) -> tuple[Token, ...]:
    """Read "the sum of 3 and 4" as 3 + 4; empty where a text has no such form."""
    for pattern, order in spoken_forms():
        match = pattern.fullmatch(text, start, end)
        if match:
            values = {
                name: Token(*match.span(name), "value", value=value_of_word(match[name].lower())) for name in ("a", "b")
            }
            sign = Token(match.start(), match.start(), "operator", order[1])
            return (values[order[0]], sign, values[order[2]])
    return ()


@cache
def words_of_numbers() -> Mapping[str, Fraction]:
    """Give the English words of one number each, from zero to ninety."""
    english = (term for term in terms() if term.kind == "number" and term.language == "en" and term.meaning.isdigit())
    return {"one": Fraction(1), **{term.text: Fraction(term.meaning) for term in english}}


def number_form() -> str:
    """Give the pattern of one number, in figures or as a word."""
    return rf"(?:{FIGURES}|\b(?:{'|'.join(words_of_numbers())})\b(?!-))"


@cache
def arithmetic_token() -> re.Pattern[str]:
    """Compile a pattern for one token of arithmetic."""
    return re.compile(
        rf"\s*+(?:(?P<value>{number_form()})"
        r"|(?P<operator>[+\-−–*×·/÷]|\bplus\b|\bminus\b|\btimes\b|\bmultiplied\s+by\b|\bdivided\s+by\b"
        r"|(?<![^\W\d_])x(?![^\W\d_]))|(?P<open>\()|(?P<close>\)))",
        PLAIN,
    )


@cache
def spoken_forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Compile the spoken forms."""
    number = number_form()
    return tuple(
        (re.compile(rf"{name}\s+(?P<a>{number})\s+{joint}\s+(?P<b>{number})", PLAIN), order)
        for name, joint, order in SPOKEN
    )
