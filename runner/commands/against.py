"""A run that has just ended, held against an earlier one: `prt run --against`."""

import json
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console
from rich.text import Text

from ..comparing.findings import Comparison
from ..comparing.versions import Named, compare_pair
from ..errors import UsageError
from ..findings import Report, report_adapter
from ..reports.compared import print_comparison
from ..reports.compared_json import comparison_dict
from ..reports.text import visible
from ..store.database import Store
from ..store.read import StoredRun, load_run
from .printing import output_console, print_report_as

REFUSED, WORSE = 2, 1


@dataclass(frozen=True, slots=True)
class Against:
    """What a run is held against, and what follows.

    Attributes:
        wanted: What the person calls the other run.
        fail_if_worse: Whether a run that is proven worse ends the command with 1.
    """

    wanted: str
    fail_if_worse: bool = False

    def find(self, store: Store) -> Named:
        """Find the other run, before anything is asked.

        Raises:
            UsageError: There is none, or more than one fits.
        """
        return Named(self.wanted, load_run(store, self.wanted))


@dataclass(frozen=True, slots=True)
class Held:
    """What came of it.

    Attributes:
        comparison: The comparison; None where it was refused.
        refusal: Why it was refused; empty where it was not.
    """

    comparison: Comparison | None
    refusal: str = ""


def held_against(before: Named, run: StoredRun) -> Held:
    """Compare a run with an earlier one; that they can't be compared costs no result."""
    try:
        return Held(compare_pair(before, Named(run.record.name, run)))
    except UsageError as error:
        return Held(None, str(error))


def print_both(report: Report, held: Held, *, as_json: bool, out: TextIO | None, err: Console) -> None:
    """Print a report and the comparison after it; as JSON one object of both."""
    if as_json:
        both = {
            "report": report_adapter().dump_python(report, mode="json"),
            "comparison": None if held.comparison is None else comparison_dict(held.comparison),
        }
        (out or output_console().file).write(json.dumps(both, indent=2, allow_nan=False) + "\n")
    else:
        print_report_as(report, as_json=False, out=out)
        if held.comparison is not None:
            console = output_console(out)
            console.print()
            print_comparison(held.comparison, console)
    if held.refusal:
        err.print(Text(f"\nnot compared: {visible(held.refusal)}"), soft_wrap=True)


def code_of(held: Held, against: Against, otherwise: int) -> int:
    """The exit code of a run: 2 where the comparison was refused; else what it ended with, and 1 where it is worse."""
    if held.comparison is None:
        return REFUSED
    return otherwise or (WORSE if against.fail_if_worse and held.comparison.is_worse else 0)
