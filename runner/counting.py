"""What is counted of a run's variants while they are made, so that none has to be looked at again for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..perturbations.generators.kinds import NOT_WRITTEN, PARAPHRASE
from ..perturbations.generators.rerun import Rerun
from ..perturbations.variant import Variant
from .perturb_stats import Audited, Tally, Tallying
from .plan import BASELINE, asked_places
from .reviewing import NOT_REVIEWED


class Planned(NamedTuple):
    """A condition that is planned.

    Attributes:
        name: Its name.
        generator: Its generator.
        tier: How far the same meaning is warranted; empty where tiers differ.
        busy: Whether it applies to some item, or waits for paraphrases.
        applied: How many items it applies to.
    """

    name: str
    generator: str
    tier: str
    busy: bool
    applied: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted.

    Attributes:
        asked: How many variants are asked, the baselines among them.
        conditions: The variants of each condition but the baseline, in the order of the config; reasons name no items.
        unwritten: How many variants of each item wait for a paraphrase that no model was asked for yet; no item with
            none.
        kept: The conditions as an earlier run counted them, where nothing was counted now.
    """

    asked: int
    conditions: tuple[Tally, ...]
    unwritten: Mapping[str, int]
    kept: tuple[Planned, ...] = ()

    @property
    def planned(self) -> tuple[Planned, ...]:
        """The conditions but the baseline, in the order of the config."""
        if not self.conditions:
            return self.kept
        return tuple(
            Planned(each.name, each.generator, each.tier or "", is_busy(each), each.outcomes["applied"])
            for each in self.conditions
        )

    @property
    def waiting(self) -> int:
        """How many variants are not asked since nobody reviewed them."""
        return sum(with_reason(tally, "rejected", NOT_REVIEWED) for tally in self.conditions)


class Counting:
    """Counts the variants of one item after the other."""

    def __init__(self) -> None:
        """Begin with no item."""
        self._asked = 0
        self._tallying = Tallying(with_items=False)
        self._unwritten: dict[str, int] = {}

    def note(self, variants: Sequence[Variant]) -> None:
        """Count the variants of an item."""
        self._asked += len(asked_places(variants))
        for variant in variants:
            if variant.condition != BASELINE:
                self._tallying.note(variant.condition, Audited(variant))
            if is_unwritten(variant):
                self._unwritten[variant.item_id] = self._unwritten.get(variant.item_id, 0) + 1

    def counts(self) -> Counts:
        """What was counted."""
        return Counts(self._asked, self._tallying.tallies(), self._unwritten)


def is_unwritten(variant: Variant) -> bool:
    """Whether a variant waits for a paraphrase that no model was asked for yet, also as a step of a composition."""
    return variant.outcome == "not_applicable" and _step_left_out(variant.reason) == NOT_WRITTEN


def is_busy(tally: Tally) -> bool:
    """Whether a condition applies to some item, or waits for paraphrases."""
    return bool(tally.outcomes["applied"]) or any(
        group.outcome == "not_applicable" and _step_left_out(each.reason) == NOT_WRITTEN
        for group in tally.reasons
        for each in group.reasons
    )


def is_judged(tally: Tally) -> bool:
    """Whether a condition enters the figures of robustness: no rerun, no stress, no control."""
    return tally.generator != Rerun.name and tally.tier not in {"stress", "control"}


def with_reason(tally: Tally, outcome: str, reason: str) -> int:
    """How many variants of a condition have an outcome for a reason."""
    groups = (group.reasons for group in tally.reasons if group.outcome == outcome)
    return sum(each.n for reasons in groups for each in reasons if each.reason == reason)


def _step_left_out(reason: str) -> str:
    return reason.removeprefix(f"{PARAPHRASE}: ")
