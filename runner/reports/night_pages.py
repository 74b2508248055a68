"""Pages of nights: what one came to, and the history of a series with its charts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...stats import Estimate
from ..nightly.summary import NightSummary
from ..problems import counted
from .charts import Chart, Reference, TrendPoint, trend
from .digest import VERDICTS, Digest
from .html.blocks import TableView
from .html.environment import render
from .html.report import Figure, figure
from .html.shell import Shell
from .text import UNKNOWN, p_value, points, points_interval, visible
from .trend import HEADINGS, date, headlines, legend, releases, row

SIGNS = {"alarm": ("regressed", "▼"), "incomplete": ("suggestive", "…"), "quiet": ("no_worse", "✓"), "first": ("", "•")}
FLIPS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table of a page, in its own section: the section's id, its heading, the table, and what is said below it."""

    place: str
    title: str
    view: TableView
    note: str = ""

    def __iter__(self) -> Iterator[object]:
        """As the template takes it apart."""
        return iter((self.place, self.title, self.view, self.note))


def night_page(digest: Digest, summary: NightSummary, nights: Sequence[NightSummary], *, drawn: bool = True) -> str:
    """Write a night as one self-contained page.

    Args:
        digest: What there is to say of it.
        summary: The night.
        nights: The history with this night as its last one.
        drawn: Whether charts are drawn; mails show none.
    """
    return str(render("nights.html.j2", **night_values(digest, summary, nights, drawn=drawn)))


def night_values(
    digest: Digest, summary: NightSummary, nights: Sequence[NightSummary], *, drawn: bool = True
) -> dict[str, object]:
    """What the template is filled with for a night; see `night_page`."""
    kind, sign = sign_of(summary)
    tables = [*conditions_table(summary), *([history_table(nights)] if nights else []), *flips_table(summary)]
    return {
        "shell": shell(digest.title.partition(": ")[0], "a night", tables, drawn=drawn and bool(nights)),
        "kind": kind,
        "sign": sign,
        "verdict": digest.title.partition("): ")[2] or VERDICTS[summary.verdict],
        "facts": digest.facts,
        "figures": [*figures(nights)] if drawn else [],
        "tables": tables,
        "commands": digest.commands,
    }


def trend_page(series: str, nights: Sequence[NightSummary]) -> str:
    """Write the history of a series as one self-contained page."""
    return str(render("nights.html.j2", **trend_values(series, nights)))


def trend_values(series: str, nights: Sequence[NightSummary]) -> dict[str, object]:
    """What the template is filled with for the history of a series."""
    last = nights[-1]
    kind, sign = sign_of(last)
    tables = [history_table(nights)]
    first, *lines = [line for line in headlines(series, nights) if line]
    return {
        "shell": shell(visible(series), "a series of nights", tables, drawn=True),
        "kind": kind,
        "sign": sign,
        "verdict": f"the last night: {VERDICTS[last.verdict]}",
        "facts": [("nights", first), *((line.split()[0], line.partition("  ")[2].strip()) for line in lines)],
        "figures": [*figures(nights)],
        "tables": tables,
        "commands": (),
    }


def shell(title: str, kicker: str, tables: Sequence[TableOf], *, drawn: bool) -> Shell:
    """The shell of a page, with a table of contents."""
    contents = [*([("figures", "Figures")] if drawn else []), *((each.place, each.title) for each in tables)]
    return Shell(title=title, kicker=f"prt · {kicker}", contents=contents)


def sign_of(summary: NightSummary) -> tuple[str, str]:
    """How the box of the verdict looks, and the sign that says the same without colour."""
    return SIGNS["alarm"] if summary.verdict == "quiet" and summary.failed_gates else SIGNS[summary.verdict]


def figures(nights: Sequence[NightSummary]) -> Iterator[Figure]:
    """The change, the two rates; of complete nights, as far as there are any."""
    complete = [night for night in nights if night.verdict != "incomplete"]
    decided = [night for night in complete if night.reference is not None]
    if decided:
        drawn = [point(each, change_of(each), nights) for each in decided]
        reference = Reference(0.0, "no change")
        title = "Change against what the night was held against"
        yield figure(trend(drawn, title=title, signed=True, reference=reference, name="change"))
    if complete:
        for chart in rate_charts(complete, nights):
            yield figure(chart)


def rate_charts(complete: Sequence[NightSummary], nights: Sequence[NightSummary]) -> Iterator[Chart]:
    """The rate of the originals, and that of items right under every wording."""
    pinned = next((night for night in reversed(complete) if night.pinned), None)
    for name, title, found in (
        ("originals", "Pass rate of the originals", [night.baseline_rate for night in complete]),
        ("robust", "Share of items right under every wording", [night.robust_rate for night in complete]),
    ):
        line = None
        if pinned is not None:
            estimate = (pinned.baseline_rate if name == "originals" else pinned.robust_rate).estimate
            line = None if estimate is None else Reference(estimate, f"the baseline, night {pinned.night}")
        drawn = [point(night, each, nights) for night, each in zip(complete, found, strict=True)]
        yield trend(drawn, title=title, reference=line, name=name)


def change_of(night: NightSummary) -> Estimate:
    """The change of a decided night."""
    if night.reference is None:
        raise ValueError("this night was held against nothing")
    return night.reference.change


def point(night: NightSummary, found: Estimate, nights: Sequence[NightSummary]) -> TrendPoint:
    """A night in a chart."""
    return TrendPoint(
        night=night.night,
        day=date(night),
        run=night.run,
        figure=found,
        alarm=night.verdict == "alarm",
        release=releases(nights).get(night.night, ""),
    )


def history_table(nights: Sequence[NightSummary]) -> TableOf:
    """Every night of the series."""
    marks = {night: f"R{number}" for number, night in enumerate(releases(nights), start=1)}
    rows = tuple(row(night, marks.get(night.night, "")) for night in nights)
    numeric = frozenset({3, 4, 5, 9})
    view = TableView("The nights of the series", (*HEADINGS[:-1], "release"), rows, numeric)
    return TableOf("nights", "Nights", view, " ".join(legend(nights)))


def conditions_table(summary: NightSummary) -> Iterator[TableOf]:
    """Each condition against the same one of what the night was held against."""
    if not summary.conditions:
        return
    rows = tuple(
        (
            visible(each.condition),
            points(each.change.estimate),
            points_interval(each.change),
            str(each.change.n),
            p_value(each.holm_p) if each.holm_p is not None else UNKNOWN,
            each.verdict.replace("_", " "),
        )
        for each in summary.conditions
    )
    headings = ("condition", "change", "interval", "n", "p (Holm)", "verdict")
    method = summary.conditions[0].change.method
    note = f"Points. p-values are adjusted over the conditions of this night, not over nights. Intervals: {method}."
    view = TableView("Each condition tonight", headings, rows, frozenset({1, 3}))
    yield TableOf("conditions", "Conditions", view, note)


def flips_table(summary: NightSummary) -> Iterator[TableOf]:
    """Results that were never seen before."""
    found = sorted(summary.first_flips, key=lambda flip: flip.passes)
    if not found:
        return
    rows = tuple(
        (visible(each.item_id), visible(each.condition), "passes" if each.passes else "fails") for each in found
    )
    more = f"The first {FLIPS_SHOWN} of {len(rows):,}." if len(rows) > FLIPS_SHOWN else ""
    title = f"{counted(len(found), 'result')} never seen before"
    view = TableView(title, ("item", "condition", "now"), rows[:FLIPS_SHOWN])
    yield TableOf("flips", "New flips", view, more)
