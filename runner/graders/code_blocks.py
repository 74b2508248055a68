"""The blocks of Python code in a reply."""

import re
from dataclasses import dataclass

from .patterns import Pattern
from .text import blank_reasoning

_FENCE = Pattern(lambda: r"(?P<indent>[ \t]*)(?P<marks>```+|~~~+)[ \t]*(?P<language>[\w+.#-]*)[^\n`]*\n?")
_PYTHON = frozenset({"", "python", "python3", "py", "py3", "pycon"})


@dataclass(frozen=True, slots=True)
class CodeBlocks:
    """Code in a reply.

    Attributes:
        texts: The blocks; where nothing is fenced off, the whole reply, which may be no code at all.
        spans: Where they stand in the reply.
        fenced: Whether they are fenced off.
    """

    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    fenced: bool


def code_blocks(reply: str) -> CodeBlocks:
    """Find the code of a reply, its reasoning left out.

    Blocks of another language are none. A block that is not closed goes on to the end.
    """
    text = blank_reasoning(reply)
    found: list[tuple[str, tuple[int, int]]] = []
    fences = False
    opened: re.Match[str] | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.fullmatch(line)
        if fence and opened is None:
            opened, start, fences = fence, at + len(line), True
        elif fence and opened and fence["marks"].startswith(opened["marks"]) and not fence["language"]:
            found += _python(text, opened, start, at)
            opened = None
        at += len(line)
    if opened is not None:
        found += _python(text, opened, start, at)
    if not fences:
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        found = [(text[text.rfind("\n", 0, start) + 1 : end], (start, end))] if text.strip() else []
    return CodeBlocks(tuple(block for block, _ in found), tuple(span for _, span in found), fences)


def _python(text: str, fence: re.Match[str], start: int, end: int) -> list[tuple[str, tuple[int, int]]]:
    """The block behind a fence, without the fence's own indent; none where it is another language or empty."""
    if fence["language"].lower() not in _PYTHON or not text[start:end].strip():
        return []
    indent = fence["indent"]
    block = "".join(line.removeprefix(indent) for line in text[start:end].splitlines(keepends=True))
    return [(block, (start, end))]
