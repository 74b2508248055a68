"""What several commands print: reports, and what a user should know before any call."""

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO, cast

from rich.console import Console
from rich.text import Text

from ..errors import Problem
from ..findings import Report
from ..problems import counted, grouped
from ..reports.machine import report_json
from ..reports.terminal import print_report
from ..reports.text import visible

PROBLEMS_SHOWN = 5
PIPED_WIDTH = 110
TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


class Trimmed:
    """Standard output without the blanks that tables end their lines with; for pipes and files."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        """Write a text whose lines are whole."""
        sys.stdout.write(TRAILING.sub("", text))
        return len(text)

    def flush(self) -> None:
        """Write out what is buffered."""
        sys.stdout.flush()


def output_console() -> Console:
    """The console of standard output: as wide as the terminal; of a steady width where it is piped, or COLUMNS."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    width = os.environ.get("COLUMNS", "")
    return Console(highlight=False, width=int(width) if width.isdigit() else PIPED_WIDTH, file=cast(TextIO, Trimmed()))


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
        are, they = ("is", "it") if len(skipped) == 1 else ("are", "they")
        console.print(Text(f"note: {counted(len(skipped), 'row')} {are} skipped, since {they} can't be used:"))
        groups = grouped(skipped)
        for problem in groups[:PROBLEMS_SHOWN]:
            console.print(Text(f"  {visible(str(problem))}"))
        if rest := sum(1 + len(group.also) for group in groups[PROBLEMS_SHOWN:]):
            console.print(Text(f"  and {rest} more"))
