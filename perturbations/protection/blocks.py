"""Stretches found line by line: fenced code, raw code, console sessions, tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from .spans import Kind, Span

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
SESSION = re.compile(r"\s*(?:>>>\s?|In \[\d+\]:\s?|\$ [a-z])\S")
STATEMENT = re.compile(
    r"""\s*(?:
        (?:async\s)?def\s+\w+\s*\(            | class\s+\w+.*[:{]\s*$          | @\w+(?:\.\w+)*(?:\(.*\))?\s*$
      | from\s+[\w.]+\s+import\s              | import\s+[\w.]+(?:\s+as\s+\w+)?;?\s*$
      | \#include\s*[<"]                      | (?:using|package)\s+[\w.:]+;
      | (?:for|while|if|elif|with|switch)\b(?=.*[=<>()\[\].!]).*[:{]\s*$
      | (?:else|try|finally|do)\s*[:{]\s*$    | return\b.*[();\[\]=]
      | (?:public|private|protected|static|const|let|var|function|func|fn)\b.*[;{(]\s*$
      | (?:int|double|float|char|void|bool|auto)\b.*[;{(]\s*$
      | [\w.\[\]]+\s*[-+*/]?=\s*\S.*[()\[\]'";]\s*$
      | [\w.]+\(.*\)\s*;?\s*$                 | .*(?:[)\]"'];|\{)\s*$           | [}\])]+[;,]?\s*$
      | (?:SELECT|INSERT|UPDATE|DELETE|CREATE)\s.*\b(?:FROM|INTO|SET|TABLE|WHERE)\b
    )""",
    re.VERBOSE,
)
TRIPLE = re.compile("\"\"\"|'''")
DELIMITERS = "|\t,;"
LONGEST_CELL = 40
LONGEST_CODE_LINE = 400


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text without its line end."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Offset behind the line's last character."""
        return self.start + len(self.text)


def lines_of(text: str) -> list[Line]:
    """Split a text at line feeds; a carriage return stays with its line."""
    lines: list[Line] = []
    start = 0
    for line in text.split("\n"):
        lines.append(Line(start, line))
        start += len(line) + 1
    return lines


def block_spans(text: str) -> Iterator[Span]:
    """Find fenced code, raw code and tables."""
    if not is_prose_line(text):
        yield from spans_of_lines(lines_of(text))


def is_prose_line(text: str) -> bool:
    """Say whether a text is a single line that begins no code: most are, and a row alone is no table."""
    return "\n" not in text and not (
        FENCE.match(text) or any(is_like(each, Line(0, text)) for each in (SESSION, STATEMENT))
    )


def spans_of_lines(lines: list[Line]) -> Iterator[Span]:
    """Find them in a text of any number of lines."""
    fenced = fenced_flags(lines)
    coded = code_flags(lines)
    flags = [inside or code for inside, code in zip(fenced, coded, strict=True)]
    yield from runs(lines, flags, "code")
    yield from runs(lines, table_flags(lines), "table")


def runs(lines: list[Line], flags: list[bool], kind: Kind) -> Iterator[Span]:
    """Give one span for each run of flagged lines."""
    for flagged, group in groupby(zip(lines, flags, strict=True), key=lambda pair: pair[1]):
        if flagged:
            members = [line for line, _ in group]
            yield Span(members[0].start, members[-1].end, kind)


def fenced_flags(lines: list[Line]) -> list[bool]:
    """Flag lines of fenced code, the fences included; a fence that is never closed runs to the end."""
    flags: list[bool] = []
    fence = ""
    for line in lines:
        match = FENCE.match(line.text)
        flags.append(bool(fence or match))
        if not match:
            continue
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not line.text[match.end() :].strip():
            fence = ""
    return flags


def code_flags(lines: list[Line]) -> list[bool]:
    """Flag lines of raw code: statements, what is indented under them, their triple quotes, console sessions."""
    flags: list[bool] = []
    quoted = inside = session = False
    for line in lines:
        blank = not line.text.strip()
        session = is_like(SESSION, line) or (session and not blank)
        inside = quoted or session or is_like(STATEMENT, line) or (inside and (blank or line.text[0].isspace()))
        if inside and len(TRIPLE.findall(line.text)) % 2:
            quoted, session = not quoted, False
        flags.append(inside and not (blank and not quoted))
    return flags


def is_like(pattern: re.Pattern[str], line: Line) -> bool:
    """Say whether a line begins as the pattern does; lines longer than code is written are prose."""
    return len(line.text) <= LONGEST_CODE_LINE and pattern.match(line.text) is not None


def table_flags(lines: list[Line]) -> list[bool]:
    """Flag rows of tables: neighbouring lines with equally many cells, all of them short."""
    shapes = [table_shape(line.text) for line in lines]
    around = [None, *shapes, None]
    return [
        shape is not None and shape in (before, after)
        for shape, before, after in zip(shapes, around, around[2:], strict=False)
    ]


def table_shape(line: str) -> tuple[str, int] | None:
    """Give a row's delimiter and their number, or None where the line is no row of three short cells or more."""
    delimiter = max(DELIMITERS, key=line.count)
    cells = line.split(delimiter)
    if len(cells) < 3 or any(len(cell.strip()) > LONGEST_CELL for cell in cells):
        return None
    return delimiter, len(cells)
