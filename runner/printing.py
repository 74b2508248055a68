"""What several commands print: reports, and what a user should know before any call."""

import sys

from rich.console import Console
from rich.text import Text

from .findings import Report
from .prepare import Prepared
from .reports.machine import report_json
from .reports.terminal import print_report
from .reports.text import visible

PROBLEMS_SHOWN = 5
PIPED_WIDTH = 110


def output_console() -> Console:
    """The console of standard output: as wide as the terminal, of a steady width where it is piped."""
    width = None if sys.stdout.isatty() else PIPED_WIDTH
    return Console(highlight=False, width=width)


def print_report_as(report: Report, *, as_json: bool) -> None:
    """Print a report for a person or for a program."""
    if as_json:
        sys.stdout.write(report_json(report) + "\n")
    else:
        print_report(report, output_console())


def print_notes(prepared: Prepared, console: Console) -> None:
    """Say what was skipped, and what is allowed but may not be what is meant."""
    for note in prepared.notes:
        console.print(Text(f"note: {visible(note)}"))
    if prepared.skipped:
        console.print(Text(f"note: {len(prepared.skipped)} rows are skipped, since they can't be used:"))
        for problem in prepared.skipped[:PROBLEMS_SHOWN]:
            console.print(Text(f"  {visible(str(problem))}"))
        if len(prepared.skipped) > PROBLEMS_SHOWN:
            console.print(Text(f"  and {len(prepared.skipped) - PROBLEMS_SHOWN} more"))
