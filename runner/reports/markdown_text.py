"""Foreign text in Markdown, and Markdown of a bounded length."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .text import one_line, visible

SIGNS = re.compile(r"[\\`*_\[\]|~<>&$]|^[-+=#]|^\d+(?=[.)])")
LINKING = re.compile(r"@|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=#)(?=\d)|(?<=\bGH)(?=-\d)", re.IGNORECASE)
NOTHING = "<!-- -->"
"""Stands inside what would become a link or mention somebody by itself, where a backslash would not do."""
Row = Sequence[str]


def code(text: str) -> str:
    """A foreign text on one line as code, to be copied; not for cells of tables, which a bar would end."""
    flat = " ".join(visible(text).split())
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    blank = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{blank}{flat}{blank}{fence}"


def plain(text: str) -> str:
    """A foreign text on one line, without any sign that Markdown, HTML or GitHub would obey."""
    flat = SIGNS.sub(_escaped, " ".join(visible(text).split()))
    return LINKING.sub(lambda found: f"{found[0]}{NOTHING}", flat)


def short(text: str, width: int) -> str:
    """The same of at most so many characters, before they are escaped."""
    return plain(one_line(text, width))


def _escaped(sign: re.Match[str]) -> str:
    return f"{sign[0]}\\" if sign[0].isdigit() else f"\\{sign[0]}"


def table(heads: Row, rows: Sequence[Row]) -> Iterator[str]:
    """A table; its cells are Markdown already."""
    yield table_row(heads)
    yield table_row(["---"] * len(heads))
    yield from map(table_row, rows)


def table_row(cells: Row) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, some of which may be left out where there is no room for all.

    Attributes:
        before: The lines before them, such as a heading and the head of a table.
        lines: The lines, in their order.
        ranks: For each line how soon it is taken, the lowest first; empty where that is their order.
        after: The lines after them.
        noun: What a line is about, for the sentence that says how many are left out.
        share: How much of the whole text its lines may take at most, so that something is left for those after it.
    """

    before: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    after: tuple[str, ...] = ()
    noun: str = "line"
    share: float = 1.0


def fitted(blocks: Sequence[Block], limit: int, where: str) -> str:
    """Write blocks with as many of their lines as fit.

    What is before and after a block's lines always stands; the lines are taken block by block.

    Args:
        blocks: The blocks, the most important first.
        limit: Characters of the whole at most, as UTF-16 counts them.
        where: Where all of it is, for those who read that some is left out; Markdown already.

    Returns:
        The text, with a line break at its end.
    """
    notes = [("", _left_out(len(block.lines), block.noun, where)) if block.lines else () for block in blocks]
    fixed = ((*block.before, *block.after, *note) for block, note in zip(blocks, notes, strict=True))
    room = limit - sum(size(*lines) for lines in fixed)
    written: list[str] = []
    for block, note in zip(blocks, notes, strict=True):
        allowed = min(room, int(block.share * limit))
        if size(*block.lines) <= allowed + size(*note):
            room -= size(*block.lines) - size(*note)
            written += [*block.before, *block.lines, *block.after]
            continue
        kept = _taken(block, allowed)
        room -= size(*kept)
        said = _left_out(len(block.lines) - len(kept), block.noun, where)
        written += [*block.before, *kept, "", said, *block.after]
    return "\n".join(written) + "\n"


def _taken(block: Block, room: int) -> list[str]:
    """The lines that fit, the first ones by rank, in their order."""
    places: set[int] = set()
    for at in _order(block):
        if (room := room - size(block.lines[at])) < 0:
            break
        places.add(at)
    return [line for at, line in enumerate(block.lines) if at in places]


def _order(block: Block) -> list[int]:
    places = range(len(block.lines))
    return sorted(places, key=lambda at: (block.ranks[at], at)) if block.ranks else list(places)


def _left_out(count: int, noun: str, where: str) -> str:
    return f"*{count:,} more {noun if count == 1 else f'{noun}s'} left out here for want of room; {where} has all.*"


def size(*lines: str) -> int:
    """How much room lines take, each with its break, in units of UTF-16."""
    return sum(len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1 for line in lines)
