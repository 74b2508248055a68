"""`prt analyze`: results made elsewhere."""

import sys
from pathlib import Path

from ..analysis import analyse_table
from ..results.read import read_results
from .printing import print_report_as


def analyze_command(file: Path, *, baseline: str | None, alpha: float, margin: float, as_json: bool) -> None:
    """Analyse results made elsewhere."""
    stdin = str(file) == "-"
    table = read_results(None if stdin else file, text=sys.stdin.read() if stdin else None, baseline=baseline)
    print_report_as(analyse_table(table, alpha=alpha, margin=margin), as_json=as_json)
