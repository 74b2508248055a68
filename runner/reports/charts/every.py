"""The charts of one report, in the order in which they are read."""

from ...findings import Report
from .chart import Chart
from .flips import flips
from .forest import forest
from .latency import latency
from .noise import noise
from .rates import rates
from .stability import stability
from .tokens import tokens

MAKERS = (forest, flips, rates, stability, noise, latency, tokens)


def report_charts(report: Report) -> tuple[Chart, ...]:
    """Make every chart of a report that has anything to show."""
    charts = (make(report) for make in MAKERS)
    return tuple(chart for chart in charts if chart.rows)
