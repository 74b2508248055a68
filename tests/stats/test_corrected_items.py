"""Corrected pass rates of every condition: the plain correction where items are independent, else the effective n."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from prt.stats import CorrectedRate, JudgeTable, Outcomes, corrected_rate, corrected_rates

TABLE = JudgeTable(90, 15, 10, 85)
PERFECT = JudgeTable(100_000, 0, 0, 100_000)


def only(outcomes: Outcomes, table: JudgeTable = TABLE) -> CorrectedRate:
    (rate,) = corrected_rates(outcomes, table)
    return rate


@given(cells=st.lists(st.tuples(st.sampled_from([0, 1, -1]), st.sampled_from([0, 1, -1])), min_size=1, max_size=40))
def test_single_runs_of_independent_items_are_corrected_as_counts(cells: list[tuple[int, int]]) -> None:
    baseline, variant = corrected_rates(Outcomes.from_array(cells), TABLE)
    of_baseline = [before for before, _ in cells if before >= 0]
    of_variant = [after for before, after in cells if min(before, after) >= 0]
    for rate, results in ((baseline, of_baseline), (variant, of_variant)):
        assert rate.corrected == corrected_rate(sum(results), len(results), TABLE)
        assert (rate.judged.n, rate.n_effective) == (len(results), len(results))


def test_items_that_repeat_one_another_are_worth_their_clusters() -> None:
    results = [[index % 2] for index in range(20)]
    plain = only(Outcomes.from_array(results * 5))
    clustered = only(Outcomes.from_array(results * 5, clusters=[f"c{index}" for index in range(20)] * 5))
    assert plain.n_effective == 100
    assert clustered.n_effective == pytest.approx(20, rel=0.15)
    assert clustered.corrected.estimate == pytest.approx(plain.corrected.estimate)
    assert clustered.corrected.n == clustered.judged.n == 100
    assert "effective sample size" in clustered.corrected.method
    assert width(clustered) > 1.7 * width(plain)


def test_repeats_that_always_agree_add_nothing() -> None:
    once = only(Outcomes.from_array([[[index % 2]] for index in range(30)]))
    often = only(Outcomes.from_array([[[index % 2] * 8] for index in range(30)]))
    assert often.n_effective == pytest.approx(30, rel=0.1)
    assert often.corrected.estimate == once.corrected.estimate


def width(rate: CorrectedRate) -> float:
    assert rate.corrected.low is not None
    assert rate.corrected.high is not None
    return rate.corrected.high - rate.corrected.low


def test_a_faultless_judge_leaves_the_rates_as_they_are() -> None:
    cells = np.random.default_rng(3).integers(0, 2, (60, 3, 4))
    for rate in corrected_rates(Outcomes.from_array(cells), PERFECT):
        assert rate.corrected.estimate == pytest.approx(rate.judged.estimate, abs=1e-12)


def test_a_condition_without_items_and_a_judge_without_skill_have_no_figure() -> None:
    baseline, variant = corrected_rates(Outcomes.from_array([[1, -1], [0, -1]]), TABLE)
    assert baseline.corrected.estimate is not None
    assert (variant.corrected.estimate, variant.judged.n, variant.n_effective) == (None, 0, 0)
    assert only(Outcomes.from_array([[1], [0]]), JudgeTable(5, 5, 5, 5)).corrected.estimate is None


def coverage(*, clustered: bool) -> float:
    """Share of samples of 25 documents with 8 questions each whose interval holds the rate that a person would give."""
    draws, hits, samples = np.random.default_rng(5), 0, 400
    documents = [f"d{index}" for index in range(25) for _ in range(8)]
    for _ in range(samples):
        right = draws.random(200) < np.repeat(draws.beta(1.2, 0.8, 25), 8)
        table = JudgeTable(*calibration(draws))
        outcomes = Outcomes.from_array(as_judged(right, draws), clusters=documents if clustered else None)
        rate = only(outcomes, table).corrected
        hits += rate.low is not None and rate.high is not None and rate.low <= 0.6 <= rate.high
    return hits / samples


def as_judged(right: NDArray[np.bool_], draws: np.random.Generator) -> NDArray[np.int8]:
    """Verdicts of a judge of sensitivity .9 and specificity .8."""
    passes = np.where(right, draws.random(right.size) < 0.9, draws.random(right.size) < 0.2)
    return passes.astype(np.int8)[:, np.newaxis]


def calibration(draws: np.random.Generator) -> tuple[int, int, int, int]:
    passed, failed = int(draws.binomial(100, 0.9)), int(draws.binomial(100, 0.8))
    return passed, 100 - failed, 100 - passed, failed


def test_the_interval_holds_where_items_are_clustered() -> None:
    assert coverage(clustered=True) >= 0.93


def test_the_interval_of_independent_items_would_not_hold_there() -> None:
    assert coverage(clustered=False) < 0.88
