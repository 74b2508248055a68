"""Weighted changes and changes in robustness: reduce to known intervals, and hold the truth as often as they say."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from prt.stats import Estimate, Outcomes, clustered_newcombe_interval, compare_runs, weighted_change
from prt.stats.numeric import students_t

Cells = NDArray[np.int8]
Draw = Callable[[np.random.Generator, int], tuple[Cells, Cells]]
NAMES = ("baseline", "variant.1", "variant.2", "variant.3")
SAMPLES = 300
NOMINAL = 0.95


def draw_cells(rng: np.random.Generator, chances: NDArray[np.float64]) -> Cells:
    return (rng.random(chances.shape) < chances).astype(np.int8)


def shocks(rng: np.random.Generator, n: int) -> tuple[Cells, Cells]:
    """Steady items; one in ten turns around, under all conditions together: a drop of .072."""
    before = np.where(rng.random((n, 1)) < 0.88, 0.98, 0.03) * np.ones((n, 4))
    after = np.where(rng.random((n, 1)) < 0.1, 1 - before, before)
    return draw_cells(rng, before), draw_cells(rng, after)


def single_losses(rng: np.random.Generator, n: int) -> tuple[Cells, Cells]:
    """Items that always pass, of whose cells a tenth is lost, each by itself."""
    return np.ones((n, 4), dtype=np.int8), draw_cells(rng, np.full((n, 4), 0.9))


def variants_lose(rng: np.random.Generator, n: int) -> tuple[Cells, Cells]:
    """A tenth of the items fails under all variants, and only there."""
    before = np.ones((n, 4))
    after = np.where((rng.random((n, 1)) < 0.1) & (np.arange(4) > 0), 0.0, before)
    return draw_cells(rng, before), draw_cells(rng, after)


MIX = {"baseline": 0.4, "variant.1": 0.3, "variant.2": 0.2, "variant.3": 0.1}
CHANGE = {"shocks": -0.1 * (2 * (0.88 * 0.98 + 0.12 * 0.03) - 1), "single_losses": -0.1, "variants_lose": -0.1}


def covered(limits: Callable[[Outcomes, Outcomes], tuple[float, float]], draw: Draw, n: int, truth: float) -> float:
    """How often the limits hold the truth."""
    rng = np.random.default_rng([n, 8])
    held = 0
    for _ in range(SAMPLES):
        before, after = draw(rng, n)
        low, high = limits(*(Outcomes.from_array(cells, conditions=NAMES) for cells in (before, after)))
        held += low - 1e-9 <= truth <= high + 1e-9
    return held / SAMPLES


def limits_of(found: Estimate) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def weighted(before: Outcomes, after: Outcomes) -> tuple[float, float]:
    return limits_of(weighted_change(before, after, MIX))


def as_if_independent(before: Outcomes, after: Outcomes) -> tuple[float, float]:
    """Deliberately wrong: the half-widths of single conditions, added as if conditions had other items each."""
    centre, squares = 0.0, 0.0
    for name, weight in MIX.items():
        found = weighted_change(before, after, {name: 1.0})
        low, high = limits_of(found)
        centre += weight * (low + high) / 2
        squares += (weight * (high - low) / 2) ** 2
    return centre - sqrt(squares), centre + sqrt(squares)


def robustness(before: Outcomes, after: Outcomes) -> tuple[float, float]:
    return limits_of(compare_runs(before, after, rng=np.random.default_rng(1), draws=1).robustness_change)


def plain_student(before: Outcomes, after: Outcomes) -> tuple[float, float]:
    """Deliberately wrong: Student's interval as it is, of width 0 where nothing happened to change."""
    change = after.cells[:, :, 0].astype(float) - before.cells[:, :, 0]
    values = change[:, 1:].mean(axis=1) - change[:, 0]
    half = float(students_t(NOMINAL, values.size - 1) * values.std(ddof=1) / np.sqrt(values.size))
    return float(values.mean()) - half, float(values.mean()) + half


@pytest.mark.parametrize("n", [10, 40, 120])
@pytest.mark.parametrize(
    ("draw", "truth"),
    [
        (shocks, CHANGE["shocks"]),
        (single_losses, CHANGE["single_losses"]),
        (variants_lose, 0.6 * CHANGE["variants_lose"]),
    ],
)
def test_the_interval_of_a_weighted_change_holds_the_truth_as_often_as_it_says(
    draw: Draw, truth: float, n: int
) -> None:
    assert covered(weighted, draw, n, truth) >= NOMINAL - 0.02


def test_conditions_taken_for_independent_would_hold_it_too_seldom() -> None:
    assert covered(as_if_independent, shocks, 120, CHANGE["shocks"]) < NOMINAL - 0.1


@pytest.mark.parametrize("n", [10, 40, 120])
@pytest.mark.parametrize(
    ("draw", "truth"), [(shocks, 0.0), (single_losses, 0.0), (variants_lose, CHANGE["variants_lose"])]
)
def test_the_interval_of_the_change_in_robustness_holds_the_truth_as_often_as_it_says(
    draw: Draw, truth: float, n: int
) -> None:
    assert covered(robustness, draw, n, truth) >= NOMINAL - 0.02


def test_students_interval_as_it_is_would_hold_it_too_seldom() -> None:
    assert covered(plain_student, variants_lose, 10, CHANGE["variants_lose"]) < NOMINAL - 0.1


def test_one_condition_alone_has_newcombes_interval_also_in_clusters_and_with_repeats() -> None:
    rng = np.random.default_rng(3)
    before, after = draw_cells(rng, np.full((40, 2, 3), 0.7)), draw_cells(rng, np.full((40, 2, 3), 0.5))
    clusters = [f"c{item // 4}" for item in range(40)]
    first, second = (Outcomes.from_array(cells, clusters=clusters) for cells in (before, after))
    found = weighted_change(first, second, {"variant.1": 1.0, "baseline": 0.0})
    means = before[:, 1].mean(axis=1), after[:, 1].mean(axis=1)
    expected = clustered_newcombe_interval(*means, runs=3, clusters=clusters)
    assert (found.estimate, found.low, found.high, found.n) == pytest.approx(
        (expected.estimate, expected.low, expected.high, 40)
    )


def test_weights_that_add_up_to_less_than_1_scale_the_change() -> None:
    before, after = (Outcomes.from_array(cells) for cells in variants_lose(np.random.default_rng(4), 60))
    whole, part = (weighted_change(before, after, {"variant.1": weight}) for weight in (1.0, 0.2))
    assert [0.2 * each for each in (whole.estimate or 0, *limits_of(whole))] == pytest.approx(
        [part.estimate, *limits_of(part)]
    )


def test_only_items_with_a_result_under_each_weighted_condition_in_both_runs_count() -> None:
    before = Outcomes.from_array([[1, 1, -1], [1, -1, 1], [1, 1, 1], [0, 0, 0]])
    after = Outcomes.from_array([[1, 0, 1], [1, 1, 1], [1, 1, 1], [0, -1, 0]])
    found = weighted_change(before, after, {"baseline": 0.5, "variant.1": 0.5})
    assert (found.n, found.estimate) == (2, -0.25)
    nothing = weighted_change(
        Outcomes.from_array([[1, -1]] * 3), Outcomes.from_array([[1, 1]] * 3), {"baseline": 0.5, "variant.1": 0.5}
    )
    assert (nothing.n, nothing.estimate, nothing.low) == (0, None, None)


@pytest.mark.parametrize(
    "weights", [{}, {"baseline": 0.0}, {"typo.9": 0.5}, {"baseline": -0.5}, {"baseline": float("nan")}]
)
def test_weights_that_weigh_nothing_are_refused(weights: dict[str, float]) -> None:
    runs = Outcomes.from_array([[1, 1]] * 3)
    with pytest.raises(ValueError, match="weights must be above 0, of conditions that both runs have"):
        weighted_change(runs, runs, weights)


def test_the_change_in_robustness_has_limits_that_hold_it_and_none_with_one_unit() -> None:
    before, after = Outcomes.from_array([[1, 1, 1]] * 12), Outcomes.from_array([[1, 0, 0]] * 12)
    found = compare_runs(before, after, rng=np.random.default_rng(1), draws=1).robustness_change
    low, high = limits_of(found)
    assert (found.estimate, found.n) == (-1.0, 12)
    assert low <= -1.0
    assert high == pytest.approx(-0.55, abs=0.15)
    one = compare_runs(
        Outcomes.from_array([[1, 1]]), Outcomes.from_array([[1, 0]]), rng=np.random.default_rng(1), draws=1
    ).robustness_change
    assert (one.estimate, one.low, one.high) == (-1.0, None, None)


def test_clusters_that_move_together_widen_the_change_in_robustness() -> None:
    rng = np.random.default_rng(5)
    lost = np.repeat(rng.random(12) < 0.3, 10)[:, np.newaxis] & (np.arange(3) > 0)
    before, after = np.ones((120, 3), dtype=np.int8), (~lost).astype(np.int8)
    clusters = [f"c{item // 10}" for item in range(120)]
    widths = []
    for labels in (None, clusters):
        runs = (Outcomes.from_array(cells, clusters=labels) for cells in (before, after))
        low, high = limits_of(compare_runs(*runs, rng=rng, draws=1).robustness_change)
        widths.append(high - low)
    assert widths[1] > 2 * widths[0]
