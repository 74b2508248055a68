"""`prt check`: everything that can be validated without a call."""

import os
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from ..credentials import missing_keys
from ..errors import ConfigError
from ..loading import resolved
from ..plan import count_cells
from ..prepare import Prepared, outcome_counts, prepare
from .printing import output_console, print_notes


def check_command(config: Path, *, show: bool) -> None:
    """Validate everything that can be validated without a call, and say what a run would do."""
    prepared = prepare(config, env=os.environ)
    if problems := missing_keys(prepared.loaded, os.environ):
        raise ConfigError(*problems)
    console = output_console()
    if show:
        for key, value, origin in resolved(prepared.loaded):
            console.print(Text(f"{key}: {value}").append(f"  # {origin}", style="dim"), soft_wrap=True)
        console.print()
    print_notes(prepared.notes, prepared.skipped, console)
    calls = count_cells(prepared.items, prepared.variants)
    console.print(
        Text(f"{config}: all well. {len(prepared.items)} items, {calls} calls, grader {prepared.grader.name}.")
    )
    console.print(outcome_table(prepared))


def outcome_table(prepared: Prepared) -> Table:
    """How many items each condition applies to, and why not to the others."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("condition")
    outcomes = ("applied", "unchanged", "not_applicable", "rejected")
    for outcome in outcomes:
        table.add_column(outcome.replace("_", " "), justify="right")
    for condition, counts in outcome_counts(prepared).items():
        table.add_row(Text(condition), *(str(counts.get(outcome, 0)) for outcome in outcomes))
    return table
