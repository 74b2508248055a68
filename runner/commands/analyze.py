"""`prt analyze`: results made elsewhere."""

import sys
from collections.abc import Sequence

from ..results.files import STDIN, read_files
from ..table_analysis import analyse_table
from .printing import print_report_as


def analyze_command(
    files: Sequence[str],
    *,
    baseline: str | None,
    by: str | None,
    metric: str | None,
    threshold: float | None,
    alpha: float,
    margin: float,
    clusters: str | None,
    repeats: bool,
    as_json: bool,
) -> None:
    """Analyse results made elsewhere."""
    stdin = sys.stdin.read() if STDIN in files else ""
    table = read_files(files, stdin=stdin, baseline=baseline, by=by, metric=metric, threshold=threshold)
    if repeats:
        table = table.as_repeats()
    if clusters is not None:
        table = table.clustered(clusters)
    print_report_as(analyse_table(table, alpha=alpha, margin=margin), as_json=as_json)
