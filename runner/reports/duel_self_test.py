"""What the self-test of `prt duel` came to, case by case."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..duel.self_test import Case, Checked
from .tables import narrow_table


def print_self_test(checked: Sequence[Checked], console: Console) -> None:
    """Print each case with what it had to come to, and how many came to it."""
    console.print(_cases(checked))
    wrong = sum(bool(each.wrong) for each in checked)
    console.print(Text(f"\n{len(checked) - wrong} of {len(checked)} cases came to what they have to."))


def _cases(checked: Sequence[Checked]) -> Table:
    table = narrow_table()
    table.add_column("", no_wrap=True)
    table.add_column("comparisons", overflow="fold")
    table.add_column("have to come to", overflow="fold")
    for each in checked:
        table.add_row("WRONG" if each.wrong else "ok", each.case.name, each.wrong or expected(each.case))
    return table


def expected(case: Case) -> str:
    """What a case has to come to, in words."""
    if case.refusal:
        return "refused"
    names = case.verdicts.items()
    verdicts = ", ".join(verdict if len(case.verdicts) == 1 else f"{name} {verdict}" for name, verdict in names)
    return f"{verdicts}; position bias" if case.biased else verdicts
