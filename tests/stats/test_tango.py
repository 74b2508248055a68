"""Tango's interval and score test: their defining properties, and a wrong twin that must fail one."""

from collections.abc import Callable
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Estimate, PairedTable, tango_interval, tango_noninferiority, tango_z

Z = 1.959963984540054
Limits = tuple[float, float]

counts = st.integers(0, 60)
tables = st.builds(PairedTable, counts, counts, counts, counts).filter(lambda table: table.n > 0)
searching = settings(max_examples=100, deadline=None, derandomize=True, report_multiple_bugs=False)
all_small_tables = [
    PairedTable(n - b - c, b, c, 0) for n in range(1, 13) for b in range(n + 1) for c in range(n + 1 - b)
]


def known(value: float | None) -> float:
    assert value is not None
    return value


def tango(table: PairedTable) -> Limits:
    change = tango_interval(table)
    return known(change.low), known(change.high)


def wald(table: PairedTable) -> Limits:
    change = known(table.change)
    half_width = Z * sqrt(max(table.flips / table.n - change**2, 0) / table.n)
    return max(change - half_width, -1.0), min(change + half_width, 1.0)


def assert_the_score_at_each_limit_is_z(interval: Callable[[PairedTable], Limits]) -> None:
    @searching
    @given(tables)
    def search(table: PairedTable) -> None:
        for limit, expected in zip(interval(table), (Z, -Z), strict=True):
            if abs(limit) < 1.0:
                assert known(tango_z(table, limit)) == pytest.approx(expected, abs=1e-6)

    search()


def test_the_score_at_each_limit_is_z() -> None:
    assert_the_score_at_each_limit_is_z(tango)


def test_the_wrong_twin_wald_has_other_scores_at_its_limits() -> None:
    with pytest.raises(AssertionError):
        assert_the_score_at_each_limit_is_z(wald)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables)
def test_swapping_negates_the_change_and_mirrors_the_interval(table: PairedTable) -> None:
    low, high = tango(table.swapped())
    assert (-high, -low) == tango(table)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables)
def test_the_interval_holds_the_change_and_stays_between_minus_1_and_1(table: PairedTable) -> None:
    low, high = tango(table)
    assert -1.0 <= low <= known(table.change) <= high <= 1.0
    assert low < high


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables, counts)
def test_only_flips_and_n_enter(table: PairedTable, moved: int) -> None:
    moved = min(moved, table.both_pass)
    other = PairedTable(table.both_pass - moved, table.pass_to_fail, table.fail_to_pass, table.both_fail + moved)
    assert tango_interval(other) == tango_interval(table)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables, st.lists(st.floats(-0.999, 0.999), min_size=2, max_size=6, unique=True))
def test_the_score_falls_as_the_hypothetical_change_rises(table: PairedTable, changes: list[float]) -> None:
    scores = [known(tango_z(table, change)) for change in sorted(changes)]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(scores))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables.filter(lambda table: table.flips > 0))
def test_the_score_at_0_is_mcnemars(table: PairedTable) -> None:
    b, c = table.pass_to_fail, table.fail_to_pass
    assert tango_z(table, 0.0) == pytest.approx((c - b) / sqrt(b + c))


@pytest.mark.parametrize("n", [1, 3, 20, 5000])
def test_without_flips_the_limits_have_a_closed_form(n: int) -> None:
    limit = Z**2 / (n + Z**2)
    assert tango(PairedTable(n, 0, 0, 0)) == pytest.approx((-limit, limit), abs=1e-12)


@pytest.mark.parametrize("n", [1, 3, 20, 5000])
def test_the_interval_is_closed_where_every_item_flipped_one_way(n: int) -> None:
    assert tango(PairedTable(0, 0, n, 0)) == pytest.approx(((n - Z**2) / (n + Z**2), 1.0), abs=1e-12)
    assert tango(PairedTable(0, n, 0, 0)) == pytest.approx((-1.0, (Z**2 - n) / (n + Z**2)), abs=1e-12)


def test_every_small_table_has_limits_where_the_score_is_z() -> None:
    for table in all_small_tables:
        low, high = tango(table)
        assert low == -1.0 or tango_z(table, low) == pytest.approx(Z, abs=1e-6)
        assert high == 1.0 or tango_z(table, high) == pytest.approx(-Z, abs=1e-6)


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1, 0.3])
def test_the_test_rejects_exactly_where_the_lower_limit_clears_the_margin(margin: float) -> None:
    for table in [*all_small_tables, PairedTable(150, 2, 4, 44), PairedTable(80, 3, 1, 16)]:
        rejected = known(tango_noninferiority(table, margin).pvalue) < 0.025
        assert rejected == (tango(table)[0] > -margin)


@pytest.mark.parametrize(("margin", "needed"), [(0.05, 73), (0.10, 35)])
def test_without_flips_a_margin_takes_so_many_items(margin: float, needed: int) -> None:
    assert tango(PairedTable(needed, 0, 0, 0))[0] > -margin
    assert tango(PairedTable(needed - 1, 0, 0, 0))[0] <= -margin


def test_the_largest_tables_are_solved() -> None:
    low, high = tango(PairedTable(10**7 - 3, 1, 2, 0))
    assert -1e-6 < low < 1e-7 < high < 1e-6
    low, high = tango(PairedTable(1, 0, 10**6 - 1, 0))
    assert 0.999_99 < low < high < 1.0


def test_an_empty_table_estimates_and_tests_nothing() -> None:
    empty = PairedTable(0, 0, 0, 0)
    assert tango_interval(empty) == Estimate(None, None, None, 0.95, 0, "Tango score")
    assert tango_z(empty, 0.1) is None
    assert tango_noninferiority(empty, 0.1).pvalue is None


@pytest.mark.parametrize("change", [-1.0, 1.0, float("nan")])
def test_a_change_that_no_table_can_have_is_refused(change: float) -> None:
    with pytest.raises(ValueError, match="change must lie strictly between -1 and 1"):
        tango_z(PairedTable(1, 1, 1, 1), change)


@pytest.mark.parametrize("margin", [0.0, -0.05, 5])
def test_a_margin_that_is_no_fraction_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="margin must lie strictly between 0 and 1"):
        tango_noninferiority(PairedTable(1, 1, 1, 1), margin)
