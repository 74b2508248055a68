"""Head to head by judges that are unsure, tie, or favour a place: how often a duel's verdict says what is not so.

`simulate_duels.py` counts the same verdicts exactly, over all numbers of wins and losses. Here queries are judged one
by one, in both orders, so that the way from a judge's words to a verdict is tried as well, several dimensions together
too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from prt.stats import JudgedPairs, bootstrap_rows, compare_head_to_head
from tally import Row, Tally

ALPHA, MARGIN = 0.05, 0.1
FEWEST_DRAWS = 100


@dataclass(frozen=True)
class Judge:
    """How a judge decides.

    Attributes:
        sees: Chance that it sees which answer is better, once for both orders of a query.
        first: Chance that it takes the first where it sees nothing.
        ties: Chance that it then says tie, where it does not take the first.
    """

    sees: float
    first: float
    ties: float

    def judged(self, better: NDArray[np.float64], rng: np.random.Generator) -> JudgedPairs:
        """Judge queries of which the candidate is better (1), worse (0) or alike (NaN)."""
        n = better.size
        seen = (rng.random(n) < self.sees) & ~np.isnan(better)
        first, second = self._blind(n, rng), 1.0 - self._blind(n, rng)
        scores = (np.where(seen, better, blind).tolist() for blind in (first, second))
        return JudgedPairs(tuple(map(str, range(n))), *map(tuple, scores))

    def _blind(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        rest = 1.0 - self.first
        return rng.choice([1.0, 0.5, 0.0], n, p=[self.first, rest * self.ties, rest * (1.0 - self.ties)])


JUDGES = {
    "sees all": Judge(1.0, 0.5, 0.0),
    "sees half, ties": Judge(0.5, 0.1, 0.9),
    "sees half, a coin": Judge(0.5, 0.5, 0.0),
    "favours the first": Judge(0.5, 0.9, 0.5),
    "favours the second": Judge(0.3, 0.05, 0.1),
    "always the first": Judge(0.0, 1.0, 0.0),
}
EQUALS = {"half won, half lost": 0.5, "40% alike": 0.3, "80% alike": 0.1}


def judge_rows(reps: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """False verdicts of equals, and of a rate at the margin; and what a bootstrap over rows would have said."""
    for n in sizes:
        tally, naive, rng = Tally(), Tally(), np.random.default_rng(n)
        for judge_name, judge in JUDGES.items():
            for population, won in EQUALS.items():
                for _ in range(reps):
                    _count_equals(tally, naive, judge, f"{judge_name}, {population}", won=won, n=n, rng=rng)
        for _ in range(reps):
            _count_at_margin(tally, n, rng)
        yield from tally.rows("false positives", f"{n} queries", ALPHA)
        yield from naive.rows("false positives", f"{n} queries", 1.0)


def _count_equals(
    tally: Tally, naive: Tally, judge: Judge, name: str, *, won: float, n: int, rng: np.random.Generator
) -> None:
    """One dimension, and three together, in which nothing differs."""
    pairs = [judge.judged(_better(won, won, n, rng), rng) for _ in range(3)]
    one, three = _decided(pairs[:1], rng), _decided(pairs, rng)
    tally.event("a judged duel: BETTER or WORSE", name, happened=bool(one & {"BETTER", "WORSE"}))
    tally.event("any of three dimensions", name, happened=bool(three & {"BETTER", "WORSE"}))
    rows = bootstrap_rows(pairs[0], rng=rng, resamples=200, level=1.0 - ALPHA)
    excluded = rows.low is not None and rows.high is not None and not rows.low <= 0.5 <= rows.high
    naive.event("a bootstrap over rows (no bound)", name, happened=excluded)


def _count_at_margin(tally: Tally, n: int, rng: np.random.Generator) -> None:
    """TIED where the candidate's win rate lies a whole margin above one half."""
    for decided in (2 * MARGIN, 0.4, 0.7, 1.0):
        better = _better(decided / 2 + MARGIN, decided / 2 - MARGIN, n, rng)
        pairs = Judge(1.0, 0.0, 1.0).judged(better, rng)
        tally.event("a judged duel: TIED", f"{decided:.0%} decided", happened="TIED" in _decided([pairs], rng))


def _better(won: float, lost: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    return rng.choice([1.0, 0.0, np.nan], n, p=[won, lost, max(1.0 - won - lost, 0.0)])


def _decided(pairs: list[JudgedPairs], rng: np.random.Generator) -> set[str]:
    dimensions = {str(number): each for number, each in enumerate(pairs)}
    found = compare_head_to_head(dimensions, rng=rng, alpha=ALPHA, margin=MARGIN, resamples=FEWEST_DRAWS)
    return {each.verdict for each in found}
