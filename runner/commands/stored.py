"""`prt report` and `prt show`: what is in the store."""

from pathlib import Path

from ..analysis import analyse_run
from ..judging.calibration_file import read_calibration
from ..reports.items import item_view, print_item
from ..store.database import open_store
from ..store.read import load_run
from .printing import output_console
from .report_forms import Forms, give, refuse_several


def report_command(run: str, *, calibration: Path | None, store: str, forms: Forms) -> None:
    """Report on a stored run, with its pass rates corrected where a calibration of its judge is given."""
    refuse_several(forms)
    saved = None if calibration is None else read_calibration(calibration)
    with open_store(store, may_create=False) as opened:
        report = analyse_run(load_run(opened, run), saved)
    give(report, forms)


def show_command(run: str, item: str, *, condition: str | None, store: str, as_json: bool) -> None:
    """Show one item of a run."""
    with open_store(store, may_create=False) as opened:
        view = item_view(load_run(opened, run), item, condition=condition)
    print_item(view, output_console(), as_json=as_json)
