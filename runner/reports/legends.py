"""What each condition is, for the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ..findings import Report
from ..legend import LegendLine, Named, legend
from .text import one_line, visible

WIDEST = 160


def conditions_legend(report: Report) -> Iterator[RenderableType]:
    """Say what tells the conditions of one generator apart, where any has several."""
    lines = legend(named(report))
    if lines:
        yield Text("\nWhat tells the conditions of a generator apart", style="bold")
        yield legend_table(lines)


def named(report: Report) -> Iterator[Named]:
    """The conditions of a report with what decides each; none of results made elsewhere."""
    for finding in (*report.conditions, *report.apart):
        if finding.parameters is not None:
            yield Named(finding.summary.condition, finding.generator, finding.parameters)
    for control in report.controls:
        if control.parameters is not None:
            yield Named(control.response.condition, control.generator, control.parameters)


def legend_table(lines: Sequence[LegendLine]) -> Table:
    """A line for some conditions and what they are."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for line in lines:
        table.add_row(Text(visible(line.conditions)), Text(one_line(line.meaning, WIDEST)))
    return table
