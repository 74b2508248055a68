"""Judges with ties and a bias for a place, simulated: how often a verdict says what is not so."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from prt.runner.duel.findings import Asked, compared
from prt.stats import JudgedPairs, bootstrap_rows

pytestmark = pytest.mark.storeless

ALPHA = 0.05
RUNS = 300
Verdict = Callable[[JudgedPairs], str]


@dataclass(frozen=True)
class Judge:
    """How a judge decides.

    Attributes:
        wins: Chance that the candidate's answer to a query is the better one; half of the rest is worse.
        sees: Chance that the judge sees which is better, once for both orders of the query.
        first: Chance that it takes the first where it sees nothing; the rest it shares between second and tie.
        ties: Chance that it then says tie rather than second.
    """

    wins: float
    sees: float
    first: float
    ties: float

    def judged(self, n: int, rng: np.random.Generator, *, losses: float | None = None) -> JudgedPairs:
        lost = self.wins if losses is None else losses
        better = rng.choice([1.0, 0.0, np.nan], n, p=[self.wins, lost, 1 - self.wins - lost])
        seen = (rng.random(n) < self.sees) & ~np.isnan(better)
        first, second = self._blind(n, rng), 1.0 - self._blind(n, rng)
        return JudgedPairs(
            tuple(map(str, range(n))),
            tuple(np.where(seen, better, first).tolist()),
            tuple(np.where(seen, better, second).tolist()),
        )

    def _blind(self, n: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        rest = 1 - self.first
        return rng.choice([1.0, 0.5, 0.0], n, p=[self.first, rest * self.ties, rest * (1 - self.ties)])


JUDGES = {
    "sees all": Judge(0.5, 1.0, 0.5, 0.0),
    "many ties": Judge(0.3, 0.5, 0.1, 0.9),
    "favours the first": Judge(0.5, 0.5, 0.9, 0.5),
    "always the first": Judge(0.5, 0.0, 1.0, 0.0),
    "favours the second": Judge(0.4, 0.3, 0.05, 0.1),
}


def by_queries(pairs: JudgedPairs) -> str:
    (one,) = compared({Asked("x"): pairs}, alpha=ALPHA, margin=0.1)
    return one.found.verdict


def by_rows(pairs: JudgedPairs) -> str:
    rows = bootstrap_rows(pairs, rng=np.random.default_rng(1), resamples=200, level=1 - ALPHA)
    assert rows.low is not None
    assert rows.high is not None
    return "BETTER" if rows.low > 0.5 else "WORSE" if rows.high < 0.5 else ""


def share(verdict: Verdict, judge: Judge, n: int, wrong: set[str], *, losses: float | None = None) -> float:
    rng = np.random.default_rng(n)
    return sum(verdict(judge.judged(n, rng, losses=losses)) in wrong for _ in range(RUNS)) / RUNS


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bootstraps decide nothing; the time that they take would."""
    from prt.runner.duel import findings  # noqa: PLC0415  the module whose names are replaced
    from prt.stats import compare_head_to_head  # noqa: PLC0415

    def quick(dimensions, *, rng, alpha, margin):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return compare_head_to_head(dimensions, rng=rng, alpha=alpha, margin=margin, resamples=100)

    monkeypatch.setattr(findings, "compare_head_to_head", quick)
    monkeypatch.setattr(findings, "bootstrap_rows", lambda pairs, *, rng, level: None)  # noqa: ARG005


@pytest.mark.parametrize("n", [10, 40, 200])
@pytest.mark.parametrize("name", JUDGES)
def test_equals_are_called_better_or_worse_in_at_most_alpha(name: str, n: int) -> None:
    chance = (ALPHA * (1 - ALPHA) / RUNS) ** 0.5
    assert share(by_queries, JUDGES[name], n, {"BETTER", "WORSE"}) <= ALPHA + 2 * chance


def test_the_wrong_twin_that_resamples_rows_does_so_far_more_often() -> None:
    assert share(by_rows, JUDGES["sees all"], 30, {"BETTER", "WORSE"}) > 2 * ALPHA


@pytest.mark.parametrize("n", [10, 40, 200])
def test_a_rate_at_the_margin_is_called_tied_in_at_most_alpha(n: int) -> None:
    clear = Judge(0.3, 1.0, 0.5, 1.0)  # 30% won and 10% lost: a win rate of 60%, the margin of 10 points
    assert share(by_queries, clear, n, {"TIED"}, losses=0.1) <= ALPHA


def test_many_queries_of_equals_are_called_tied() -> None:
    assert share(by_queries, Judge(0.1, 1.0, 0.0, 1.0), 200, {"TIED"}) > 0.9


def test_a_judge_that_always_picks_the_first_is_never_a_winner_of_either() -> None:
    assert share(by_queries, JUDGES["always the first"], 100, {"BETTER", "WORSE"}) == 0
