"""Where a text may be cut without parting what is read as one character.

A grapheme cluster by UAX #29 is never parted. Where the standard library does not know a character's class, the text
counts as not to be cut there: next to a mark, a joiner, another invisible character or half a surrogate pair.
"""

import re
import unicodedata

JOINING = frozenset({"Cf", "Cs"})
MARKING = frozenset({"Mn", "Mc", "Me"}) | JOINING
VIRAMA = 9
FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb][\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uac00-\ud7a3]")
LEADING_JAMO = re.compile("[\u1100-\u115f\ua960-\ua97c]")
PREPENDED = re.compile(
    "[\u0d4e\U000111c2\U000111c3\U000113d1\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02]"
)
FOLLOWING = re.compile("[\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff]")
"""Letters and signs that belong to the character before them, though they are no marks by their category."""


def may_cut(text: str, offset: int) -> bool:
    """Say whether a text may be cut before the character at an offset; its beginning and its end always may."""
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before.isascii() and after.isascii():
        return before + after != "\r\n"
    return not (joins_next(before) or joins_last(after) or is_pair(before + after))


def joins_next(character: str) -> bool:
    """Say whether what follows this character may belong to it."""
    joining = unicodedata.category(character) in JOINING or unicodedata.combining(character) == VIRAMA
    return joining or PREPENDED.match(character) is not None


def joins_last(character: str) -> bool:
    """Say whether this character may belong to the one before it."""
    return unicodedata.category(character) in MARKING or FOLLOWING.match(character) is not None


def is_pair(both: str) -> bool:
    """Say whether two characters make a flag, or a syllable written in jamo."""
    if FLAG.match(both):
        return True
    syllables = "\uac00" <= both[1] <= "\ud7a3"
    return HANGUL.match(both) is not None and (not syllables or LEADING_JAMO.match(both) is not None)
