"""`prt store`: whether a store is whole, its size, its results for other programs, and several stores as one."""

import json
import sys
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from ..exporting import ExportFormat, export
from ..problems import counted, quoted
from ..reports.text import visible
from ..store.checking import Checked, checked
from ..store.database import open_store
from ..store.merging import Merged, merge
from ..store.read import load_run
from ..store.upkeep import Vacuumed, vacuum
from .printing import output_console, watching

WHOLE, DAMAGED = 0, 1
MIB = 1024 * 1024


def check_command(*, store: str, as_json: bool) -> int:
    """Check a store; 0 where it is whole, else 1."""
    with open_store(store, may_create=False) as opened:
        found = checked(opened)
    if as_json:
        print_json({**asdict(found), "whole": not found.faults})
    else:
        print_lines(check_lines(found))
    return DAMAGED if found.faults else WHOLE


def check_lines(found: Checked) -> list[str]:
    """What a check found, for a person."""
    rows = ", ".join(f"{table} {count}" for table, count in found.rows.items() if table != "meta")
    notes = [
        (found.unused_suites, "suite", "that no run is of"),
        (found.replies_without_cell, "reply", "kept as history, or asked by `prt shrink`, that no cell shows now"),
    ]
    return [
        f"{found.place}: {'whole' if not found.faults else 'not whole; take it from a backup, or name another store'}",
        *(f"  {fault}" for fault in found.faults),
        *([f"rows: {rows}"] if rows else []),
        *(f"{counted_replies(count, noun)} {what}" for count, noun, what in notes if count),
    ]


def counted_replies(count: int, noun: str) -> str:
    """`1 reply`, `2 replies`."""
    return f"{count} replies" if noun == "reply" and count != 1 else counted(count, noun)


def vacuum_command(*, store: str, as_json: bool) -> None:
    """Write a store anew without unused room."""
    told = Console(stderr=True, highlight=False)
    with open_store(store, may_create=False, watch=watching(told)) as opened:
        done = vacuum(opened)
    if as_json:
        print_json(asdict(done))
    else:
        print_lines([vacuum_line(done)])


def vacuum_line(done: Vacuumed) -> str:
    """What became of a store's size, for a person."""
    return f"{done.place}: {done.before / MIB:.1f} MiB before, {done.after / MIB:.1f} MiB now"


def export_command(run: str, target: str, *, form: ExportFormat | None, store: str) -> None:
    """Write a run's results as a table."""
    with open_store(store, may_create=False) as opened:
        found = load_run(opened, run)
        rows = export(found, target, form, sys.stdout)
    if target != "-":
        told = Console(stderr=True, highlight=False)
        told.print(Text(visible(f"{target}: {counted(rows, 'row')} of {found.record.id}")), soft_wrap=True)


def merge_command(other: str, *, store: str, as_json: bool) -> None:
    """Add the runs of another store."""
    told = Console(stderr=True, highlight=False)
    with open_store(other, may_create=False, watch=watching(told)) as read, open_store(store) as opened:
        done = merge(opened, read)
    if as_json:
        print_json(asdict(done))
    else:
        print_lines(merge_lines(done))


def merge_lines(done: Merged) -> list[str]:
    """What a merge added, for a person."""
    replies = done.rows.get("replies", 0)
    behind = (
        f"  {run} has {counted(more, 'cell')} more there; to have them here, merge into a store that lacks the run"
        for run, more in done.behind.items()
    )
    others = (
        f"  {noun} {quoted(name)} {what} there; it stays as it is here"
        for names, noun, what in (
            (done.other_baselines, "the baseline", "is another run"),
            (done.other_series, "the series", "has other nights"),
        )
        for name in names
    )
    added = f"{counted(len(done.added), 'run')} added with {counted_replies(replies, 'reply')}"
    return [
        f"{done.place}: {added}, {len(done.known)} here already, from {done.other}",
        *(f"  {run}" for run in done.added),
        *behind,
        *others,
    ]


def print_lines(lines: list[str]) -> None:
    """Print lines for a person."""
    console = output_console()
    for line in lines:
        console.print(Text(visible(line)), soft_wrap=True)


def print_json(value: object) -> None:
    """Print a value for a program."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
