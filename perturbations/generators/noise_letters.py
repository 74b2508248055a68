"""Letters as they come out of other hands: without capitals, all capitals, misread by a scanner, look-alikes.

Whole words are edited, and only those that are unprotected; no letter is parted from its marks.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from ..lexicon.graphemes import may_cut
from ..lexicon.scripts import script_of
from ..lexicon.sentences import sentences_of
from ..lexicon.terms import terms
from ..lexicon.words import WORD, is_stopword
from ..protection.patterns import ROMAN
from .mistakes import is_harmless
from .noise_ground import Ground, Offers, Place, offer
from .typo import eligible_words, vocabulary

CASED_SCRIPTS = frozenset({"Latin", "Greek", "Cyrillic", "Armenian"})
TURKISH = re.compile(r"[ğışĞİŞ]")
TURKISH_CAPITALS = str.maketrans({"i": "İ", "ı": "I"})
OPENING = re.compile(r"[¿¡(\[*_•–-]*\s?")
POLITE_BY_CASE = frozenset({"sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"})
"""German words for "you" that mean "she" or "they" without their capital."""
LONGEST_SIGN = 3
BRACKETED = re.compile(r"\[[^\[\]\n]{0,40}\]")
NUMERAL = re.compile(ROMAN)
CONFUSIONS: Mapping[str, tuple[str, ...]] = {
    "rn": ("m",),
    "m": ("rn",),
    "cl": ("d",),
    "d": ("cl",),
    "vv": ("w",),
    "w": ("vv",),
    "li": ("h",),
    "h": ("b", "li"),
    "b": ("h",),
    "e": ("c",),
    "c": ("e",),
    "i": ("l",),
    "l": ("i",),
    "t": ("f",),
    "f": ("t",),
    "n": ("u",),
    "u": ("n", "ii"),
    "ri": ("n",),
    "in": ("m",),
    "o": ("c",),
    "g": ("q",),
    "q": ("g",),
    "y": ("v",),
}
"""What a scanner takes letters for; figures are not among it, since they would make numbers."""
LOOK_ALIKES: Mapping[str, str] = dict(zip("aceijopsxyACEHIJKMOPSTXB", "асеіјорѕхуАСЕНІЈКМОРЅТХВ", strict=True))
"""Latin letters and the Cyrillic ones that look the same."""


def lowered(ground: Ground) -> Offers:
    """Begin sentences with a small letter."""
    return offer(place for part, text in ground.parts.items() for place in beginnings(ground, part, text))


def beginnings(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Find the words that have a capital only because a sentence begins with them."""
    for sentence in sentences_of(text):
        start = OPENING.match(text, sentence.start, sentence.end)
        match = WORD.match(text, start.end() if start else sentence.start, sentence.end)
        if match and len(match[0]) > 1 and match[0].istitle() and ground.is_free(part, *match.span()):
            small = match[0][0].lower()
            if reversible(match[0][0], small) and keeps_meaning(match[0], text):
                yield Place(part, match.start(), match[0], (small + match[0][1:],), "case", word=True)


def keeps_meaning(word: str, text: str) -> bool:
    """Say whether a word is the same without its capital: not the German for "you", nor one with a Turkish I."""
    turkish_i = word[0] in "Iİ" and TURKISH.search(text) is not None
    return not turkish_i and word.lower() not in POLITE_BY_CASE


def capitals(ground: Ground) -> Offers:
    """Write every unprotected word in capitals."""
    places = (place for part, text in ground.parts.items() for place in capitalised(ground, part, text))
    return offer(places, rated=False)


def capitalised(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Find the words that capitals leave what they are: no ß, no numeral, no unit, nothing in square brackets."""
    turkish = TURKISH.search(text) is not None
    bracketed = [match.span() for match in BRACKETED.finditer(text)]
    inside = {offset for span in bracketed for offset in range(*span)}
    for match in WORD.finditer(text):
        word = match[0]
        upper = (word.translate(TURKISH_CAPITALS) if turkish else word).upper()
        fits = script_of(word[0]) in CASED_SCRIPTS and (turkish or reversible(upper, word.lower()))
        known = upper == word or NUMERAL.fullmatch(upper) or word in units() or match.start() in inside
        if fits and not known and len(upper) == len(word) and ground.is_free(part, *match.span()):
            yield Place(part, match.start(), word, (upper,), "caps", word=True)


@cache
def units() -> frozenset[str]:
    """Give the signs of units, which may be other ones in capitals, without those that are words as well."""
    signs = (term.text for term in terms() if term.kind == "unit" and len(term.text) <= LONGEST_SIGN)
    return frozenset(sign for sign in signs if not is_stopword(sign))


def reversible(upper: str, lower: str) -> bool:
    """Say whether two texts are each other's capitals and small letters, one for one."""
    return upper.lower() == lower and lower.upper() == upper and len(upper) == len(lower)


def misread(ground: Ground) -> Offers:
    """Misread letters as a scanner does, one a word; no other word may come of it."""
    taken = vocabulary(ground.subject.question)
    return letters(ground, "ocr", lambda word: (each for each in confused(word) if is_harmless(word, each, taken)))


def confused(word: str) -> Iterator[str]:
    """Give a word with each of its letters, or pairs of letters, misread."""
    for wrong in CONFUSIONS.items():
        for match in re.finditer(wrong[0], word):
            for other in wrong[1]:
                yield word[: match.start()] + other + word[match.end() :]


def look_alikes(ground: Ground) -> Offers:
    """Put a Cyrillic letter for the Latin one that looks the same, one a word."""
    return letters(ground, "homoglyph", disguised)


def disguised(word: str) -> Iterator[str]:
    """Give a word with each letter that has a look-alike replaced by it."""
    for offset, letter in enumerate(word):
        if letter in LOOK_ALIKES and may_cut(word, offset + 1):
            yield word[:offset] + LOOK_ALIKES[letter] + word[offset + 1 :]


def letters(ground: Ground, kind: str, forms: Callable[[str], Iterator[str]]) -> Offers:
    """Offer the words that typing mistakes may reach too, each in its forms."""
    words = eligible_words(ground.parts, ground.subject)
    places = (Place(word.part, word.start, word.text, tuple(forms(word.text)), kind, word=True) for word in words)
    return offer(place for place in places if place.after)
