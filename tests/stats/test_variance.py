"""Variance components: unbiased moments of the two-way layout, and what they refuse."""

import numpy as np
import pytest
from prt.stats import Outcomes, VarianceComponents, variance_components

SOURCES = ("between_items", "between_conditions", "item_by_condition", "run_to_run")


def simulated(rng: np.random.Generator) -> Outcomes:
    """60 items × 5 conditions × 3 runs; chances are a mean, plus an item's, a condition's and a cell's own part."""
    item, condition = rng.choice([-0.2, 0.2], (60, 1)), rng.choice([-0.05, 0.05], 5)
    chances = 0.5 + item + condition + rng.choice([-0.15, 0.15], (60, 5))
    return Outcomes.from_array(rng.random((60, 5, 3)) < chances[:, :, np.newaxis])


def test_the_components_are_what_the_results_were_made_of() -> None:
    """Variances .04, .0025 and .0225; the rest of .25 is run-to-run."""
    rng = np.random.default_rng(9)
    found = [variance_components(simulated(rng)) for _ in range(150)]
    means = [float(np.mean([getattr(each, source) for each in found])) for source in SOURCES]
    assert means == pytest.approx([0.04, 0.0025, 0.0225, 0.25 - 0.04 - 0.0025 - 0.0225], abs=0.004)


def test_an_estimate_below_0_is_given_as_0_and_named() -> None:
    """Within each item the conditions differ less than single runs would make them."""
    cells = [[[1, 0], [0, 1], [1, 0]]] * 10 + [[[1, 0], [1, 0], [0, 1]]] * 10
    found = variance_components(Outcomes.from_array(cells))
    assert found.item_by_condition == 0.0
    assert set(found.truncated) >= {"item_by_condition"}
    assert "set to 0" in found.method


def test_steady_answers_have_no_variance_from_run_to_run() -> None:
    found = variance_components(Outcomes.from_array(np.repeat([[[1], [0]], [[0], [0]], [[1], [1]]], 3, axis=2)))
    assert found.run_to_run == 0.0
    assert found.runs == 3


def test_items_with_a_missing_run_are_left_out() -> None:
    cells = np.random.default_rng(1).integers(0, 2, (8, 2, 2))
    holed = cells.copy()
    holed[0, 1, 1] = -1
    assert variance_components(Outcomes.from_array(holed)) == variance_components(Outcomes.from_array(cells[1:]))


@pytest.mark.parametrize("shape", [(1, 3, 2), (5, 1, 2), (0, 2, 2)])
def test_too_small_a_layout_is_not_estimable(shape: tuple[int, int, int]) -> None:
    found = variance_components(Outcomes.from_array(np.ones(shape)))
    assert found == VarianceComponents(None, None, None, None, (), *shape)


def test_one_run_a_cell_is_refused(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match="one run a cell can't tell item × condition from run-to-run"):
        variance_components(worked_example)
