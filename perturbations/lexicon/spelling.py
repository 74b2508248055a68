"""American and British spellings of one word, each way only where the other spelling is sure."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from .words import data_lines

Variety = Literal["American", "British"]
DIRECTIONS: Mapping[Variety, str] = {"American": "<=", "British": ">="}
"""Marks of the lines that say how a word is spelled in a variety."""
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "-": ("",),
    "A": ("er", "ers"),
    "B": ("able",),
    "L": ("", "s", "ed", "ing"),
    "N": ("ation", "ations"),
    "V": ("e", "es", "ed", "ing"),
}
"""Endings that go together, by the mark for them; any other ending stands for itself."""


@cache
def spellings(variety: Variety) -> Mapping[str, str]:
    """Give the spelling of words in a variety by their spelling in the other one, in lower case."""
    pairs = [(american, british) for direction, american, british in listed() if direction in DIRECTIONS[variety]]
    return dict(pairs) if variety == "British" else {british: american for american, british in pairs}


def listed() -> Iterator[tuple[str, str, str]]:
    """Give each listed word form as direction, American and British spelling."""
    for line in data_lines("spelling_en.txt"):
        direction, american, british, *marks = line.split()
        for mark in marks:
            for ending in ENDINGS.get(mark, (mark,)):
                yield direction, american + ending, british + ending
