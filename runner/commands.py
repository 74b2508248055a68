"""The commands that call no model."""

import json
import os
import sys
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from ..perturbations.bundle import write_bundle
from .analysis import analyse_run, analyse_table
from .config_schema import json_schema
from .credentials import missing_keys
from .errors import ConfigError, UsageError
from .loading import resolved
from .plan import count_cells
from .prepare import Prepared, outcome_counts, prepare
from .printing import output_console, print_notes, print_report_as
from .problems import did_you_mean, quoted
from .reports.items import item_view, print_item
from .reports.machine import report_schema
from .reports.text import visible
from .reports.variants import print_variants
from .results_in import read_results
from .starter import write_starter
from .store import open_store
from .store_read import load_run
from .store_runs import RunRecord, list_runs


def check_command(config: Path, *, show: bool) -> None:
    """Validate everything that can be validated without a call, and say what a run would do."""
    prepared = prepare(config, env=os.environ)
    if problems := missing_keys(prepared.loaded, os.environ):
        raise ConfigError(*problems)
    console = output_console()
    if show:
        for key, value, origin in resolved(prepared.loaded):
            console.print(Text(f"{key}: {value}").append(f"  # {origin}", style="dim"), soft_wrap=True)
        console.print()
    print_notes(prepared, console)
    calls = count_cells(prepared.items, prepared.variants)
    console.print(
        Text(f"{config}: all well. {len(prepared.items)} items, {calls} calls, grader {prepared.grader.name}.")
    )
    console.print(outcome_table(prepared))


def outcome_table(prepared: Prepared) -> Table:
    """How many items each condition applies to, and why not to the others."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("condition")
    outcomes = ("applied", "unchanged", "not_applicable", "rejected")
    for outcome in outcomes:
        table.add_column(outcome.replace("_", " "), justify="right")
    for condition, counts in outcome_counts(prepared).items():
        table.add_row(Text(condition), *(str(counts.get(outcome, 0)) for outcome in outcomes))
    return table


def init_command(path: Path) -> None:
    """Write a starter config, and items to run it on where there are none."""
    for written in write_starter(path):
        sys.stdout.write(f"wrote {written}\n")
    sys.stdout.write(f"next: prt run {path}\n")


def perturb_command(config: Path, *, out: Path | None, shown: int, item_id: str | None) -> None:
    """Show variants, count outcomes, freeze the bundle."""
    prepared = prepare(config, env=os.environ)
    console = output_console()
    print_notes(prepared, console)
    for item in chosen_items(prepared, shown, item_id):
        print_variants(item, prepared.variants[item], console)
    console.print(outcome_table(prepared))
    target = out or Path(f"{prepared.config.name}.bundle.jsonl")
    try:
        digest = write_bundle(target, prepared.bundle)
    except OSError as error:
        raise UsageError(
            f"{target}: the bundle can't be written ({error.strerror}); name another file by --out"
        ) from None
    console.print(
        Text(f"{target}: {len(prepared.bundle.variants)} variants frozen, hash {digest[:16]}"), soft_wrap=True
    )


def chosen_items(prepared: Prepared, shown: int, item_id: str | None) -> list[str]:
    """The items to show: the first ones, or the one that is named."""
    ids = [item.id for item in prepared.items]
    if item_id is None:
        return ids[:shown]
    if item_id not in prepared.variants:
        raise UsageError(f"there is no item {quoted(item_id)} in the dataset" + did_you_mean(item_id, ids))
    return [item_id]


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
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
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
        "model": str(record.model.get("name", "")),
        "grader": str(record.grader.get("name", "")),
        "started_at": record.started_at.isoformat(timespec="seconds"),
        "finished_at": record.finished_at.isoformat(timespec="seconds") if record.finished_at else None,
    }


def show_command(run: str, item: str, *, condition: str | None, store: str, as_json: bool) -> None:
    """Show one item of a run."""
    with open_store(store, may_create=False) as opened:
        view = item_view(load_run(opened, run), item, condition=condition)
    print_item(view, output_console(), as_json=as_json)


def analyze_command(file: Path, *, baseline: str | None, alpha: float, margin: float, as_json: bool) -> None:
    """Analyse results made elsewhere."""
    stdin = str(file) == "-"
    table = read_results(None if stdin else file, text=sys.stdin.read() if stdin else None, baseline=baseline)
    print_report_as(analyse_table(table, alpha=alpha, margin=margin), as_json=as_json)


def schema_command(of: str) -> None:
    """Print a JSON Schema."""
    schema = report_schema() if of == "report" else json_schema()
    sys.stdout.write(json.dumps(schema, indent=2) + "\n")
