"""What repeats, reruns and clusters add, for the terminal: noise floors, pass@k, clustered intervals."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import ConditionSummary, PassK
from ..findings import Report
from .tables import narrow_table
from .text import percent, percent_interval, points, points_interval, visible


def beyond_the_table(report: Report) -> Iterator[RenderableType]:
    """Show flips beside their floor, from repeats or reruns; clustered intervals beside plain ones; pass@k."""
    summaries = [each.summary for each in report.conditions]
    if any(each.churn for each in summaries):
        yield Text(
            "\nNoise floor: flips between runs of one prompt, and what the wording caused beyond them", style="bold"
        )
        yield _churn(summaries)
    elif any(each.excess for each in summaries):
        yield Text("\nNoise floor: flips of the original asked again, and each variant's beyond them", style="bold")
        yield _excess(report, summaries)
    if report.summary.clusters is not None and summaries:
        yield Text("\nClusters: each change with its interval, and as if all items were independent", style="bold")
        yield _clusters(summaries)
    if report.summary.overall.baseline_pass_k:
        yield Text("\nSeveral runs of a prompt: pass@k, at least one of k passes; pass^k, all of k pass", style="bold")
        yield _pass_k(report, summaries)


def _churn(summaries: list[ConditionSummary]) -> Table:
    table = _table("condition", "n", "flip rate", "floor, original", "floor, variant", "caused")
    for each in summaries:
        if each.churn is not None:
            figures = (each.churn.flip_rate, each.churn.baseline_floor, each.churn.variant_floor)
            caused = points(each.churn.caused.estimate)
            table.add_row(
                Text(visible(each.condition)),
                str(each.churn.flip_rate.n),
                *(percent(figure.estimate) for figure in figures),
                caused,
            )
    return table


def _excess(report: Report, summaries: list[ConditionSummary]) -> Table:
    table = _table("condition", "n", "flips", "flips of rerun", "excess", f"{100 * report.summary.level:.0f}% interval")
    for each in summaries:
        if each.excess is not None:
            table.add_row(
                Text(visible(each.condition)),
                str(each.excess.n),
                percent(each.excess.variant_flips.estimate),
                percent(each.excess.rerun_flips.estimate),
                points(each.excess.excess.estimate),
                points_interval(each.excess.excess),
            )
    return table


def _clusters(summaries: list[ConditionSummary]) -> Table:
    table = _table("condition", "items", "clusters", "change", "clustered", "as if independent")
    for each in summaries:
        plain = "" if each.unclustered is None else points_interval(each.unclustered.change)
        table.add_row(
            Text(visible(each.condition)),
            str(each.n),
            str(each.units),
            points(each.change.estimate),
            points_interval(each.change),
            plain,
        )
    return table


def _pass_k(report: Report, summaries: list[ConditionSummary]) -> Table:
    level = f"{100 * report.summary.level:.0f}% interval"
    table = _table("condition", "k", "n", "pass@k", level, "pass^k", level, "SE")
    for name, row in [
        *((report.summary.baseline, row) for row in report.summary.overall.baseline_pass_k),
        *((each.condition, row) for each in summaries for row in each.pass_k),
    ]:
        table.add_row(Text(visible(name)), *_pass_k_row(row))
    return table


def _pass_k_row(row: PassK) -> tuple[str, ...]:
    error = row.all_of_them.standard_error
    return (
        str(row.k),
        str(row.all_of_them.n),
        percent(row.at_least_one.estimate),
        percent_interval(row.at_least_one),
        percent(row.all_of_them.estimate),
        percent_interval(row.all_of_them),
        "" if error is None else f"{100 * error:.1f}",
    )


def _table(first: str, *headings: str) -> Table:
    table = narrow_table()
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table
