r"""LaTeX: mathematics between dollars, `\(…\)`, `\[…\]`, environments, commands; and dollars that are money."""

import re
from collections.abc import Iterator

from .spans import Span

DELIMITED = (
    re.compile(r"\$\$[^$]++\$\$"),
    re.compile(r"\\\((?:[^\\]|\\(?![()]))*+\\\)"),
    re.compile(r"\\\[(?:[^\\]|\\(?![\[\]]))*+\\\]"),
    re.compile(r"\\[A-Za-z]++\*?(?:[ ]?\{[^{}\n]*+\})*+(?:[_^](?:\{[^{}\n]*+\}|\\?\w))*+"),
)
DOLLARS = re.compile(r"(?<![\\$\w])\$((?:[^$\n]|\n(?!\s*\n))++)\$(?![\d$])")
MATHEMATICAL = re.compile(r"[\\^_{}=]")
PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}|^\d.*\s[A-Za-z]{2,}")
ENVIRONMENT = re.compile(r"\\(begin|end)\{[^{}\n]{1,40}\}")


def latex_spans(text: str) -> Iterator[Span]:
    """Find all mathematics of a text."""
    if "\\" not in text and "$" not in text:
        return
    for pattern in DELIMITED:
        yield from (Span(*match.span(), "latex") for match in pattern.finditer(text))
    yield from dollar_spans(text)
    yield from environment_spans(text)


def dollar_spans(text: str) -> Iterator[Span]:
    """Find mathematics between single dollars."""
    position = 0
    while match := DOLLARS.search(text, position):
        if is_mathematics(match[1]):
            yield Span(*match.span(), "latex")
            position = match.end()
        else:
            position = match.start() + 1


def is_mathematics(body: str) -> bool:
    """Tell mathematics from what stands between two sums of money, as in "$5 or US$ 7"."""
    if MATHEMATICAL.search(body):
        return True
    spaced = body != body.strip()
    return not spaced and not PROSE.search(body)


def environment_spans(text: str) -> Iterator[Span]:
    r"""Find environments from the outermost `\begin` to its `\end`; one that never ends is left to its commands."""
    depth = start = 0
    for match in ENVIRONMENT.finditer(text):
        if match[1] == "begin":
            start = match.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield Span(start, match.end(), "latex")
