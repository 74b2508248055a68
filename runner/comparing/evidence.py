"""The figures of one pair of runs, before anything is adjusted for how many questions are asked at once."""

from dataclasses import dataclass

import numpy as np

from ...stats import Estimate, HypothesisTest, RunComparison, compare_runs
from .aligning import Aligned
from .findings import KindChange
from .infrastructure import kind_changes, mirrored

SEED = 0
"""Of the sign patterns that max-T draws, so that a comparison can be repeated."""
NO_KIND = "Item sign-flip exact, two-sided, Holm over the kinds"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a pair of runs.

    Attributes:
        change: The change, with its interval; below 0 is worse.
        score: The same for decisions about a margin; without limits where there is none.
        test: The exact test of no change.
        units: Independent units.
    """

    change: Estimate
    score: Estimate
    test: HypothesisTest
    units: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The figures of one pair of runs.

    Attributes:
        counted: Results as the reports count them.
        read: The same among answers that were read in both runs: what is left once failed and unreadable replies are
            put aside.
        kinds: Failed and unreadable replies.
        units: Independent units.
    """

    counted: RunComparison
    read: RunComparison
    kinds: tuple[KindChange, ...]
    units: int

    @property
    def foremost_kind(self) -> KindChange | None:
        """The kind whose change is the clearest; None where every reply could be read in both runs."""
        return min(self.kinds, key=lambda each: 1.0 if each.holm_p is None else each.holm_p, default=None)

    def infrastructure(self) -> tuple[Estimate, HypothesisTest]:
        """The clearest change of a kind, and the test of no change in any: its p-value adjusted over the kinds."""
        kind = self.foremost_kind
        if kind is None:
            return Estimate(None, None, None, None, self.counted.n, ""), HypothesisTest(
                None, None, self.counted.n, NO_KIND
            )
        method = f"{kind.exact.method}, Holm over the kinds"
        return kind.change, HypothesisTest(kind.holm_p, kind.exact.statistic, kind.exact.n, method)

    def questions(self) -> tuple[Question, ...]:
        """Overall, the model, the perturbation effect, the infrastructure."""
        counted, baseline = self.counted, self.read.conditions[0].figures
        change, test = self.infrastructure()
        none = Estimate(None, None, None, None, 0, "")
        return (
            Question(counted.change, counted.change_score, counted.exact, counted.units),
            Question(baseline.change, baseline.change_score, baseline.exact, baseline.units),
            Question(self.read.robustness_change, none, self.read.robustness_exact, self.units),
            Question(mirrored(change), none, test, self.units),
        )


def gather(aligned: Aligned, *, alpha: float, margin: float, draws: int = 9999) -> Evidence:
    """Compute the figures of one pair of runs.

    Args:
        aligned: The two runs.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate.
        draws: Sign patterns that max-T draws.
    """
    counted = compare_runs(*aligned.counted, rng=np.random.default_rng(SEED), alpha=alpha, margin=margin, draws=draws)
    # Max-T is shown of the results as they are counted alone.
    read = compare_runs(*aligned.read, rng=np.random.default_rng(SEED), alpha=alpha, margin=margin, draws=1)
    return Evidence(counted, read, kind_changes(aligned, alpha=alpha), aligned.units)
