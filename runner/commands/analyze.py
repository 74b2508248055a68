"""`prt analyze`: results made elsewhere."""

import sys
from collections.abc import Sequence

from ..results.files import STDIN, read_files
from ..table_analysis import analyse_table
from .report_forms import Forms, give, refuse_several


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
    forms: Forms,
) -> None:
    """Analyse results made elsewhere, and report on them in the forms that are wanted."""
    refuse_several(forms)
    stdin = sys.stdin.read() if STDIN in files else ""
    table = read_files(files, stdin=stdin, baseline=baseline, by=by, metric=metric, threshold=threshold)
    if repeats:
        table = table.as_repeats()
    if clusters is not None:
        table = table.clustered(clusters)
    report = analyse_table(table, alpha=alpha, margin=margin)

    def page() -> str:
        from .table_page import page_of_table  # noqa: PLC0415 - only a page needs it

        return page_of_table(table, report)

    give(report, forms, page)
