"""Which language a text is in, judged by its commonest words; no answer where the evidence is thin."""

from .scripts import main_script
from .words import WORD, is_english_word, stopwords, words_of

LEAST_SHARE = 0.2
"""A language is named where at least this share of the words are its function words."""
LEAD = 1.5
"""And where it has so many times the function words of the next language."""
ENGLISH_SHARE = 0.6
"""Text of no clear language is English where so many of its words are known English words; half of it is asked where
the function words are English."""


def language_of(text: str) -> str:
    """Guess the language of a text.

    Returns:
        An ISO 639-1 code of the languages in `data/stopwords.txt`; empty where none stands out.
    """
    words = list(words_of(text))
    hits = {language: sum(word in listed for word in words) for language, listed in stopwords().items()}
    first, second = sorted(hits, key=lambda language: (-hits[language], language))[:2]
    stands_out = hits[first] > 0 and hits[first] >= LEAD * hits[second]
    return first if stands_out and hits[first] >= LEAST_SHARE * len(words) else ""


def is_english(text: str) -> bool:
    """Say whether a text is surely English: by its function words and by how many of its words are known."""
    if main_script(text) != "Latin":
        return False
    needed = {"en": ENGLISH_SHARE / 2, "": ENGLISH_SHARE}.get(language_of(text))
    return needed is not None and english_share(text) >= needed


def english_share(text: str) -> float:
    """Give the share of a text's words, names left out, that are common English words or inflections."""
    matches = list(WORD.finditer(text))
    words = [match[0] for match in matches if match.start() == 0 or not match[0][0].isupper()]
    return sum(is_english_word(word.casefold()) for word in words) / len(words) if words else 0.0
