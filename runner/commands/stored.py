"""`prt report` and `prt show`: what is in the store."""

from pathlib import Path

from rich.console import Console

from ..judging.calibration_file import read_calibration
from ..reports.items import item_view, print_item
from ..store.database import open_store
from ..store.read import load_run
from .gates import exit_code, gated_report, tell_failed
from .printing import output_console
from .report_forms import Forms, give, refuse_several
from .report_page import page_of_run


def report_command(run: str, *, calibration: Path | None, gates: Path | None, store: str, forms: Forms) -> int:
    """Report on a stored run.

    Args:
        run: The run.
        calibration: A calibration of its judge, by which its pass rates are corrected.
        gates: A file of gates, instead of those of its config.
        store: The results database.
        forms: How the report is wanted.

    Returns:
        The exit code: 1 where a gate fails, else 0.
    """
    refuse_several(forms)
    saved = None if calibration is None else read_calibration(calibration)
    with open_store(store, may_create=False) as opened:
        stored = load_run(opened, run)
        report = gated_report(stored, saved, gates)
        give(report, forms, lambda: page_of_run(stored, report))
    tell_failed(report.gates, Console(stderr=True, highlight=False))
    return exit_code(report.gates)


def show_command(run: str, item: str, *, condition: str | None, store: str, as_json: bool) -> None:
    """Show one item of a run."""
    with open_store(store, may_create=False) as opened:
        view = item_view(load_run(opened, run), item, condition=condition)
    print_item(view, output_console(), as_json=as_json)
