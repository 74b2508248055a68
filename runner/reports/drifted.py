"""Drift of a judge on the terminal, and as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from pydantic import JsonValue as Json
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import Estimate
from ..judging.calibration import Figures
from ..judging.calibration_file import figures_json
from ..judging.drift import Changed, Drift
from ..problems import counted
from .calibrated import SAYS, judgement_blocks, kappa_cells
from .tables import narrow_table
from .text import p_value, percent, percent_interval, points, points_interval, visible


def print_drift(drift: Drift, console: Console, *, shown: int | None) -> None:
    """Print what became of a judge's verdicts.

    Args:
        drift: The judge then and now.
        console: Where to.
        shown: How many changed verdicts are shown; None for all.
    """
    for block in _blocks(drift, shown):
        console.print(block)


def drift_json(drift: Drift) -> str:
    """Write the same as JSON, two spaces deep."""
    told: dict[str, Json] = {
        **asdict(drift),
        "found": drift.is_found,
        "then": figures_json(drift.then),
        "now": figures_json(drift.now),
        "changes": [_change(each) for each in drift.changes],
        "notes": [*drift.notes],
    }
    return json.dumps(told, indent=2, allow_nan=False)


def _change(each: Changed) -> dict[str, Json]:
    item, condition, repeat = each.now.row.place
    said: dict[str, Json] = {"then": each.then.verdict, "now": each.now.verdict, "label": each.then.label}
    return {"item": item, "condition": condition, "repeat": repeat, **said, "reason": each.now.reason}


def _blocks(drift: Drift, shown: int | None) -> Iterator[RenderableType]:
    yield Text(f"{visible(drift.anchors)} · now against {visible(drift.calibration)}", style="bold")
    yield Text(judges(drift))
    yield Text("\n" + conclusion(drift), style="bold")
    if drift.table.n:
        yield Text()
        yield _shift(drift)
        yield Text("\nBeside people's labels, on the same answers", style="bold")
        yield _agreement(drift)
        yield Text(
            f"\nshift: passes now − passes then, in points: {drift.shift.method}; p: {drift.test.method}, of no shift. "
            f"changed: {drift.changed.method}. Verdicts that change as often either way are no shift; see `changed`. "
            f"Fewer than {drift.fewest} changes can't reach p ≤ {drift.alpha:g}, even all one way.",
            style="dim",
        )
    if drift.items < drift.table.n:
        yield Text(f"The {drift.table.n} answers are of {counted(drift.items, 'item')}: intervals and p go by item.")
    yield from (Text(f"note: {visible(note)}") for note in (*_missing(drift), *drift.notes))
    if drift.changes:
        yield Text(f"\n{counted(len(drift.changes), 'changed verdict')}", style="bold")
    for each in drift.changes[:shown]:
        yield from judgement_blocks(each.now)
        yield Text(f"  then: {SAYS[each.then.verdict]}; people: {SAYS[each.then.label]}")
    if shown is not None and len(drift.changes) > shown:
        yield Text(f"\nand {len(drift.changes) - shown} more; --all shows them")


def judges(drift: Drift) -> str:
    """Which judges are compared, and whether they are set up alike."""
    then, now = (visible(name) or "not known" for name in (drift.judge_then, drift.judge_now))
    if drift.same_judge is None:
        return f"judge then: {then}; now: {now}. Whether they are set up alike is not known."
    if drift.same_judge:
        return f"judge: {now}, set up as it was"
    return f"judge then: {then}; now: {now}. They are set up differently, so this compares two judges."


def conclusion(drift: Drift) -> str:
    """Say whether the judge is what it was."""
    table, changed = drift.table, drift.changed.count
    if not table.n:
        return "No anchor has a verdict both then and now, so nothing can be compared."
    p = p_value(drift.test.pvalue)
    told = f"{changed} of {table.n} verdicts changed: {table.pass_to_fail} to fail, {table.fail_to_pass} to pass"
    equal = f"p {p if p.startswith('<') else f'= {p}'}"
    if drift.is_found:
        way = "stricter" if table.pass_to_fail > table.fail_to_pass else "more lenient"
        return f"The judge has become {way}. {told} ({equal}). Calibrate it anew."
    return f"That the judge has become stricter or more lenient is not shown. {told} ({equal})."


def _shift(drift: Drift) -> Table:
    table = _table("", f"{100 * (1 - drift.alpha):g}% interval", "n")
    n = str(drift.table.n)
    table.add_row("shift", points(drift.shift.estimate), points_interval(drift.shift), n)
    table.add_row("changed", percent(drift.changed.estimate), percent_interval(drift.changed), n)
    return table


def _agreement(drift: Drift) -> Table:
    interval = f"{100 * (1 - drift.alpha):g}% interval"
    table = _table("n", "then", interval, "now", interval)
    both: tuple[Figures, Figures] = (drift.then, drift.now)
    for name in ("agreement", "sensitivity", "specificity"):
        rates: list[Estimate] = [getattr(each, name) for each in both]
        cells = (cell for each in rates for cell in (percent(each.estimate), percent_interval(each)))
        table.add_row(name, str(rates[0].n), *cells)
    then, now = (kappa_cells(each.kappa) for each in both)
    table.add_row("Cohen's κ", str(drift.table.n), *then, *now)
    return table


def _table(*headings: str) -> Table:
    table = narrow_table()
    table.add_column("")
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def _missing(drift: Drift) -> Iterator[str]:
    """What is in no figure."""
    counts = {
        "with a verdict then and none now": drift.lost,
        "with a verdict now and none then": drift.gained,
        "without a verdict then and now": drift.without_either,
        "of the calibration that the anchors lack": drift.only_then,
        "of the anchors that the calibration lacks": drift.only_now,
    }
    yield from (f"in no figure: {counted(n, 'answer')} {which}" for which, n in counts.items() if n)
