"""A report for the terminal: read in one minute, 80 columns wide, plain text when piped."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import ConditionSummary, Estimate, Spread
from ..findings import ConditionFinding, LeftOut, Report, Source, StatusCounts
from ..problems import counted
from .controls import controls
from .corrected import correction
from .design import beyond_the_table
from .flips import flipped_items
from .gates import gates
from .legends import conditions_legend
from .missing import causes, missing_sentence
from .positions import positions
from .tables import narrow_table
from .text import of, one_line, p_value, percent, percent_interval, points, points_interval, visible
from .usage import usage
from .wording import VERDICT_WORDS, conclusion, method_lines, verdict_words

VERDICT_STYLES = {"regressed": "bold red", "improved": "bold green", "suggestive": "yellow", "no_worse": "green"}
LEFT_OUT_SHOWN = 12
COUNTED = {
    "Baseline": "pass under the original prompt",
    "Robust rate": "pass under the original and every variant",
    "Fully stable": "have one result under all, right or wrong",
    "Pooled flip rate": "paired cells differ from their baseline",
}
"""What is counted where each prompt was asked once."""
AVERAGED = {
    "Baseline": "runs that pass under the original",
    "Robust rate": "single runs of all prompts pass",
    "Fully stable": "single runs of all prompts agree",
    "Pooled flip rate": "a run differs from a baseline's",
}
"""What the same figures are over several runs of each prompt."""


def print_report(report: Report, console: Console) -> None:
    """Print a report; the console decides on colour and width."""
    console.print(Group(*_blocks(report)), soft_wrap=False)


def _blocks(report: Report) -> Iterator[RenderableType]:
    yield Text(_title(report.source), style="bold")
    yield Text("\n" + conclusion(report), style="bold")
    if report.summary.overall.baseline_rate.n:
        yield from _figures(report)
    yield from positions(report)
    yield from controls(report)
    yield from _missing(report)
    yield from flipped_items(report)
    yield from usage(report)
    if report.summary.overall.baseline_rate.n:
        yield Text("\nHow to read this", style="bold")
        for line in (*method_lines(report), *report.notes):
            yield Text(f"· {visible(line)}")
    yield from gates(report.gates)


def _figures(report: Report) -> Iterator[RenderableType]:
    yield Text()
    yield headline_table(report)
    if report.conditions or report.apart:
        yield Text("\nEach variant against the baseline, on the same items", style="bold")
        yield _changes(report)
        yield from conditions_legend(report)
        read = ", and answers that could not be read" if report.baseline_statuses else ""
        yield Text(f"\nFlips each way{read}", style="bold")
        yield _flips(report)
    yield from beyond_the_table(report)
    yield from correction(report)


def _title(source: Source) -> str:
    parts = [visible(source.name)]
    if source.model:
        parts.append(visible(source.model))
    if source.state != "complete":
        parts.append(source.state)
    return " · ".join(parts)


def headline_table(report: Report) -> Table:
    """The figures over all variants together, each with its interval and what it counts."""
    overall, level = report.summary.overall, f"{100 * report.summary.level:.0f}%"
    table = Table(box=None, show_header=True, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("rate", justify="right")
    table.add_column(f"{level} interval")
    table.add_column("")
    rows = [("Baseline", overall.baseline_rate)]
    if report.compared:
        rows += [
            ("Robust rate", overall.robust_rate),
            ("Fully stable", overall.fully_stable),
            ("Pooled flip rate", overall.pooled_flip_rate),
        ]
    for name, figure in rows:
        said = _meaning(name, figure) if figure.n else "no item has a result under all"
        table.add_row(name, percent(figure.estimate), percent_interval(figure), said)
    spread = overall.spread
    if report.compared and spread.estimate is not None:
        table.add_row("Spread", f"{100 * spread.estimate:.1f}", "points", _spread_words(spread))
    return table


def _meaning(name: str, figure: Estimate) -> str:
    """What a figure counts; over repeats it counts nothing, but is a mean of shares or of chances."""
    if figure.count is not None:
        return f"{of(figure.count, figure.n)} {COUNTED[name]}"
    unit = "paired cell" if name == "Pooled flip rate" else "item"
    return f"mean of {counted(figure.n, unit)}: {AVERAGED[name]}"


def _spread_words(spread: Spread) -> str:
    """Which condition is best and which is worst, where any is."""
    if spread.best_rate == spread.worst_rate:
        return f"none: all rates are equal, {percent(spread.best_rate)}"
    return (
        f"best {visible(str(spread.best))} {percent(spread.best_rate)}, "
        f"worst {visible(str(spread.worst))} {percent(spread.worst_rate)}"
    )


def _changes(report: Report) -> Table:
    table = narrow_table()
    table.add_column("condition", overflow="fold")
    for heading in ("n", "rate", "change"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"{100 * report.summary.level:.0f}% interval", no_wrap=True)
    table.add_column("p", justify="right", no_wrap=True)
    table.add_column("Holm", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for finding in report.conditions:
        table.add_row(*_change_row(finding, verdict_words(finding, report), judged=True))
    for finding in report.apart:
        table.add_row(*_change_row(finding, finding.role, judged=False), style="dim")
    return table


def _change_row(finding: ConditionFinding, verdict: str, *, judged: bool) -> Sequence[RenderableType]:
    summary = finding.summary
    told = judged and verdict == VERDICT_WORDS[summary.verdict]
    return (
        Text(visible(summary.condition)),
        str(summary.n),
        percent(summary.variant_rate.estimate),
        points(summary.change.estimate),
        points_interval(summary.change),
        p_value(summary.exact.pvalue),
        p_value(summary.holm_p) if judged else "",
        Text(verdict, style=VERDICT_STYLES.get(summary.verdict, "") if told else ""),
    )


def _flips(report: Report) -> Table:
    table = narrow_table(gap=1)
    table.add_column("condition", overflow="fold")
    for heading in ("to fail", "to pass", "flips"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"{100 * report.summary.level:.0f}% interval", no_wrap=True)
    read = report.baseline_statuses is not None
    if read:
        for heading in ("unread", "errors", "if read"):
            table.add_column(heading, justify="right")
        table.add_row("baseline", *[""] * 4, *_status_cells(report.baseline_statuses), "")
    for finding in (*report.conditions, *report.apart):
        table.add_row(*_flip_row(finding, read=read), style="dim" if finding.role != "perturbation" else "")
    return table


def _flip_row(finding: ConditionFinding, *, read: bool) -> Sequence[RenderableType]:
    summary = finding.summary
    cells: list[RenderableType] = [
        Text(visible(summary.condition)),
        *_each_way(summary),
        percent(summary.flip_rate.estimate),
        percent_interval(summary.flip_rate),
    ]
    if read:
        cells.extend((*_status_cells(finding.statuses), _parsed(finding.parsed_change)))
    return cells


def _each_way(summary: ConditionSummary) -> tuple[str, str]:
    """Flips to fail and to pass; with several runs a cell there are no whole flips to count."""
    if summary.table is None:
        return "", ""
    return str(summary.table.pass_to_fail), str(summary.table.fail_to_pass)


def _status_cells(statuses: StatusCounts | None) -> tuple[str, str]:
    if statuses is None:
        return "", ""
    return (
        str(statuses.unparsed + statuses.truncated + statuses.refused),
        str(statuses.error + statuses.judge_error),
    )


def _parsed(change: Estimate | None) -> str:
    return "" if change is None else f"{points(change.estimate)} (n {change.n})"


def _missing(report: Report) -> Iterator[RenderableType]:
    every = [*causes(report)]
    if not every and not report.summary.overall.exclusions.missing_cells:
        return
    yield Text("\nWhat is missing", style="bold")
    yield Text(missing_sentence(report))
    for condition, cause in every[:LEFT_OUT_SHOWN]:
        yield Text(f"  {visible(condition)}: {_cause(cause)}")
    if len(every) > LEFT_OUT_SHOWN:
        yield Text(f"  and {len(every) - LEFT_OUT_SHOWN} more causes; `prt report --json` has them all")


def _cause(cause: LeftOut) -> str:
    reason = f" ({one_line(cause.reason, 160)})" if cause.reason else ""
    return f"{cause.n} {cause.cause.replace('_', ' ')}{reason}"
