from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Estimate, rate_interval, wilson_interval
from prt.stats.rate import rate_limits
from scipy.stats import binom  # type: ignore[import-untyped]  # scipy ships no type information

Interval = Callable[..., Estimate]

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])
modest = settings(max_examples=100, deadline=None, derandomize=True)


def known(value: float | None) -> float:
    assert value is not None
    return value


def limits(rate: Estimate) -> tuple[float, float]:
    return known(rate.low), known(rate.high)


def lowest_coverage(interval: Interval, n: int, rates: list[float]) -> float:
    """Exact: every count weighted by its probability."""
    of_count = [limits(interval(count, n)) for count in range(n + 1)]
    low, high = np.array(of_count).T
    held = [float(binom.pmf(np.arange(n + 1), n, rate)[(low <= rate) & (rate <= high)].sum()) for rate in rates]
    return min(held)


def assert_holds_near_0_and_1(interval: Interval, n: int) -> None:
    near = [step / 10_000 for step in range(1, 300)]
    assert lowest_coverage(interval, n, [*near, *(1 - rate for rate in near)]) >= 0.927


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200])
def test_it_holds_near_0_and_1(n: int) -> None:
    assert_holds_near_0_and_1(rate_interval, n)


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200])
def test_the_wrong_twin_wilson_alone_does_not(n: int) -> None:
    with pytest.raises(AssertionError):
        assert_holds_near_0_and_1(wilson_interval, n)
    assert lowest_coverage(wilson_interval, n, [step / 10_000 for step in range(1, 300)]) < 0.87


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200])
def test_no_rate_at_all_is_held_in_less_than_91_percent(n: int) -> None:
    assert lowest_coverage(rate_interval, n, [step / 1000 for step in range(1, 1000)]) >= 0.91


@pytest.mark.parametrize(("count", "n", "low"), [(1, 29, 0.0009)])
def test_the_limit_of_few_is_clopper_and_pearsons_of_twice_the_alpha(count: int, n: int, low: float) -> None:
    """Newcombe (1998), Stat. Med. 17, 857-872, table I: the exact interval of 95% starts at .0009 for 1 of 29."""
    assert rate_interval(count, n, level=0.975).low == pytest.approx(low, abs=5e-5)


@modest
@given(st.integers(1, 3), st.integers(10, 500), st.sampled_from([0.9, 0.95, 0.99]))
def test_so_many_or_more_have_the_probability_alpha_at_the_limit_of_few(count: int, n: int, level: float) -> None:
    low = known(rate_interval(count, n, level=level).low)
    assert low < known(wilson_interval(count, n, level=level).low)
    assert binom.sf(count - 1, n, low) == pytest.approx(1 - level, rel=1e-9)


@modest
@given(counts, levels)
def test_it_is_wilsons_interval_or_wider_and_differs_only_near_0_and_n(counted: tuple[int, int], level: float) -> None:
    count, n = counted
    low, high = limits(rate_interval(count, n, level=level))
    narrow_low, narrow_high = limits(wilson_interval(count, n, level=level))
    assert 0.0 <= low <= narrow_low
    assert narrow_high <= high <= 1.0
    if count == 0 or count > 3:
        assert low == narrow_low
    if count == n or n - count > 3:
        assert high == pytest.approx(narrow_high, abs=1e-15)


@modest
@given(counts, levels)
def test_passes_and_failures_mirror_each_other(counted: tuple[int, int], level: float) -> None:
    count, n = counted
    passes, failures = rate_interval(count, n, level=level), rate_interval(n - count, n, level=level)
    assert passes.low == pytest.approx(1 - known(failures.high), abs=1e-12)
    assert passes.high == pytest.approx(1 - known(failures.low), abs=1e-12)


@modest
@given(st.floats(1.0, 300.0), levels)
def test_more_passes_never_lower_a_limit(n: float, level: float) -> None:
    rates = np.linspace(0.0, 1.0, 401)
    low, high = rate_limits(rates, np.full(401, n), level)
    assert np.all(np.diff(low) >= -1e-12)
    assert np.all(np.diff(high) >= -1e-12)
    assert np.all((low >= 0.0) & (low <= rates + 1e-12) & (rates <= high + 1e-12) & (high <= 1.0))


def test_a_rate_of_0_or_1_ends_exactly_there() -> None:
    assert [rate_interval(0, n).low for n in range(1, 200)] == [0.0] * 199
    assert [rate_interval(n, n).high for n in range(1, 200)] == [1.0] * 199


def test_nothing_is_estimated_from_nothing() -> None:
    found = rate_interval(0, 0)
    assert (found.estimate, found.low, found.high, found.n, found.count) == (None, None, None, 0, 0)


@pytest.mark.parametrize(("count", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="must"):
        rate_interval(count, n)
