"""A judge beside people where several answers are to one item, so that they are not independent."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .clustered_rate import rate_of_items
from .clusters import Codes, cluster_codes, kept_codes
from .effective import Design, effective_n
from .judge import KAPPA_METHOD, JudgeTable, cohen_kappa
from .mcnemar import mcnemar_exact
from .numeric import FloatArray
from .results import Estimate, HypothesisTest
from .signflip import signflip_exact
from .tables import PairedTable

KAPPA_CLUSTERED_METHOD = f"{KAPPA_METHOD}, at the cluster-robust effective sample size"

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedLabels:
    """What a judge and people say of the same answers, and to which items these are.

    Items are the units: two answers to one item are alike, and so is what is said of them. Where each answer is to
    another item, all figures are those of `JudgeTable`.

    Attributes:
        verdicts: Whether the judge passes each answer.
        labels: Whether people pass it.
        items: The item of each answer.

    Raises:
        ValueError: If the lengths differ.

    Examples:
        >>> from prt.stats import JudgedLabels
        >>> alone = JudgedLabels((True,) * 9 + (False,), (True,) * 10, tuple("abcdefghij"))
        >>> alike = JudgedLabels((True,) * 9 + (False,), (True,) * 10, tuple("aabbccddee"))
        >>> for each in (alone, alike):
        ...     rate = each.agreement()
        ...     print(f"{rate.estimate:.1f}, {rate.low:.2f} to {rate.high:.2f}, worth {each.worth():.1f} answers")
        0.9, 0.60 to 0.99, worth 10.0 answers
        0.9, 0.46 to 1.00, worth 5.0 answers
    """

    verdicts: tuple[bool, ...]
    labels: tuple[bool, ...]
    items: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        if not len(self.verdicts) == len(self.labels) == len(self.items):
            lengths = (len(self.verdicts), len(self.labels), len(self.items))
            raise ValueError(f"each answer has a verdict, a label and an item; got {lengths}")

    @cached_property
    def table(self) -> JudgeTable:
        """The counts."""
        judge, people = self._both
        agree, passed = judge == people, judge
        counts = (agree & passed, ~agree & passed, ~agree & ~passed, agree & ~passed)
        return JudgeTable(*(int(np.count_nonzero(each)) for each in counts))

    @cached_property
    def is_clustered(self) -> bool:
        """Whether several answers are to one item."""
        return self._codes is not None

    def agreement(self, *, level: float = 0.95) -> Estimate:
        """Share of answers that both judge alike."""
        return self.table.agreement(level=level) if self._codes is None else self._share(self._agree, None, level)

    def sensitivity(self, *, level: float = 0.95) -> Estimate:
        """Share of what people pass that the judge passes too."""
        if self._codes is None:
            return self.table.sensitivity(level=level)
        return self._share(self._agree, self._both[1], level)

    def specificity(self, *, level: float = 0.95) -> Estimate:
        """Share of what people fail that the judge fails too."""
        if self._codes is None:
            return self.table.specificity(level=level)
        return self._share(self._agree, ~self._both[1], level)

    def kappa(self, *, rng: "np.random.Generator", level: float = 0.95) -> Estimate:
        """Cohen's κ; with several answers to an item, its limits are those of as many as these are worth for κ.

        How many that is follows from the influence of each answer on κ (the delta method).
        """
        worth = self._worth_for_kappa(level)
        found = cohen_kappa(self.table, rng=rng, level=level, n_effective=worth)
        return found if worth is None else replace(found, method=KAPPA_CLUSTERED_METHOD)

    def lenience(self) -> HypothesisTest:
        """Test whether the judge passes as many as people do: exact McNemar, or the sign flip by item."""
        if self._codes is None:
            table = self.table
            return mcnemar_exact(PairedTable(table.both_pass, table.human_only, table.judge_only, table.both_fail))
        judge, people = self._both
        return signflip_exact(judge.astype(np.int64) - people.astype(np.int64), clusters=self.items)

    def worth(self, *, level: float = 0.95) -> float:
        """How many independent answers these are worth, for the agreement."""
        return self._worth(self._agree, None, level)

    def worth_by_side(self, *, level: float = 0.95) -> tuple[float, float]:
        """How many independent answers those that people pass, and those that they fail, are worth."""
        people = self._both[1]
        return self._worth(self._agree, people, level), self._worth(self._agree, ~people, level)

    @cached_property
    def _both(self) -> tuple[Bools, Bools]:
        return np.array(self.verdicts, dtype=np.bool_), np.array(self.labels, dtype=np.bool_)

    @cached_property
    def _agree(self) -> Bools:
        judge, people = self._both
        agree: Bools = judge == people
        return agree

    @cached_property
    def _codes(self) -> Codes | None:
        return cluster_codes([("item", item) for item in self.items], len(self.items))

    def _design(self, kept: Bools | None, level: float) -> tuple[Bools, Design]:
        every = np.ones(len(self.items), dtype=np.bool_) if kept is None else kept
        return every, Design(kept_codes(self._codes, every), float(np.count_nonzero(every)), level)

    def _share(self, values: Bools, kept: Bools | None, level: float) -> Estimate:
        every, design = self._design(kept, level)
        chosen = values[every]
        found = rate_of_items(chosen.astype(np.float64), design)
        return replace(found, count=int(np.count_nonzero(chosen)))

    def _worth(self, values: Bools, kept: Bools | None, level: float) -> float:
        every, design = self._design(kept, level)
        chosen: FloatArray = values[every].astype(np.float64)
        if design.codes is None or not chosen.size:
            return float(chosen.size)
        rate = float(chosen.mean())
        return effective_n(chosen, rate * (1.0 - rate), design)

    def _worth_for_kappa(self, level: float) -> float | None:
        if self._codes is None:
            return None
        judge, people = (each.astype(np.float64) for each in self._both)
        by_judge, by_people = float(judge.mean()), float(people.mean())
        left = by_judge + by_people - 2.0 * by_judge * by_people
        _, design = self._design(None, level)
        if left <= 0.0:
            return design.most
        agree = self._agree.astype(np.float64)
        missed = 1.0 - float(agree.mean())
        chance = (2.0 * by_people - 1.0) * judge + (2.0 * by_judge - 1.0) * people
        influence = agree / left - missed / left**2 * chance
        return effective_n(influence, float(influence.var()), design)
