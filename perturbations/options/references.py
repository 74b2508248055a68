"""Where a text speaks of options by label or by place: "unlike option B", "(A)-(D)", "the last two options".

Labels are matched in the case in which they are shown, and in any case behind a word such as "option". A lone capital
in prose ("vitamin C", "points A and B") is no reference; it becomes one behind such a word, in brackets, or in a list
of every label there is. Where in doubt a text counts as a reference: then a variant is left out and counted, instead of
being asked with a wrong label.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from ..lexicon.folding import AnyCase

NOUN = r"(?:option|choice|alternative)"
KEYWORD = rf"(?:(?:{NOUN}|letter|label)s?)"
VERB = r"(?:answers?|choose|pick|select|reply|respond|say|mark)(?:\s+(?:with|only|just|by|either))*"
NO_ARTICLE = r"(?!(?<=[AaIi])\s+(?!(?:and|or|nor|to|through|if|when|is|was|are|for|only)\b)\w)"
"""After a label that is a word too: "choose: A train leaves" names no label, "choose A if" does."""
SEPARATOR = r"\s*(?:,\s*(?:and|or|nor)\b|,|/|&|\b(?:and|or|nor|to|through)\b|[-–—])\s*"
RUN = re.compile(r"\w+")
RANGE = re.compile(r"\s*(?:\b(?:to|through)\b|[-–—])\s*")
PLACE = AnyCase(
    r"\b(?:first|second|third|fourth|fifth|last|former|latter|penultimate)\s+(?:\w+\s+)?"
    r"(?:options?|alternatives?|choices|answer\s+choices?)\b"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where labels are named.

    Attributes:
        text: The words that name them.
        labels: The labels named, ranges spelled out.
    """

    text: str
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Patterns:
    """The regular expressions for one set of labels.

    Attributes:
        named: Labels behind a word such as "option", or in brackets.
        behind_noun: Labels behind "option", "choice" or "alternative".
        listed: Two labels or more in a row.
        line_start: A label that opens a line, as in a list of options.
        explained: A label that is given a meaning: "A if", "B = no".
        one: A bare label.
    """

    named: re.Pattern[str]
    behind_noun: re.Pattern[str]
    listed: re.Pattern[str]
    line_start: re.Pattern[str]
    explained: re.Pattern[str]
    one: re.Pattern[str]


@lru_cache(maxsize=256)
def patterns(labels: tuple[str, ...]) -> Patterns:
    """Compile what finds these labels."""
    bare = "(?:" + "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True)) + ")"
    one = rf"[(\[]?(?<!\w){bare}(?!\w)[)\]]?"
    rest = rf"(?:{SEPARATOR}{one})*"
    behind_noun = rf"\b(?i:{KEYWORD})\s[\"'“‘*`]*{one}{rest}"
    behind_word = rf"\b(?i:{KEYWORD}|{VERB})\b[\s:\"'“‘*`]*{one}{NO_ARTICLE}{rest}"
    in_brackets = rf"(?<!\w)[(\[]{bare}[)\]](?!\w){rest}"
    return Patterns(
        named=re.compile(rf"{behind_noun}|{behind_word}|{in_brackets}"),
        behind_noun=re.compile(rf"\b(?i:{NOUN}s?)\s[\"'“‘*`]*{one}{NO_ARTICLE}{rest}"),
        listed=re.compile(rf"(?<!\w){one}(?:{SEPARATOR}{one})+(?!\w)"),
        line_start=re.compile(rf"^[ \t]*[(\[]?({bare})[)\].:][ \t]", re.MULTILINE),
        explained=re.compile(rf"(?<!\w)({bare})[)\]\"'”’]*\s*(?:=|:|\b(?:means|stands for|if|when|for)\b)"),
        one=re.compile(rf"(?<!\w){bare}(?!\w)"),
    )


def label_references(text: str, labels: Sequence[str], *, task: bool = False) -> tuple[Reference, ...]:
    """Find where a text names option labels.

    Args:
        text: The text.
        labels: The bare labels in use, in order.
        task: Whether the text tells how to answer, where "A if true, B if false" is about labels.

    Returns:
        The references, in no particular order; the same words may be found twice.
    """
    if not may_name(text, labels):
        return ()
    found = patterns(tuple(labels))
    spans = [match[0] for match in found.named.finditer(text)]
    references = [Reference(span, expanded(span, labels)) for span in spans]
    references += whole_lists(found, text, labels)
    references += several(found.line_start, text)
    references += in_other_case(text, labels)
    return (*references, *(several(found.explained, text) if task else ()))


def may_name(text: str, labels: Sequence[str]) -> bool:
    """Whether a label stands in a text as a word of its own, in either case; without that nothing names one."""
    return not whole_words(text).isdisjoint(in_either_case(tuple(labels)))


@lru_cache(maxsize=256)
def in_either_case(labels: tuple[str, ...]) -> frozenset[str]:
    """Give labels as they are, and in the other case."""
    return frozenset((*labels, *(label.swapcase() for label in labels)))


@lru_cache(maxsize=256)
def whole_words(text: str) -> frozenset[str]:
    """Give the runs of letters and digits in a text, as they are; remembered, as a text is asked about many labels."""
    return frozenset(RUN.findall(text))


def in_other_case(text: str, labels: Sequence[str]) -> list[Reference]:
    """Find labels behind "option" that are written in the other case; "the letter a" is more often a letter."""
    other = tuple(label.swapcase() for label in labels)
    if other == tuple(labels):
        return []
    spans = [match[0] for match in patterns(other).behind_noun.finditer(text)]
    return [Reference(span, frozenset(label.swapcase() for label in expanded(span, other))) for span in spans]


def whole_lists(found: Patterns, text: str, labels: Sequence[str]) -> list[Reference]:
    """Find lists that name three labels or more and all there are, with or without a word before them."""
    lists = (Reference(match[0], expanded(match[0], labels)) for match in found.listed.finditer(text))
    return [reference for reference in lists if len(labels) > 2 and reference.labels == frozenset(labels)]


def several(pattern: re.Pattern[str], text: str) -> list[Reference]:
    """Find labels that are only told from other words by standing in the same place as another label."""
    matches = list(pattern.finditer(text))
    labels = frozenset(match[1] for match in matches)
    return [Reference(matches[0][0].strip(), labels)] if len(labels) > 1 else []


def expanded(span: str, labels: Sequence[str]) -> frozenset[str]:
    """Give the labels that a span names, with those that a range such as A-D leaves unsaid."""
    matches = list(patterns(tuple(labels)).one.finditer(span))
    named = {match[0] for match in matches}
    for before, after in pairwise(matches):
        if RANGE.fullmatch(span[before.end() : after.start()].strip(")]([")):
            first, last = labels.index(before[0]), labels.index(after[0])
            named.update(labels[first : last + 1])
    return frozenset(named)
