"""Forms of common English verbs."""

from collections.abc import Mapping
from functools import cache

from .words import data_lines

THIRD_PERSON: Mapping[str, str] = {"have": "has", "do": "does", "go": "goes"}
VOWELS = "aeiou"


@cache
def pasts() -> Mapping[str, str]:
    """Give the past of each listed verb by its base form."""
    listed = (entry.partition(":") for entry in " ".join(data_lines("verbs_en.txt")).split())
    return {base: past or regular_past(base) for base, _, past in listed}


@cache
def finite_forms() -> frozenset[str]:
    """Give the past and the third person of all listed verbs."""
    return frozenset(pasts().values()) | frozenset(map(third_person, pasts()))


def regular_past(base: str) -> str:
    """Write the regular past of a verb that does not double its last letter."""
    if base.endswith("e"):
        return f"{base}d"
    return f"{base[:-1]}ied" if ends_in_consonant_and_y(base) else f"{base}ed"


def third_person(base: str) -> str:
    """Write the form that stands with "she"."""
    if base in THIRD_PERSON:
        return THIRD_PERSON[base]
    if ends_in_consonant_and_y(base):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "x", "z", "ch", "sh")) else f"{base}s"


def ends_in_consonant_and_y(base: str) -> bool:
    """Say whether a y becomes an i before an ending."""
    return base.endswith("y") and base[-2:-1] not in VOWELS
