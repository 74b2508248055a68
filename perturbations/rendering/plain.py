"""Questions as plain text: names, separators, casing and label wrappers as the layout says; and a reader of it.

Plain text escapes nothing. It reads back where its marks (names, separators, labels, and the instruction and closing
line, which are the same for all items) can stand in one way only.
"""

from collections.abc import Iterable, Sequence

from ..question import Layout
from .document import CLOSING, INSTRUCTION, OPTIONS, Tree, cased

KNOWN = frozenset({INSTRUCTION, CLOSING})
"""Parts that a reader knows beforehand, so that they are marks themselves."""


Piece = tuple[str, bool]
"""A stretch of the message, and whether it is a mark around the texts of the item rather than one of them."""


def write_plain(tree: Tree, layout: Layout) -> str:
    """Write the parts as plain text; a part that stands alone has no name, as there is nothing to tell it from."""
    return joined(plain_pieces(tree, layout))


def content_text(name: str, content: "str | Tree", layout: Layout) -> str:
    """Write a part without its name."""
    return joined(content_pieces(name, content, layout))


def joined(pieces: Iterable[Piece]) -> str:
    """Write pieces one behind the other."""
    return "".join([text for text, _ in pieces])


def plain_pieces(tree: Tree, layout: Layout) -> list[Piece]:
    """Give the message piece by piece."""
    return content_pieces(*tree[0], layout) if len(tree) == 1 else parts_pieces(tree, layout)


def parts_pieces(tree: Tree, layout: Layout) -> list[Piece]:
    """Give several parts with what separates them."""
    pieces: list[Piece] = []
    for name, content in tree:
        if pieces:
            pieces.append((layout.field_separator, True))
        pieces.append((written_name(name, content, layout), True))
        pieces += content_pieces(name, content, layout)
    return pieces


def written_name(name: str, content: "str | Tree", layout: Layout) -> str:
    """Write what stands before a part; the instruction, the closing line and a whole example speak for themselves."""
    unnamed = layout.descriptor_case == "none" or name in KNOWN
    if unnamed or (name != OPTIONS and not isinstance(content, str)):
        return ""
    separator = layout.descriptor_separator
    if name == OPTIONS and "\n" in layout.option_separator:
        separator = separator.rstrip() + "\n"
    return cased(name, layout) + separator


def content_pieces(name: str, content: "str | Tree", layout: Layout) -> list[Piece]:
    """Give a part without its name."""
    if isinstance(content, str):
        return [(content, name in KNOWN)]
    if name != OPTIONS:
        return parts_pieces(content, layout)
    pieces: list[Piece] = []
    for label, text in content:
        pieces.append((f"{layout.option_separator if pieces else ''}{label} ", True))
        pieces.append((str(text), False))
    return pieces


def item_texts(tree: Tree) -> list[str]:
    """Give the texts that a message has to hold besides its marks, in order."""
    texts: list[str] = []
    for name, content in tree:
        if isinstance(content, str):
            texts += [] if name in KNOWN else [content]
        else:
            texts += item_texts(content)
    return texts


def marks(pieces: Iterable[Piece]) -> list[str]:
    """Give the marks before, between and behind the texts of an item: one more than there are texts."""
    result = [""]
    for text, is_mark in pieces:
        if is_mark:
            result[-1] += text
        else:
            result.append("")
    return result


def read_plain(message: str, between: Sequence[str]) -> list[str]:
    """Read the texts of an item out of a message.

    Args:
        message: The message.
        between: The marks before, between and behind the texts, of which there is one at least.

    Raises:
        ValueError: Where the marks don't stand in the message in this order, or could stand in it in another way too.
    """
    first, *inner, last = between
    start, end = len(first), len(message) - len(last)
    if not (message.startswith(first) and message.endswith(last) and start <= end):
        raise ValueError("the message does not begin and end with its marks")
    places = placed(message, inner, start, end)
    if places != placed_from_behind(message, inner, start, end):
        raise ValueError("a text holds a mark, so that the message can be read in two ways")
    begins = [start, *(place + len(mark) for place, mark in zip(places, inner, strict=True))]
    return [message[begin:stop] for begin, stop in zip(begins, [*places, end], strict=True)]


def placed(message: str, inner: Sequence[str], start: int, end: int) -> list[int]:
    """Place each mark as early as can be, one behind the other."""
    places = []
    for mark in inner:
        place = message.find(mark, start, end)
        if place < 0:
            raise ValueError(f"the mark {mark!r} is missing")
        places.append(place)
        start = place + len(mark)
    return places


def placed_from_behind(message: str, inner: Sequence[str], start: int, end: int) -> list[int]:
    """Place each mark as late as can be; where this gives the same places, there is no other way."""
    places = []
    for mark in reversed(inner):
        end = message.rfind(mark, start, end)
        places.append(end)
    return places[::-1]
