"""Head to head: every outcome of so many queries, weighted by its probability, so that nothing is left to luck."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from prt.stats import PairedTable, bootstrap_win_rate, decide_duel, mcnemar_exact, win_rate
from scipy.special import gammaln, xlogy  # type: ignore[import-untyped]  # scipy ships no type information
from tally import Row, Tally

LEVEL, ALPHA = 0.95, 0.05
MARGINS = (0.05, 0.10, 0.15, 0.20)
SHARES = (
    (0.5, 0.5), (0.3, 0.3), (0.1, 0.1), (0.03, 0.03), (0.3, 0.1), (0.4, 0.05), (0.6, 0.2), (0.9, 0.05), (0.2, 0.0),
)  # fmt: skip
NEXT_TO_NOTHING = 1e-12


def duel_rows(sizes: tuple[int, ...], resamples: int) -> Iterator[Row]:
    """Coverage of both intervals, and wrong verdicts."""
    for n in sizes:
        tally, rng = Tally(exact=True), np.random.default_rng(n)
        outcomes = [(wins, losses) for wins in range(n + 1) for losses in range(n + 1 - wins)]
        _count_intervals(tally, n, outcomes, rng, resamples)
        _count_decided(tally, n)
        _count_tied(tally, n, outcomes)
        yield from tally.rows("coverage", f"{n} queries", LEVEL - 0.02)
        yield from tally.rows("false positives", f"{n} queries", ALPHA)


def _count_intervals(
    tally: Tally, n: int, outcomes: list[tuple[int, int]], rng: np.random.Generator, resamples: int
) -> None:
    weights = {shares: _probabilities(n, outcomes, *shares) for shares in SHARES}
    for place, (wins, losses) in enumerate(outcomes):
        if all(each[place] < NEXT_TO_NOTHING for each in weights.values()):
            continue
        scored = win_rate(wins, losses, n, level=LEVEL)
        drawn = bootstrap_win_rate(wins, losses, n, rng=rng, resamples=resamples, level=LEVEL)
        for (won, lost), each in weights.items():
            name, truth, weight = f"{won:.0%} won, {lost:.0%} lost", 0.5 + (won - lost) / 2, float(each[place])
            tally.interval("win rate, Tango", name, scored, truth, weight)
            tally.interval("win rate, bootstrap", name, drawn, truth, weight)


def _count_decided(tally: Tally, n: int) -> None:
    """BETTER or WORSE where either side wins alike, for shares of decided queries up to all."""
    for decided in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        for flips, chance in enumerate(_binomial(n, decided)):
            for wins, weight in enumerate(_binomial(flips, 0.5)):
                rate = win_rate(wins, flips - wins, n, level=LEVEL)
                p = mcnemar_exact(PairedTable(0, flips - wins, wins, n - flips)).pvalue
                happened = decide_duel(rate, p, alpha=ALPHA) in {"BETTER", "WORSE"}
                tally.event("BETTER or WORSE", f"{decided:.0%} decided", happened=happened, weight=chance * weight)


def _count_tied(tally: Tally, n: int, outcomes: list[tuple[int, int]]) -> None:
    """TIED where the true rate lies a whole margin above ½, for shares of decided queries up to all."""
    rates = [win_rate(wins, losses, n, level=LEVEL) for wins, losses in outcomes]
    for margin in MARGINS:
        tied = [decide_duel(rate, 1.0, alpha=ALPHA, margin=margin) == "TIED" for rate in rates]
        for decided in np.linspace(2 * margin, 1.0, 8).tolist():
            weights = _probabilities(n, outcomes, decided / 2 + margin, decided / 2 - margin)
            name = f"margin {margin}, {decided:.0%} decided"
            tally.share("TIED, rate = margin", name, float(weights[np.array(tied)].sum()))


def _probabilities(n: int, outcomes: list[tuple[int, int]], won: float, lost: float) -> NDArray[np.float64]:
    wins, losses = np.array(outcomes).T
    ties, tied = n - wins - losses, max(1.0 - won - lost, 0.0)
    ways = gammaln(n + 1) - gammaln(wins + 1) - gammaln(losses + 1) - gammaln(ties + 1)
    chances = np.exp(ways + xlogy(wins, won) + xlogy(losses, max(lost, 0.0)) + xlogy(ties, tied))
    return np.asarray(chances, dtype=np.float64)


def _binomial(n: int, p: float) -> list[float]:
    k = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return [float(chance) for chance in np.exp(ways + xlogy(k, p) + xlogy(n - k, 1 - p))]
