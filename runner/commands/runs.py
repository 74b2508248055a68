"""`prt runs`: which runs are in the store."""

import json
import sys

from rich.text import Text

from ..reports.tables import narrow_table
from ..reports.text import visible
from ..store.database import open_store
from ..store.runs import RunRecord, list_runs
from .printing import output_console


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
