"""White space as hurried typists and careless pipelines leave it: between words, and at the ends of lines."""

import re
from collections.abc import Iterator

from .noise_ground import Ground, Offers, Place, offer

GAP = re.compile(r"(?<=\S)(?<![Hh]ow) (?=\S)")
"""A single space; that of "how many" stays, since "many" alone would say that there are many."""
LINE_END = re.compile(r"(?<=\S)(?=\r?\n|\Z)")
BREAK = re.compile(r"\r?\n")
WIDER = ("  ", "  ", "  ", "   ", "\t")
TRAILING = (" ", "  ")


def spacing(ground: Ground) -> Offers:
    """Widen single spaces between words, and leave spaces at the ends of lines; not in code or tables."""
    return offer(place for part, text in ground.parts.items() for place in spaces_of(ground, part, text))


def spaces_of(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Find where a text can hold more spaces than it does."""
    for match in GAP.finditer(text):
        if ground.is_apart(part, *match.span()):
            yield Place(part, match.start(), " ", WIDER, "spacing")
    for match in LINE_END.finditer(text):
        if ground.is_apart(part, *match.span()):
            yield Place(part, match.start(), "", TRAILING, "spacing")


def line_ends(ground: Ground) -> Offers:
    """End all lines in the other way (LF, CRLF), put blank lines between them, or line breaks at the end of a text."""
    changed = (place for part, text in ground.parts.items() for place in other_ends(ground, part, text))
    blank = (place for part, text in ground.parts.items() for place in blank_lines(ground, part, text))
    trailing = (
        Place(part, len(text), "", ("\n", "\n\n", "\r\n"), "line end")
        for part, text in ground.parts.items()
        if ground.is_apart(part, len(text.rstrip()), len(text))
    )
    return (*offer(changed, rated=False), *offer(blank), *offer(trailing, rated=False))


def other_ends(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Give each line of a text the other end: LF where all have CRLF, CRLF otherwise."""
    breaks = [match for match in BREAK.finditer(text) if ground.is_apart(part, *match.span())]
    after = "\r\n" if any(match[0] == "\n" for match in breaks) else "\n"
    return (Place(part, match.start(), match[0], (after,), "line end") for match in breaks if match[0] != after)


def blank_lines(ground: Ground, part: str, text: str) -> Iterator[Place]:
    """Put a blank line, or two, behind the lines of a text."""
    for match in BREAK.finditer(text):
        if ground.is_apart(part, *match.span()):
            yield Place(part, match.end(), "", (match[0], match[0] * 2), "blank line")
