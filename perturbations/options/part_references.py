"""Where a text speaks of one example or one passage by its place or number: "the passage above", "document [1]".

A text that speaks of all of them ("the examples above") holds in any order. Where in doubt a text counts as speaking of
one: then a variant is left out and counted, instead of being asked with a wrong reference.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from ..question import Question
from .references import NO_ARTICLE
from .speaking import texts

Part = Literal["examples", "context"]

NUMBER = (
    r"\s*(?:(?i:numbers?|no\.|nr\.)\s*|#)?[\[(]?(?:\d{1,3}|[IVX]+|[A-Z]|(?i:one|two|three|four|five|six))[\])]?(?!\w)"
    rf"{NO_ARTICLE}"
)
ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|last|final|former|latter"
    r"|penultimate)"
)
NEAR = r"(?:above|preceding|previous|prior|earlier|following|next)"
BEYOND = r"(?:above|below)"
BRACKETED = re.compile(r"(?<![\w\])])\[\d{1,3}\]")
"""A number in brackets around the passages, as citations are asked for."""
OWN_NUMBER = re.compile(r"\s*(?:\w+\s+)?(?:[\[(#]\s?)?(\d{1,3})[\]).:](?!\d)")
"""A number of its own with which a passage begins."""
GOES_ON = re.compile(r"\s*[a-zß-öø-ÿ]")
ENDED = re.compile(r"[.!?:;…。！？\"'”’)\]]\s*\Z")


@dataclass(frozen=True, slots=True)
class Nouns:
    """What parts of one kind are called.

    Attributes:
        one: Words for a single one.
        any: Words for one or several.
    """

    one: str
    any: str


NOUNS: dict[Part, Nouns] = {
    "examples": Nouns(
        r"(?:example|demonstration|exemplar|illustration)", r"(?:examples?|demonstrations?|exemplars?|illustrations?)"
    ),
    "context": Nouns(
        r"(?:passage|document|doc|text|paragraph|source|excerpt|extract|snippet|chunk|article|abstract|search\s+result)",
        r"(?:passages?|documents?|docs?|texts?|paragraphs?|sources?|contexts?|excerpts?|extracts?|snippets?|chunks?"
        r"|articles?|abstracts?|search\s+results?)",
    ),
}
ASKED = r"(?:questions?|problems?|answers?|solutions?)"
"""What an example consists of, by which texts speak of examples too."""
WORDS: dict[Part, str] = {"examples": "an example", "context": "a passage"}


def part_order_bound(question: Question, part: Part) -> str:
    """Say which words fix the order of the examples or the passages; empty where none do."""
    for name, text, inside in around(question, part):
        for pattern in spoken_patterns(part, inside=inside):
            if match := pattern.search(text):
                return f"{name} speaks of {WORDS[part]} by its place or number: {match[0]!r}"
    return running_text(question.context) if part == "context" else ""


def around(question: Question, part: Part) -> Iterator[tuple[str, str, bool]]:
    """Give all texts by name, and whether each is itself one of the parts."""
    for name, text, _ in texts(question):
        yield name, text, part == "context" and name == "a passage"
    for example in question.examples:
        for text in (example.text, *example.options, str(example.answer)):
            yield "an example", text, part == "examples"


@lru_cache(maxsize=4)
def spoken_patterns(part: Part, *, inside: bool) -> tuple[re.Pattern[str], ...]:
    """Compile the ways in which a text may speak of one part; inside a part, several before it are a place too."""
    nouns = NOUNS[part]
    near = nouns.any if inside else nouns.one
    ways = [
        rf"(?<!for )\b(?i:{nouns.any}){NUMBER}",
        rf"\b(?i:{ORDINAL}\s+(?:\w+\s+)?{nouns.any})\b",
        rf"\b(?i:{NEAR}\s+{near}|{near}\s+{BEYOND})\b",
    ]
    if part == "examples":
        ways.append(
            rf"\b(?i:(?:{ORDINAL}|previous|preceding|prior|earlier|above)\s+(?:\w+\s+)?{ASKED}|{ASKED}\s+above)\b"
        )
    patterns = (re.compile("|".join(ways)),)
    return patterns if part == "examples" or inside else (*patterns, BRACKETED)


def running_text(passages: tuple[str, ...]) -> str:
    """Say that passages carry numbers of their own, or go on from one to the next; empty where they don't."""
    numbers = [match[1] for passage in passages if (match := OWN_NUMBER.match(passage))]
    if len(set(numbers)) > 1:
        return f"passages begin with numbers of their own: {' and '.join(numbers[:2])}"
    for before, after in pairwise(passages):
        capitals = before != before.lower()  # in a text without any, a small letter begins sentences too
        if capitals and not ENDED.search(before) and GOES_ON.match(after):
            return f"a passage goes on where the one before it ends: {after.strip()[:30]!r}"
    return ""
