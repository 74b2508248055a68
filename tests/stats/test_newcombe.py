"""Newcombe's interval: its defining properties, and the wrong twins that must fail them."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Estimate, PairedTable, newcombe_interval, wilson_interval
from prt.stats.mcnemar import exact_pvalues
from prt.stats.newcombe import newcombe_limits

Limits = tuple[float, float]
Interval = Callable[[PairedTable], Limits]

counts = st.integers(0, 60)
tables = st.builds(PairedTable, counts, counts, counts, counts).filter(lambda table: table.n > 0)
searching = settings(max_examples=100, deadline=None, derandomize=True, report_multiple_bugs=False)


def known(value: float | None) -> float:
    assert value is not None
    return value


def method_10(table: PairedTable) -> Limits:
    change = newcombe_interval(table)
    return known(change.low), known(change.high)


def method_8(table: PairedTable) -> Limits:
    change = newcombe_interval(table, correction=False)
    return known(change.low), known(change.high)


def wald(table: PairedTable) -> Limits:
    change = known(table.change)
    half_width = 1.96 * sqrt(max(table.flips / table.n - change**2, 0) / table.n)
    return change - half_width, change + half_width


def unpaired(table: PairedTable) -> Limits:
    """Newcombe's interval for two independent samples: the same items are taken for different ones."""
    variant = wilson_interval(table.variant_passes, table.n)
    baseline = wilson_interval(table.baseline_passes, table.n)
    p1, l1, u1 = known(variant.estimate), known(variant.low), known(variant.high)
    p2, l2, u2 = known(baseline.estimate), known(baseline.low), known(baseline.high)
    return p1 - p2 - sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2), p1 - p2 + sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2)


def assert_matches_table_iii(interval: Interval) -> None:
    """Rows of table III of Newcombe (1998) on which the methods 8 and 10 part."""
    published = {
        (20, 2, 12, 16): (0.0562, 0.3292),
        (18, 0, 14, 18): (0.1441, 0.3963),
        (30, 0, 0, 24): (-0.0358, 0.0358),
        (27, 0, 0, 27): (-0.0351, 0.0351),
    }
    for cells, limits in published.items():
        assert interval(PairedTable(*cells)) == pytest.approx(limits, abs=1e-4)


def assert_never_certain(interval: Interval) -> None:
    @searching
    @given(tables)
    def search(table: PairedTable) -> None:
        low, high = interval(table)
        assert high - low > 1e-6

    search()


def assert_more_agreement_at_equal_rates_means_a_narrower_interval(interval: Interval) -> None:
    few_flips, many_flips = PairedTable(45, 5, 5, 45), PairedTable(25, 25, 25, 25)
    widths = [high - low for low, high in (interval(few_flips), interval(many_flips))]
    assert widths[0] < 0.75 * widths[1]


def test_method_10_gives_the_published_table() -> None:
    assert_matches_table_iii(method_10)


def test_the_wrong_twin_method_8_does_not_give_the_published_table() -> None:
    with pytest.raises(AssertionError):
        assert_matches_table_iii(method_8)


def test_no_table_is_ever_certain() -> None:
    assert_never_certain(method_10)


@pytest.mark.parametrize("twin", [method_8, wald])
def test_the_wrong_twins_method_8_and_wald_are_certain_of_some_table(twin: Interval) -> None:
    with pytest.raises(AssertionError):
        assert_never_certain(twin)


def test_pairing_narrows_the_interval_where_items_agree() -> None:
    assert_more_agreement_at_equal_rates_means_a_narrower_interval(method_10)


def test_the_wrong_twin_that_ignores_the_pairing_gains_nothing_from_agreement() -> None:
    with pytest.raises(AssertionError):
        assert_more_agreement_at_equal_rates_means_a_narrower_interval(unpaired)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables, st.booleans())
def test_swapping_negates_the_change_and_mirrors_the_interval(table: PairedTable, correction: bool) -> None:  # noqa: FBT001  # hypothesis passes by position
    change = newcombe_interval(table, correction=correction)
    mirrored = newcombe_interval(table.swapped(), correction=correction)
    assert mirrored.estimate == -known(change.estimate)
    assert mirrored.low == pytest.approx(-known(change.high), abs=1e-12)
    assert mirrored.high == pytest.approx(-known(change.low), abs=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables, st.sampled_from([0.8, 0.95, 0.999]))
def test_the_interval_holds_the_change_and_stays_between_minus_1_and_1(table: PairedTable, level: float) -> None:
    change = newcombe_interval(table, level=level)
    assert -1.0 <= known(change.low) <= known(change.estimate) <= known(change.high) <= 1.0


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_a_higher_level_widens_the_interval(table: PairedTable) -> None:
    narrow, wide = newcombe_interval(table, level=0.9), newcombe_interval(table, level=0.99)
    assert known(wide.low) <= known(narrow.low) + 1e-12
    assert known(narrow.high) <= known(wide.high) + 1e-12


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_passes_and_fails_have_no_sides(table: PairedTable) -> None:
    """Calling every pass a fail turns the change around and nothing else."""
    renamed = PairedTable(table.both_fail, table.fail_to_pass, table.pass_to_fail, table.both_pass)
    low, high = method_10(renamed)
    assert (-high, -low) == pytest.approx(method_10(table), abs=1e-12)


def test_a_million_items_overflow_nothing() -> None:
    change = newcombe_interval(PairedTable(600_000, 100_000, 99_000, 201_000))
    assert change.estimate == -0.001
    assert known(change.low) == pytest.approx(-0.001 - 1.96 * sqrt(0.199) / 1000, abs=2e-6)


def test_an_empty_table_estimates_nothing() -> None:
    expected = Estimate(None, None, None, 0.95, 0, "Newcombe hybrid score, method 10")
    assert newcombe_interval(PairedTable(0, 0, 0, 0)) == expected


def test_the_method_is_named_in_the_result() -> None:
    table = PairedTable(1, 1, 1, 1)
    assert newcombe_interval(table).method.endswith("method 10")
    assert newcombe_interval(table, correction=False).method.endswith("method 8")


def test_an_exact_p_of_5_percent_never_meets_an_interval_that_holds_0() -> None:
    """Over all tables of 5 to 80 items whose exact p is at most .05; so a significant change never looks open."""
    tested = 0
    for n in range(5, 81):
        flips = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)], dtype=float)
        b, c = flips[exact_pvalues(flips[:, 0], flips[:, 1]) <= 0.05].T
        for both_pass in range(n + 1):
            fits = b + c + both_pass <= n
            a = np.full(int(fits.sum()), float(both_pass))
            low, high = newcombe_limits(
                a, b[fits], c[fits], n - a - b[fits] - c[fits], 1.959963984540054, correction=True
            )
            assert np.all((low > 0) | (high < 0))
            tested += a.size
    assert tested > 100_000


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_a_level_that_is_no_fraction_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1"):
        newcombe_interval(PairedTable(1, 1, 1, 1), level=level)
