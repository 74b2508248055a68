from collections.abc import Callable
from math import isclose, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Estimate, wilson_interval

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def known(value: float | None) -> float:
    assert value is not None
    return value


@settings(max_examples=100, deadline=None, derandomize=True)
@given(counts)
def test_the_limits_are_the_rates_whose_score_is_z(counted: tuple[int, int]) -> None:
    count, n = counted
    rate = wilson_interval(count, n)
    for limit in (known(rate.low), known(rate.high)):
        score = (count / n - limit) ** 2
        assert isclose(score, 1.959963984540054**2 * limit * (1 - limit) / n, rel_tol=1e-9, abs_tol=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(counts, levels)
def test_passes_and_failures_mirror_each_other(counted: tuple[int, int], level: float) -> None:
    count, n = counted
    passes, failures = wilson_interval(count, n, level=level), wilson_interval(n - count, n, level=level)
    assert passes.low == pytest.approx(1 - known(failures.high), abs=1e-12)
    assert passes.high == pytest.approx(1 - known(failures.low), abs=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(counts, levels)
def test_the_interval_holds_the_estimate_and_stays_between_0_and_1(counted: tuple[int, int], level: float) -> None:
    rate = wilson_interval(*counted, level=level)
    assert 0.0 <= known(rate.low) <= known(rate.estimate) <= known(rate.high) <= 1.0
    assert known(rate.low) < known(rate.high)


def test_a_rate_of_0_or_1_ends_exactly_there() -> None:
    assert [wilson_interval(0, n).low for n in range(1, 200)] == [0.0] * 199
    assert [wilson_interval(n, n).high for n in range(1, 200)] == [1.0] * 199


def test_nothing_is_estimated_from_nothing() -> None:
    assert wilson_interval(0, 0) == Estimate(None, None, None, 0.95, 0, "Wilson score", 0)


def assert_no_certainty_after_one_item(interval: Callable[[int, int], tuple[float, float]]) -> None:
    low, high = interval(1, 1)
    assert high - low > 0.5


def wilson_limits(count: int, n: int) -> tuple[float, float]:
    rate = wilson_interval(count, n)
    return known(rate.low), known(rate.high)


def wald_limits(count: int, n: int) -> tuple[float, float]:
    rate, half_width = count / n, 1.96 * sqrt(count * (n - count) / n**3)
    return rate - half_width, rate + half_width


def test_one_pass_leaves_nearly_everything_open() -> None:
    assert_no_certainty_after_one_item(wilson_limits)


def test_the_wrong_twin_wald_claims_certainty_after_one_pass() -> None:
    with pytest.raises(AssertionError):
        assert_no_certainty_after_one_item(wald_limits)


@pytest.mark.parametrize(("count", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="must"):
        wilson_interval(count, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, float("nan")])
def test_a_level_that_is_no_fraction_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        wilson_interval(1, 2, level=level)
