"""What is known of each condition besides its results: its role, what is missing and why, how replies were read."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .findings import LeftOut, Role, StatusCounts
from .plan import BASELINE, RERUN
from .store.columns import STATUSES, CellColumns, Integers, VariantColumns

MISSING_STATUSES = frozenset({"error", "judge_error"})
"""Statuses whose reason is the cause of a missing result; any other is itself the cause, where it is not counted."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What is known of one condition besides its results.

    Attributes:
        role: What it is for.
        statuses: How its replies were read.
        left_out: All that has no result, the largest cause first.
        severity: Mean share of eligible words edited; None where its generator edits no words.
        generator: Its generator.
        parameters: The generator's parameters as canonical JSON.
    """

    role: Role
    statuses: StatusCounts = field(default_factory=StatusCounts)
    left_out: tuple[LeftOut, ...] = ()
    severity: float | None = None
    generator: str = ""
    parameters: str = "{}"


class Tallying:
    """Counts the variants and the replies of each condition while the replies are read."""

    def __init__(self, variants: VariantColumns) -> None:
        """Count the variants.

        Args:
            variants: The variants of a run's suite.
        """
        self._variants = variants
        count = len(variants.conditions)
        applied = np.array([outcome == "applied" for outcome, _ in variants.causes], dtype=bool)[variants.cause]
        self._applied = np.bincount(variants.condition[applied], minlength=count)
        self._statuses = np.zeros((count, len(STATUSES) + 1), dtype=np.int64)  # the last: not graded
        self._causes: list[Counter[tuple[str, str]]] = [Counter() for _ in range(count)]
        for at, code, n in counted(variants.condition[~applied], variants.cause[~applied]):
            self._causes[at][variants.causes[code]] += n

    def add(self, cells: CellColumns) -> None:
        """Count some replies."""
        condition = self._variants.condition[cells.variant]
        np.add.at(self._statuses, (condition, cells.status), 1)
        for at, _, n in counted(condition[cells.status < 0], cells.status[cells.status < 0] + 1):
            self._causes[at]["not_graded", ""] += n
        silent = (cells.status >= 0) & (cells.passed < 0)
        for at, status, reason in zip(condition[silent], cells.status[silent], cells.silent, strict=True):
            name = STATUSES[status]
            self._causes[at][(name, reason) if name in MISSING_STATUSES else ("not_counted", name)] += 1

    def tallies(self, firsts: Mapping[str, Mapping[str, Any]], *, repeats: int) -> dict[str, Tally]:
        """What was counted.

        Args:
            firsts: The first variant of each condition, as the JSON object that it is stored as.
            repeats: How often each variant is asked.

        Returns:
            A tally a condition: the baseline, which is always there, and the others in the order in which they appear.
        """
        tallies = {BASELINE: Tally("perturbation")}
        for at, name in enumerate(self._variants.conditions):
            first = {} if name == BASELINE else firsts[name]
            tallies[name] = Tally(
                role=role_of(first.get("generator", BASELINE), first.get("tier", "")),
                statuses=StatusCounts(**dict(zip(STATUSES, self._statuses[at].tolist(), strict=False))),
                left_out=self._left_out(at, repeats),
                severity=self._variants.severities[at],
                generator=first.get("generator", ""),
                parameters=first.get("parameters", "{}"),
            )
        return tallies

    def _left_out(self, at: int, repeats: int) -> tuple[LeftOut, ...]:
        """All cells of a condition that have no result, the largest cause first."""
        causes = self._causes[at].copy()
        missing = int(self._applied[at]) * repeats - int(self._statuses[at].sum())
        if missing > 0:
            causes["no_reply", "not asked yet"] = missing
        return tuple(LeftOut(cause, reason, n) for (cause, reason), n in causes.most_common())


def role_of(generator: str, tier: str) -> Role:
    """What a condition is for; only a perturbation counts in the headline."""
    if generator == RERUN:
        return "rerun"
    if tier == "control":
        return "control"
    return "stress" if tier == "stress" else "perturbation"


def counted(condition: Integers, code: NDArray[Any]) -> Iterator[tuple[int, int, int]]:
    """How often each code comes up under each condition: condition, code, count; in the order in which they come up."""
    if not code.size:
        return
    width = int(code.max()) + 1
    found, first, n = np.unique(condition.astype(np.int64) * width + code, return_index=True, return_counts=True)
    for at in np.argsort(first):
        yield int(found[at]) // width, int(found[at]) % width, int(n[at])
