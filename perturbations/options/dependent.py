"""Options whose meaning hangs on the order of the others, such as "All of the above"."""

from collections.abc import Sequence

from ..lexicon.folding import AnyCase

ALL_ABOVE = AnyCase(
    r"\bof\s+(?:the\s+)?(?:\w+\s+)?(?:above|preceding|foregoing|aforementioned|previous)\b"
    r"|\b(?:all|none|both|neither|either|any)\s+(?:the\s+)?above\s*\.?$"
    r"|\b(?:todas?|todos|ningun[ao]s?|ambas|ambos|cualquiera)\s+(?:de\s+)?(?:l[ao]s\s+)?anteriores\b"
    r"|\b(?:todas|nenhuma|ambas)\s+(?:as\s+|das\s+)?(?:\w+\s+)?(?:acima|anteriores)\b"
    r"|\b(?:toutes|tous|aucune?|les deux)\b.{0,60}?(?:\bci-dessus|\bprécédente?s?\b)"
    r"|\b(?:alle|keine?[rs]?|beide)\b.{0,60}?\b(?:obigen|oben|vorgenannten|genannten)\b"
    r"|\b(?:tutte|tutti|nessun[ao]|entrambe|entrambi)\b.{0,60}?\b(?:precedenti|sopra)\b"
    r"|以上|上述|上記"
)
"""Speaks of all options before it, in the languages that public multiple-choice sets mostly come in."""
ALL_THESE = AnyCase(
    r"\b(?:all|none|both|neither|either|any)\s+of\s+"
    r"(?:these|those|them|the\s+(?:others?|(?:other\s+)?(?:options?|choices?|answers?|alternatives?)))\b"
)
"""Speaks of all options, before it or not: kept last where it is last, and free elsewhere."""
BY_PLACE = AnyCase(
    r"(?<!of )(?<!of the )(?<!all )\b(?:the|as|options?|choices?|answers?)\s+above\b(?!\s*[-\d])"
    r"|^\W*see\s+above\b"
    r"|\b(?:options?|choices?|answers?|statements?)\s+(?:below|following)\b"
    r"|(?<!of )(?<!of the )\b(?:previous|preceding|next)\s+(?:options?|choices?|answers?)\b"
    r"|\b(?:first|second|third|fourth|last)\s+(?:\w+\s+)?(?:options?|choices?|answers?)\b"
    r"|\b(?:first|second|third|last|former|latter)\b.{0,60}?\babove\b"
    r"|\b(?:all|none|both|neither|either|any|one|some)\s+(?:of\s+)?the\s+(?:following|below)\b"
    r"|\bthe\s+following\s*[.:]?$"
)
"""Speaks of other options by where they stand."""


def first_pinned(options: Sequence[str]) -> int:
    """Give the position from which all options are kept in place, since they speak of those before them."""
    position = len(options)
    while position and speaks_of_all(options[position - 1]):
        position -= 1
    return position


def speaks_of_all(option: str) -> bool:
    """Whether an option speaks of all the others, such as "None of the above"."""
    return bool(ALL_ABOVE.search(option) or ALL_THESE.search(option)) and not BY_PLACE.search(option)


def place_bound(options: Sequence[str]) -> str:
    """Say which option could not move, nor stay while others move; empty where all can."""
    for option in options[: first_pinned(options)]:
        if BY_PLACE.search(option):
            return f"an option speaks of others by their place: {option!r}"
        if ALL_ABOVE.search(option):
            return f"an option that is not last speaks of those above it: {option!r}"
    return ""
