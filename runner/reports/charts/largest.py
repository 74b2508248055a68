"""Which rows a chart draws, where there are more than anyone would look at."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from .marks import MOST_ROWS

Each = TypeVar("Each")


def largest(rows: Sequence[Each], size: Callable[[Each], float | None]) -> list[Each]:
    """The rows that are drawn, in their order: all, or the 200 of the largest size, whichever its sign.

    Args:
        rows: All rows.
        size: What is drawn of one; None where there is nothing to draw.
    """
    if len(rows) <= MOST_ROWS:
        return list(rows)
    by_size = sorted(range(len(rows)), key=lambda at: (-abs(size(rows[at]) or 0.0), at))
    return [rows[at] for at in sorted(by_size[:MOST_ROWS])]


def largest_words(rows: int, what: str) -> str:
    """Say which rows are drawn, where that is not all of them; begins with a blank."""
    return f" Drawn: the {MOST_ROWS} of {rows:,} with the largest {what}." if rows > MOST_ROWS else ""
