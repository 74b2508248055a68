"""What several commands print: reports, and what a user should know before any call."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ..errors import Problem
from ..findings import Report
from ..reports.machine import report_json
from ..reports.terminal import print_report
from ..reports.text import visible

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


def print_notes(notes: Sequence[str], skipped: Sequence[Problem], console: Console) -> None:
    """Say what was skipped, and what is allowed but may not be what is meant."""
    for note in notes:
        console.print(Text(f"note: {visible(note)}"))
    if skipped:
        console.print(Text(f"note: {len(skipped)} rows are skipped, since they can't be used:"))
        for problem in skipped[:PROBLEMS_SHOWN]:
            console.print(Text(f"  {visible(str(problem))}"))
        if len(skipped) > PROBLEMS_SHOWN:
            console.print(Text(f"  and {len(skipped) - PROBLEMS_SHOWN} more"))
