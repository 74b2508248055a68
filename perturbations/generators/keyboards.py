"""Which letters are neighbours on a keyboard, and so are struck by mistake for one another."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

Keyboard = Literal["qwerty", "azerty", "qwertz"]

# Rows of letter keys from top to bottom; each row lies about half a key further right than the one above it.
ROWS: Mapping[Keyboard, tuple[str, ...]] = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "qwertz": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
}


@cache
def neighbours(keyboard: Keyboard) -> Mapping[str, str]:
    """Give the letters beside each lower-case letter: left, right, and the two keys that touch it above and below."""
    rows = ROWS[keyboard]
    keys = {letter: (row, column) for row, letters in enumerate(rows) for column, letter in enumerate(letters)}
    return {letter: "".join(other for other in keys if touch(keys[letter], keys[other])) for letter in keys}


def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Say whether two keys, as (row, column), share an edge."""
    (upper, left), (lower, right) = sorted((one, other))
    if upper == lower:
        return abs(left - right) == 1
    return lower - upper == 1 and left - right in {0, 1}
