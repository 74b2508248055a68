"""Punctuation out of place, and the same marks in another form: quotation marks, apostrophes and dashes.

What stands in quotation marks is protected; the marks are not its content. They may change their form where the text is
the same again once all such marks are written in one way, which `plain_marks` does.
"""

import re
from collections.abc import Iterator
from itertools import chain

from ..lexicon.sentences import Sentence, sentences_of
from ..protection.protect import all_spans
from ..protection.spans import Kind, Mask, merged
from .frames import asks
from .noise_ground import Ground, Offers, Place, offer
from .style_wording import is_free

FORM = "mark form"
"""The kind of an edit that changes the form of a mark, and no more."""
STOPS = ".?!。？！؟۔।"
PROGRAMMED = re.compile(r"(?:\w[(\[{,]|[=+<>&|\\{\[])[ ]?$")
"""What stands before a string of a program, whose marks are part of its syntax: `print("`, `x = "`."""
LOOK_BACK = 3
NEXT = re.compile(r"[ \t]*+(.|\n)")
COMMA = re.compile(r"(?<=[^\W\d_]),(?=\s)")
CURLY = {'"': "“”", "'": "‘’"}
STRAIGHT = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"}
INSIDE_WORDS = re.compile(r"(?<=\w)'(?=\w)")
APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])|(?<=[^\W\d_]s)['’](?=\s)")
HYPHEN = re.compile(r"(?<=[^\W\d_]{2} )-{1,2}(?= [^\W\d_]{2})|(?<=[^\W\d_]{2})--(?=[^\W\d_]{2})")
DASH = re.compile(r"(?<=[^\W\d_]{2} )[–—](?= [^\W\d_]{2})|(?<=[^\W\d_]{2})—(?=[^\W\d_]{2})")
PART_OF_WORDS: frozenset[Kind] = frozenset({"negation", "variable"})
"""Protected kinds that hold an apostrophe, or stand beside one: "don't", "Janet's"."""
ONE_FORM = str.maketrans({**STRAIGHT, "–": "-", "—": "-"})


def plain_marks(text: str) -> str:
    """Write all quotation marks, apostrophes and dashes of a text in one form."""
    return text.translate(ONE_FORM).replace("--", "-")


def punctuation(ground: Ground) -> Offers:
    """Double, space out or drop the marks that end sentences; double or space out commas."""
    return offer(place for part, text in ground.parts.items() for place in misplaced(ground, part, text))


def misplaced(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Find the marks of a text that can be mistyped without joining what they part."""
    for sentence in sentences_of(text):
        if (
            len(sentence.marks) == 1
            and sentence.marks in STOPS
            and ground.is_free(part, sentence.mark, sentence.mark + 1)
        ):
            after = tuple(stops(text, sentence))
            yield Place(part, sentence.mark, sentence.marks, after, "punctuation")
    for match in COMMA.finditer(text):
        if ground.is_free(part, *match.span()):
            yield Place(part, match.start(), ",", (",,", " ,"), "punctuation")
    alone = len([*sentences_of(text)]) == 1
    if alone and asks(text) and text[-1].isalnum() and ground.is_free(part, len(text), len(text)):
        yield Place(part, len(text), "", ("?", " ?"), "punctuation")


def stops(text: str, sentence: Sentence) -> Iterator[str]:
    """Give what may stand for an end mark: a full stop behind a figure is not doubled, which would begin a range."""
    mark, before = sentence.marks, text[sentence.mark - 1 : sentence.mark]
    match = NEXT.match(text, sentence.end)
    follows = match[1] if match else ""
    if not (mark == "." and before.isdigit()):
        yield mark * 2
    if mark in ".?!" and before.isalnum():
        yield f" {mark}"
    if follows in {"", "\n", "\r"} or (follows.isupper() and before.isalpha()):
        yield ""


def quotes(ground: Ground) -> Offers:
    """Write all marks as a word processor does, or all as a keyboard does."""
    curly = (curled(ground, part, text) for part, text in ground.parts.items())
    straight = (straightened(ground, part, text) for part, text in ground.parts.items())
    return (*offer(chain.from_iterable(curly), rated=False), *offer(chain.from_iterable(straight), rated=False))


def curled(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Write straight quotation marks and apostrophes curly, and hyphens that stand for dashes as dashes."""
    for start, end in quotations(ground, text):
        if text[start] == text[end] and text[start] in CURLY and lone(text[start], text[start + 1 : end]):
            yield Place(part, start, text[start], (CURLY[text[start]][0],), FORM)
            yield Place(part, end, text[end], (CURLY[text[end]][1],), FORM)
    for offset in apostrophes(ground, text, "'"):
        yield Place(part, offset, "'", ("’",), FORM)
    for match in HYPHEN.finditer(text):
        if ground.is_free(part, *match.span()):
            spaced = text[match.start() - 1] == " "
            yield Place(part, match.start(), match[0], ("–", "—") if spaced else ("—",), FORM)


def straightened(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Write curly quotation marks and apostrophes straight, and dashes as hyphens."""
    for start, end in quotations(ground, text):
        mark = STRAIGHT.get(text[start])
        if mark and STRAIGHT.get(text[end]) == mark and lone(mark, text[start + 1 : end]):
            yield Place(part, start, text[start], (mark,), FORM)
            yield Place(part, end, text[end], (mark,), FORM)
    for offset in apostrophes(ground, text, "’"):
        yield Place(part, offset, "’", ("'",), FORM)
    for match in DASH.finditer(text):
        if ground.is_free(part, *match.span()):
            spaced = text[match.start() - 1] == " "
            yield Place(part, match.start(), match[0], ("-", "--") if spaced else ("--",), FORM)


def lone(mark: str, quoted: str) -> bool:
    """Say whether straight quotation marks around a text could not be mistaken for some that it holds."""
    return mark not in INSIDE_WORDS.sub("", quoted)


def quotations(ground: Ground, text: str) -> Iterator[tuple[int, int]]:
    """Give the offsets of the two marks of each quotation that stands by itself, in no other protected text."""
    spans = [span for span in all_spans(text, ground.subject) if span.kind not in PART_OF_WORDS]
    others = Mask(merged(span for span in spans if span.kind != "quote"))
    quoted = {(span.start, span.end) for span in spans if span.kind == "quote"}
    for span in merged(span for span in spans if span.kind == "quote"):
        start, end = span.start, span.end - 1
        marked = others.touches(start, start + 1) or others.touches(end, end + 1)
        if (start, end + 1) in quoted and not marked and not PROGRAMMED.search(text[max(0, start - LOOK_BACK) : start]):
            yield start, end


def apostrophes(ground: Ground, text: str, form: str) -> Iterator[int]:
    """Give the offsets of the apostrophes of a form that stand in no protected text but "don't" and the like."""
    mask = Mask(merged(span for span in all_spans(text, ground.subject) if span.kind not in PART_OF_WORDS))
    for match in APOSTROPHE.finditer(text):
        if match[0] == form and is_free(mask, *match.span()):
            yield match.start()
