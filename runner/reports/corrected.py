"""Pass rates corrected for the judge's error, beside the judge's own, for the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import Estimate
from ..findings import Correction, Report
from .tables import narrow_table
from .text import percent, percent_interval, visible

CAN_NOT = (
    "One sensitivity and one specificity stand for all conditions. If the judge errs more under one condition than "
    "under another, corrected rates differ although the answers don't: read no change off them, and don't compare "
    "their intervals, which share the calibration's error. The changes, tests and verdicts of this report are of the "
    "judge's own grades and are not corrected."
)


def correction(report: Report) -> Iterator[RenderableType]:
    """Show the corrected rates, where a calibration was given."""
    found = report.correction
    if found is None:
        return
    yield Text("\nPass rates corrected for the judge's error", style="bold")
    yield Text(basis(found))
    yield _rates(found, report.summary.level)
    yield from (Text(f"· {sentence}") for sentence in correction_notes(found))


def basis(found: Correction) -> str:
    """By what the rates are corrected."""
    judge = f"judge {visible(found.judge)}" if found.judge else "a judge that it does not name"
    sides = f"sensitivity {_side(found.sensitivity)}, specificity {_side(found.specificity)}"
    return f"by {visible(found.file)}: {judge}, {sides}"


def _side(share: Estimate) -> str:
    """`80.0% (61.2 to 91.1, n 25)`."""
    interval = percent_interval(share)
    return f"{percent(share.estimate)} ({f'{interval}, ' if interval else ''}n {share.n})"


def _rates(found: Correction, level: float) -> Table:
    table = narrow_table()
    table.add_column("condition", overflow="fold")
    table.add_column("n", justify="right", no_wrap=True)
    if found.is_clustered:
        table.add_column("effective n", justify="right", no_wrap=True)
    for heading in ("judge's rate", "corrected"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"{100 * level:.0f}% interval", no_wrap=True)
    for each in found.rates:
        effective = (f"{each.n_effective:.1f}",) if found.is_clustered else ()
        rates = (percent(each.judged.estimate), percent(each.corrected.estimate), percent_interval(each.corrected))
        table.add_row(Text(visible(each.condition)), str(each.judged.n), *effective, *rates)
    return table


def correction_notes(found: Correction) -> Iterator[str]:
    """How it was reckoned, and what it can't do."""
    yield (
        f"corrected: {found.rates[0].corrected.method}. n: items with a verdict of the judge, for a variant also under "
        "the baseline; answers that no judge was asked about, such as truncated ones, are not among them."
    )
    yield CAN_NOT
    yield "It holds as far as the labels are a random sample of answers like these."
    yield from map(visible, found.notes)
