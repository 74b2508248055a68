"""Charts of reports: what each shows in words and figures, and drawn as SVG or PNG."""

from .chart import Chart
from .comparison import Compared, comparison_forest
from .every import report_charts
from .flips import flips
from .forest import forest
from .latency import latency
from .noise import noise
from .rates import rates
from .render import png, svg
from .stability import stability
from .style import CHART_DARK, CHART_LIGHT, CHART_RULES
from .tokens import tokens
from .trend import trend
from .trend_plot import Reference, TrendPoint

__all__ = [
    "CHART_DARK",
    "CHART_LIGHT",
    "CHART_RULES",
    "Chart",
    "Compared",
    "Reference",
    "TrendPoint",
    "comparison_forest",
    "flips",
    "forest",
    "latency",
    "noise",
    "png",
    "rates",
    "report_charts",
    "stability",
    "svg",
    "tokens",
    "trend",
]
