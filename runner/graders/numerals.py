"""Numbers as people write them: signs, separators, fractions, powers of ten, units, words. Values are exact."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from . import phrases
from .number_words import Spoken, english_numbers
from .patterns import Part, Pattern
from .separators import Decimal, plain_digits, shown_decimal
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
_MINUS = Part(
    lambda: rf"(?<!au )(?<!al )(?<!lo )(?<!ou )(?<!plus )(?<!più o ){any_of(phrases.MINUS)}"
)  # "au moins" is a bound
_NUMBER = Pattern(
    lambda: (
        rf"""(?P<sign>(?:[-+–‒]|{_MINUS}) ?[€£¥]?)?(?:"""
        rf"""(?:(?P<whole>\d+) ?)?\\[dt]?frac ?\{{? ?(?P<top>-?\d+) ?\}}? ?\{{? ?(?P<bottom>\d+) ?\}}?"""
        rf"""|(?:(?P<before>\d+) ?)?(?P<vulgar>[{_VULGAR}])"""
        rf"""|(?:(?P<mixed>\d+) +)?(?P<over>\d+) ?/ ?(?P<under>\d+)(?![\d/]|[.,]\d)"""
        rf"""|(?P<digits>{_DIGITS})(?:{_POWER})?)"""
    )
)
_SPOKEN_SIGN = Pattern(
    lambda: (
        rf"(?:\A|[^{SPACED}\s]\s*|(?:{any_of(phrases.COPULA, phrases.LINK, phrases.ANSWER)})\s+)(?P<minus>{_MINUS} )\Z"
    )
)
_OPERAND = Pattern(lambda: rf"[\d)}}%]\s*\Z|[{SPACED}]\Z")
_OPENS = Pattern(lambda: r"(?:\A|[=:(\[{,\n≈])\s*\Z")
_STATED = Pattern(lambda: rf"{any_of(phrases.COPULA)}\s*\Z")
_AND_PART = Pattern(lambda: rf" and (?P<count>an?|one|three) (?P<part>half|third|quarter|quarters)(?![{SPACED}-])")
_PERCENT = Pattern(lambda: rf" ?(?:\\?%|{any_of(phrases.PERCENT)})")
_APPLIED = r"(?<![a-z])(?:sqrt|log|ln|exp|sin|cos|tan|abs|[fg]) ?\(|\\sqrt ?\{|√|\d[:/]"
_FUNCTIONS = r"\\(?:log|ln|exp|sin|cos|tan|lg)(?:_\{?\w{1,3}\}?)? ?\{?"
_PART_OF = Pattern(lambda: rf"(?:{_APPLIED}|{_FUNCTIONS}|\^ ?\{{?|{any_of(phrases.MULTIPLYING)} +)\Z")
"""Before a number that is part of an expression."""
_UNIT_POWER = Pattern(lambda: r"(?<![a-z])(?:[kcdmnµ]?m|ft|in|yd|mi|s|h|kg)[ }]{0,2}\^ ?\{? ?-?\Z")
"""Before the exponent of a unit: no number of its own."""
_REFERENCE = Pattern(lambda: rf"(?:[{SPACED}.,;:!?)\]]|[\u3040-\u9fff]) {{0,2}}\[\^?\Z")
_REFERENCE_END = Pattern(lambda: r"(?: ?[,–-] ?\d{1,3})*\]")
"""Around the number of a footnote or a reference, as in "18 eggs[1]"."""
_GLUED_BEFORE = Pattern(lambda: rf"(?:[{SPACED}]|[{SPACED}]\.|\\[a-z]+ ?)\Z")
"""Before digits that are part of a word."""
_CURRENCY = Pattern(lambda: rf"(?<![{SPACED}])(?:usd|eur|gbp|inr|rs\.?|cny|rmb|jpy|chf|cad|aud)\Z")
_TIMES = {
    word: factor
    for words, factor in (
        ("hundred hundert cent 百 백", 10**2),
        ("thousand thousands k tausend mille mil mila tysiąc тысяч тыс 千 천", 10**3),
        ("万 萬 만", 10**4),
        ("dozen", 12),
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
_CAPITAL = Pattern(lambda: rf"[MBT](?![{SPACED}A-Z])")
"""Right after digits: millions, and after an amount of money billions and trillions."""
_UNITS = frozenset({"dozen"})
"""Of these, the words that count as a unit too: who asks for dozens is answered by "5 dozen"."""
_TIMES_AFTER = Pattern(lambda: rf" ?(?P<word>{'|'.join(sorted(_TIMES, key=len, reverse=True))})(?![{SPACED}])\.?")
_UNIT = Pattern(
    lambda: (
        r"(?:%|°|st|nd|rd|th|km|cm|mm|nm|m|kg|mg|g|t|ml|dl|l|ms|s|sec|secs|min|mins|h|hr|hrs|am|pm|a\.m|p\.m|hz|khz|mhz|ghz|"
        r"w|kw|kwh|mw|v|mv|ma|j|kj|cal|kcal|pa|kpa|n|mol|mph|kmh|km/h|m/s|ft|in|yd|lb|lbs|oz|gal|kb|mb|gb|tb|usd|eur|gbp|"
        rf"€|£|¥|円|元|원|ct|px|pt)(?![{SPACED}])"
    )
)
_DEGREES = Pattern(lambda: r" ?\^ ?\{? ?(?:\\circ|°|o\})")
_GLUED_AFTER = Pattern(
    lambda: (
        rf"[{SPACED}]| ?(?:\\sqrt|√|\\pi|π|\^|\\infty|!(?=\s*[-=+*/\d}}]))|:[-−]?\d|\.\d|,\d|[⁰¹²³⁴-⁹]| ?/ ?\d"
        r"| ?[/*×·] ?[xyzn](?![a-z])"
        rf"| ?{any_of(phrases.POWERED)}"
    )
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes:
        start: Where it begins in the view, with its sign.
        end: Where it ends, with a word such as "million", without its unit.
        value: Its value; None where it is part of an expression that has no plain value, such as `2x`, or is no one
            number, such as `1.2.3`.
        also: The number as counted in its unit: five dozen are 60 and also 5.
        otherwise: Its value if its only separator were of the other kind, as in `1.234`; None where it can't be.
        percent: Whether a percent sign follows.
        words: Whether it is written in words.
        sure: Whether it is a number wherever it stands; the word "one" is not.
    """

    start: int
    end: int
    value: Fraction | None
    also: Fraction | None = None
    otherwise: Fraction | None = None
    percent: bool = False
    words: bool = False
    sure: bool = True


def numerals(view: View, decimal: Decimal = "auto") -> list[Numeral]:
    """All numbers of a text in order, in digits and in English words; digits inside words (`H2O`) are none.

    Args:
        view: The text.
        decimal: What is known of the decimal mark; where nothing is, the other numbers of the text may tell.
    """
    text = view.folded
    known = shown_decimal(text) if decimal == "auto" else decimal
    found = list(_written(view, known))
    places = [numeral.start for numeral in found]
    for spoken in english_numbers(text):
        at = bisect_left(places, spoken.end)
        if not at or found[at - 1].end <= spoken.start:
            found.append(in_words(text, spoken))
    return sorted(found, key=lambda numeral: numeral.start)


def in_words(text: str, spoken: Spoken) -> Numeral:
    """A number in words, with its sign."""
    sign = _SPOKEN_SIGN.search(text, max(0, spoken.start - 20), spoken.start)
    start = sign.start("minus") if sign else spoken.start
    percent = _PERCENT.match(text, spoken.end) is not None
    value = -spoken.value if sign and spoken.value is not None else spoken.value
    return Numeral(start, spoken.end, value, spoken.also, percent=percent, words=True, sure=spoken.sure)


def _written(view: View, decimal: Decimal) -> Iterator[Numeral]:
    text = view.folded
    for found in _NUMBER.finditer(text):
        before = text[max(0, found.start() - 32) : found.start()]
        if _UNIT_POWER.search(before) or _is_reference(text, found, before):
            continue
        if _PART_OF.search(before):
            yield Numeral(found.start(), found.end(), None)
            continue
        if not found["sign"] and _GLUED_BEFORE.search(before) and not _CURRENCY.search(before):
            continue
        yield _numeral(view, found, decimal)


def _is_reference(text: str, found: re.Match[str], before: str) -> bool:
    return _REFERENCE_END.match(text, found.end()) is not None and _REFERENCE.search(before) is not None


def _numeral(view: View, found: re.Match[str], decimal: Decimal) -> Numeral:
    text = view.folded
    sign, start = _signed(text, found)
    end, factor, unit = _counted(view, found)
    if end is None or sign is None:
        return Numeral(start, found.end(), None)
    value, otherwise = _value(found, decimal)
    if value is None:
        return Numeral(start, end, None)
    part = _AND_PART.match(text, end)
    if part is not None:
        end, value = part.end(), value + _part(part["count"], part["part"])
    return Numeral(
        start,
        end,
        sign * factor * value,
        also=sign * value if unit else None,
        otherwise=None if otherwise is None or part else sign * factor * otherwise,
        percent=_PERCENT.match(text, end) is not None,
    )


def _part(count: str, part: str) -> Fraction:
    return Fraction(3 if count == "three" else 1, {"half": 2, "third": 3}.get(part, 4))


def _counted(view: View, found: re.Match[str]) -> tuple[int | None, int, bool]:
    """Where a number ends with the word that multiplies it, by how much, and whether that is a unit as well.

    The end is None where more of an expression follows, so that it has no plain value.
    """
    text, end = view.folded, found.end()
    capital = _CAPITAL.match(view.text, end)
    if capital is not None and (capital.group() == "M" or _is_money(view, found.start())):
        return capital.end(), {"M": 10**6, "B": 10**9, "T": 10**12}[capital.group()], False
    times = _TIMES_AFTER.match(text, end)
    if times is not None:
        return times.end(), _TIMES[times["word"]], times["word"] in _UNITS
    if _GLUED_AFTER.match(text, end) and not _is_united(text, end) and not _AND_PART.match(text, end):
        return None, 1, False
    return end, 1, False


def _is_united(text: str, end: int) -> bool:
    """Whether a unit follows a number: 5km, 18°."""
    return _UNIT.match(text, end) is not None or _DEGREES.match(text, end) is not None


def _is_money(view: View, start: int) -> bool:
    """Whether a currency's sign stands right before a number; the dollar sign may be blanked in the view."""
    place = view.span(start, start + 1)[0]
    return view.source[max(0, place - 1) : place] in tuple("$€£¥") or view.text[start] in "$€£¥"


def _signed(text: str, found: re.Match[str]) -> tuple[int | None, int]:
    """The sign of a number, 1 or -1, and where it begins; None where it can't be told from a dash.

    What stands after a number or a word is an operator, or the dash of a range.
    """
    sign = found["sign"]
    if not sign:
        return 1, found.start()
    before = text[max(0, found.start() - 20) : found.start()]
    if _OPERAND.search(before):
        return 1, found.end("sign")
    minus = 1 if sign.startswith("+") else -1
    spelled = sign[0] not in "-+–‒"
    if sign.strip() == sign or spelled or _OPENS.search(before):
        return minus, found.start()
    return (None, found.start()) if _STATED.search(before) else (1, found.end("sign"))


def _value(found: re.Match[str], decimal: Decimal) -> tuple[Fraction | None, Fraction | None]:
    """The value of a number, and the one it has if its separator is of the other kind."""
    if found["digits"]:
        return _scaled(found, decimal)
    if found["vulgar"]:
        return _sum(found["before"], *unicodedata.normalize("NFKC", found["vulgar"]).split("\u2044")), None
    if found["bottom"]:
        return _sum(found["whole"], found["top"], found["bottom"]), None
    return _sum(found["mixed"], found["over"], found["under"]), None


def _sum(whole: str | None, top: str, bottom: str) -> Fraction | None:
    if max(len(whole or ""), len(top), len(bottom)) > _MOST_DIGITS or int(bottom) == 0:
        return None
    return Fraction(int(whole or 0)) + Fraction(int(top), int(bottom))


def _scaled(found: re.Match[str], decimal: Decimal) -> tuple[Fraction | None, Fraction | None]:
    digits = plain_digits(found["digits"], decimal)
    power = int((found["e"] or "")[1:] or found["power"] or (found["raised"] or "").translate(_RAISED) or 0)
    if digits is None or len(digits.plain) > _MOST_DIGITS or abs(power) > _LARGEST_POWER:
        return None, None
    scale = Fraction(10) ** power
    return Fraction(digits.plain) * scale, None if digits.otherwise is None else Fraction(digits.otherwise) * scale


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
