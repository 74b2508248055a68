"""Planning: exact power by enumeration, and the smallest numbers that do."""

from collections.abc import Callable
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import (
    PairedTable,
    connor_sample_size,
    detectable_change,
    fewest_flips,
    mcnemar_exact,
    mcnemar_power,
    mcnemar_sample_size,
    no_worse,
    repeats_sample_size,
    tango_interval,
    zero_flip_items,
)

modest = settings(max_examples=30, deadline=None, derandomize=True)
flips = st.tuples(st.floats(0, 0.5), st.floats(0, 0.5))


def pvalue(b: int, c: int) -> float:
    value = mcnemar_exact(PairedTable(1, b, c, 0)).pvalue
    assert value is not None
    return value


def enumerated(n: int, b: float, c: float, alpha: float) -> float:
    """Add up the chances of all tables whose exact p is at most alpha."""
    return sum(
        comb(n, x) * comb(n - x, y) * b**x * c**y * max(1 - b - c, 0.0) ** (n - x - y)
        for x in range(n + 1)
        for y in range(n + 1 - x)
        if pvalue(x, y) <= alpha
    )


@modest
@given(st.integers(0, 18), flips, st.sampled_from([0.01, 0.05, 0.2]))
def test_the_power_is_that_of_all_tables_that_reject(n: int, chances: tuple[float, float], alpha: float) -> None:
    assert mcnemar_power(n, *chances, alpha=alpha) == pytest.approx(enumerated(n, *chances, alpha), abs=1e-9)


@modest
@given(st.integers(1, 60), st.floats(0.01, 0.5))
def test_the_actual_level_never_exceeds_alpha(n: int, half: float) -> None:
    assert mcnemar_power(n, half, half) <= 0.05
    assert mcnemar_power(n, half, half, one_sided=True) <= 0.05


@pytest.mark.parametrize("chances", [(0.3, 0.1), (0.1, 0.3), (0.05, 0.45), (0.0, 0.1), (0.7, 0.3), (0.0, 1.0)])
def test_the_sample_size_is_the_fewest_items_that_reach_the_power(chances: tuple[float, float]) -> None:
    needed = mcnemar_sample_size(*chances)
    assert mcnemar_power(needed, *chances) >= 0.8
    assert all(mcnemar_power(n, *chances) < 0.8 for n in range(1, needed))


def test_the_published_sample_size_of_the_exact_test() -> None:
    """The R package pwrss needs 249 items; 248 fall short by a little (.7998)."""
    assert mcnemar_sample_size(0.2, 0.1) == 249
    assert mcnemar_power(248, 0.2, 0.1) == pytest.approx(0.799807, abs=1e-6)


def assert_reaches_the_power(size: Callable[[float, float], int]) -> None:
    assert mcnemar_power(size(0.2, 0.1), 0.2, 0.1) >= 0.8


def test_the_exact_sample_size_reaches_the_power_of_the_exact_test() -> None:
    assert_reaches_the_power(mcnemar_sample_size)


def test_the_wrong_twin_connors_formula_taken_for_exact_falls_short() -> None:
    with pytest.raises(AssertionError):
        assert_reaches_the_power(connor_sample_size)


def test_the_smallest_change_is_just_detectable() -> None:
    for n, flip_rate, variants in ((50, 0.3, 1), (249, 0.3, 1), (400, 0.2, 8)):
        change = detectable_change(n, flip_rate, variants=variants)
        assert change is not None
        powers = [
            mcnemar_power(n, (flip_rate + d) / 2, (flip_rate - d) / 2, alpha=0.05 / variants)
            for d in (change, 0.99 * change)
        ]
        assert powers[0] >= 0.8 > powers[1]


def test_more_items_find_smaller_changes_and_more_variants_larger_ones() -> None:
    by_items = [detectable_change(n, 0.2) for n in (100, 400, 1600)]
    by_variants = [detectable_change(400, 0.2, variants=m) for m in (1, 4, 20)]
    assert None not in by_items + by_variants
    assert by_items == sorted(by_items, key=lambda change: -(change or 0))
    assert by_variants == sorted(by_variants, key=lambda change: change or 0)


def test_too_few_flips_find_nothing_at_all() -> None:
    assert detectable_change(20, 0.1) is None
    assert detectable_change(0, 0.5) is None


@modest
@given(st.floats(0.001, 0.2), st.integers(1, 40))
def test_the_fewest_flips_just_reach_the_bar(alpha: float, variants: int) -> None:
    needed = fewest_flips(alpha, variants)
    assert pvalue(needed, 0) <= alpha / variants
    assert needed == 2 or pvalue(needed - 1, 0) > alpha / variants


@modest
@given(st.floats(0.005, 0.9))
def test_the_zero_flip_items_just_rule_out_the_margin(margin: float) -> None:
    needed = zero_flip_items(margin)
    assert no_worse(tango_interval(PairedTable(needed, 0, 0, 0)), margin)
    assert needed == 1 or not no_worse(tango_interval(PairedTable(needed - 1, 0, 0, 0)), margin)


def test_a_limit_that_just_meets_the_margin_does_not_rule_it_out() -> None:
    for n in range(1, 300):
        limit = tango_interval(PairedTable(n, 0, 0, 0)).high
        assert limit is not None
        assert zero_flip_items(limit) == n + 1


@pytest.mark.parametrize(("runs", "ratio"), [(1, 1), (2, 2 / 3), (3, 5 / 9), (4, 0.5), (5, 7 / 15)])
def test_repeats_save_items_as_published_for_uniform_chances(runs: int, ratio: float) -> None:
    """Chances uniform between 0 and 1: 1/12 between items and 1/6 within, (1 + 2/k)/3 of the items (Miller, 2024)."""
    once, repeated = (repeats_sample_size(0.01, 1 / 12, variant_noise=1 / 6, repeats=k) for k in (1, runs))
    assert repeated / once == pytest.approx(ratio, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mcnemar_power(10, 0.7, 0.4), "at most 1 together, got 0.7 and 0.4"),
        (lambda: mcnemar_power(10, -0.1, 0.4), "at least 0"),
        (lambda: mcnemar_power(10, float("nan"), 0.4), "at least 0"),
        (lambda: mcnemar_power(10, 0.1, 0.2, alpha=5), "alpha must lie strictly between 0 and 1"),
        (lambda: mcnemar_sample_size(0.1, 0.1), "there is no change to find"),
        (lambda: mcnemar_sample_size(0.1, 0.1000001), "too small to find with 1,000,000 items"),
        (lambda: connor_sample_size(0.1, 0.2, power=1.0), "power must lie strictly between 0 and 1"),
        (lambda: fewest_flips(variants=0), "variants must be at least 1"),
        (lambda: zero_flip_items(0.0), "margin must lie strictly between 0 and 1"),
        (lambda: detectable_change(10, 1.0), "flip_rate must lie strictly between 0 and 1"),
        (lambda: repeats_sample_size(0.1, 2.0), "between is a variance between 0 and 1, got 2.0"),
        (lambda: repeats_sample_size(0.1, 0.2, repeats=0), "repeats must be at least 1"),
    ],
)
def test_questions_without_an_answer_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
