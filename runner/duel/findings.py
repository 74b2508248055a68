"""What a duel comes to: a verdict for each dimension, and what a careful reader wants to see beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...perturbations.difference import Mark
from ...stats import DuelVerdict, Estimate, HeadToHead, JudgedPairs, bootstrap_rows, compare_head_to_head

Marks = tuple[tuple[Mark, str], ...]
GraderKind = Literal["pairwise", "judge", "rule"]

WINS, NO_WIN = 0, 2
SEED = 0
"""Of the bootstraps: the same comparisons give the same limits."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A dimension as the config asks for it.

    Attributes:
        id: Its name.
        description: What is compared, in one sentence; empty where not known.
        kind: How it is judged. A `pairwise` judge sees both answers, in either order; a pointwise `judge` and a `rule`
            see one answer at a time, so that no order can matter.
    """

    id: str
    description: str = ""
    kind: GraderKind = "pairwise"


@dataclass(frozen=True, slots=True)
class Failure:
    """A query that the candidate lost, with both answers.

    Attributes:
        query: Its id.
        question: What was asked; empty where not known.
        candidate: The candidate's answer; empty where not known.
        baseline: The baseline's answer.
        reasons: What the judge or the rule said.
    """

    query: str
    question: str = ""
    candidate: str = ""
    baseline: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension.

    Attributes:
        asked: What is compared, and how.
        found: Counts, win rate, interval, test and verdict.
        is_biased: Whether the judge favours a place: the exact test of its inconsistent queries has p ≤ alpha. Never
            where no order can matter.
        by_row: What a plain bootstrap over rows would give; None where there are no rows of two orders.
        by_row_verdict: What is then often said: BETTER or WORSE where its interval excludes ½; empty where it doesn't.
        failures: Queries that the candidate lost, where it lost more than it won; the clearest first.
    """

    asked: Asked
    found: HeadToHead
    is_biased: bool
    by_row: Estimate | None
    by_row_verdict: str
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What the candidate's prompt says otherwise in one of its parts."""

    part: str
    marks: Marks


@dataclass(frozen=True, slots=True)
class Duel:
    """A duel, whole.

    Attributes:
        source: The file of comparisons, or the config.
        candidate: Whom the verdicts are about.
        baseline: Its opponent.
        dimensions: In the order of the config or the file. There is no overall winner: dimensions are not added up.
        alpha: Significance level over all dimensions together (Holm); intervals are of level 1 − alpha.
        margin: How far a win rate may lie from ½ and still count as tied.
        notes: What the user should read.
        changes: How the prompts differ, where prompts are compared.
        facts: What else is known of how it was made, such as models, judge and runs.
    """

    source: str
    candidate: str
    baseline: str
    dimensions: tuple[Dimension, ...]
    alpha: float
    margin: float
    notes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def verdicts(self) -> tuple[DuelVerdict, ...]:
        """The verdict of each dimension."""
        return tuple(each.found.verdict for each in self.dimensions)

    @property
    def exit_code(self) -> int:
        """0 where some dimension is BETTER and none WORSE, else 2."""
        return WINS if "BETTER" in self.verdicts and "WORSE" not in self.verdicts else NO_WIN


def compared(
    judged: Mapping[Asked, JudgedPairs],
    *,
    alpha: float,
    margin: float,
    failures: Mapping[str, tuple[Failure, ...]] | None = None,
) -> tuple[Dimension, ...]:
    """Compare candidate and baseline in each dimension.

    Args:
        judged: The judgements of each dimension. Where no order can matter, both orders hold the same scores.
        alpha: Significance level over all dimensions together.
        margin: How far a win rate may lie from ½ and still count as tied.
        failures: The lost queries of each dimension, by its id.

    Returns:
        One result a dimension, in the order given.
    """
    by_id = {asked.id: pairs for asked, pairs in judged.items()}
    found = compare_head_to_head(by_id, rng=np.random.default_rng(SEED), alpha=alpha, margin=margin)
    rng = np.random.default_rng(SEED)
    return tuple(
        _dimension(asked, head_to_head, by_id[asked.id], rng, alpha=alpha, failures=(failures or {}).get(asked.id, ()))
        for asked, head_to_head in zip(judged, found, strict=True)
    )


def _dimension(
    asked: Asked,
    found: HeadToHead,
    pairs: JudgedPairs,
    rng: np.random.Generator,
    *,
    alpha: float,
    failures: tuple[Failure, ...],
) -> Dimension:
    in_orders = asked.kind == "pairwise"
    by_row = bootstrap_rows(pairs, rng=rng, level=1.0 - alpha) if in_orders else None
    p = found.position.exact.pvalue
    return Dimension(
        asked=asked,
        found=found,
        is_biased=in_orders and p is not None and p <= alpha,
        by_row=by_row,
        by_row_verdict=_side_of_half(by_row),
        failures=failures if found.losses > found.wins else (),
    )


def _side_of_half(rate: Estimate | None) -> str:
    if rate is None or rate.low is None or rate.high is None:
        return ""
    return "BETTER" if rate.low > 0.5 else "WORSE" if rate.high < 0.5 else ""


def lost(pairs: JudgedPairs) -> tuple[str, ...]:
    """The queries lost in both orders, the clearest first, then in their order."""
    scores = zip(pairs.queries, pairs.shown_first, pairs.shown_second, strict=True)
    both = [(query, first, second) for query, first, second in scores if first is not None and second is not None]
    losses = [(first + second, query) for query, first, second in both if first < 0.5 and second < 0.5]
    return tuple(query for _, query in sorted(losses, key=lambda loss: loss[0]))
