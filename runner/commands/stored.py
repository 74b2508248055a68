"""`prt report`, `prt runs` and `prt show`: what is in the store."""

import json
import sys

from rich.text import Text

from ..analysis import analyse_run
from ..reports.items import item_view, print_item
from ..reports.tables import narrow_table
from ..reports.text import visible
from ..store.database import open_store
from ..store.read import load_run
from ..store.runs import RunRecord, list_runs
from .printing import output_console, print_report_as


def report_command(run: str, *, store: str, as_json: bool) -> None:
    """Report on a stored run."""
    with open_store(store, may_create=False) as opened:
        print_report_as(analyse_run(load_run(opened, run)), as_json=as_json)


def runs_command(*, store: str, as_json: bool) -> None:
    """List the stored runs."""
    with open_store(store, may_create=False) as opened:
        records = list_runs(opened)
    if as_json:
        sys.stdout.write(json.dumps([run_row(record) for record in records], indent=2) + "\n")
        return
    table = narrow_table()
    for heading in ("run", "state", "model", "started"):
        table.add_column(heading, overflow="fold")
    for record in records:
        row = run_row(record)
        table.add_row(*(Text(visible(str(row[key]))) for key in ("id", "state", "model", "started_at")))
    output_console().print(table)


def run_row(record: RunRecord) -> dict[str, str | None]:
    """A run in a list."""
    return {
        "id": record.id,
        "name": record.name,
        "state": record.state,
        "reason": record.reason,
        "model": str(record.environment.get("model", "")),
        "grader": str(record.grader.get("name", "")),
        "started_at": record.started_at.isoformat(timespec="seconds"),
        "finished_at": record.finished_at.isoformat(timespec="seconds") if record.finished_at else None,
    }


def show_command(run: str, item: str, *, condition: str | None, store: str, as_json: bool) -> None:
    """Show one item of a run."""
    with open_store(store, may_create=False) as opened:
        view = item_view(load_run(opened, run), item, condition=condition)
    print_item(view, output_console(), as_json=as_json)
