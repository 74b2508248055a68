"""Which of the marks in a number is the decimal one. What can't be told has two readings, and both are given.

Where `.` and `,` both stand in a number the last one is the decimal mark, and several of one kind separate thousands. A
single one that does not stand before exactly three digits is the decimal mark, since no group has another length. Only
`1.234` and `1,234` can be either. Spaces, `'` and `_` only ever separate groups of three.
"""

import re
from dataclasses import dataclass
from typing import Literal

from .patterns import Pattern

Decimal = Literal["auto", "point", "comma"]
"""How the decimal mark is written; `auto` reads `1.234` as about one and `1,234` as more than a thousand."""

_SPACES = Pattern(lambda: r"\d{1,3}(?:(?: {1,2}|[ '_])\d{3})+(?:[.,]\d+)?")
_GROUPED = Pattern(lambda: r"[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}")  # the second as in India
_EITHER = Pattern(lambda: r"([1-9]\d{0,2})([.,])(\d{3})")
_COMMA_SHOWN = Pattern(lambda: r"(?<![\d.,])\d{1,3}(?:(?:\.\d{3})++,\d+(?![.,]\d)|(?:\.\d{3}){2,}+(?![.,]?\d))")


@dataclass(frozen=True, slots=True)
class Digits:
    """Digits with `.` as the decimal mark and no other separators.

    Attributes:
        plain: As they are read.
        otherwise: As they would be read if the mark were of the other kind; None where nobody would.
    """

    plain: str
    otherwise: str | None = None


def plain_digits(written: str, decimal: Decimal = "auto") -> Digits | None:
    """Read digits with separators; None where the separators make no number.

    Args:
        written: Digits with `.`, `,`, spaces, `'`, `_` or LaTeX's `{,}` between them.
        decimal: What is known of the decimal mark.

    Example:
        >>> plain_digits("1.234,5"), plain_digits("3,5"), plain_digits("1.2.3")
        (Digits(plain='1234.5', otherwise=None), Digits(plain='3.5', otherwise=None), None)
        >>> plain_digits("1,234"), plain_digits("1,234", "comma")
        (Digits(plain='1234', otherwise='1.234'), Digits(plain='1.234', otherwise=None))
    """
    written = written.replace("{,}", ",")
    if re.search(r"[ '_]", written):
        if not _SPACES.fullmatch(written):
            return None
        written = re.sub(r"[ '_]", "", written)
        return Digits(written.replace(",", "."))
    marks = [mark for mark in written if mark in ".,"]
    if len(marks) > 1:
        return _with_marks(written, marks)
    either = _EITHER.fullmatch(written)
    return _either(either[1], either[2], either[3], decimal) if either else Digits(written.replace(",", "."))


def _with_marks(written: str, marks: list[str]) -> Digits | None:
    last = marks[-1]
    if len(set(marks)) == 1:
        return Digits(re.sub("[.,]", "", written)) if _GROUPED.fullmatch(written) else None
    whole, _, decimals = written.rpartition(last)
    fits = last not in whole and _GROUPED.fullmatch(whole)
    return Digits(f"{re.sub('[.,]', '', whole)}.{decimals}") if fits else None


def _either(whole: str, mark: str, rest: str, decimal: Decimal) -> Digits:
    thousands, decimals = f"{whole}{rest}", f"{whole}.{rest}"
    if decimal == "auto":
        return Digits(thousands, decimals) if mark == "," else Digits(decimals, thousands)
    is_decimal = mark == {"point": ".", "comma": ","}[decimal]
    return Digits(decimals if is_decimal else thousands)


def shown_decimal(text: str) -> Decimal:
    """What the numbers of a text tell of its decimal mark: `comma` where one is written as 1.234,5 or 1.234.567."""
    return "comma" if _COMMA_SHOWN.search(text) else "auto"
