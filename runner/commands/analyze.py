"""`prt analyze`: results made elsewhere."""

import sys
from pathlib import Path

from ..analysis import analyse_table
from ..results.read import read_results
from .printing import print_report_as


def analyze_command(
    file: Path, *, baseline: str | None, alpha: float, margin: float, clusters: str | None, repeats: bool, as_json: bool
) -> None:
    """Analyse results made elsewhere."""
    stdin = str(file) == "-"
    table = read_results(None if stdin else file, text=sys.stdin.read() if stdin else None, baseline=baseline)
    if repeats:
        table = table.as_repeats()
    if clusters is not None:
        table = table.clustered(clusters)
    print_report_as(analyse_table(table, alpha=alpha, margin=margin), as_json=as_json)
