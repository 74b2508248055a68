"""A share of a population from samples of its strata: what it must be, and how often its interval holds the truth."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Estimate, Stratum, rate_interval, stratified_share

Estimator = Callable[[list[Stratum]], Estimate]
Population = list[tuple[int, int, int]]
"""Of each stratum the units, those with the property, and how many are drawn."""

POPULATIONS: dict[str, Population] = {
    "rare in the large, common in the small": [(900, 9, 20), (60, 30, 10), (40, 4, 10)],
    "none in the large": [(900, 0, 20), (60, 20, 10), (40, 10, 10)],
    "everywhere a third": [(300, 100, 15), (300, 100, 15), (300, 100, 15)],
    "a small run, most of it drawn": [(40, 3, 20), (12, 6, 10), (6, 2, 6)],
    "one stratum": [(500, 50, 40)],
    "one of a few": [(2000, 40, 60), (30, 15, 30)],
}
DRAWS = 3000


def known(value: float | None) -> float:
    assert value is not None
    return value


def coverage(estimator: Estimator, population: Population) -> float:
    """Share of seeded random samples whose interval holds the population's share."""
    truth = sum(count for _, count, _ in population) / sum(units for units, _, _ in population)
    rng = np.random.default_rng(7)
    samples = np.stack([rng.hypergeometric(good, units - good, n, size=DRAWS) for units, good, n in population], axis=1)
    rows, times = np.unique(samples, axis=0, return_counts=True)
    held = 0
    for row, number in zip(rows.tolist(), times.tolist(), strict=True):
        found = estimator([Stratum(units, n, count) for (units, _, n), count in zip(population, row, strict=True)])
        held += number * (known(found.low) <= truth + 1e-12 and truth - 1e-12 <= known(found.high))
    return held / DRAWS


def unweighted(strata: list[Stratum]) -> Estimate:
    """A wrong twin: all that was drawn as one sample."""
    return rate_interval(sum(int(each.count) for each in strata), sum(int(each.n) for each in strata))


@pytest.mark.parametrize("name", POPULATIONS)
def test_the_interval_holds_the_share_of_the_population(name: str) -> None:
    assert coverage(stratified_share, POPULATIONS[name]) >= 0.94


@pytest.mark.parametrize("name", ["rare in the large, common in the small", "none in the large"])
def test_to_pool_strata_of_uneven_samples_would_hold_it_seldom(name: str) -> None:
    assert coverage(unweighted, POPULATIONS[name]) < 0.5


def test_the_estimate_weighs_strata_by_their_units() -> None:
    found = stratified_share([Stratum(900, 10, 1), Stratum(100, 10, 5)])
    assert known(found.estimate) == pytest.approx(0.9 * 0.1 + 0.1 * 0.5)
    assert (found.n, found.count) == (20, None)


def test_a_whole_population_has_no_error() -> None:
    found = stratified_share([Stratum(10, 10, 3), Stratum(5, 5, 0)])
    assert [found.estimate, found.low, found.high] == pytest.approx([0.2, 0.2, 0.2])


def test_a_stratum_of_which_nothing_was_drawn_leaves_nothing_to_say() -> None:
    found = stratified_share([Stratum(10, 5, 1), Stratum(3, 0, 0)])
    assert (found.estimate, found.low, found.high, found.n) == (None, None, None, 5)
    assert stratified_share([]).estimate is None
    assert stratified_share([Stratum(10, 5, 1), Stratum(0, 0, 0)]).estimate == 0.2


@pytest.mark.parametrize("stratum", [Stratum(3, 4, 0), Stratum(5, 3, 4), Stratum(5, -1, 0)])
def test_counts_that_can_not_be_are_refused(stratum: Stratum) -> None:
    with pytest.raises(ValueError, match=r"count ≤ n ≤ units|whole number"):
        stratified_share([stratum])


def test_a_level_outside_of_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        stratified_share([Stratum(5, 3, 1)], level=1.0)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(n, 500), st.just(n), st.integers(0, n))),
        min_size=1,
        max_size=5,
    )
)
def test_the_interval_holds_the_estimate_and_narrows_with_the_population_drawn(
    rows: list[tuple[int, int, int]],
) -> None:
    found = stratified_share([Stratum(*row) for row in rows])
    low, high, estimate = known(found.low), known(found.high), known(found.estimate)
    assert 0.0 <= low <= estimate <= high <= 1.0
    endless = stratified_share([Stratum(units * 10**9, n, count) for units, n, count in rows])
    assert known(endless.low) <= low + 1e-12
    assert known(endless.high) >= high - 1e-12
