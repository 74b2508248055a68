"""Which language a text is in, judged by its words; no answer where the evidence is thin."""

import re
from functools import cache

from .scripts import main_script
from .words import WORD, is_english_word, stopwords, words_of

LEAST_SHARE = 0.2
"""A language is named where at least this share of the words are its function words."""
LEAD = 1.5
"""And where it has so many times the function words of the next language."""
ENGLISH_SHARE = 0.6
"""Text of no clear language is English where so many of its words are known English words; half of it is asked where
the function words are English."""
FOREIGN_SHARE = 0.34
"""A sentence is foreign where fewer of its words are English, two words at least."""
SURELY_ENGLISH = 8
"""A text with so many function words that only English has may hold any jargon."""
SENTENCE_END = re.compile(r"[.!?:;\n。！？]+")
SHORTEST_WORD = 3


def language_of(text: str) -> str:
    """Guess the language of a text.

    Returns:
        An ISO 639-1 code of the languages in `data/stopwords.txt`; empty where none stands out.
    """
    words = list(words_of(text))
    hits = {language: sum(map(listed.__contains__, words)) for language, listed in stopwords().items()}
    first, second = sorted(hits, key=lambda language: (-hits[language], language))[:2]
    stands_out = hits[first] > 0 and hits[first] >= LEAD * hits[second]
    return first if stands_out and hits[first] >= LEAST_SHARE * len(words) else ""


def is_english(text: str, *also: str) -> bool:
    """Say whether a text is surely English: by its function words, by its known words, and in each of its sentences.

    A template may ask an English question about a sentence in another language; that is not English.

    Args:
        text: The text.
        also: Further texts that belong to it, such as its options; they must not be foreign.
    """
    needed = {"en": ENGLISH_SHARE / 2, "": ENGLISH_SHARE}.get(language_of(text))
    if main_script(text) != "Latin" or needed is None or english_share(text) < needed:
        return False
    if sum(word in english_alone() for word in words_of(text)) >= SURELY_ENGLISH:
        return True
    return not any(is_foreign(piece) for piece in (*SENTENCE_END.split(text), *also))


def is_foreign(piece: str) -> bool:
    """Say whether a sentence is in another script, or has hardly an English word and none that only English has."""
    if main_script(piece) not in {"", "Latin", "Greek"}:
        return True
    if any(word in english_alone() for word in words_of(piece)):
        return False
    words = [word for word in common_words(piece) if len(word) >= SHORTEST_WORD]
    known = sum(is_english_word(word) for word in words)
    return len(words) > 1 and known < FOREIGN_SHARE * len(words)


def english_share(text: str) -> float:
    """Give the share of a text's words, names left out, that are common English words or inflections."""
    words = common_words(text)
    return sum(map(is_english_word, words)) / len(words) if words else 0.0


def common_words(text: str) -> list[str]:
    """Give a text's words, case-folded: those in small letters, and the first if only its first letter is a capital."""
    words = [match[0] for match in WORD.finditer(text)]
    return [word.casefold() for place, word in enumerate(words) if word.islower() or (place == 0 and word.istitle())]


@cache
def english_alone() -> frozenset[str]:
    """Give the English function words that no other listed language has."""
    others = (listed for language, listed in stopwords().items() if language != "en")
    return stopwords()["en"].difference(*others)
