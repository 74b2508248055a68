"""The charts of one report, in the order in which they are read."""

from ...findings import Report
from .chart import Chart
from .forest import forest


def report_charts(report: Report) -> tuple[Chart, ...]:
    """Make every chart of a report that has anything to show."""
    charts = (forest(report),)
    return tuple(chart for chart in charts if chart.rows)
