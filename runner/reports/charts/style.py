"""How charts look: few colours, each with its counterpart for dark pages; no chart needs them to be read."""

from collections.abc import Mapping

from .chart import Spec

INK, MUTED, GRID, PAPER, WORSE, BETTER = "#1f2329", "#59636f", "#d1d9e1", "#fffffe", "#c2410d", "#0068b3"
DARK: Mapping[str, str] = {
    INK: "#e6edf3",
    MUTED: "#9aa4af",
    GRID: "#3d444d",
    PAPER: "#0d1117",
    WORSE: "#ff9459",
    BETTER: "#6cb6ff",
}
"""What each colour is on a dark page."""
NAMES: Mapping[str, str] = {
    INK: "ink",
    MUTED: "muted",
    GRID: "grid",
    PAPER: "paper",
    WORSE: "worse",
    BETTER: "better",
}
"""The CSS variable of each colour: `--chart-ink` and so on."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first one comes with the renderer, so that texts are as wide on every machine; the next ones are as wide."""
FONT_SIZE, SMALL = 12, 11
RING = 150
"""Size of a hollow mark that is seen around a filled one of the usual size, in square pixels."""
STEP = 20
"""Height of a row, in pixels."""
WIDTH = 320
"""Width of what is between the names and the figures, in pixels."""
CLASS = "prt-chart"

CONFIG: Spec = {
    "aria": False,
    "background": None,
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "color": INK,
        "fontSize": 15,
        "fontWeight": "bold",
        "subtitleColor": MUTED,
        "subtitleFontSize": FONT_SIZE,
        "subtitlePadding": 5,
        "offset": 10,
    },
    "axis": {
        "domainColor": MUTED,
        "gridColor": GRID,
        "tickColor": MUTED,
        "labelColor": INK,
        "labelFontSize": FONT_SIZE,
        "labelLimit": 0,
        "titleColor": MUTED,
        "titleFontSize": FONT_SIZE,
        "titleFontWeight": "normal",
        "titleLimit": 0,
    },
    "legend": {
        "orient": "bottom",
        "offset": 6,
        "direction": "horizontal",
        "labelColor": INK,
        "labelFontSize": FONT_SIZE,
        "labelLimit": 0,
        "symbolSize": 80,
        "symbolFillColor": INK,
        "symbolStrokeColor": INK,
        "title": None,
        "columnPadding": 16,
    },
    "text": {"color": INK, "fontSize": FONT_SIZE},
    "rule": {"color": INK},
    "point": {"color": INK, "size": 70, "strokeWidth": 1.5, "opacity": 1},
    "bar": {"color": MUTED},
    "line": {"color": INK, "strokeWidth": 1.5},
}


def _rules() -> str:
    paints = (
        f'.{CLASS} [{kind}="{colour}"]{{{kind}:var(--chart-{name},{colour})}}'
        for colour, name in NAMES.items()
        for kind in ("fill", "stroke")
    )
    return "".join(paints)


def _variables(colours: Mapping[str, str]) -> str:
    return "".join(f"--chart-{NAMES[colour]}:{shown};" for colour, shown in colours.items())


CHART_RULES = _rules()
"""CSS for pages that inline charts: the colours go by `--chart-ink`, `--chart-muted`, `--chart-grid`, `--chart-paper`,
`--chart-worse` and `--chart-better`, wherever a page sets them, and are those of a light page where it does not."""
CHART_DARK = _variables(DARK)
"""Those variables for a dark page, to go between the braces of a rule of the page."""
CHART_LIGHT = _variables({colour: colour for colour in NAMES})
"""The same for a light page."""
