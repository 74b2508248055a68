"""Which writing system the letters of a text belong to."""

import unicodedata
from collections import Counter
from functools import lru_cache

LATIN = "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
"""Latin letters, as the inside of a character class."""
MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""Combining marks of alphabets such as the Latin one, as the inside of a character class."""
JAPANESE = {"Hiragana", "Katakana"}


def main_script(text: str) -> str:
    """Name the script of most letters of a text: `Latin`, `Han`, `Arabic`; empty where there is no letter."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else ""
    counts = script_counts(text)
    return max(counts, key=lambda script: (counts[script], script), default="")


def script_counts(text: str) -> Counter[str]:
    """Count a text's letters by script; Japanese syllables make the Han letters beside them Japanese."""
    counts: Counter[str] = Counter()
    for letter, times in Counter(text).items():
        if letter.isalpha():
            counts[script_of(letter)] += times
    if any(counts[script] for script in JAPANESE):
        japanese = sum(counts.pop(script, 0) for script in (*JAPANESE, "Han"))
        counts["Japanese"] = japanese
    return counts


@lru_cache(maxsize=1024)
def script_of(letter: str) -> str:
    """Name a letter's script by the first word of its Unicode name."""
    word = unicodedata.name(letter, "unnamed").split()[0].split("-")[0].title()
    return "Han" if word == "Cjk" else word
