"""Searches without regard to case that are quick where nothing is found, which is nearly everywhere."""

import re
from functools import cached_property, lru_cache

ALIKE = str.maketrans({"İ": "i", "ı": "i", "ſ": "s", "’": "'"})
"""Letters that a pattern takes for i or s without regard to case, and that `str.lower` does not make so; and the other
apostrophe, which all patterns treat alike."""


@lru_cache(maxsize=256)
def in_small_letters(text: str) -> str:
    """Write a text in small letters, so that whatever `re.IGNORECASE` finds of a text in ASCII is there; remembered."""
    return (text if text.isascii() else text.translate(ALIKE)).lower()


class AnyCase:
    """A pattern for text of any case, compiled when it is first needed.

    Args:
        pattern: Written in small letters; it takes both apostrophes where it takes one.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def exact(self) -> re.Pattern[str]:
        """The pattern, without regard to case."""
        return re.compile(self._pattern, re.IGNORECASE)

    @cached_property
    def small(self) -> re.Pattern[str]:
        """The same with regard to case: several times as fast, and found in small letters wherever `exact` is."""
        return re.compile(self._pattern)

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first match in a text."""
        return self.exact.search(text) if self.small.search(in_small_letters(text)) else None
