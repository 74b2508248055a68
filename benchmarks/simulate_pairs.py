"""One variant against the baseline: every interval, test and verdict over many runs of known populations."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from populations import (
    AT_THE_MARGIN,
    LEVELS,
    POPULATIONS,
    ClusteredPopulation,
    Population,
    Results,
    run,
    uneven_clusters,
)
from prt.stats import (
    Estimate,
    Outcomes,
    PairedFigures,
    any_pass_rate,
    decide_verdict,
    excess_flips,
    fully_stable_share,
    pass_k_rates,
    robust_rate,
)
from prt.stats.paired_figures import figures_of_columns
from tally import NEAR_0_OR_1, Row, Tally

LEVEL, ALPHA, MARGIN = 0.95, 0.05, 0.10
COVERAGE = LEVEL - 0.02
CALLED = {"regressed", "improved"}

EXACT, VERDICT = "exact test", "regressed or improved"
BALANCED, AT_MARGIN = "the same, gains and losses cancel", "no worse, drop = margin"

SIGNED = {"change, Newcombe", "change, Tango", "excess flips"}


@dataclass(frozen=True)
class Setting:
    """Items (or clusters), runs a cell, and how many runs of each population."""

    n: int
    k: int
    reps: int


def repeats_rows(reps: int, sizes: tuple[int, ...], runs: tuple[int, ...]) -> Iterator[Row]:
    """Items that are independent, with several runs a cell."""
    for n, k in product(sizes, runs):
        tally = Tally()
        for seed, population in enumerate(POPULATIONS):
            _simulate(tally, population, Setting(n, k, reps), seed)
        for seed, population in enumerate(AT_THE_MARGIN):
            _simulate_margin(tally, population, Setting(n, k, reps), 100 + seed)
        yield from rows_of(tally, f"n = {n}, k = {k}")


def cluster_rows(reps: int, clusters: tuple[int, ...], sizes: tuple[int, ...], runs: tuple[int, ...]) -> Iterator[Row]:
    """Items in clusters of uneven sizes, so many each on average."""
    kinds = ((0.5, 0.0), (0.5, 0.3), (0.7, 0.1), (0.7, 0.3), (0.9, 0.1), (0.9, 0.3))
    populations = [ClusteredPopulation(*kind, lost) for kind in kinds for lost in (0.0, 0.3)]
    for groups, size, k in product(clusters, sizes, runs):
        tally, codes = Tally(), uneven_clusters(groups, size)
        for seed, population in enumerate(populations):
            _simulate_clusters(tally, population, codes, Setting(groups, k, reps), seed)
        yield from rows_of(tally, f"{groups} clusters of {size}, k = {k}")


def rows_of(tally: Tally, setting: str) -> Iterator[Row]:
    """What was counted of one setting, coverage first."""
    yield from tally.rows("coverage", setting, COVERAGE)
    yield from tally.rows("false positives", setting, ALPHA)


def _simulate(tally: Tally, population: Population, setting: Setting, seed: int) -> None:
    rng, k = np.random.default_rng([setting.n, setting.k, seed]), setting.k
    for repetition in range(setting.reps):
        level = LEVELS[repetition % len(LEVELS)]
        truth = population.truth(level)
        p0, p1 = population.at(rng, setting.n, level)
        before, after, again = run(rng, p0, k), run(rng, p1, k), run(rng, p0, k)
        figures = figures_of_columns(before, after, None, level=LEVEL, margin=MARGIN)
        estimates = _of_figures(figures) | _of_outcomes(before, after, again)
        for figure, estimate in estimates.items():
            true = truth[figure.split(",")[0]]
            tally.interval(named(figure, true), population.name, estimate, true)
        if population.no_effect:
            _count_tests(tally, population.name, figures)
        if population.balanced:
            tally.event(BALANCED, population.name, happened=_verdict(figures) in CALLED)


def named(figure: str, truth: float) -> str:
    """The figure's name; rates near 0 or 1 get a line of their own."""
    extreme = figure not in SIGNED and not 0.03 <= truth <= 0.97
    return f"{figure}{NEAR_0_OR_1 if extreme else ''}"


def _of_figures(figures: PairedFigures) -> dict[str, Estimate]:
    return {
        "change, Newcombe": figures.change,
        "change, Tango": figures.change_score,
        "rate": figures.variant_rate,
        "flip rate": figures.flip_rate,
    }


def _of_outcomes(before: Results, after: Results, again: Results) -> dict[str, Estimate]:
    """Estimates over baseline and variant, and of the flips beyond those of a rerun."""
    outcomes = Outcomes.from_array(
        np.stack([before, after, again], axis=1), conditions=["baseline", "variant", "rerun"]
    )
    pair = outcomes.select(["variant"])
    found = {
        "excess flips": excess_flips(outcomes, "variant", ["rerun"], level=LEVEL).excess,
        "robust rate": robust_rate(pair, level=LEVEL),
        "any-pass rate": any_pass_rate(pair, level=LEVEL),
        "fully stable": fully_stable_share(pair, level=LEVEL),
    }
    if outcomes.repeats > 1:
        for each in pass_k_rates(outcomes, condition="variant", level=LEVEL):
            found |= {f"pass@{each.k}": each.at_least_one, f"pass^{each.k}": each.all_of_them}
    return found


def _simulate_margin(tally: Tally, population: Population, setting: Setting, seed: int) -> None:
    rng, k = np.random.default_rng([setting.n, setting.k, seed]), setting.k
    for _ in range(setting.reps):
        p0, p1 = population.draw(rng, (setting.n,))
        figures = figures_of_columns(run(rng, p0, k), run(rng, p1, k), None, level=LEVEL, margin=MARGIN)
        tally.event(AT_MARGIN, population.name, happened=_verdict(figures) == "no_worse")


def _simulate_clusters(
    tally: Tally, population: ClusteredPopulation, codes: NDArray[np.intp], setting: Setting, seed: int
) -> None:
    rng = np.random.default_rng([setting.n, setting.k, seed])
    for _ in range(setting.reps):
        before, after = population.draw(rng, codes, setting.k)
        figures = figures_of_columns(before, after, codes, level=LEVEL, margin=MARGIN)
        for figure, estimate in (
            ("change, Newcombe", figures.change),
            ("change, Tango", figures.change_score),
            ("rate", figures.baseline_rate),
        ):
            tally.interval(figure, population.name, estimate, population.truth[figure.split(",")[0]])
        if population.lost == 0.0:
            _count_tests(tally, population.name, figures)


def _count_tests(tally: Tally, name: str, figures: PairedFigures) -> None:
    tally.event(EXACT, name, happened=figures.exact.pvalue is not None and figures.exact.pvalue <= ALPHA)
    tally.event(VERDICT, name, happened=_verdict(figures) in CALLED)


def _verdict(figures: PairedFigures) -> str:
    p = figures.exact.pvalue
    return decide_verdict(figures.change, figures.change_score, p, alpha=ALPHA, margin=MARGIN, units=figures.units)
