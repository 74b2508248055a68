"""Sentences where they stand in a text, with their end marks, in any language that marks their ends.

Found are sentences that a line break, a mark with white space behind it, or a mark of Chinese or Japanese ends; an
abbreviation ends none. Where a mark could be either, the sentence goes on.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

ENDS = ".!?…؟۔।"
FULL_WIDTH = "。！？"
CLOSING = "\"'”’»)\\]"
END = re.compile(rf"(?P<marks>[{ENDS}]++[{CLOSING}]*+(?=\s|$)|[{FULL_WIDTH}]++[{CLOSING}」』]*+)|\n")
ABBREVIATION = re.compile(
    r"(?<!\w)(?:[^\W\d_]|Mr|Mrs|Ms|Dr|Drs|Prof|St|Sr|Jr|Mt|Fr|Gen|Gov|Sen|Rep|Lt|Col|Sgt|Capt|Rev|Hon|Fig|Eq|No|Nos|Vol"
    r"|vs|etc|approx|ca|cf|al|Inc|Ltd|Co|Corp|dept|min|max|[a-z]\.[a-z]|[A-Z]\.[A-Z]|U\.S\.A)\.$"
)
LONGEST_ABBREVIATION = 8


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text.

    Attributes:
        start: Offset of its first character that is no white space.
        end: Offset behind its last one, end marks and closing quotes included.
        mark: Offset of its end marks; the same as `end` where it has none.
        marks: The end marks, without closing quotes.
    """

    start: int
    end: int
    mark: int
    marks: str


def sentences_of(text: str) -> Iterator[Sentence]:
    """Give the sentences of a text in order; a line break ends one, with or without a mark."""
    start = 0
    for match in END.finditer(text):
        if match["marks"] and abbreviates(text, match.start()):
            continue
        yield from sentence(text, start, match.start(), match["marks"] or "")
        start = match.end()
    yield from sentence(text, start, len(text), "")


def abbreviates(text: str, mark: int) -> bool:
    """Say whether the mark at an offset is the single full stop of an abbreviation or an initial."""
    single = text[mark] == "." and not text.startswith(".", mark + 1)
    return single and ABBREVIATION.search(text[max(0, mark - LONGEST_ABBREVIATION) : mark + 1]) is not None


def sentence(text: str, start: int, mark: int, marks: str) -> Iterator[Sentence]:
    """Give the sentence between two offsets and its marks; nothing where there is only white space."""
    body = text[start:mark]
    if body.strip():
        begin = start + len(body) - len(body.lstrip())
        end = mark + len(marks) if marks else begin + len(body.strip())
        yield Sentence(begin, end, mark if marks else end, marks.rstrip("\"'”’»)]」』"))
