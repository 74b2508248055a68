"""The figures over all variants together: stability, flips, robust rates, spread, Cochran's Q, consistency curve."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import (
    Estimate,
    Outcomes,
    any_pass_rate,
    baseline_rate,
    cochran_q,
    condition_spread,
    consistency_curve,
    count_exclusions,
    fully_stable_share,
    item_stability,
    pooled_flip_rate,
    robust_rate,
    robust_rate_present,
    stable_with_missing,
)

Matrix = NDArray[np.int8]

shapes = st.tuples(st.integers(0, 14), st.integers(1, 5))
matrices = arrays.arrays(np.int8, shapes, elements=st.sampled_from([1, 1, 0, 0, -1]))
complete_matrices = arrays.arrays(np.int8, shapes, elements=st.sampled_from([1, 0]))
modest = settings(max_examples=60, deadline=None, derandomize=True)

SHARES: list[Callable[[Outcomes], Estimate]] = [
    baseline_rate,
    robust_rate,
    robust_rate_present,
    any_pass_rate,
    fully_stable_share,
    pooled_flip_rate,
]


def counts(estimate: Estimate) -> tuple[int | None, int]:
    return estimate.count, estimate.n


@pytest.mark.parametrize("share", SHARES)
def test_the_order_of_items_is_irrelevant(share: Callable[[Outcomes], Estimate], worked_missing: Outcomes) -> None:
    reversed_items = Outcomes.from_array(worked_missing.matrix()[::-1], conditions=worked_missing.conditions)
    assert share(reversed_items) == share(worked_missing)


@pytest.mark.parametrize("share", SHARES)
def test_an_item_without_any_result_changes_nothing(
    share: Callable[[Outcomes], Estimate], worked_missing: Outcomes
) -> None:
    extended = np.vstack([worked_missing.matrix(), np.full((3, 5), -1)])
    assert share(Outcomes.from_array(extended)) == share(worked_missing)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("shape", [(0, 3), (4, 1), (0, 1)])
def test_empty_outcomes_never_give_nan(share: Callable[[Outcomes], Estimate], shape: tuple[int, int]) -> None:
    figure = share(Outcomes.from_array(np.full(shape, -1)))
    assert counts(figure) == (0, 0)
    assert figure.estimate is None


@modest
@given(matrices)
def test_stability_is_the_share_of_present_variants_that_agree(matrix: Matrix) -> None:
    for row, stability in zip(matrix.tolist(), item_stability(Outcomes.from_array(matrix)), strict=True):
        present = [result for result in row[1:] if result != -1]
        if row[0] == -1 or not present:
            assert stability is None
        else:
            assert stability == present.count(row[0]) / len(present)


@modest
@given(matrices)
def test_fully_stable_items_are_those_of_stability_1_and_flips_are_what_they_lack(matrix: Matrix) -> None:
    outcomes = Outcomes.from_array(matrix)
    known = [stability for stability in item_stability(outcomes) if stability is not None]
    assert counts(fully_stable_share(outcomes)) == (known.count(1.0), len(known))
    flips, cells = counts(pooled_flip_rate(outcomes))
    assert flips == sum(table.flips for table in outcomes.tables())
    assert cells == sum(table.n for table in outcomes.tables())


@modest
@given(matrices)
def test_items_stable_only_so_far_are_those_that_a_missing_cell_could_undo(matrix: Matrix) -> None:
    """Fill every hole of a variant with the opposite of the baseline: exactly these items lose their stability."""
    outcomes = Outcomes.from_array(matrix)
    undone = np.where((matrix == -1) & (matrix[:, :1] != -1), 1 - matrix[:, :1], matrix)
    undone[[stability is None for stability in item_stability(outcomes)]] = -1
    stable_before, stable_after = (fully_stable_share(Outcomes.from_array(cells)).count for cells in (matrix, undone))
    assert stable_before is not None
    assert stable_after is not None
    assert stable_before - stable_after == stable_with_missing(outcomes)


@modest
@given(matrices)
def test_the_robust_rate_counts_complete_items_that_pass_everywhere(matrix: Matrix) -> None:
    outcomes = Outcomes.from_array(matrix)
    complete = [row for row in matrix.tolist() if -1 not in row]
    assert counts(robust_rate(outcomes)) == (sum(all(row) for row in complete), len(complete))
    assert counts(any_pass_rate(outcomes)) == (sum(any(row) for row in complete), len(complete))


@modest
@given(matrices)
def test_over_present_conditions_a_missing_cell_neither_passes_nor_fails(matrix: Matrix) -> None:
    comparable = [row for row in matrix.tolist() if row[0] != -1 and max(row[1:], default=-1) != -1]
    expected = (sum(0 not in row for row in comparable), len(comparable))
    assert counts(robust_rate_present(Outcomes.from_array(matrix))) == expected


@modest
@given(complete_matrices, st.integers(1, 4))
def test_more_conditions_never_raise_the_robust_rate(matrix: Matrix, kept: int) -> None:
    few, all_of_them = Outcomes.from_array(matrix[:, :kept]), Outcomes.from_array(matrix)
    if matrix.shape[0]:
        assert (robust_rate(all_of_them).estimate or 0) <= (robust_rate(few).estimate or 0)
        assert (any_pass_rate(all_of_them).estimate or 0) >= (any_pass_rate(few).estimate or 0)


@modest
@given(matrices)
def test_the_ends_of_the_consistency_curve_are_any_pass_and_robust(matrix: Matrix) -> None:
    outcomes = Outcomes.from_array(matrix)
    curve = consistency_curve(outcomes)
    assert curve.shares[0] == any_pass_rate(outcomes).estimate
    assert curve.shares[-1] == robust_rate(outcomes).estimate
    assert curve.counts == tuple(sorted(curve.counts or (), reverse=True))


@modest
@given(matrices, st.floats(0, 1))
def test_the_consistency_curve_counts_items_right_in_at_least_that_fraction(matrix: Matrix, fraction: float) -> None:
    complete = [row for row in matrix.tolist() if -1 not in row]
    expected = sum(sum(row) / len(row) >= fraction for row in complete) / len(complete) if complete else None
    assert consistency_curve(Outcomes.from_array(matrix)).at(fraction) == expected


@pytest.mark.parametrize("conditions", range(1, 40))
def test_every_fraction_that_can_occur_is_met_exactly(conditions: int) -> None:
    """Seven of ten is at least .7, whatever the last bit of 7/10 says."""
    rows = [[1] * passes + [0] * (conditions - passes) for passes in range(conditions + 1)]
    curve = consistency_curve(Outcomes.from_array(rows))
    for passes in range(1, conditions + 1):
        assert curve.at(passes / conditions) == (conditions + 1 - passes) / (conditions + 1)


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_the_curve_has_no_value_outside_0_to_1(fraction: float, worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match="fraction must lie between 0 and 1"):
        consistency_curve(worked_example).at(fraction)


@modest
@given(matrices)
def test_the_spread_is_the_distance_of_the_best_from_the_worst_rate(matrix: Matrix) -> None:
    outcomes = Outcomes.from_array(matrix)
    rates = [baseline_rate(outcomes).estimate, *(table.variant_rate for table in outcomes.tables())]
    known = [rate for rate in rates if rate is not None]
    spread = condition_spread(outcomes)
    assert spread.estimate == (max(known) - min(known) if known else None)
    assert spread.best_rate == max(known, default=None)
    assert spread.worst_rate == min(known, default=None)


def test_the_spread_names_the_first_of_equal_conditions() -> None:
    spread = condition_spread(Outcomes.from_array([[1, 0, 1, 0]], conditions=["baseline", "a", "b", "c"]))
    assert (spread.best, spread.worst) == ("baseline", "a")


@modest
@given(complete_matrices.filter(lambda matrix: matrix.shape[0] > 0 and matrix.shape[1] > 1), st.randoms())
def test_cochrans_q_ignores_the_order_of_conditions_and_items_that_never_differ(
    matrix: Matrix,
    random: Random,
) -> None:
    test = cochran_q(Outcomes.from_array(matrix))
    columns = random.sample(range(matrix.shape[1]), matrix.shape[1])
    constant = np.vstack([matrix[:, columns], np.ones((2, matrix.shape[1])), np.zeros((1, matrix.shape[1]))])
    other = cochran_q(Outcomes.from_array(constant))
    assert other.statistic == pytest.approx(test.statistic)
    assert other.pvalue == pytest.approx(test.pvalue)


@modest
@given(complete_matrices.filter(lambda matrix: matrix.shape[0] > 0 and matrix.shape[1] == 2))
def test_cochrans_q_of_two_conditions_is_mcnemars_chi_squared(matrix: Matrix) -> None:
    outcomes = Outcomes.from_array(matrix)
    (table,) = outcomes.tables()
    b, c = table.pass_to_fail, table.fail_to_pass
    assert cochran_q(outcomes).statistic == pytest.approx((c - b) ** 2 / (b + c) if b + c else 0.0)


def test_cochrans_q_of_items_that_never_differ_finds_nothing() -> None:
    test = cochran_q(Outcomes.from_array([[1, 1, 1], [0, 0, 0]]))
    assert (test.statistic, test.pvalue, test.n) == (0.0, 1.0, 2)


@pytest.mark.parametrize("cells", [np.zeros((0, 3)), [[1], [0]], [[1, -1], [-1, 0]]])
def test_cochrans_q_without_complete_items_or_a_second_condition_is_no_test(cells: list[list[int]]) -> None:
    test = cochran_q(Outcomes.from_array(cells))
    assert test.pvalue is None
    assert test.statistic is None


def test_under_no_difference_cochrans_q_keeps_its_level() -> None:
    """1,000 runs of 60 items under 4 exchangeable conditions; the items differ in difficulty."""
    rng = np.random.default_rng(11)
    pvalues = []
    for _ in range(1000):
        difficulty = rng.beta(1, 1, size=(60, 1))
        pvalues.append(cochran_q(Outcomes.from_array(rng.random((60, 4)) < difficulty)).pvalue)
    assert 0.03 <= np.mean([pvalue is not None and pvalue <= 0.05 for pvalue in pvalues]) <= 0.07


@modest
@given(matrices, st.integers(2, 3))
def test_the_same_result_in_every_run_gives_the_figures_of_a_single_run(matrix: Matrix, runs: int) -> None:
    """Only the limits may differ: the same answer k times is evidence that the model is steady."""
    once = Outcomes.from_array(matrix)
    again = Outcomes.from_array(np.repeat(matrix[:, :, np.newaxis], runs, axis=2))
    for share in SHARES:
        assert share(again).estimate == pytest.approx(share(once).estimate, abs=1e-12)
        assert share(again).n == share(once).n
    assert item_stability(again) == pytest.approx(item_stability(once))
    assert stable_with_missing(again) == stable_with_missing(once)
    assert cochran_q(again).statistic == pytest.approx(cochran_q(once).statistic)
    assert consistency_curve(again).shares == pytest.approx(consistency_curve(once).shares)
    assert condition_spread(again).estimate == pytest.approx(condition_spread(once).estimate)
    counted, counted_once = count_exclusions(again), count_exclusions(once)
    assert counted.missing_runs == runs * counted_once.missing_runs
    assert replace(counted, missing_runs=0) == replace(counted_once, missing_runs=0)
