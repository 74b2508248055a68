"""Numbers in words of other languages than English: the small and the round ones, and any in Chinese characters.

A word of one language is another's, so these count only where a number is asked for: `other_number` is told the place.
"""

import re
from fractions import Fraction

from .number_words import Spoken
from .patterns import Pattern
from .words import SPACED

_OTHER = {
    "de": "- eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend",
    "fr": "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
    "dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent mille",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien mil",
    "it": "- uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille",
    "pt": "- - dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis "
    "dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem mil",
}
"""Zero to twenty, the tens to a hundred, a thousand. What is left out (-) is an article, or another word in English."""
_ROUND = (*range(21), *range(30, 101, 10), 1000)
_FOREIGN = {
    word: value for words in _OTHER.values() for value, word in zip(_ROUND, words.split(), strict=True) if word != "-"
}
_FOREIGN_WORD = "|".join(map(re.escape, sorted(_FOREIGN, key=len, reverse=True)))
_FOREIGN_NUMBER = Pattern(
    lambda: (
        rf"(?P<word>{_FOREIGN_WORD})(?![{SPACED}]|[-'][{SPACED}])"
        rf"(?!(?: +(?:und|et|y|e))? +(?:{_FOREIGN_WORD})(?![{SPACED}]))"
    )  # one of several words of a number, as in Spanish
)
_DIGITS = {"〇": 0, "两": 2, "兩": 2} | {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_SCALES = {"亿": 10**8, "億": 10**8, "万": 10**4, "萬": 10**4}
_DIGIT = f"[{''.join(_DIGITS)}]"
_SECTION = Pattern(lambda: rf"(?:({_DIGIT}?)千)?零?(?:({_DIGIT}?)百)?零?(?:({_DIGIT}?)十)?零?({_DIGIT}?)")
_COUNTED = "个個只本枚匹頭头條条張张人名元块円圓圆歳岁天年月日分秒時时小度公千米升克吨つです"
_CHINESE_NUMBER = Pattern(
    lambda: (
        rf"(?P<word>[{''.join(_DIGITS)}十百千{''.join(_SCALES)}]{{1,20}})(?=\s*(?:[.,;:!)\]}}\"'。，、！）{_COUNTED}]|\Z|\n))"
    )
)


def other_number(text: str, start: int) -> Spoken | None:
    """The number that begins at a place in words of another language than English, where there is one.

    Args:
        text: A text in lower case.
        start: The place.
    """
    word = _FOREIGN_NUMBER.match(text, start)
    if word is not None:
        return Spoken(*word.span("word"), Fraction(_FOREIGN[word["word"]]), sure=False)
    word = _CHINESE_NUMBER.match(text, start)
    value = _chinese(word["word"]) if word is not None else None
    return Spoken(*word.span("word"), Fraction(value), sure=False) if word is not None and value is not None else None


def _chinese(word: str) -> int | None:
    """The value of a number in Chinese characters; None where they make none.

    Example:
        >>> _chinese("八十五"), _chinese("三百零二"), _chinese("二〇二四"), _chinese("十百")
        (85, 302, 2024, None)
    """
    if all(character in _DIGITS for character in word):
        return int("".join(str(_DIGITS[character]) for character in word))
    for scale, size in _SCALES.items():
        left, found, right = word.partition(scale)
        if found:
            count, rest = _chinese(left) if left else None, _chinese(right) if right else 0
            return None if not count or rest is None or rest >= size else count * size + rest
    section = _SECTION.fullmatch(word)
    if section is None:
        return None
    tens = (
        size * (1 if digit == "" else _DIGITS.get(digit or "零", 0))
        for size, digit in zip((1000, 100, 10), section.groups(), strict=False)
    )
    return sum(tens) + _DIGITS.get(section[4], 0)
