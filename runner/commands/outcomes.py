"""How many items each condition applies to, and why not to the others."""

from collections import Counter
from typing import get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...perturbations.variant import Outcome
from ..prepare import Prepared, outcome_counts
from ..reports.text import visible

REASONS_SHOWN = 3
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def print_outcomes(prepared: Prepared, console: Console) -> None:
    """Print the outcomes of each condition, and under them the commonest reasons."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("condition")
    for outcome in OUTCOMES:
        table.add_column(outcome.replace("_", " "), justify="right")
    counts = outcome_counts(prepared)
    for condition, found in counts.items():
        table.add_row(Text(condition), *(str(_total(found, outcome)) for outcome in OUTCOMES))
    console.print(table)
    for condition, found in counts.items():
        for line in reason_lines(condition, found):
            console.print(Text(line))


def reason_lines(condition: str, found: Counter[tuple[Outcome, str]]) -> list[str]:
    """`paraphrase.1: 20 not applicable (…)`: the commonest reasons, and how many items have another."""
    others = [(outcome, reason, n) for (outcome, reason), n in found.most_common() if outcome != "applied"]
    lines = [
        f"{condition}: {n} {outcome.replace('_', ' ')}" + (f" ({visible(reason)})" if reason else "")
        for outcome, reason, n in others[:REASONS_SHOWN]
    ]
    rest = sum(n for *_, n in others[REASONS_SHOWN:])
    return [*lines, f"{condition}: {rest} more for other reasons"] if rest else lines


def _total(found: Counter[tuple[Outcome, str]], outcome: Outcome) -> int:
    return sum(n for (each, _), n in found.items() if each == outcome)
