"""What the kinds of noise have in common: the text they may reach, and the places in it that they offer to change."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..lexicon.graphemes import may_cut
from ..protection.blocks import block_spans
from ..protection.protect import protected_spans
from ..protection.spans import Mask, Span, merged
from ..question import Subject
from .shown import shown_parts
from .style_wording import is_free


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text part that can be changed.

    Attributes:
        part: Path of the part.
        start: Offset in it.
        before: What stands there; empty where something is put in.
        after: What may stand there instead; one of them is drawn, as often as it is named.
        kind: The word for it in the record of edits.
        word: Whether a word is edited, rather than what stands between words.
    """

    part: str
    start: int
    before: str
    after: tuple[str, ...]
    kind: str
    word: bool = False

    @property
    def end(self) -> int:
        """Offset behind what stands there."""
        return self.start + len(self.before)


@dataclass(frozen=True, slots=True)
class Offer:
    """Places that are changed together.

    Attributes:
        places: The places, one at least.
        rated: Whether the rate says how many of them are changed; otherwise all are.
    """

    places: tuple[Place, ...]
    rated: bool = True


Offers = tuple[Offer, ...]
"""What a kind can do with an item; one of them is drawn. Empty where it can do nothing."""


@dataclass(frozen=True)
class Ground:
    """The text of an item that noise may reach.

    Attributes:
        subject: The item.
        names: The parts that the user lets be changed.
    """

    subject: Subject
    names: tuple[str, ...]

    @cached_property
    def parts(self) -> dict[str, str]:
        """Those parts that reach the model, by path."""
        return shown_parts(self.subject.question, self.names)

    @cached_property
    def masks(self) -> dict[str, Mask]:
        """Protected text of each part."""
        return {path: Mask(protected_spans(text, self.subject)) for path, text in self.parts.items()}

    @cached_property
    def blocks(self) -> dict[str, Mask]:
        """Code and tables of each part; the blank lines between two of them belong to both."""
        return {path: Mask(joined_blocks(text)) for path, text in self.parts.items()}

    def is_free(self, part: str, start: int, end: int) -> bool:
        """Say whether a stretch, or a place between two characters, may change: unprotected, of whole characters."""
        text = self.parts[part]
        return may_cut(text, start) and may_cut(text, end) and is_free(self.masks[part], start, end)

    def is_apart(self, part: str, start: int, end: int) -> bool:
        """Say whether a stretch is free, and no code or table begins or ends there either."""
        return self.is_free(part, start, end) and not self.blocks[part].touches(max(0, start - 1), end + 1)


def joined_blocks(text: str) -> list[Span]:
    """Find code and tables, and join those that only white space parts."""
    joined: list[Span] = []
    for span in merged(block_spans(text)):
        if joined and not text[joined[-1].end : span.start].strip():
            joined[-1] = Span(joined[-1].start, span.end, joined[-1].kind)
        else:
            joined.append(span)
    return joined


def offer(places: Iterator[Place], *, rated: bool = True) -> Offers:
    """Offer some places together; nothing where there are none."""
    found = tuple(places)
    return (Offer(found, rated),) if found else ()
