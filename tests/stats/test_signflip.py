"""The exact sign-flip test and max-T: all sign patterns, counted."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from prt.stats import HypothesisTest, PairedTable, max_t, mcnemar_exact, mcnemar_mid_p, signflip_exact, signflip_mid_p

few = st.lists(st.integers(-6, 6), min_size=1, max_size=9)
modest = settings(max_examples=60, deadline=None, derandomize=True)


def known(test: HypothesisTest) -> float:
    assert test.pvalue is not None
    return test.pvalue


def sums_of_all_patterns(sums: list[int]) -> list[int]:
    return [
        sum(s * sign for s, sign in zip(sums, signs, strict=True))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]


@modest
@given(few)
def test_the_p_value_is_the_share_of_sign_patterns_that_reach_the_sum(sums: list[int]) -> None:
    patterns, observed = [abs(total) for total in sums_of_all_patterns(sums)], abs(sum(sums))
    beyond, equal = (sum(map(check, patterns)) for check in (observed.__lt__, observed.__eq__))
    assert known(signflip_exact(sums)) == pytest.approx((beyond + equal) / len(patterns), rel=1e-9)
    if any(sums):
        assert known(signflip_mid_p(sums)) == pytest.approx((beyond + equal / 2) / len(patterns), rel=1e-9)


@modest
@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=200))
def test_with_single_results_it_is_the_exact_mcnemar_test(sums: list[int]) -> None:
    table = PairedTable(sums.count(0), sums.count(-1), sums.count(1), 0)
    assert signflip_exact(sums).pvalue == mcnemar_exact(table).pvalue
    assert signflip_mid_p(sums).pvalue == mcnemar_mid_p(table).pvalue


@modest
@given(few, st.integers(0, 20))
def test_concordant_items_order_direction_and_unit_change_nothing(sums: list[int], concordant: int) -> None:
    pvalue = known(signflip_exact(sums))
    others = [[*sums, *[0] * concordant], sums[::-1], [-s for s in sums], [7 * s for s in sums]]
    assert [known(signflip_exact(other)) for other in others] == pytest.approx([pvalue] * 4, rel=1e-9)


@modest
@given(few, st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_by_cluster_it_is_the_test_of_the_clusters_sums(sums: list[int], labels: list[int]) -> None:
    clusters = labels[: len(sums)]
    totals = [
        sum(s for s, label in zip(sums, clusters, strict=True) if label == group) for group in sorted(set(clusters))
    ]
    assert known(signflip_exact(sums, clusters)) == pytest.approx(known(signflip_exact(totals)), rel=1e-9)


def test_many_items_of_many_sizes_agree_with_the_normal_law() -> None:
    """100,000 items: the exact distribution of the sum is as good as normal."""
    sums = np.random.default_rng(4).integers(-5, 6, 100_000)
    z = abs(int(sums.sum())) / np.sqrt(np.sum(sums.astype(float) ** 2))
    normal = 2 * (1 - 0.5 * (1 + _erf(z / np.sqrt(2))))
    assert known(signflip_exact(sums)) == pytest.approx(normal, abs=2e-3)


def test_a_p_value_too_small_to_count_is_given_as_the_smallest() -> None:
    assert known(signflip_exact(np.arange(1, 300))) == 1e-50


def _erf(x: float) -> float:
    steps = np.linspace(0.0, x, 20_001)
    return float(2 / np.sqrt(np.pi) * np.trapezoid(np.exp(-(steps**2)), steps))


def test_where_nothing_differs_there_is_no_evidence() -> None:
    assert signflip_exact([0, 0, 0]).pvalue == 1.0
    assert signflip_mid_p([0, 0, 0]).pvalue == 1.0
    assert signflip_exact([]).pvalue is None


@pytest.mark.parametrize("bad", [[0.5, 1.0], [[1, 0]], ["1"], [True]])
def test_anything_but_whole_numbers_is_refused(bad: list[object]) -> None:
    with pytest.raises(ValueError, match="differences must hold one whole number an item"):
        signflip_exact(bad)  # type: ignore[arg-type]  # which is what is tested


def share_of_rejections(pvalue: Callable[[NDArray[np.int64]], float]) -> float:
    """400 seeded runs of 25 items × 4 conditions that each item meets with luck of its own, and no change at all."""
    rng = np.random.default_rng(8)
    rejected = 0
    for _ in range(400):
        shock = rng.choice([-1, 1], (25, 1)) * (rng.random((25, 1)) < 0.5)
        differences = np.where(rng.random((25, 4)) < 0.6, shock, 0)
        rejected += pvalue(differences) <= 0.05
    return rejected / 400


def by_items(differences: NDArray[np.int64]) -> float:
    return known(signflip_exact(differences.sum(axis=1)))


def by_pooled_cells(differences: NDArray[np.int64]) -> float:
    worse, better = int(np.count_nonzero(differences < 0)), int(np.count_nonzero(differences > 0))
    return known(mcnemar_exact(PairedTable(0, worse, better, 0)))


def test_the_item_is_the_unit_of_a_test_over_several_conditions() -> None:
    assert share_of_rejections(by_items) <= 0.06


def test_the_wrong_twin_pooled_cell_mcnemar_rejects_far_too_often() -> None:
    assert share_of_rejections(by_pooled_cells) > 0.10


@modest
@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=8))
def test_max_t_of_few_items_counts_all_patterns(pairs: list[tuple[int, int]]) -> None:
    found = max_t(pairs, rng=np.random.default_rng(0))
    assert found.draws is None
    columns = np.array(pairs, dtype=float)
    scale = np.sqrt((columns**2).sum(axis=0))
    columns /= np.where(scale > 0, scale, 1.0)
    signs = np.array(list(itertools.product((1, -1), repeat=len(pairs))))
    largest = np.abs(signs @ columns).max(axis=1)
    expected = [(largest >= abs(total) - 1e-9).mean() for total in columns.sum(axis=0)]
    assert found.pvalues == pytest.approx(expected)
    assert found.errors == (0.0, 0.0)


def test_max_t_of_one_condition_is_the_sign_flip_test() -> None:
    sums = [[-2], [-1], [-3], [1], [-1], [0]]
    (pvalue,) = max_t(sums, rng=np.random.default_rng(0)).pvalues
    assert pvalue == pytest.approx(known(signflip_exact([row[0] for row in sums])))


def test_max_t_by_draws_states_its_error_and_repeats_with_its_seed() -> None:
    differences = np.random.default_rng(3).integers(-1, 2, (60, 5))
    first, again, other = (max_t(differences, rng=np.random.default_rng(seed), draws=1999) for seed in (1, 1, 2))
    assert first == again
    assert first.draws == 1999
    for p, q, error in zip(first.pvalues, other.pvalues, first.errors, strict=True):
        assert p is not None
        assert q is not None
        assert error is not None
        assert 1 / 2000 <= p <= 1
        assert abs(p - q) < 6 * max(error, 0.001)


def test_max_t_by_draws_never_gives_a_p_value_of_0() -> None:
    (pvalue,) = max_t([[-1]] * 60, rng=np.random.default_rng(0), draws=499).pvalues
    assert pvalue == 1 / 500


def test_max_t_is_sharper_than_holm_where_conditions_share_their_flips() -> None:
    differences = np.zeros((40, 6), dtype=int)
    differences[:12] = -1
    differences[12:15] = 1
    (adjusted, *_) = max_t(differences, rng=np.random.default_rng(0), draws=1999).pvalues
    assert adjusted is not None
    assert adjusted < 2 * known(signflip_exact(differences[:, 0])) < 6 * known(signflip_exact(differences[:, 0]))


def test_max_t_of_nothing_is_nothing() -> None:
    assert max_t(np.zeros((0, 2), dtype=int), rng=np.random.default_rng(0)).pvalues == (None, None)
    assert max_t(np.zeros((3, 2), dtype=int), rng=np.random.default_rng(0)).pvalues == (1.0, 1.0)


@pytest.mark.parametrize(
    ("bad", "draws", "message"),
    [([[0.5]], 99, "whole numbers"), ([1], 99, "items × conditions"), ([[1]], 0, "draws must be at least 1")],
)
def test_max_t_refuses_what_it_can_not_use(bad: list[object], draws: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        max_t(bad, rng=np.random.default_rng(0), draws=draws)  # type: ignore[arg-type]  # which is what is tested
