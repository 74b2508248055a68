"""Candidate against opponent, judged in both orders: win rate, position bias and a verdict for each dimension."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .checks import check_fraction
from .judged_pairs import JudgedPairs
from .mcnemar import mcnemar_exact
from .multiplicity import holm
from .position_bias import PositionBias, position_bias
from .results import Estimate, HypothesisTest
from .tables import PairedTable
from .win_rate import bootstrap_win_rate, win_rate

DuelVerdict = Literal["BETTER", "WORSE", "TIED", "INSUFFICIENT_EVIDENCE", "INCONCLUSIVE"]

EXACT = "exact binomial, wins against losses, two-sided"
FEWEST_QUERIES = 10


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Candidate against opponent in one dimension.

    Attributes:
        dimension: What was judged.
        verdict: What may be said; `decide_duel` has the rules.
        n: Complete queries: judged in both orders.
        incomplete: Queries with an order missing; they are in no figure.
        wins: Queries won in both orders.
        losses: Queries lost in both orders.
        ties: All other complete queries.
        inconsistent: Ties in which the two orders name different winners.
        rate: Win rate ½ + (wins − losses)/(2n), with a score interval.
        bootstrap: The same rate with a bootstrap over queries.
        mean_score: Mean over queries of the mean of the candidate's two scores; no interval.
        exact: Exact test of wins against losses.
        holm_p: Its p-value, Holm-adjusted over the dimensions.
        position: Whether the judge favours a place.
    """

    dimension: str
    verdict: DuelVerdict
    n: int
    incomplete: int
    wins: int
    losses: int
    ties: int
    inconsistent: int
    rate: Estimate
    bootstrap: Estimate
    mean_score: float | None
    exact: HypothesisTest
    holm_p: float | None
    position: PositionBias


def compare_head_to_head(
    dimensions: Mapping[str, JudgedPairs],
    *,
    rng: "np.random.Generator",
    alpha: float = 0.05,
    margin: float = 0.05,
    resamples: int = 10_000,
) -> tuple[HeadToHead, ...]:
    """Compare candidate and opponent in each dimension that was judged.

    Args:
        dimensions: The judgements of each dimension, by name.
        rng: Source of the bootstrap; a seeded one repeats its limits.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: How far a win rate may lie from ½ and still count as tied: 0.05 is 5 points.
        resamples: Number of bootstrap draws.

    Returns:
        One result a dimension, in the order given.

    Raises:
        ValueError: If `alpha` or `margin` is not between 0 and 1, or there are fewer than 100 resamples.

    Examples:
        >>> import numpy as np
        >>> from prt.stats import JudgedPairs, compare_head_to_head
        >>> queries = tuple(f"q{number}" for number in range(20))
        >>> scores = (1.0,) * 14 + (0.0,) * 2 + (0.5,) * 4
        >>> dimensions = {"overall": JudgedPairs(queries, scores, scores)}
        >>> (found,) = compare_head_to_head(dimensions, rng=np.random.default_rng(1))
        >>> f"{found.rate.estimate:.2f}, p = {found.exact.pvalue:.4f}", found.verdict
        ('0.80, p = 0.0042', 'BETTER')
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    tests = {name: _tested(pairs) for name, pairs in dimensions.items()}
    adjusted = dict(zip(tests, holm([test.pvalue for test in tests.values()]), strict=True))
    return tuple(
        _compared(name, pairs, tests[name], adjusted[name], alpha=alpha, margin=margin, rng=rng, resamples=resamples)
        for name, pairs in dimensions.items()
    )


def decide_duel(rate: Estimate, holm_p: float | None, *, alpha: float = 0.05, margin: float = 0.05) -> DuelVerdict:
    """Judge the candidate in one dimension.

    The first that holds of:

    1. `INSUFFICIENT_EVIDENCE`: fewer than 10 complete queries.
    2. `BETTER`, `WORSE`: the Holm-adjusted exact p-value is at most alpha; the interval then excludes ½ too. The
       interval alone would not do: over queries that are all decided it excludes ½ by luck in up to 6.5% of samples.
    3. `TIED`: the interval lies inside ½ ± margin. That of level 1 − 2·alpha (two one-sided tests) would call up to 7%
       tied that are a whole margin apart.
    4. `INCONCLUSIVE`: none of these.

    Args:
        rate: The win rate with its score interval of level 1 − alpha.
        holm_p: The exact p-value, Holm-adjusted over all dimensions judged together.
        alpha: Significance level.
        margin: How far a win rate may lie from ½ and still count as tied.

    Returns:
        The verdict.

    Raises:
        ValueError: If `alpha` or `margin` is not between 0 and 1.

    Examples:
        >>> from prt.stats import decide_duel, win_rate
        >>> decide_duel(win_rate(wins=12, losses=4, n=20), 0.0768)
        'INCONCLUSIVE'
        >>> decide_duel(win_rate(wins=21, losses=20, n=1000), 1.0)
        'TIED'
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    if rate.n < FEWEST_QUERIES or rate.estimate is None or rate.low is None or rate.high is None:
        return "INSUFFICIENT_EVIDENCE"
    if holm_p is not None and holm_p <= alpha:
        return "BETTER" if rate.estimate > 0.5 else "WORSE"
    tied = rate.low > 0.5 - margin and rate.high < 0.5 + margin
    return "TIED" if tied else "INCONCLUSIVE"


def _tested(pairs: JudgedPairs) -> HypothesisTest:
    test = mcnemar_exact(PairedTable(0, pairs.losses, pairs.wins, pairs.ties))
    return HypothesisTest(test.pvalue, test.statistic, test.n, EXACT)


def _compared(
    name: str,
    pairs: JudgedPairs,
    test: HypothesisTest,
    holm_p: float | None,
    *,
    alpha: float,
    margin: float,
    rng: "np.random.Generator",
    resamples: int,
) -> HeadToHead:
    counts, level = (pairs.wins, pairs.losses, pairs.complete), 1.0 - alpha
    rate = win_rate(*counts, level=level)
    first, second = pairs.both_orders()
    return HeadToHead(
        dimension=name,
        verdict=decide_duel(rate, holm_p, alpha=alpha, margin=margin),
        n=pairs.complete,
        incomplete=pairs.incomplete,
        wins=pairs.wins,
        losses=pairs.losses,
        ties=pairs.ties,
        inconsistent=pairs.inconsistent,
        rate=rate,
        bootstrap=bootstrap_win_rate(*counts, rng=rng, resamples=resamples, level=level),
        mean_score=float(np.mean((first + second) / 2.0)) if first.size else None,
        exact=test,
        holm_p=holm_p,
        position=position_bias(pairs),
    )
