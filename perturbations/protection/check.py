"""The independent check: proves that a variant kept all protected text, whatever its generator says it did.

What is protected is found anew in the original, and the variant is walked from its beginning; edits are not looked at.
The check is for generators that leave words in their places. Where whole passages or examples were moved, `proof` puts
them back first; where words move, as in a paraphrase, the validators of `validators` take its place.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from ..question import Question, Subject
from ..rendering.closing import closing_line
from .parts import text_parts
from .protect import answers_of, meaning_spans, protected_spans
from .spans import Kind

STRUCTURE = ("options", "examples", "history", "answer_form", "template")
MEANING: frozenset[Kind] = frozenset(
    {"code", "latex", "field", "url", "email", "quote", "date", "number", "label", "answer", "negation", "quantifier"}
)
"""Kinds of protected text that a variant may not add either."""
LONGEST_SHOWN = 40


def altered_protected(subject: Subject, original: Question, variant: Question) -> str | None:
    """Check that protected text is byte-equal and in order in every text part, and that structure is untouched.

    Args:
        subject: Gives options, gold answers, layout and the user's patterns.
        original: The question that the generator was given.
        variant: The question that it made.

    Returns:
        Why the variant is to be rejected, as a clause; None where all is well.
    """
    reasons = (*structure_reasons(original, variant), *part_reasons(subject, original, variant))
    return next((reason for reason in reasons if reason), None)


def structure_reasons(original: Question, variant: Question) -> Iterator[str]:
    """Say what was changed that no edit of words may reach."""
    for name in STRUCTURE:
        if getattr(original, name) != getattr(variant, name):
            yield f"the {name.replace('_', ' ')} changed"
    if len(original.context) != len(variant.context):
        yield "a context passage was added or taken away"


def part_reasons(subject: Subject, original: Question, variant: Question) -> Iterator[str]:
    """Say for each text that a model is shown what protected text it lost or gained."""
    after = shown_texts(variant, subject)
    for path, before in shown_texts(original, subject).items():
        if before != after.get(path, before):
            reason = lost(before, after[path], subject) or gained(before, after[path], subject)
            if reason:
                yield f"{reason} in {path}"


def shown_texts(question: Question, subject: Subject) -> dict[str, str]:
    """Give the text parts and the closing line by their paths."""
    return text_parts(question) | {"answer_instruction": closing_line(question, subject.layout)}


def lost(before: str, after: str, subject: Subject) -> str:
    """Say which protected text of the original doesn't follow in the variant; empty where all do, in order."""
    position = 0
    for span in protected_spans(before, subject):
        piece = before[span.start : span.end]
        start = next_whole(after, piece, position, bounded=is_whole(before, span.start, span.end))
        if start < 0:
            return f"protected text ({span.kind}) changed or moved: {shown(piece)}"
        position = start + len(piece)
    return ""


def next_whole(text: str, piece: str, position: int, *, bounded: bool) -> int:
    """Find a piece from a position on, where asked not as a part of a longer word; -1 where it is not there."""
    start = text.find(piece, position)
    while bounded and start >= 0 and not is_whole(text, start, start + len(piece)):
        start = text.find(piece, start + 1)
    return start


def is_whole(text: str, start: int, end: int) -> bool:
    """Say whether no word goes on over either end of a stretch."""
    return not (joins(text, start) or joins(text, end))


def joins(text: str, offset: int) -> bool:
    """Say whether the characters before and behind an offset belong to one word."""
    return 0 < offset < len(text) and text[offset - 1].isalnum() and text[offset].isalnum()


def gained(before: str, after: str, subject: Subject) -> str:
    """Say which text of a meaning kind the variant has and the original has not; empty where there is none."""
    added = meaning_texts(after, subject) - meaning_texts(before, subject)
    return next((f"new {kind}: {shown(piece)}" for kind, piece in sorted(added)), "")


def meaning_texts(text: str, subject: Subject) -> Counter[tuple[Kind, str]]:
    """Count what stands in a text of each meaning kind."""
    return counted_meaning(text, answers_of(subject), subject.protect)


@lru_cache(maxsize=32)
def counted_meaning(text: str, answers: tuple[str, ...], patterns: tuple[str, ...]) -> Counter[tuple[Kind, str]]:
    """Count it; remembered, as each variant of an item is held against the same original."""
    spans = meaning_spans(text, answers, patterns)
    return Counter((span.kind, text[span.start : span.end]) for span in spans if span.kind in MEANING)


def shown(piece: str) -> str:
    """Write a piece of text for a reason, in one line and not too long."""
    return repr(piece if len(piece) <= LONGEST_SHOWN else piece[: LONGEST_SHOWN - 1] + "…")
