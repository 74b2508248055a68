"""Charts of reports: what each shows in words and figures, and drawn as SVG or PNG."""

from .chart import Chart
from .every import report_charts
from .forest import forest
from .render import png, svg
from .style import CHART_DARK, CHART_LIGHT, CHART_RULES

__all__ = ["CHART_DARK", "CHART_LIGHT", "CHART_RULES", "Chart", "forest", "png", "report_charts", "svg"]
