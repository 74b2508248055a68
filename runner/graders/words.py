"""Patterns for any of many phrases, in one step a character however many there are.

They read folded, lower-case text. In a list a word that ends in `*` stands for all words that begin so; phrases of
scripts written without spaces match anywhere.
"""

import re
from functools import cache

SPACED = "a-z0-9_\u00df-\u024f\u0370-\u052f\u1e00-\u1fff"
"""Characters of words in scripts that put spaces between words, as the inside of a character class."""
HIDDEN = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
"""Characters that are not seen, as the inside of a character class."""
_STARTS_SPACED, _WORD = re.compile(f"[{SPACED}]"), re.compile(f"[{SPACED}]*")
_END = ""

_Trie = dict[str, "_Trie"]


def listed(*lists: str) -> tuple[str, ...]:
    """The phrases of lists."""
    return tuple(stripped for text in lists for phrase in text.split("|") if (stripped := phrase.strip()))


def is_spaced(text: str) -> bool:
    """Whether a text in lower case begins with a character of a script that puts spaces between words."""
    return _STARTS_SPACED.match(text) is not None


def first_word(text: str) -> str:
    """The word of such a script that a text in lower case begins with; empty where it begins otherwise."""
    found = _WORD.match(text)
    return found.group() if found else ""


@cache
def any_of(*lists: str) -> str:
    """A pattern for any phrase of the lists, whose phrases are separated by `|`; the longest that fits is taken."""
    phrases = set(listed(*lists))
    spaced = {phrase for phrase in phrases if is_spaced(phrase)}
    bounded = f"(?<![{SPACED}]){_pattern(spaced)}(?![{SPACED}])" if spaced else ""
    loose = _pattern(phrases - spaced) if phrases - spaced else ""
    return f"(?:{'|'.join(filter(None, (bounded, loose)))})"


def _pattern(phrases: set[str]) -> str:
    """A pattern with common beginnings shared, so that it takes one step a character however many phrases there are."""
    root: _Trie = {}
    for phrase in phrases:
        node = root
        for character in phrase:
            node = node.setdefault(character, {})
        node[_END] = {}
    return _branches(root)


def _branches(node: _Trie) -> str:
    branches = [f"{_step(character)}{_branches(after)}" for character, after in sorted(node.items()) if character]
    optional = "?" if _END in node and branches else ""
    if len(branches) == 1 and not optional:
        return branches[0]
    return f"(?:{'|'.join(branches)}){optional}" if branches else ""


def _step(character: str) -> str:
    return {" ": r"\s+", "*": f"[{SPACED}]*"}.get(character, re.escape(character))
