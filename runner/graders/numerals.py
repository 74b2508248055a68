"""Numbers as people write them: signs, separators, fractions, powers of ten, units. Values are exact.

Separators: where both `.` and `,` stand in a number the last one is the decimal mark. One `,` before exactly three
digits separates thousands (`1,234` is 1234), before any other count it is the decimal mark (`3,5`). One `.` is always
the decimal mark (`1.234` is about one), several separate thousands. A space, `'` or `_` only separates groups.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from . import phrases
from .text import View
from .words import SPACED, any_of

_MOST_DIGITS, _LARGEST_POWER = 60, 100

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_RAISED = str.maketrans(_RAISED_DIGITS, "0123456789-+")

_GROUPS = r"\d{1,3}(?: {1,2}\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:(?:[.,'_]|\{,\})\d+)*"
_DIGITS = rf"(?:{_GROUPS}|(?<![{SPACED}])\.\d+)"
_POWER = (
    r"(?P<e>e[-+]?\d{1,4}(?![\d.]))|(?: ?(?:×|x|\*|·|\\times|\\cdot) ?10(?:(?: ?\^ ?\{? ?(?P<power>[-+]?\d{1,4}) ?\}?)"
    rf"|(?P<raised>[{_RAISED_DIGITS}]{{1,5}})))"
)
_NUMBER = re.compile(
    rf"""(?P<sign>(?:[-+]|{any_of(phrases.MINUS)}) ?[€£¥]?)?(?:"""
    rf"""(?:(?P<whole>\d+) ?)?\\[dt]?frac ?\{{? ?(?P<top>-?\d+) ?\}}? ?\{{? ?(?P<bottom>\d+) ?\}}?"""
    rf"""|(?:(?P<before>\d+) ?)?(?P<vulgar>[{_VULGAR}])"""
    rf"""|(?:(?P<mixed>\d+) +)?(?P<over>\d+) ?/ ?(?P<under>\d+)(?![\d/]|[.,]\d)"""
    rf"""|(?P<digits>{_DIGITS})(?:{_POWER})?)"""
)
_GLUED_BEFORE = re.compile(rf"(?:[{SPACED}]|[{SPACED}]\.|\d[:/]|\\sqrt ?\{{|√|\^ ?\{{?|\\[a-z]+ ?)\Z")
_CURRENCY = re.compile(rf"(?<![{SPACED}])(?:usd|eur|gbp|inr|rs\.?|cny|rmb|jpy|chf|cad|aud)\Z")
_TIMES = {
    word: factor
    for words, factor in (
        ("hundred hundert cent 百 백", 10**2),
        ("thousand thousands k tausend mille mil mila tysiąc тысяч тыс 千 천", 10**3),
        ("万 萬 만", 10**4),
        ("lakh lakhs", 10**5),
        ("million millions millionen millón millones milione milioni milhão milhões mn mln mio miljoen", 10**6),
        ("миллион миллиона миллионов млн", 10**6),
        ("crore crores", 10**7),
        ("億 亿 억", 10**8),
        ("billion billions bn milliarde milliarden milliard milliards miliardo miliardi mrd", 10**9),
        ("миллиард миллиардов млрд", 10**9),
        ("trillion trillions", 10**12),
    )
    for word in words.split()
}
_TIMES_AFTER = re.compile(rf" ?(?P<word>{'|'.join(sorted(_TIMES, key=len, reverse=True))})(?![{SPACED}])\.?")
_UNIT = re.compile(
    r"(?:%|°|st|nd|rd|th|km|cm|mm|nm|m|kg|mg|g|t|ml|dl|l|ms|s|sec|secs|min|mins|h|hr|hrs|am|pm|a\.m|p\.m|hz|khz|mhz|ghz|"
    r"w|kw|kwh|mw|v|mv|ma|j|kj|cal|kcal|pa|kpa|n|mol|mph|kmh|km/h|m/s|ft|in|yd|lb|lbs|oz|gal|kb|mb|gb|tb|usd|eur|gbp|"
    rf"€|£|¥|円|元|원|ct|px|pt)(?![{SPACED}])"
)
_GLUED_AFTER = re.compile(
    rf"[{SPACED}]| ?(?:\\sqrt|√|\\pi|π|\^|\\infty|!(?=\s*[-=+*/\d]))|:\d|\.\d|,\d|[⁰¹²³⁴-⁹]| ?/ ?\d"
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes:
        start: Where it begins in the view, with its sign.
        end: Where it ends, with a word such as "million", without its unit.
        value: Its value; None where it is part of an expression that has no plain value, such as `2x`, or is no one
            number, such as `1.2.3`.
    """

    start: int
    end: int
    value: Fraction | None


def numerals(view: View) -> Iterator[Numeral]:
    """All numbers of a text in order; digits inside words (`H2O`) are none."""
    text = view.folded
    for found in _NUMBER.finditer(text):
        before = text[max(0, found.start() - 8) : found.start()] if not found["sign"] else ""
        if _GLUED_BEFORE.search(before) and not _CURRENCY.search(before):
            if before.endswith(("√", "{", "^")):
                yield Numeral(found.start(), found.end(), None)
            continue
        yield _numeral(text, found)


def _numeral(text: str, found: re.Match[str]) -> Numeral:
    end = found.end()
    times = _TIMES_AFTER.match(text, end)
    if times is not None:
        end = times.end()
    elif _GLUED_AFTER.match(text, end) and not _UNIT.match(text, end):
        return Numeral(found.start(), end, None)
    value = _value(found)
    if value is not None and times is not None:
        value *= _TIMES[times["word"]]
    negative = _is_sign(text, found) and not found["sign"].startswith("+")
    start = found.start() if _is_sign(text, found) else found.end("sign") if found["sign"] else found.start()
    return Numeral(start, end, -value if value is not None and negative else value)


def _is_sign(text: str, found: re.Match[str]) -> bool:
    """Whether what stands before the digits is their sign, and not an operator or the dash of a range."""
    if not found["sign"]:
        return False
    before = text[max(0, found.start() - 20) : found.start()]
    if re.search(rf"[\d)}}%]\s*\Z|[{SPACED}]\Z", before):
        return False
    return found["sign"].strip() == found["sign"] or re.search(r"(?:\A|[=:(\[{,\n≈])\s*\Z", before) is not None


def _value(found: re.Match[str]) -> Fraction | None:
    if found["digits"]:
        return _scaled(found)
    if found["vulgar"]:
        return _sum(found["before"], *unicodedata.normalize("NFKC", found["vulgar"]).split("\u2044"))
    if found["bottom"]:
        return _sum(found["whole"], found["top"], found["bottom"])
    return _sum(found["mixed"], found["over"], found["under"])


def _sum(whole: str | None, top: str, bottom: str) -> Fraction | None:
    if max(len(whole or ""), len(top), len(bottom)) > _MOST_DIGITS or int(bottom) == 0:
        return None
    return Fraction(int(whole or 0)) + Fraction(int(top), int(bottom))


def _scaled(found: re.Match[str]) -> Fraction | None:
    digits = plain_digits(found["digits"])
    power = int((found["e"] or "")[1:] or found["power"] or (found["raised"] or "").translate(_RAISED) or 0)
    if digits is None or len(digits) > _MOST_DIGITS or abs(power) > _LARGEST_POWER:
        return None
    return Fraction(digits) * Fraction(10) ** power


def plain_digits(written: str) -> str | None:
    """Digits with `.` as the decimal mark and no other separators; None where the separators make no number.

    Example:
        >>> plain_digits("1.234,5"), plain_digits("1,234"), plain_digits("3,5"), plain_digits("1.2.3")
        ('1234.5', '1234', '3.5', None)
    """
    written = re.sub(r"[ '_]|\{,\}", "", written)
    marks = [mark for mark in written if mark in ".,"]
    if not marks:
        return written
    last = marks[-1]
    if len(set(marks)) == 2:
        whole, _, decimals = written.rpartition(last)
        return None if last in whole or not _is_grouped(whole) else f"{re.sub('[.,]', '', whole)}.{decimals}"
    if len(marks) > 1 or (last == "," and _is_grouped(written)):
        return re.sub("[.,]", "", written) if _is_grouped(written) else None
    return written.replace(",", ".")


def _is_grouped(written: str) -> bool:
    """Whether separators stand before groups of three, or of two and a last three as in India."""
    return re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}", written) is not None


def as_text(value: Fraction) -> str:
    """The canonical writing: an integer, a finite decimal, or a fraction in lowest terms.

    Example:
        >>> as_text(Fraction("51.0")), as_text(Fraction(1, 8)), as_text(Fraction(2, 6))
        ('51', '0.125', '1/3')
    """
    rest = value.denominator
    places = 0
    while rest % 2 == 0 or rest % 5 == 0:
        rest = rest // 10 if rest % 10 == 0 else rest // 2 if rest % 2 == 0 else rest // 5
        places += 1
    if rest > 1:
        return str(value)
    whole, decimals = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    shown = f"{whole}.{decimals:0{places}d}".rstrip("0").rstrip(".") if places else str(whole)
    return f"-{shown}" if value < 0 else shown
