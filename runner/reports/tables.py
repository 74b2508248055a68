"""Tables of figures that fit 80 columns: no rules, blanks between columns."""

from rich.table import Table


def narrow_table(*, gap: int = 2) -> Table:
    """An empty table with so many blanks between columns; its first column may wrap, its figures should not."""
    return Table(box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False)
