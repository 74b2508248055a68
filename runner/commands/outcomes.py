"""How many items each condition applies to, why not to the others, and what was looked for in what is asked."""

import re
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..legend import Named, legend
from ..perturb_stats import OUTCOMES, Checked, PerturbStats, ReasonGroup, Tally
from ..prepare import Prepared
from ..problems import counted
from ..reports.legends import legend_table
from ..reports.tables import narrow_table
from ..reports.text import UNKNOWN, percent, visible
from ..reports.variants import indented

REASONS_SHOWN = 3
FAULTS_SHOWN = 20
LONGEST_NAME = 22


def print_outcomes(prepared: Prepared, console: Console) -> None:
    """Print the outcomes of each condition, and under them the commonest reasons."""
    tallies = prepared.counts.conditions
    console.print(outcome_table(tallies))
    for tally in tallies:
        for line in reason_lines(tally):
            console.print(Text(line))


def outcome_table(tallies: Sequence[Tally]) -> Table:
    """One row a condition; with the reviews where anyone reviewed anything."""
    reviewed = any(tally.reviews.accepted or tally.reviews.rejected for tally in tallies)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("condition")
    headings = [outcome.replace("_", " ") for outcome in OUTCOMES] + ["duplicates"]
    for heading in headings + ["accepted", "rejected by\na reviewer", "unreviewed"] * reviewed:
        table.add_column(heading, justify="right")
    for tally in tallies:
        counts = [*(tally.outcomes[outcome] for outcome in OUTCOMES), tally.duplicates]
        reviews = [tally.reviews.accepted, tally.reviews.rejected, tally.reviews.none]
        table.add_row(condition_cell(tally), *(str(count) for count in counts + reviews * reviewed))
    return table


def condition_cell(tally: Tally) -> Text:
    """The name of a condition, which of a long composition goes on in the next line behind a plus sign."""
    lines = [""]
    for step in re.findall(r"[^+]*\+|[^+]+$", visible(tally.name)):
        if lines[-1] and len(lines[-1] + step) > LONGEST_NAME:
            lines.append("")
        lines[-1] += step
    return Text("\n".join(lines))


def reason_lines(tally: Tally) -> Iterator[str]:
    """`paraphrase.1: 20 not applicable (…)`: the commonest reasons, and how many items have another."""
    for group in tally.reasons[:REASONS_SHOWN]:
        yield f"{visible(tally.name)}: {group_words(group)}"
    if rest := sum(group.n for group in tally.reasons[REASONS_SHOWN:]):
        yield f"{visible(tally.name)}: {rest} more for other reasons, which `prt perturb --stats` lists"


def group_words(group: ReasonGroup) -> str:
    """`20 not applicable (no options)`."""
    reason = f" ({visible(group.reason)})" if group.reason else ""
    return f"{group.n} {group.outcome.replace('_', ' ')}{reason}"


def print_stats(stats: PerturbStats, console: Console) -> None:
    """Print everything that was counted: outcomes, every reason, severity, and what was looked for."""
    console.print(Text(f"\nOutcomes of {counted(stats.items, 'item')}", style="bold"))
    console.print(outcome_table([*stats.conditions, *several(stats), stats.total]))
    if lines := legend(named(stats.conditions)):
        console.print(Text("What tells the conditions of a generator apart", style="bold"))
        console.print(Padding(legend_table(lines), (0, 0, 1, 2)))
    if stats.total.reasons:
        console.print(Text("Why the others are not asked, the most frequent reasons first", style="bold"))
    for tally in stats.conditions:
        for line in every_reason(tally):
            console.print(indented(Text(line), 2))
    console.print(Text("\nLooked for in every applied variant", style="bold"))
    console.print(checks_table([*stats.conditions, *several(stats), stats.total]))


def named(tallies: Sequence[Tally]) -> Iterator[Named]:
    """Conditions with their parameters."""
    for tally in tallies:
        if tally.parameters is not None:
            yield Named(tally.name, tally.generator, tally.parameters)


def several(stats: PerturbStats) -> list[Tally]:
    """The generators that have more than one condition."""
    names = [tally.generator for tally in stats.conditions]
    return [tally for tally in stats.generators if names.count(tally.name) > 1]


def every_reason(tally: Tally) -> Iterator[str]:
    """Each group of reasons of a condition, with one of its reasons word for word and an item that has it."""
    for group in tally.reasons:
        first = group.reasons[0]
        example = f", such as item {visible(first.items[0])}"
        if len(group.reasons) > 1:
            example += f": {visible(first.reason)}"
        yield f"{visible(tally.name)}: {group_words(group)}{example}"


def checks_table(tallies: Sequence[Tally]) -> Table:
    """Severity as realised; protected tokens and right options that were looked for, and how many are not right."""
    table = narrow_table()
    table.add_column("condition", overflow="fold")
    headings = ("severity", "range", "n", "protected tokens", "altered", "right options", "wrong gold")
    for heading in headings:
        table.add_column(heading, justify="right")
    for tally in tallies:
        table.add_row(
            condition_cell(tally), *severity_cells(tally), *check_cells(tally.protected), *check_cells(tally.gold)
        )
    return table


def severity_cells(tally: Tally) -> tuple[str, str, str]:
    """Mean, range and n of the share of eligible words that were edited."""
    severity = tally.severity
    if severity is None:
        return "", "", ""
    low, high = percent(severity.low), percent(severity.high)
    return percent(severity.mean), low if low == high else f"{low} to {high}", str(severity.n)


def check_cells(checked: Checked) -> tuple[str, Text]:
    """How much was looked for, and how much of it was not as it must be; a dash where there was nothing to look for."""
    if not checked.n:
        return "0", Text(UNKNOWN)
    return f"{checked.n:,}", Text(f"{checked.wrong:,}", style="bold red" if checked.wrong else "")


def fault_lines(stats: PerturbStats) -> Iterator[str]:
    """Say loudly what must not be: how much, and where; nothing where all is well."""
    yield from faults_of(stats.total.protected, "protected tokens are altered")
    yield from faults_of(stats.total.gold, "right options stand behind a wrong label")


def faults_of(checked: Checked, what: str) -> Iterator[str]:
    """Say how many faults of a kind there are, and the first ones."""
    if not checked.wrong:
        return
    yield f"FAULT: {checked.wrong:,} of {checked.n:,} {what} in variants that would be asked"
    for fault in checked.faults[:FAULTS_SHOWN]:
        yield f"  item {visible(fault.item_id)}, {visible(fault.condition)}: {visible(fault.found)}"
    if checked.wrong > FAULTS_SHOWN:
        yield f"  and {checked.wrong - FAULTS_SHOWN} more; `prt perturb --json` has them all"
