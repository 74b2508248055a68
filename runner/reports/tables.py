"""Tables of figures that fit 80 columns: no rules, blanks between columns."""

from collections.abc import Sequence

from rich.table import Table


def narrow_table(*, gap: int = 2) -> Table:
    """An empty table with so many blanks between columns; its first column may wrap, its figures should not."""
    return Table(box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False)


def figures_table(first: str, before: Sequence[str], after: Sequence[str], *, alpha: float, gap: int = 2) -> Table:
    """An empty table of estimates: what a row is about, figures, the interval of the last of them, further figures.

    Args:
        first: Heading of the first column.
        before: Headings of the figures up to the estimate.
        after: Headings of what follows its interval.
        alpha: 1 − the level of the interval.
        gap: Blanks between columns.
    """
    table = narrow_table(gap=gap)
    table.add_column(first, overflow="fold")
    for heading in before:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"{100 * (1 - alpha):g}% interval", no_wrap=True)
    for heading in after:
        table.add_column(heading, justify="left" if heading == "verdict" else "right", no_wrap=True)
    return table
