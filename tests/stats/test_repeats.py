"""Repeats in the summary: the item stays the unit, ragged runs are handled openly, and nothing is hidden."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import (
    Outcomes,
    answer_agreement,
    churn,
    clustered_newcombe_interval,
    clustered_tango_interval,
    code_answers,
    holm,
    pass_k_rates,
    robust_rate,
    signflip_exact,
    summarise,
    variance_components,
)

Cells = NDArray[np.int8]

modest = settings(max_examples=40, deadline=None, derandomize=True)
ragged = arrays.arrays(
    np.int8,
    st.tuples(st.integers(0, 12), st.integers(1, 4), st.integers(1, 3)),
    elements=st.sampled_from([1, 1, 0, -1]),
)
labels = st.none() | st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=12, max_size=12)


def numbers_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [found for inner in value.values() for found in numbers_in(inner)]
    if isinstance(value, list | tuple):
        return [found for inner in value for found in numbers_in(inner)]
    return [value]


def simulated(seed: int, shape: tuple[int, int, int] = (40, 3, 4)) -> Cells:
    rng = np.random.default_rng(seed)
    return (rng.random(shape) < rng.beta(1, 1, (shape[0], 1, 1))).astype(np.int8)


@modest
@given(ragged, labels)
def test_every_summary_is_plain_json_without_nan(cells: Cells, given_labels: list[str] | None) -> None:
    clusters = None if given_labels is None else given_labels[: cells.shape[0]]
    summary = summarise(Outcomes.from_array(cells, clusters=clusters), answers=cells)
    json.dumps(summary.to_dict(), allow_nan=False)
    assert all(type(found) in {int, float, str, bool, type(None)} for found in numbers_in(summary.to_dict()))


@modest
@given(ragged, labels)
def test_every_item_is_paired_or_counted_as_left_out(cells: Cells, given_labels: list[str] | None) -> None:
    clusters = None if given_labels is None else given_labels[: cells.shape[0]]
    summary = summarise(Outcomes.from_array(cells, clusters=clusters))
    for found in summary.conditions:
        assert found.n + found.without_baseline + found.without_variant == cells.shape[0]
        assert found.uneven <= found.n
        assert found.units <= found.n
    excluded = summary.overall.exclusions
    assert summary.overall.baseline_rate.n + excluded.without_baseline == cells.shape[0]
    assert summary.overall.robust_rate.n + excluded.incomplete == cells.shape[0]
    assert excluded.missing_runs == int(np.count_nonzero(cells == -1))


@modest
@given(ragged.filter(lambda cells: cells.shape[0] > 0), st.randoms())
def test_the_order_of_items_is_irrelevant(cells: Cells, random: Any) -> None:
    order = random.sample(range(cells.shape[0]), cells.shape[0])
    summary, shuffled = (summarise(Outcomes.from_array(each)) for each in (cells, cells[order]))
    for found, other in zip(summary.conditions, shuffled.conditions, strict=True):
        assert found.exact == other.exact
        assert found.verdict == other.verdict
        figures = [(each.change.low, each.change_score.high, each.flip_rate.low) for each in (found, other)]
        assert figures[0] == pytest.approx(figures[1], nan_ok=False)


def test_the_summary_says_what_the_single_statistics_say() -> None:
    outcomes = Outcomes.from_array(simulated(1))
    means, sums = outcomes.means(missing=0.0), outcomes.cells.sum(axis=2, dtype=int)
    summary = summarise(outcomes)
    for column, found in enumerate(summary.conditions, start=1):
        assert found.change == clustered_newcombe_interval(means[:, 0], means[:, column], runs=4)
        assert found.change_score == clustered_tango_interval(means[:, 0], means[:, column], runs=4)
        assert found.exact == signflip_exact(sums[:, column] - sums[:, 0])
        assert found.churn == churn(outcomes, found.condition)
        assert found.pass_k == pass_k_rates(outcomes, condition=found.condition)
        assert found.churn.flip_rate.estimate == pytest.approx(found.flip_rate.estimate)
        assert found.table is None
    assert [found.holm_p for found in summary.conditions] == list(holm([f.exact.pvalue for f in summary.conditions]))
    assert summary.overall.baseline_pass_k == pass_k_rates(outcomes)
    assert summary.overall.variance == variance_components(outcomes)
    assert summary.repeats == 4


def test_with_one_run_a_cell_what_needs_repeats_is_absent(worked_example: Outcomes) -> None:
    summary = summarise(worked_example)
    assert summary.overall.variance is None
    assert summary.overall.baseline_pass_k == ()
    assert {(found.churn, found.pass_k, found.uneven) for found in summary.conditions} == {(None, (), 0)}
    assert [found.units for found in summary.conditions] == [found.n for found in summary.conditions]


def test_unequally_many_runs_are_compared_over_equally_many() -> None:
    """The second item has one run under the variant: the first run of its baseline stands against it."""
    cells = [[[1, 1, 1], [0, 0, 0]], [[0, 1, 1], [0, -1, -1]], [[1, 1, -1], [-1, 1, 0]]]
    (found,) = summarise(Outcomes.from_array(cells)).conditions
    assert found.uneven == 1
    assert found.exact == signflip_exact([-3, 0, -1])
    assert found.change.estimate == pytest.approx((0 + 0 + 0.5) / 3 - (1 + 2 / 3 + 1) / 3)


def test_missing_runs_are_never_counted_as_fails() -> None:
    cells = simulated(2)
    holed = cells.copy()
    holed[::3, 1, 2:] = -1
    (found, *_), (complete, *_) = (summarise(Outcomes.from_array(each)).conditions for each in (holed, cells))
    kept = np.where(np.arange(40) % 3 == 0, holed[:, 1, :2].mean(axis=1), cells[:, 1].mean(axis=1))
    assert found.variant_rate.estimate == pytest.approx(kept.mean())
    assert found.n == complete.n == 40


def test_the_robust_rate_is_stable_in_the_number_of_runs() -> None:
    """All runs of all conditions pass ever more seldom; the chance that single runs all pass stays what it is."""
    rng = np.random.default_rng(3)
    chances = rng.beta(3, 1, (400, 1, 1))
    by_runs = {k: Outcomes.from_array(rng.random((400, 3, k)) < chances) for k in (1, 2, 5)}
    truth = float(np.mean(chances**3))
    rates = [robust_rate(outcomes).estimate for outcomes in by_runs.values()]
    assert rates == pytest.approx([truth] * 3, abs=0.06)
    all_runs = [float(outcomes.cells.all(axis=(1, 2)).mean()) for outcomes in by_runs.values()]
    assert all_runs[2] < truth - 0.2


def test_repeats_sharpen_a_noisy_comparison() -> None:
    """The same items and chances near ½ with one run, and with five."""
    rng = np.random.default_rng(4)
    draws = (rng.random((60, 2, 5)) < rng.uniform(0.3, 0.7, (60, 1, 1))).astype(np.int8)
    few, many = (summarise(Outcomes.from_array(draws[:, :, :k])).conditions[0].change for k in (1, 5))
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert many.high - many.low < 0.6 * (few.high - few.low)


def test_answers_agree_by_the_share_of_equal_pairs_of_runs() -> None:
    rows = [("q1", "baseline", 0, "A"), ("q1", "baseline", 1, "B"), ("q1", "typo", 0, "A"), ("q1", "typo", 1, None)]
    outcomes = Outcomes.from_array([[[1, 0], [1, -1]]], items=["q1"], conditions=["baseline", "typo"])
    codes = code_answers(rows, outcomes)
    assert codes.tolist() == [[[0, 1], [0, -1]]]
    (found,) = summarise(outcomes, answers=codes).conditions
    assert found.answer_agreement is not None
    assert (found.answer_agreement.estimate, found.answer_agreement.n) == (0.5, 1)


def test_answers_that_were_not_read_agree_with_nothing() -> None:
    (found,) = answer_agreement([[[0, -1], [-1, 1]], [[-1, -1], [-1, 2]]]).by_variant
    assert (found.estimate, found.n) == (0.0, 1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("q1", "baseline", "A")], r"there are 2 repeats a cell; a row is \(item, condition, repeat, answer\)"),
        ([("q1", "baseline", 2, "A")], "repeat 2 is none of the 2 repeats of the outcomes"),
        ([("q1", "baseline", 0, "A")] * 2, "has two answers"),
    ],
)
def test_answers_of_repeats_must_say_which(rows: list[Any], message: str) -> None:
    outcomes = Outcomes.from_array([[[1, 0]]], items=["q1"])
    with pytest.raises(ValueError, match=message):
        code_answers(rows, outcomes)


def test_a_rerun_condition_gives_the_floor_with_repeats_too() -> None:
    outcomes = Outcomes.from_array(simulated(5), conditions=["baseline", "typo", "rerun"])
    (found,) = summarise(outcomes, reruns=["rerun"]).conditions
    assert found.excess is not None
    assert found.excess.variant_flips.estimate == pytest.approx(found.flip_rate.estimate)
    alone = summarise(outcomes.select(["typo"])).conditions[0]
    assert replace(found, excess=None) == alone


def test_an_unknown_rerun_is_refused(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match="no condition is called 'rerun'"):
        summarise(worked_example, reruns=["rerun"])
