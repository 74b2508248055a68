"""`prt report` and `prt show`: what is in the store."""

from ..analysis import analyse_run
from ..reports.items import item_view, print_item
from ..store.database import open_store
from ..store.read import load_run
from .printing import output_console, print_report_as


def report_command(run: str, *, store: str, as_json: bool) -> None:
    """Report on a stored run."""
    with open_store(store, may_create=False) as opened:
        print_report_as(analyse_run(load_run(opened, run)), as_json=as_json)


def show_command(run: str, item: str, *, condition: str | None, store: str, as_json: bool) -> None:
    """Show one item of a run."""
    with open_store(store, may_create=False) as opened:
        view = item_view(load_run(opened, run), item, condition=condition)
    print_item(view, output_console(), as_json=as_json)
