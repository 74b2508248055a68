"""What is to be shrunk: one item of a stored run under one condition that flips it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...perturbations.changes import Split
from ...perturbations.splitting import split
from ...perturbations.variant import Variant
from ..errors import UsageError
from ..flipped import FLIP
from ..plan import BASELINE, RERUN
from ..problems import quoted
from ..records import Item
from ..reports.items import ConditionView, item_view
from ..store.read import StoredRun
from ..store.runs import RunRecord
from ..suggest import listed


@dataclass(frozen=True, slots=True)
class Case:
    """A flip.

    Attributes:
        run: The run.
        item: The item.
        parts: The condition's variant, in its changes.
        to_pass: Whether the item passes under the condition, and fails under the baseline; else the other way round.
    """

    run: RunRecord
    item: Item
    parts: Split
    to_pass: bool

    @property
    def condition(self) -> str:
        """The condition."""
        return self.parts.variant.condition


def flipped_case(run: StoredRun, item_id: str, condition: str) -> Case:
    """Find a flip in a stored run.

    Args:
        run: The run.
        item_id: The item.
        condition: The condition.

    Raises:
        UsageError: There is no such item or condition, nothing that could be shrunk, or no flip.
    """
    item_view(run, item_id, condition=condition)
    views = {view.variant.condition: view for view in item_view(run, item_id, condition=None).conditions}
    flips = [
        name
        for name, view in views.items()
        if not unshrinkable(view.variant) and moved(views[BASELINE], view) is not None
    ]
    if reason := unshrinkable(views[condition].variant):
        raise UsageError(f"{reason}; {elsewhere(item_id, flips)}.")
    for view in (views[BASELINE], views[condition]):
        if pass_rate(view) is None:
            raise UsageError(unanswered(item_id, view))
    to_pass = moved(views[BASELINE], views[condition])
    if to_pass is None:
        both = " and ".join(f"{name} passes in {passes(views[name])}" for name in (BASELINE, condition))
        raise UsageError(f"{quoted(item_id)} does not flip under {condition}: {both}; {elsewhere(item_id, flips)}.")
    (item,) = (item for item in run.items() if item.id == item_id)
    return Case(run.record, item, split(views[BASELINE].variant, views[condition].variant), to_pass)


def unshrinkable(variant: Variant) -> str:
    """Say why a condition has no changes that could be left out; empty where it has."""
    name = variant.condition
    if name == BASELINE:
        return "the baseline is what the other conditions are compared with, so it has nothing to leave out"
    if variant.generator == RERUN:
        return f"{name} asks the original once more, so it has nothing to leave out"
    if variant.tier == "control":
        return f"{name} is a control, which changes what is right on purpose, so it says nothing of wording"
    if variant.outcome != "applied":
        reason = f" ({variant.reason})" if variant.reason else ""
        return f"{name} was not asked of {quoted(variant.item_id)}: {variant.outcome.replace('_', ' ')}{reason}"
    return ""


def unanswered(item_id: str, view: ConditionView) -> str:
    """Say that an item has no result under a condition, and why."""
    reasons = [answer.reason or answer.status for answer in view.answers]
    why = f" ({reasons[0]})" if reasons else ""
    return (
        f"{quoted(item_id)} has no result under {view.variant.condition}{why}, so it is not known to flip; the "
        "`prt run` of its config asks and grades what is missing."
    )


def elsewhere(item_id: str, conditions: Sequence[str]) -> str:
    """Say under which conditions an item flips that could be shrunk."""
    return f"{quoted(item_id)} flips under {listed(conditions, 'and') if conditions else 'no condition to shrink'}"


def pass_rate(view: ConditionView) -> float | None:
    """The share of an item's repeats that pass; None where none has a result."""
    results = [answer.passed for answer in view.answers if answer.passed is not None]
    return sum(results) / len(results) if results else None


def passes(view: ConditionView) -> str:
    """`1 of 3`: how many of an item's repeats pass."""
    results = [answer.passed for answer in view.answers if answer.passed is not None]
    return f"{sum(results)} of {len(results)}"


def moved(baseline: ConditionView, view: ConditionView) -> bool | None:
    """Whether an item passes more often under a condition, by as much as a flip takes; None where it does not flip."""
    before, after = pass_rate(baseline), pass_rate(view)
    if before is None or after is None or abs(after - before) < FLIP:
        return None
    return after > before
