"""How often the intervals hold the truth: seeded simulations, with the wrong twin that must fall short."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from prt.stats import PairedTable, newcombe_interval, tango_interval

Limits = tuple[float, float]
Interval = Callable[[PairedTable], Limits]

DRAWS = 2000
SCENARIOS = {
    "a fair drop": (0.60, 0.20, 0.05, 0.15),
    "no change, some flips": (0.70, 0.10, 0.10, 0.10),
    "no change, few flips": (0.65, 0.05, 0.05, 0.25),
    "a large drop": (0.40, 0.35, 0.05, 0.20),
    "a small drop, rare flips": (0.85, 0.05, 0.02, 0.08),
    "flips one way only": (0.50, 0.15, 0.00, 0.35),
}


def known(low: float | None, high: float | None) -> Limits:
    assert low is not None
    assert high is not None
    return low, high


def newcombe(table: PairedTable) -> Limits:
    change = newcombe_interval(table)
    return known(change.low, change.high)


def tango(table: PairedTable) -> Limits:
    change = tango_interval(table)
    return known(change.low, change.high)


def wald(table: PairedTable) -> Limits:
    change = (table.fail_to_pass - table.pass_to_fail) / table.n
    half_width = 1.959963984540054 * sqrt(table.flips / table.n - change**2) / sqrt(table.n)
    return change - half_width, change + half_width


def coverage(interval: Interval, n: int, probabilities: tuple[float, ...]) -> float:
    """Share of seeded random tables of n items whose interval holds the true change."""
    truth = probabilities[2] - probabilities[1]
    draws = np.random.default_rng(n).multinomial(n, probabilities, size=DRAWS)
    cells, times = np.unique(draws, axis=0, return_counts=True)
    limits = [interval(PairedTable(*row)) for row in cells.tolist()]
    held = sum(int(count) for (low, high), count in zip(limits, times, strict=True) if low <= truth <= high)
    return held / DRAWS


def assert_holds_the_truth_in_93_percent(interval: Interval, n: int) -> None:
    for scenario, probabilities in SCENARIOS.items():
        assert coverage(interval, n, probabilities) >= 0.93, scenario


@pytest.mark.parametrize("n", [10, 50])
@pytest.mark.parametrize("interval", [newcombe, tango])
def test_the_intervals_hold_the_truth(interval: Interval, n: int) -> None:
    assert_holds_the_truth_in_93_percent(interval, n)


@pytest.mark.parametrize("n", [10, 50])
def test_the_wrong_twin_wald_does_not(n: int) -> None:
    with pytest.raises(AssertionError):
        assert_holds_the_truth_in_93_percent(wald, n)


@pytest.mark.parametrize(
    ("cells", "limits"),
    [((1, 7, 1, 12), (-0.520, -0.052)), ((59, 16, 6, 80), (-0.1184, -0.0058)), ((794, 86, 150, 570), (0.0213, 0.0587))],
)
def test_the_wrong_twin_is_the_published_wald_interval(cells: tuple[int, int, int, int], limits: Limits) -> None:
    """Fagerland, Lydersen and Laake (2014), their book (ch. 8), and Agresti (1990), who prints .02 to .06."""
    assert wald(PairedTable(*cells)) == pytest.approx(limits, abs=6e-4)
