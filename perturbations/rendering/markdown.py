"""Questions as Markdown: a heading for each part, the options as a list.

Markdown has no escaping that leaves a text as it is, so texts are written verbatim; the reader sees headings and code
fences as Markdown does. Where a question's own text holds a heading or an open fence, reading gives another tree.
"""

import re
from collections.abc import Iterable, Iterator

from .document import Tree
from .markup import is_options

HEADING = re.compile(r" {0,3}(#{1,6})[ \t]")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
OPTION = re.compile(r"- \*\*(.+?)\*\* (.*)", re.DOTALL)


def write_markdown(tree: Tree, level: int = 2) -> str:
    """Write the parts under headings of a level, and parts of parts one level below."""
    return "\n\n".join(section(name, content, level) for name, content in tree)


def section(name: str, content: "str | Tree", level: int) -> str:
    """Write one part with its heading."""
    if isinstance(content, str):
        body = content
    elif is_options(name):
        body = "\n".join(list_item(label, str(text)) for label, text in content)
    else:
        body = write_markdown(content, level + 1)
    return f"{'#' * level} {name}\n\n{body}"


def list_item(label: str, text: str) -> str:
    """Write an option as a list item, its further lines indented so that they stay inside it."""
    return f"- **{label}** " + text.replace("\n", "\n  ")


def read_markdown(text: str, level: int = 2) -> Tree:
    """Read what `write_markdown` wrote; another tree than was written shows that a reader would be misled.

    Raises:
        ValueError: Where a text holds a heading of its own, or an option is no list item.
    """
    lines = text.split("\n")
    starts = [place for place, depth in headings(lines) if depth <= level]
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    return tuple(read_section(lines[start:end], level) for start, end in zip(starts, ends, strict=True))


def read_section(lines: list[str], level: int) -> tuple[str, "str | Tree"]:
    """Read a heading, the blank line after it, and what it stands above."""
    name, body = lines[0].lstrip("# "), "\n".join(lines[2:])
    inner = list(headings(lines[2:]))
    if is_options(name):
        return name, tuple(read_item(item) for item in re.split(r"\n(?=- \*\*)", body))
    if inner[:1] == [(0, level + 1)]:
        return name, read_markdown(body, level + 1)
    if inner:
        raise ValueError(f"the part {name} holds a heading of its own")
    return name, body


def read_item(item: str) -> tuple[str, str]:
    """Read one option back from its list item."""
    match = OPTION.fullmatch(item)
    if not match:
        raise ValueError("an option is no list item")
    return match[1], match[2].replace("\n  ", "\n")


def headings(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Give line number and depth of each heading outside code fences."""
    fence = ""
    for place, line in enumerate(lines):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif mark:
            fence = mark[1]
        elif heading := HEADING.match(line):
            yield place, len(heading[1])
