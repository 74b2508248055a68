"""Texts in small letters, in which a plain search finds what a search without regard to case would find."""

ALIKE = str.maketrans({"İ": "i", "ı": "i", "ſ": "s", "’": "'"})
"""Letters that a pattern takes for i or s without regard to case, and that `str.lower` does not make so; and the other
apostrophe, which all patterns treat alike."""


def in_small_letters(text: str) -> str:
    """Write a text in small letters, so that whatever `re.IGNORECASE` finds of a text in ASCII stands there."""
    return (text if text.isascii() else text.translate(ALIKE)).lower()
