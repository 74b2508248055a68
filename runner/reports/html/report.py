"""The report of one run as a page: the verdict first, then every figure, the items, and how all of it was reckoned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from ...explorer import CellMap
from ...explorer_texts import ShownItem
from ...findings import Report
from ...legend import legend
from ..charts import Chart, report_charts, svg
from ..controls import controls
from ..corrected import correction
from ..design import beyond_the_table
from ..flips import command_line
from ..gates import by_gate, summary_of
from ..legends import named
from ..missing import missing_sentence
from ..positions import positions
from ..terminal import headline_table
from ..wording import conclusion, method_lines
from .bands import BOTTOM_UP, COLUMNS, KINDS, Band, bands
from .blocks import Part, TableView, parts, table_view
from .embedded import explorer_data, listed, script_json
from .environment import render, trusted
from .facts import missing_table, provenance, reading_table, usage_table, verdict_of
from .flipped import flipped_views
from .methods import methods
from .shell import STYLES, Shell

CHANGE, FLIPS, RATES, STABILITY, NOISE, LATENCY, TOKENS, COST = (
    "forest",
    "flips",
    "rates",
    "stability",
    "noise",
    "latency",
    "tokens",
    "cost",
)
TOOK = {LATENCY, TOKENS, COST}
IN_WORDS = frozenset({"verdict", "day", "run", "alarm", "release"})
"""The columns of charts' data that hold no figures."""


@dataclass(frozen=True, slots=True)
class ReportView:
    """What a page shows of a report.

    Attributes:
        report: The report.
        cells: Every item under every condition; None leaves map and explorer out.
        texts: The texts of some items, for the explorer.
    """

    report: Report
    cells: CellMap | None = None
    texts: Sequence[ShownItem] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, drawn, with its data as a table.

    Attributes:
        chart: The chart.
        svg: The same as an element of the page.
        table: Its data.
    """

    chart: Chart
    svg: Markup
    table: TableView


def report_page(view: ReportView, *, linked: str = "") -> str:
    """Write a report as one self-contained page.

    Args:
        view: What it shows.
        linked: Where a web server has the style sheets and scripts; empty puts them into the page.
    """
    return str(render("report.html.j2", **values(view, linked)))


def values(view: ReportView, linked: str) -> dict[str, object]:
    """What the template is filled with."""
    report, source = view.report, view.report.source
    figures = [figure(chart) for chart in report_charts(report)]
    took = [each for each in figures if each.chart.name in TOOK]
    explored = view.cells is not None and bool(view.cells.items)
    filled: dict[str, object] = {
        "source": source,
        "verdict": verdict_of(report),
        "conclusion": conclusion(report),
        "headline": headline(report),
        "level": f"{100 * report.summary.level:.0f}%",
        "figures": [each for each in figures if each.chart.name not in TOOK],
        "legend": legend(named(report)),
        "reading": reading_table(report),
        "more": [*beyond(report)],
        "flipped": flipped_views(report.flipped),
        "took": took,
        "usage": usage_table(report),
        "missing": missing_table(report),
        "missing_sentence": missing_sentence(report) if report.summary.overall.exclusions.missing_cells else "",
        "notes": [*report.notes],
        "method_lines": [*method_lines(report)] if report.summary.overall.baseline_rate.n else [],
        "methods": [*methods(report)],
        "provenance": provenance(report),
        "gates": by_gate(report.gates),
        "gates_summary": summary_of(by_gate(report.gates)),
        "explored": explored,
    }
    if explored and view.cells is not None:
        filled |= explorer_values(view, view.cells)
    return filled | {"shell": shell(filled, linked, title=source.name)}


def explorer_values(view: ReportView, cells: CellMap) -> dict[str, object]:
    """What map and explorer are filled with."""
    source = view.report.source
    drawn = bands(cells)
    return {
        "bands": drawn,
        "map_table": map_table(drawn),
        "band_items": len(cells.items),
        "per_column": -(-len(cells.items) // COLUMNS),
        "data": script_json(explorer_data(source, cells, view.texts)),
        "embedded": len(view.texts),
        "not_listed": len(cells.items) - len(listed(cells)),
        "not_embedded": len(cells.items) - len(view.texts) if source.kind == "run" else 0,
        "show_command": command_line("show", source.name, "ITEM", store=source.store) if source.kind == "run" else "",
    }


def map_table(drawn: Sequence[Band]) -> TableView:
    """How many items are drawn as what under each condition."""
    headings = ("condition", *(KINDS[kind] for kind in BOTTOM_UP))
    rows = tuple((each.condition, *(str(each.counts[kind]) for kind in BOTTOM_UP)) for each in drawn)
    return TableView("Items by what is drawn", headings, rows, frozenset(range(1, len(headings))))


def figure(chart: Chart) -> Figure:
    """Draw a chart."""
    numeric = frozenset(at for at, name in enumerate(chart.headings) if at and name not in IN_WORDS)
    table = TableView(f"{chart.title}: the data", chart.headings, chart.rows, numeric)
    return Figure(chart, trusted(svg(chart, inline=True)), table)  # written by an element tree, which escapes


def headline(report: Report) -> TableView | None:
    """The key figures; none where nothing can be compared."""
    return table_view(headline_table(report), "Key figures") if report.summary.overall.baseline_rate.n else None


def beyond(report: Report) -> Iterator[Part]:
    """What only some reports have: noise floors, clusters, repeats, the judge's error, positions, controls."""
    if report.summary.overall.baseline_rate.n:
        yield from parts(chain(beyond_the_table(report), correction(report)))
    yield from parts(chain(positions(report), controls(report)))


def shell(filled: dict[str, object], linked: str, *, title: str) -> Shell:
    """The shell, with the sections that this report has."""
    sections = (
        ("gates", "Gates", filled["gates"]),
        ("figures", "Figures", filled["figures"]),
        ("more", "More figures", filled["more"]),
        ("map", "Map", filled["explored"]),
        ("flipped", "Items that flip most", filled["flipped"]),
        ("explorer", "Explorer", filled["explored"]),
        ("usage", "Latency, tokens, cost", filled["took"] or filled["usage"]),
        ("missing", "What is missing", filled["missing"]),
        ("methods", "Methods", filled["methods"]),
        ("provenance", "Provenance", True),
    )
    return Shell(
        title=title,
        kicker="Robustness report",
        contents=[(place, name) for place, name, there in sections if there],
        styles=(*STYLES, "explorer.css"),
        scripts=("page.js", "explorer.js") if filled["explored"] else ("page.js",),
        linked=linked,
    )
