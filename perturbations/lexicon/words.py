"""Words: how text falls into them, and what is known of single ones. The lists lie in `data/`.

A word is a run of letters with their combining marks. Nothing here knows of protection or of editing.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from .scripts import MARKS

WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*+")
ASCII_WORD = re.compile("[A-Za-z]+")
SUFFIXES = ("s", "es", "d", "ed", "ing", "er", "ers", "est", "ly")


def words_in(text: str) -> Iterator[re.Match[str]]:
    """Find the words of a text; in text of ASCII alone, which most is, twice as fast."""
    return (ASCII_WORD if text.isascii() else WORD).finditer(text)


def words_of(text: str) -> Iterator[str]:
    """Give the words of a text, case-folded, in order."""
    return map(str.casefold, (ASCII_WORD if text.isascii() else WORD).findall(text))


@cache
def english_words() -> frozenset[str]:
    """Load the common English words, in lower case."""
    return frozenset(" ".join(data_lines("words_en.txt")).split())


@cache
def names() -> frozenset[str]:
    """Load given names, surnames and places, in lower case; some are words too, such as Frank."""
    return frozenset(" ".join(data_lines("names.txt")).split())


@cache
def misspellings() -> dict[str, str]:
    """Load common English misspellings as right -> wrong; first and last letter are kept in each."""
    return dict(line.split() for line in data_lines("misspellings_en.txt"))


@cache
def wrong_spellings() -> frozenset[str]:
    """Give the common misspellings, some of which would pass for inflections: "begining"."""
    return frozenset(misspellings().values())


@cache
def stopwords() -> dict[str, frozenset[str]]:
    """Load the commonest function words of some languages, by ISO 639-1 code."""
    pairs = (line.split(":") for line in data_lines("stopwords.txt"))
    return {language: frozenset(listed.split()) for language, listed in pairs}


def data_lines(name: str) -> list[str]:
    """Read the lines of a data file, without comments."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


@cache
def all_stopwords() -> frozenset[str]:
    """Give the function words of all languages together."""
    return frozenset().union(*stopwords().values())


def is_stopword(word: str) -> bool:
    """Say whether a case-folded word is a function word of some language."""
    return word in all_stopwords()


def is_name(word: str) -> bool:
    """Say whether a case-folded word is a name, and no word that a text in small letters may mean."""
    return word in names() and word not in english_words() and not is_stopword(word)


@lru_cache(maxsize=4096)
def is_english_word(word: str) -> bool:
    """Say whether a case-folded word is a common English word or an inflection of one; no misspelling is."""
    known = english_words()
    return word in known or (word not in wrong_spellings() and any(stem in known for stem in stems(word)))


def stems(word: str) -> Iterator[str]:
    """Guess what a case-folded English word may be an inflection of; too many rather than too few."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) > len(suffix) + 2:
            stem = word.removesuffix(suffix)
            yield stem
            yield stem + "e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
            if stem.endswith("i"):
                yield stem[:-1] + "y"
