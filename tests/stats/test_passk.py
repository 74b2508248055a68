"""pass@k and pass^k: counted over all choices of k runs, and averaged over items as units."""

import itertools
from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Outcomes, pass_at_k, pass_hat_k, pass_k_rates, wilson_interval

# 50 tasks by the number of their 4 trials that passed: gpt-4o on the airline tasks of τ-bench.
TASKS_BY_PASSES = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}

modest = settings(max_examples=60, deadline=None, derandomize=True)
runs_and_k = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.lists(st.sampled_from([0, 1]), min_size=n, max_size=n), st.integers(1, n))
)


def known(value: float | None) -> float:
    assert value is not None
    return value


def airline() -> Outcomes:
    rows = [[1] * passes + [0] * (4 - passes) for passes, tasks in TASKS_BY_PASSES.items() for _ in range(tasks)]
    return Outcomes.from_array(np.array(rows)[:, np.newaxis, :])


def test_the_published_figures_of_tau_bench() -> None:
    """pass^1 to pass^4 are .42, .273, .22, .20, and the standard error of pass^1 is .052 clustered by task."""
    rates = pass_k_rates(airline())
    assert [known(each.all_of_them.estimate) for each in rates] == pytest.approx([0.42, 0.273, 0.22, 0.20], abs=5e-4)
    assert rates[0].all_of_them.standard_error == pytest.approx(0.052, abs=5e-4)
    assert [each.k for each in rates] == [1, 2, 3, 4]


def assert_the_task_is_the_unit(standard_error: Callable[[Outcomes], float]) -> None:
    assert standard_error(airline()) == pytest.approx(0.052, abs=1e-3)


def by_task(outcomes: Outcomes) -> float:
    return known(pass_k_rates(outcomes)[0].all_of_them.standard_error)


def by_trial(outcomes: Outcomes) -> float:
    trials = outcomes.cells.ravel()
    return float(np.std(trials, ddof=1)) / sqrt(trials.size)


def test_the_task_is_the_unit() -> None:
    assert_the_task_is_the_unit(by_task)


def test_the_wrong_twin_that_takes_trials_for_independent_gets_035() -> None:
    with pytest.raises(AssertionError):
        assert_the_task_is_the_unit(by_trial)
    assert by_trial(airline()) == pytest.approx(0.035, abs=5e-4)


@modest
@given(runs_and_k)
def test_they_are_shares_of_all_choices_of_k_runs(drawn: tuple[list[int], int]) -> None:
    runs, k = drawn
    choices = list(itertools.combinations(runs, k))
    expected = sum(map(any, choices)) / len(choices), sum(map(all, choices)) / len(choices)
    assert pass_at_k(len(runs), sum(runs), k) == pytest.approx(expected[0])
    assert pass_hat_k(len(runs), sum(runs), k) == pytest.approx(expected[1])


@modest
@given(runs_and_k)
def test_failing_all_is_passing_none(drawn: tuple[list[int], int]) -> None:
    runs, k = drawn
    assert pass_at_k(len(runs), sum(runs), k) == pytest.approx(1 - pass_hat_k(len(runs), len(runs) - sum(runs), k))


def test_items_with_fewer_runs_are_left_out_and_counted() -> None:
    rates = pass_k_rates(Outcomes.from_array([[[1, 1, 1]], [[1, -1, 0]], [[1, -1, -1]], [[-1, -1, -1]]]))
    assert [(each.all_of_them.n, each.left_out) for each in rates] == [(3, 0), (2, 1), (1, 2)]
    assert [known(each.all_of_them.estimate) for each in rates] == pytest.approx([2.5 / 3, 0.5, 1.0])


@pytest.mark.parametrize(
    ("runs", "passes", "k", "message"),
    [
        (3, 1, 4, "pass@4 and pass\\^4 need at least 4 runs of the item, got 3"),
        (3, 4, 2, "passes must not exceed runs"),
        (3, 1, 0, "k must be at least 1"),
        (3, -1, 1, "passes must be a whole number"),
    ],
)
@pytest.mark.parametrize("estimate", [pass_at_k, pass_hat_k])
def test_fewer_than_k_runs_are_refused(
    estimate: Callable[[int, int, int], float], runs: int, passes: int, k: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        estimate(runs, passes, k)


def test_more_runs_than_any_item_has_are_refused() -> None:
    with pytest.raises(ValueError, match="pass@5 needs 5 runs of an item, and no item has more than 4"):
        pass_k_rates(airline(), largest=5)
    with pytest.raises(ValueError, match="no condition is called 'typo'"):
        pass_k_rates(airline(), condition="typo")


def test_nothing_is_estimated_from_nothing() -> None:
    assert pass_k_rates(Outcomes.from_array(np.full((3, 1, 2), -1))) == ()


def test_a_single_run_gives_the_rate_alone(worked_example: Outcomes) -> None:
    (only,) = pass_k_rates(worked_example)
    assert only.at_least_one.estimate == only.all_of_them.estimate == 0.75


def test_an_item_is_never_worth_more_than_its_groups_of_k_runs() -> None:
    """Four runs hold two separate pairs: 60 items are worth at most 120 results for pass^2, here 1/3 on average."""
    rows = [[1, 1, 1, 0], [1, 1, 0, 0]] * 30
    pair = pass_k_rates(Outcomes.from_array(np.array(rows)[:, np.newaxis, :]))[1].all_of_them
    most = wilson_interval(40, 120)
    assert (pair.estimate, pair.low, pair.high) == pytest.approx((most.estimate, most.low, most.high))
