"""Cells by the chunk, as they are looked up in the store."""

from collections.abc import Iterator
from itertools import islice

from ..records import Cell

CHUNK = 200


def next_chunk(cells: Iterator[Cell]) -> list[Cell]:
    """Take the next cells; none at the end."""
    return list(islice(cells, CHUNK))
