"""Repeats and clusters: how often intervals hold the truth, with the wrong twins that must fall short. Seeded."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from prt.stats import (
    Estimate,
    PairedTable,
    clustered_newcombe_interval,
    clustered_rate_interval,
    clustered_tango_interval,
    newcombe_interval,
    signflip_exact,
    wilson_interval,
)

Floats = NDArray[np.float64]
Pair = Callable[[Floats, Floats, int], Estimate]

RUNS, DRAWS = 5, 400


def holds(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth + 1e-9 <= estimate.high + 2e-9


def chances(name: str, rng: np.random.Generator, n: int) -> tuple[Floats, Floats, float]:
    """Each item's chance to pass under baseline and variant, and the true change."""
    if name == "all alike":
        return np.full(n, 0.5), np.full(n, 0.5), 0.0
    if name == "every difficulty, a drop":
        p = rng.random(n)
        return p, 0.8 * p, -0.1
    if name == "easy, some lost":
        p = rng.beta(9, 1, n)
        return p, np.where(rng.random(n) < 0.1, 0.2, p), 0.1 * (0.2 - 0.9)
    if name == "turned around":
        p = rng.random(n)
        return p, 1 - p, 0.0
    return rng.random(n), rng.random(n), 0.0


POPULATIONS = ("all alike", "every difficulty, a drop", "easy, some lost", "unrelated", "turned around")


def coverage(interval: Pair, population: str, n: int, draws: int = DRAWS) -> float:
    rng = np.random.default_rng([n, POPULATIONS.index(population)])
    held = 0
    for _ in range(draws):
        p0, p1, truth = chances(population, rng, n)
        held += holds(interval(rng.binomial(RUNS, p0) / RUNS, rng.binomial(RUNS, p1) / RUNS, RUNS), truth)
    return held / draws


def newcombe(before: Floats, after: Floats, runs: int) -> Estimate:
    return clustered_newcombe_interval(before, after, runs=runs)


def tango(before: Floats, after: Floats, runs: int) -> Estimate:
    return clustered_tango_interval(before, after, runs=runs)


def uncorrected(before: Floats, after: Floats, runs: int) -> Estimate:
    return clustered_newcombe_interval(before, after, runs=runs, correction=False)


def runs_as_items(before: Floats, after: Floats, runs: int) -> Estimate:
    """Every run for an item of its own, paired with the run of the same number."""
    rng = np.random.default_rng(0)
    first, second = (rng.permuted(np.arange(runs) < np.round(each * runs)[:, None], axis=1) for each in (before, after))
    return newcombe_interval(PairedTable.from_pairs(zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)))


@pytest.mark.parametrize("interval", [newcombe, tango])
@pytest.mark.parametrize("n", [10, 40])
def test_intervals_of_the_change_hold_the_truth(interval: Pair, n: int) -> None:
    for population in POPULATIONS:
        assert coverage(interval, population, n) >= 0.93, population


def test_the_wrong_twin_without_corrections_for_few_items_does_not() -> None:
    assert coverage(uncorrected, "turned around", 10, 1500) < 0.93


def test_the_wrong_twin_that_takes_runs_for_items_does_not() -> None:
    assert coverage(runs_as_items, "turned around", 40) < 0.85


def cluster_coverage(*, clustered: bool, rate: float) -> float:
    """20 documents of 2 to 18 questions whose chances have a correlation of .25 within a document."""
    rng = np.random.default_rng(int(100 * rate))
    labels = np.repeat(np.arange(20), np.linspace(2, 18, 20).astype(int))
    held = 0
    for _ in range(DRAWS):
        results = rng.random(labels.size) < rng.beta(3 * rate, 3 * (1 - rate), 20)[labels]
        if clustered:
            estimate = clustered_rate_interval(results, clusters=labels.tolist())
        else:
            estimate = wilson_interval(np.count_nonzero(results), labels.size)
        held += holds(estimate, rate)
    return held / DRAWS


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_intervals_of_clustered_rates_hold_the_truth(rate: float) -> None:
    assert cluster_coverage(clustered=True, rate=rate) >= 0.93


def test_the_wrong_twin_that_ignores_clusters_does_not() -> None:
    assert cluster_coverage(clustered=False, rate=0.5) < 0.85


def large_cluster_coverage(interval: Callable[[Floats, Floats, list[int]], Estimate]) -> float:
    """Ten documents of twenty questions and three runs; the variant halves the chances in three in ten documents."""
    rng = np.random.default_rng(31)
    labels = np.repeat(np.arange(10), 20)
    held = 0
    for _ in range(DRAWS):
        before = rng.beta(1.2, 1.2, 10)[labels]
        after = before * np.where(rng.random(10) < 0.3, 0.5, 1.0)[labels]
        steady, level = rng.random(200) < 0.5, rng.random(200)
        chances = [np.where(steady, level < p, p) for p in (before, after)]
        rates = [rng.binomial(3, p) / 3 for p in chances]
        held += holds(interval(rates[0], rates[1], labels.tolist()), -0.075)
    return held / DRAWS


def clustered_newcombe(before: Floats, after: Floats, labels: list[int]) -> Estimate:
    return clustered_newcombe_interval(before, after, runs=3, clusters=labels)


def clustered_tango(before: Floats, after: Floats, labels: list[int]) -> Estimate:
    return clustered_tango_interval(before, after, runs=3, clusters=labels)


def without_few_cluster_corrections(before: Floats, after: Floats, labels: list[int]) -> Estimate:
    return clustered_newcombe_interval(before, after, runs=3, clusters=labels, correction=False)


@pytest.mark.parametrize("interval", [clustered_newcombe, clustered_tango])
def test_intervals_of_the_change_hold_the_truth_with_few_large_clusters(
    interval: Callable[[Floats, Floats, list[int]], Estimate],
) -> None:
    assert large_cluster_coverage(interval) >= 0.93


def test_the_wrong_twin_without_corrections_for_few_clusters_does_not() -> None:
    assert large_cluster_coverage(without_few_cluster_corrections) < 0.87


def test_the_sign_flip_test_of_repeats_rejects_at_most_alpha_where_the_wording_matters_to_no_item() -> None:
    rng = np.random.default_rng(21)
    rejected = 0
    for _ in range(DRAWS):
        p = rng.beta(0.5, 0.5, 25)
        pvalue = signflip_exact(rng.binomial(3, p) - rng.binomial(3, p)).pvalue
        assert pvalue is not None
        rejected += pvalue <= 0.05
    assert 0 < rejected / DRAWS <= 0.06
