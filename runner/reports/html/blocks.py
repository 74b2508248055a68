"""What the terminal report shows of a subject, as parts of a page: the same sentences, the same tables."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of a page.

    Attributes:
        caption: What it shows.
        headings: Its headings.
        rows: Its cells, as texts.
        numeric: Which columns hold figures, by place.
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page.

    Attributes:
        title: Its heading.
        blocks: Sentences and tables, in order.
    """

    title: str
    blocks: list[str | TableView] = field(default_factory=list)


def parts(blocks: Iterable[RenderableType]) -> list[Part]:
    """Take what the terminal prints apart: a bold text after an empty line is a heading, what follows belongs to it."""
    found: list[Part] = []
    for block in blocks:
        if isinstance(block, Text) and block.plain.startswith("\n") and block.style == "bold":
            found.append(Part(block.plain.strip()))
        elif isinstance(block, Text) and block.plain:
            found[-1].blocks.append(block.plain)
        elif isinstance(block, Table):
            tables = sum(isinstance(each, TableView) for each in found[-1].blocks)
            caption = f"{found[-1].title} ({tables + 1})" if tables else found[-1].title
            found[-1].blocks.append(table_view(block, caption))
    return found


def table_view(table: Table, caption: str) -> TableView:
    """A table of the terminal as one of a page."""
    columns = [[plain(cell) for cell in column.cells] for column in table.columns]
    numeric = frozenset(at for at, column in enumerate(table.columns) if column.justify == "right")
    headings = tuple(plain(column.header) for column in table.columns)
    return TableView(caption, headings, tuple(zip(*columns, strict=True)), numeric)


def plain(cell: RenderableType) -> str:
    """A cell's text."""
    return cell.plain if isinstance(cell, Text) else str(cell)
