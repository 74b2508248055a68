"""Searches without regard to case that are quick where nothing is found, which is nearly everywhere."""

import re
from dataclasses import dataclass
from functools import lru_cache

ALIKE = str.maketrans({"İ": "i", "ı": "i", "ſ": "s", "’": "'"})
"""Letters that a pattern takes for i or s without regard to case, and that `str.lower` does not make so; and the other
apostrophe, which all patterns treat alike."""


@lru_cache(maxsize=256)
def in_small_letters(text: str) -> str:
    """Write a text in small letters, so that whatever `re.IGNORECASE` finds of a text in ASCII is there; remembered."""
    return (text if text.isascii() else text.translate(ALIKE)).lower()


@dataclass(frozen=True, slots=True)
class AnyCase:
    """A pattern for text of any case.

    Attributes:
        exact: The pattern, without regard to case.
        small: The same with regard to case: several times as fast, and found in small letters wherever `exact` is.
    """

    exact: re.Pattern[str]
    small: re.Pattern[str]

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first match in a text."""
        return self.exact.search(text) if self.small.search(in_small_letters(text)) else None


def any_case(pattern: str) -> AnyCase:
    """Compile a pattern that is written in small letters, and that takes both apostrophes where it takes one."""
    return AnyCase(re.compile(pattern, re.IGNORECASE), re.compile(pattern))
