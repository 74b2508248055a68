"""`prt runs`: which runs are in the store."""

import json
import sys

from rich.text import Text

from ..reports.tables import narrow_table
from ..reports.text import visible
from ..store.database import Store, open_store
from ..store.earlier import progress_of
from ..store.runs import RunRecord, list_runs, state_now
from .printing import output_console


def runs_command(*, store: str, as_json: bool) -> None:
    """List the stored runs."""
    with open_store(store, may_create=False) as opened:
        rows = [run_row(opened, record) for record in list_runs(opened)]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    table = narrow_table()
    for heading in ("run", "state", "model", "started"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        so_far = "" if row["cells"] is None else f", {row['with_result']:,} of {row['cells']:,} cells"
        shown = row["id"], f"{row['state']}{so_far}", row["model"], row["started_at"]
        table.add_row(*(Text(visible(str(each))) for each in shown))
    output_console().print(table)


def run_row(store: Store, record: RunRecord) -> dict[str, str | int | None]:
    """A run in a list; one that is not complete with how many of its cells have a result."""
    with_result, cells = (None, None) if record.state == "complete" else progress_of(store, record)
    return {
        "id": record.id,
        "name": record.name,
        "state": state_now(store, record),
        "with_result": with_result,
        "cells": cells,
        "reason": record.reason,
        "model": str(record.environment.get("model", "")),
        "grader": str(record.grader.get("name", "")),
        "started_at": record.started_at.isoformat(timespec="seconds"),
        "finished_at": record.finished_at.isoformat(timespec="seconds") if record.finished_at else None,
    }
