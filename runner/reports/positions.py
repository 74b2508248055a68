"""Whether the model favours a slot, for the terminal: a sentence, and the figures of each slot."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import SlotFigures
from ..findings import PositionsFinding, Report
from ..problems import counted
from .tables import narrow_table
from .text import p_value, percent, percent_interval, points, points_interval, visible

SLOTS_SHOWN = 10
CONDITIONS_SHOWN = 3
UNTOLD = {
    "unread": "can't be told: no answer was read",
    "always_right": "can't be told from a model that is always right",
    "always_wrong": "can't be told from a model that is always wrong",
}


def positions(report: Report) -> Iterator[RenderableType]:
    """Show where right options stood, which slots the model chose, and what the test says."""
    found = report.positions
    if found is None:
        return
    level = f"{100 * report.summary.level:.0f}% interval"
    yield Text("\nPositions: does the model favour the slot in which an option is shown?", style="bold")
    yield Text(position_sentence(found))
    if any(each.chosen for each in found.figures.slots):
        yield _choices(found, level)
        yield Text()
    yield _passes(found, level)
    if len(found.labels) > SLOTS_SHOWN:
        yield Text(f"and {len(found.labels) - SLOTS_SHOWN} more slots; `prt report --json` has them all")
    yield Text(basis(found))


def position_sentence(found: PositionsFinding) -> str:
    """Say what the figures show."""
    figures = found.figures
    test = f"p = {p_value(figures.test.pvalue)}, {counted(figures.n, 'item')}"
    match figures.verdict:
        case "too_few":
            return f"Too few for a verdict: {counted(figures.n, 'item')}; it takes 10, of as many clusters."
        case "not_shown" if found.untold:
            return f"This {UNTOLD[found.untold]} ({counted(figures.n, 'item')})."
        case "not_shown":
            return f"No: no slot is shown to be favoured ({test})."
        case "differs":
            return f"The slot of the right option makes a difference ({test}), but no slot is shown to be favoured."
        case "favours":
            slots = [each for each in figures.slots if each.slot in figures.favoured]
            return f"Yes ({test}). " + " ".join(favourite_sentence(found.labels[each.slot], each) for each in slots)


def favourite_sentence(label: str, slot: SlotFigures) -> str:
    """Say of one slot how often it is chosen and how often it should be, and what that does to the pass rate."""
    passes = (
        f"With the right option in slot {label}, {percent(slot.there.estimate)} pass, elsewhere "
        f"{percent(slot.elsewhere.estimate)} (n = {slot.there.n})."
    )
    if slot.chosen is None:
        return passes
    return (
        f"The model chooses slot {label} in {percent(slot.chosen.estimate)} of its answers, where the right option "
        f"stands in {percent(slot.right)}. {passes}"
    )


def favoured_labels(found: PositionsFinding) -> tuple[str, ...]:
    """The labels of the slots that the model favours."""
    return tuple(found.labels[slot] for slot in found.figures.favoured)


def _choices(found: PositionsFinding, level: str) -> Table:
    table = _table("slot", "n", "right there", "chosen", level)
    for label, each in _shown(found):
        if each.chosen is not None:
            table.add_row(
                label,
                str(each.chosen.n),
                percent(each.right),
                percent(each.chosen.estimate),
                percent_interval(each.chosen),
            )
    return table


def _passes(found: PositionsFinding, level: str) -> Table:
    table = _table("slot", "n", "pass there", level, "elsewhere", "change", level)
    for label, each in _shown(found):
        table.add_row(
            label,
            str(each.there.n),
            percent(each.there.estimate),
            percent_interval(each.there),
            percent(each.elsewhere.estimate),
            points(each.difference.estimate),
            points_interval(each.difference),
        )
    return table


def _shown(found: PositionsFinding) -> Iterator[tuple[str, SlotFigures]]:
    yield from zip(found.labels[:SLOTS_SHOWN], found.figures.slots[:SLOTS_SHOWN], strict=True)


def _table(first: str, *headings: str) -> Table:
    table = narrow_table()
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def basis(found: PositionsFinding) -> str:
    """Say over what the figures are, and by which methods."""
    figures = found.figures
    over = (
        f"Over {figures.n} of {counted(found.items, 'item')}, each compared with itself: those whose right option was "
        f"shown in two slots or more by {_conditions(found)}"
    )
    if figures.with_baseline:
        over += (
            f", for {figures.with_baseline} of them by the original order too, so that whatever else is special about "
            "that order looks like the slot's"
        )
    first = next(each for each in figures.slots if each.difference.n)
    return (
        f"{over}. p: {figures.test.method}. Intervals: {first.there.method}; of the change, {first.difference.method}."
    )


def _conditions(found: PositionsFinding) -> str:
    names = [visible(name) for name in found.conditions]
    return ", ".join(names) if len(names) <= CONDITIONS_SHOWN else f"{names[0]}, …, {names[-1]}"
