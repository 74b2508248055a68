"""All rows together: the pooled score with its interval, the parts behind it, and why rows have none."""

from array import array
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from ...stats import Estimate, pooled_robustness_score
from .result import Scored

REASONS_KEPT = 1_000
"""Different reasons that are told apart; further ones are counted together."""
OTHER = "another reason"


@dataclass(frozen=True, slots=True)
class Means:
    """Means over the rows that have a score, by their weights, from 0 to 1; without intervals of their own.

    Attributes:
        robustness: Mean robustness of the pairs.
        drop: Mean drop in correctness; negative where variants do better.
        base_correctness: Mean correctness of the originals.
        row_score: Mean of the rows' own scores.
    """

    robustness: float
    drop: float
    base_correctness: float
    row_score: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What all rows come to.

    Attributes:
        rows: All rows.
        pooled: The pooled score from 0 to 1, with its interval; n is the number of rows that it rests on.
        means: The parts behind it; None where no row counts.
        pairs: Pairs with a result.
        missing_pairs: Pairs without one, in rows that have a score.
        unscored: How many rows have no score, by the reason.
    """

    rows: int
    pooled: Estimate
    means: Means | None
    pairs: int
    missing_pairs: int
    unscored: dict[str, int]

    @property
    def scored(self) -> int:
        """Rows that have a score."""
        return self.rows - sum(self.unscored.values())


@dataclass(slots=True)
class Pool:
    """Collects rows, a few numbers of each."""

    rows: int = 0
    pairs: int = 0
    missing_pairs: int = 0
    unscored: Counter[str] = field(default_factory=Counter)
    _figures: "array[float]" = field(default_factory=lambda: array("d"))
    _clusters: list[str] = field(default_factory=list)
    _is_clustered: bool = False

    def add(self, scored: Scored) -> None:
        """Take one more row."""
        self.rows += 1
        parts = scored.parts
        if parts is None:
            known = len(self.unscored) < REASONS_KEPT or scored.reason in self.unscored
            self.unscored[scored.reason if known else OTHER] += 1
            return
        self.pairs += len(parts.pairs)
        self.missing_pairs += len(parts.missing)
        self._figures.extend((parts.weight, parts.robustness, parts.drop, parts.base_correctness, parts.score))
        self._clusters.append(parts.cluster or f"\0{self.rows}")
        self._is_clustered = self._is_clustered or bool(parts.cluster)

    def summary(self, *, seed: int) -> Summary:
        """Put all rows together.

        Args:
            seed: Decides the draws behind the interval.
        """
        weight, kept, lost, base, own = np.array(self._figures).reshape(-1, 5).T
        pooled = pooled_robustness_score(
            kept,
            lost,
            weights=weight,
            clusters=self._clusters if self._is_clustered else None,
            rng=np.random.default_rng(seed),
        )
        means = None
        if pooled.n:
            averages = [float(np.average(each, weights=weight)) for each in (kept, lost, base, own)]
            means = Means(*averages)
        return Summary(self.rows, pooled, means, self.pairs, self.missing_pairs, dict(self.unscored.most_common()))
