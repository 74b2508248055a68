"""Intervals on item means: with one run an item they are the plain ones; with more, the item stays the unit."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import (
    Estimate,
    PairedTable,
    clustered_newcombe_interval,
    clustered_rate_interval,
    clustered_tango_interval,
    clustered_tango_noninferiority,
    newcombe_interval,
    no_worse,
    rate_interval,
    tango_interval,
    tango_noninferiority,
    wilson_interval,
)

Rates = list[float]
Interval = Callable[..., Estimate]

cells = st.tuples(*[st.integers(0, 25)] * 4).filter(lambda counts: sum(counts) > 0)
levels = st.sampled_from([0.8, 0.95, 0.99])
modest = settings(max_examples=60, deadline=None, derandomize=True)
INTERVALS: list[Interval] = [clustered_newcombe_interval, clustered_tango_interval]


@st.composite
def repeated_items(draw: st.DrawFn) -> tuple[Rates, Rates, int]:
    """Shares of passes of up to 25 items in k runs under two conditions."""
    runs = draw(st.integers(1, 5))
    passes = st.lists(st.tuples(st.integers(0, runs), st.integers(0, runs)), min_size=1, max_size=25)
    pairs = draw(passes)
    return [before / runs for before, _ in pairs], [after / runs for _, after in pairs], runs


def laid_out(counts: tuple[int, int, int, int]) -> tuple[Rates, Rates]:
    a, b, c, d = counts
    return [1.0] * (a + b) + [0.0] * (c + d), [1.0] * a + [0.0] * b + [1.0] * c + [0.0] * d


def known(value: float | None) -> float:
    assert value is not None
    return value


def limits(estimate: Estimate) -> tuple[float, float, float]:
    return known(estimate.estimate), known(estimate.low), known(estimate.high)


@modest
@given(cells, levels)
def test_with_one_run_an_item_it_is_newcombes_method_10(counts: tuple[int, int, int, int], level: float) -> None:
    plain = newcombe_interval(PairedTable(*counts), level=level)
    for correction in (True, False):
        by_items = clustered_newcombe_interval(*laid_out(counts), level=level, correction=correction)
        assert limits(by_items) == pytest.approx(limits(plain), abs=1e-12)


@modest
@given(cells, levels)
def test_with_one_run_an_item_it_is_tangos_interval_and_test(counts: tuple[int, int, int, int], level: float) -> None:
    table = PairedTable(*counts)
    by_items = clustered_tango_interval(*laid_out(counts), level=level)
    assert limits(by_items) == pytest.approx(limits(tango_interval(table, level=level)), abs=1e-9)
    test = clustered_tango_noninferiority(*laid_out(counts), 0.1, level=level)
    assert test.pvalue == pytest.approx(tango_noninferiority(table, 0.1).pvalue, abs=1e-9)


@modest
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), levels)
def test_with_one_run_an_item_it_is_the_interval_of_a_rate(counted: tuple[int, int], level: float) -> None:
    count, n = counted
    by_items = clustered_rate_interval([1] * count + [0] * (n - count), level=level)
    assert limits(by_items) == pytest.approx(limits(rate_interval(count, n, level=level)), abs=1e-12)


@pytest.mark.parametrize("interval", INTERVALS)
def test_swapping_negates_the_change_and_mirrors_the_interval(interval: Interval) -> None:
    @modest
    @given(repeated_items())
    def search(items: tuple[Rates, Rates, int]) -> None:
        before, after, runs = items
        change, mirrored = limits(interval(before, after, runs=runs)), limits(interval(after, before, runs=runs))
        assert mirrored == pytest.approx((-change[0], -change[2], -change[1]), abs=1e-9)

    search()


@pytest.mark.parametrize("interval", INTERVALS)
def test_the_interval_holds_the_change_and_stays_between_minus_1_and_1(interval: Interval) -> None:
    @modest
    @given(repeated_items(), st.integers(1, 6))
    def search(items: tuple[Rates, Rates, int], clusters: int) -> None:
        before, after, runs = items
        labels = [place % clusters for place in range(len(before))]
        for given_labels in (None, labels):
            change, low, high = limits(interval(before, after, runs=runs, clusters=given_labels))
            assert -1.0 <= low <= change + 1e-12
            assert change - 1e-12 <= high <= 1.0
            assert high - low > 1e-6

    search()


@pytest.mark.parametrize("interval", INTERVALS)
def test_the_order_of_items_is_irrelevant(interval: Interval) -> None:
    rng = np.random.default_rng(5)
    before, after = rng.binomial(3, 0.6, 40) / 3, rng.binomial(3, 0.5, 40) / 3
    labels, order = np.arange(40) // 4, rng.permutation(40)
    shuffled = interval(before[order], after[order], runs=3, clusters=labels[order].tolist())
    assert limits(shuffled) == pytest.approx(limits(interval(before, after, runs=3, clusters=labels.tolist())))


@modest
@given(repeated_items(), st.floats(0.01, 0.5))
def test_the_test_against_a_margin_goes_with_the_interval(items: tuple[Rates, Rates, int], margin: float) -> None:
    before, after, runs = items
    pvalue = known(clustered_tango_noninferiority(before, after, margin, runs=runs).pvalue)
    if abs(pvalue - 0.025) > 1e-6:
        assert (pvalue < 0.025) == no_worse(clustered_tango_interval(before, after, runs=runs), margin)


def test_repeats_never_count_as_more_than_independent_items() -> None:
    """Items that are all alike (half their runs pass) are worth all runs, and no more."""
    alike = [0.4, 0.6] * 20
    by_items = clustered_rate_interval(alike, runs=5)
    assert limits(by_items) == pytest.approx(limits(wilson_interval(100, 200)), abs=1e-9)


def test_repeats_of_items_that_never_waver_are_worth_nothing_more() -> None:
    certain = [1.0] * 25 + [0.0] * 15
    assert limits(clustered_rate_interval(certain, runs=5)) == pytest.approx(limits(wilson_interval(25, 40)))


def assert_a_run_is_no_item(interval: Callable[[Rates, int], tuple[float, float]]) -> None:
    """Asking the same 40 items five times, with the same answers, must not make the interval narrower."""
    certain = [1.0] * 25 + [0.0] * 15
    widths = [high - low for low, high in (interval(certain, 1), interval(certain, 5))]
    assert widths[1] > 0.99 * widths[0]


def by_items(rates: Rates, runs: int) -> tuple[float, float]:
    rate = clustered_rate_interval(rates, runs=runs)
    return known(rate.low), known(rate.high)


def by_runs(rates: Rates, runs: int) -> tuple[float, float]:
    rate = wilson_interval(round(sum(rates) * runs), len(rates) * runs)
    return known(rate.low), known(rate.high)


def test_a_run_is_no_item() -> None:
    assert_a_run_is_no_item(by_items)


def test_the_wrong_twin_that_takes_runs_for_items_narrows_the_interval() -> None:
    with pytest.raises(AssertionError):
        assert_a_run_is_no_item(by_runs)


def test_one_unit_alone_leaves_nearly_everything_open() -> None:
    """Twenty items of a single document are one observation."""
    rate = clustered_rate_interval([1] * 19 + [0], clusters=["a"] * 20)
    assert known(rate.high) - known(rate.low) > 0.8
    assert rate.standard_error is None


def test_nothing_is_estimated_from_nothing() -> None:
    for interval in INTERVALS:
        assert interval([], []).estimate is None
    assert clustered_rate_interval([]).low is None
    assert clustered_tango_noninferiority([], [], 0.05).pvalue is None


@pytest.mark.parametrize(
    ("before", "after", "options", "message"),
    [
        ([0.5, 1.5], [1, 0], {}, "baseline must lie between 0 and 1, got 1.5"),
        ([0.5, float("nan")], [1, 0], {}, "baseline must be finite numbers, got nan at place 1"),
        ([1, 0], [1], {}, "must hold the same items, got 2 and 1 rates"),
        ([1, 0], [1, 0], {"runs": 0}, "runs must be a number of at least 1"),
        ([1, 0], [1, 0], {"clusters": ["a"]}, "one label an item: 2 items, got 1 labels"),
        ([1, 0], [1, 0], {"level": 95}, "level must lie strictly between 0 and 1"),
        ([[1, 0]], [1, 0], {}, "baseline must hold one number an item"),
    ],
)
@pytest.mark.parametrize("interval", INTERVALS)
def test_rates_that_are_none_are_refused(
    interval: Interval, before: Rates, after: Rates, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        interval(before, after, **options)
