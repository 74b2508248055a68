"""What another grader makes of a run: which outcomes change and why, and what becomes of the figures."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from pydantic import JsonValue as Json
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import Estimate
from ..findings import Answer, Report, report_adapter
from ..graders.judges import judge_name
from ..problems import counted
from ..records import Grade
from ..regrading import NOT_GRADED, Change, Regraded, outcome
from .items import read_in
from .tables import narrow_table
from .text import one_line, percent, percent_interval, points, points_interval, visible
from .variants import indented

UNTRUSTED_SHOWN = 5
SHOWN_BEFORE, SHOWN_OF_TEXT = 150, 400
"""Characters that are shown of a long reply: before its answer, and in all."""


def print_regraded(regraded: Regraded, console: Console, *, shown: int) -> None:
    """Print what changes; at most so many replies, and how many more there are."""
    for block in _blocks(regraded, shown):
        console.print(block)


def regraded_json(regraded: Regraded, *, used: bool) -> str:
    """Write all of it as JSON, two spaces deep; with both reports whole."""
    transitions = [{"before": before, "after": after, "n": n} for (before, after), n in _by_number(regraded)]
    untrusted = [
        {"item_id": item, "condition": condition, "reason": reason}
        for (item, condition), reason in regraded.untrusted.items()
    ]
    told = {
        "run": regraded.run,
        "grader": dict(regraded.grader),
        "other": dict(regraded.other),
        "used": used,
        "cells": regraded.cells,
        "transitions": transitions,
        "reread": regraded.reread,
        "untrusted": untrusted,
        "changes": [asdict(change) for change in regraded.changes],
        "before": report_adapter().dump_python(regraded.before, mode="json"),
        "after": report_adapter().dump_python(regraded.after, mode="json"),
    }
    return json.dumps(told, indent=2, allow_nan=False)


def _blocks(regraded: Regraded, shown: int) -> Iterator[RenderableType]:
    yield Text(f"{visible(regraded.run)} · {_by_whom(regraded)}", style="bold")
    yield Text(_headline(regraded))
    yield from _untrusted(regraded)
    if regraded.changes:
        yield Text("\nOutcomes before and after, of all replies", style="bold")
        yield _transitions(regraded)
        yield Text("\nThe figures before and after, on the same replies", style="bold")
        yield _figures(regraded)
        yield Text("\nWhat changes, and why", style="bold")
        for change in sorted(regraded.changes, key=lambda change: change.after.status == "judge_error")[:shown]:
            yield from _change(change)
        if len(regraded.changes) > shown:
            yield Text(f"  and {len(regraded.changes) - shown} more; `--show` and `--json` tell of more")


def grader_words(identity: Mapping[str, Json], beside: Mapping[str, Json]) -> str:
    """A grader's name; beside one of the same name with the parameters that differ: `numeric (tolerance 0.1)`."""
    name = str(identity.get("name", "an unknown grader"))
    if name != beside.get("name"):
        return name
    told = [f"{key} {_brief(value, beside.get(key))}" for key, value in identity.items() if beside.get(key) != value]
    return f"{name} ({', '.join(told)})" if told else name


def _brief(value: Json, other: Json = None) -> str:
    if isinstance(value, dict):
        names = [judge_name({"name": "judge", "model": model}) for model in (value, other) if isinstance(model, dict)]
        if len(set(names)) == len(names):
            return one_line(names[0], 40)
        differing = {key: each for key, each in value.items() if not isinstance(other, dict) or other.get(key) != each}
        return one_line(", ".join([names[0], *(f"{key} {json.dumps(each)}" for key, each in differing.items())]), 80)
    if isinstance(value, list):
        names = [str(part.get("name")) if isinstance(part, dict) else str(part) for part in value]
        return ", ".join(names) or "none"
    return str(value).lower() if isinstance(value, bool) else one_line(str(value), 40)


def _by_whom(regraded: Regraded) -> str:
    if regraded.other == regraded.grader:
        return f"graded by {visible(grader_words(regraded.grader, {}))}, its own grader"
    after = grader_words(regraded.other, regraded.grader)
    judges = [judge_name(each) for each in (regraded.grader, regraded.other)]
    if all(judges) and judges[0] != judges[1]:
        return f"judge {visible(judges[0])} → judge {visible(judges[1])}"
    return f"graded by {visible(after)} instead of {visible(grader_words(regraded.grader, regraded.other))}"


def _headline(regraded: Regraded) -> str:
    changed = len(regraded.changes)
    stay = regraded.cells - changed
    replies = "1 reply" if regraded.cells == 1 else f"{regraded.cells} replies"
    words = f"The outcome of {changed} of {replies} changes, and that of {stay} stays"
    return words + (f"; {regraded.reread} of these are read otherwise" if regraded.reread else "")


def _untrusted(regraded: Regraded) -> Iterator[RenderableType]:
    if not regraded.untrusted:
        return
    n = len(regraded.untrusted)
    yield Text(f"\nIts proof fails on {counted(n, 'variant')}, whose replies it can't judge", style="bold yellow")
    for (item, condition), reason in list(regraded.untrusted.items())[:UNTRUSTED_SHOWN]:
        yield Text(f"  {visible(item)} {visible(condition)}: {one_line(reason, 200)}")
    if n > UNTRUSTED_SHOWN:
        yield Text(f"  and {n - UNTRUSTED_SHOWN} more; `--json` has them all")


def _by_number(regraded: Regraded) -> list[tuple[tuple[str, str], int]]:
    return sorted(regraded.transitions.items(), key=lambda entry: (-entry[1], entry[0]))


def _transitions(regraded: Regraded) -> Table:
    table = narrow_table()
    for heading in ("before", "after"):
        table.add_column(heading)
    table.add_column("replies", justify="right")
    for (before, after), n in _by_number(regraded):
        table.add_row(before, after, str(n), style="" if before != after else "dim")
    return table


def _figures(regraded: Regraded) -> Table:
    level = f"{100 * regraded.before.summary.level:.0f}%"
    table = narrow_table()
    table.add_column("", overflow="fold")
    for when in ("before", "after"):
        table.add_column(when, justify="right", no_wrap=True)
        table.add_column(f"{level} interval", no_wrap=True)
        table.add_column("n", justify="right", no_wrap=True)
    for name, before, after in _rates(regraded.before, regraded.after):
        table.add_row(name, *_rate_cells(before), *_rate_cells(after))
    for name, before, after in _condition_changes(regraded.before, regraded.after):
        table.add_row(Text(f"{visible(name)}, change"), *_change_cells(before), *_change_cells(after))
    return table


def _rates(before: Report, after: Report) -> Iterator[tuple[str, Estimate, Estimate]]:
    names = {"Baseline": "baseline_rate", "Robust rate": "robust_rate", "Fully stable": "fully_stable"}
    for name, key in names.items() if before.conditions else [("Baseline", "baseline_rate")]:
        yield name, getattr(before.summary.overall, key), getattr(after.summary.overall, key)


def _condition_changes(before: Report, after: Report) -> Iterator[tuple[str, Estimate, Estimate]]:
    later = {each.summary.condition: each.summary.change for each in (*after.conditions, *after.apart)}
    for each in (*before.conditions, *before.apart):
        if each.summary.condition in later:
            yield each.summary.condition, each.summary.change, later[each.summary.condition]


def _rate_cells(figure: Estimate) -> tuple[str, str, str]:
    return percent(figure.estimate), percent_interval(figure), str(figure.n)


def _change_cells(figure: Estimate) -> tuple[str, str, str]:
    return points(figure.estimate), points_interval(figure), str(figure.n)


def _change(change: Change) -> Iterator[RenderableType]:
    repeat = f" · repeat {change.repeat + 1}" if change.repeat else ""
    arrow = f"{outcome(change.before)} → {outcome(change.after)}"
    yield Text(f"\n{visible(change.item_id)} · {visible(change.condition)}{repeat} · {arrow}", style="bold")
    yield indented(Text(f"before: {how_graded(change.before)}\nafter: {how_graded(change.after)}"), 2)
    yield indented(read_in(excerpt(change.text, change.after.span or (change.before.span if change.before else None))))


def how_graded(grade: Grade | None) -> str:
    """What was read and why it has its outcome: `fail, read '5'`, `unparsed, the reply gives no answer`."""
    if grade is None:
        return NOT_GRADED
    read = f"read {one_line(grade.extracted, 60)!r}" if grade.extracted is not None else ""
    return ", ".join(part for part in (outcome(grade), read, one_line(grade.reason, 200)) if part)


def excerpt(text: str, span: tuple[int, int] | None) -> Answer:
    """A reply as it may be shown: cut to what stands around the answer, where it is long."""
    start, end = span or (len(text), len(text))
    first = max(0, min(start - SHOWN_BEFORE, len(text) - SHOWN_OF_TEXT))
    last = min(len(text), max(first + SHOWN_OF_TEXT, min(end, start + SHOWN_OF_TEXT)))
    head, tail = "… " if first else "", " …" if last < len(text) else ""
    moved = (start - first + len(head), min(end, last) - first + len(head)) if span else None
    return Answer(f"{head}{text[first:last]}{tail}", passed=None, status="", extracted=None, span=moved)
