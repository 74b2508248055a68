"""Stretches of text, found by position."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "code",
    "latex",
    "field",
    "url",
    "email",
    "quote",
    "table",
    "date",
    "number",
    "label",
    "formula",
    "id",
    "answer",
    "negation",
    "quantifier",
    "caps",
    "name",
    "variable",
    "user",
]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text and what it is.

    Attributes:
        start: Offset of its first code point.
        end: Offset behind its last code point.
        kind: Why it stands out.
    """

    start: int
    end: int
    kind: Kind


def merged(spans: Iterable[Span]) -> list[Span]:
    """Join overlapping spans, so that the result is disjoint and in order; the longest of each group names its kind."""
    joined: list[Span] = []
    longest = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        length = span.end - span.start
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
            longest = length
            continue
        last = joined[-1]
        kind = span.kind if length > longest else last.kind
        longest = max(longest, length)
        joined[-1] = Span(last.start, max(last.end, span.end), kind)
    return joined


class Mask:
    """Answers whether a stretch of text touches any of some disjoint spans in order."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = list(spans)
        self.starts = [span.start for span in self.spans]

    def touches(self, start: int, end: int) -> bool:
        """Say whether the stretch shares a character with a span."""
        before = bisect_right(self.starts, end - 1)
        return before > 0 and self.spans[before - 1].end > start

    def covers(self, start: int, end: int) -> bool:
        """Say whether the stretch lies within one span."""
        before = bisect_right(self.starts, start)
        return before > 0 and self.spans[before - 1].end >= end
