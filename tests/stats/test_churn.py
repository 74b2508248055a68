"""The noise floor: flips that asking twice would have caused anyway, told apart from those of the wording."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import (
    Estimate,
    Outcomes,
    PairedTable,
    churn,
    excess_flips,
    flip_rate,
    newcombe_interval,
    noise_floor,
    summarise,
)

Cells = NDArray[np.int8]

modest = settings(max_examples=60, deadline=None, derandomize=True)
repeated = arrays.arrays(
    np.int8, st.tuples(st.integers(1, 8), st.just(2), st.integers(2, 4)), elements=st.sampled_from([1, 0])
)
with_rerun = arrays.arrays(
    np.int8, st.tuples(st.integers(1, 15), st.just(3)), elements=st.sampled_from([1, 1, 0, 0, -1])
)


def known(value: Estimate) -> float:
    assert value.estimate is not None
    return value.estimate


@modest
@given(repeated)
def test_flips_and_floors_are_shares_of_differing_pairs_of_runs(cells: Cells) -> None:
    found = churn(Outcomes.from_array(cells), "variant.1")
    n, _, k = cells.shape
    before, after = cells[:, 0], cells[:, 1]
    across = [before[i, r] != after[i, s] for i in range(n) for r in range(k) for s in range(k)]
    assert known(found.flip_rate) == pytest.approx(np.mean(across))
    for floor, runs in ((found.baseline_floor, before), (found.variant_floor, after)):
        within = [runs[i, r] != runs[i, s] for i in range(n) for r in range(k) for s in range(k) if r != s]
        assert known(floor) == pytest.approx(np.mean(within))
    halves = (known(found.baseline_floor) + known(found.variant_floor)) / 2
    assert known(found.caused) == pytest.approx(known(found.flip_rate) - halves)


def mean_over_seeds(caused: Callable[[Outcomes], float], *, shift: float) -> float:
    """Mean of an estimate over 400 seeded runs of 30 items × 3 repeats whose chances shift for half of the items."""
    rng = np.random.default_rng(6)
    estimates = []
    for _ in range(400):
        chances = rng.uniform(0.1, 0.6, 30)
        moved = chances + np.where(np.arange(30) % 2, shift, 0.0)
        runs = rng.random((2, 30, 3)) < np.stack([chances, moved])[:, :, np.newaxis]
        estimates.append(caused(Outcomes.from_array(runs.swapaxes(0, 1))))
    return float(np.mean(estimates))


def corrected(outcomes: Outcomes) -> float:
    return known(churn(outcomes, "variant.1").caused)


def uncorrected(outcomes: Outcomes) -> float:
    """The same with 2ȳ(1 − ȳ) for the floor: pairs of a run with itself count as agreement."""
    means = outcomes.means(missing=0.0)
    flips = means[:, 0] * (1 - means[:, 1]) + means[:, 1] * (1 - means[:, 0])
    return float(np.mean(flips - np.sum(means * (1 - means), axis=1)))


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_what_the_wording_caused_is_estimated_without_bias(shift: float) -> None:
    assert mean_over_seeds(corrected, shift=shift) == pytest.approx(shift**2 / 2, abs=0.005)


def test_the_wrong_twin_that_pairs_runs_with_themselves_sees_flips_that_the_wording_never_caused() -> None:
    assert mean_over_seeds(uncorrected, shift=0.0) > 0.05


def test_missing_runs_leave_the_items_that_still_have_two() -> None:
    cells = [[[1, 1, -1], [1, 0, 1]], [[1, -1, -1], [0, 0, 0]], [[-1, -1, -1], [1, 1, 1]]]
    found = churn(Outcomes.from_array(cells), "variant.1")
    assert (found.flip_rate.n, found.left_out) == (1, 1)
    assert known(found.variant_floor) == pytest.approx(2 / 3)


def test_one_run_a_cell_can_not_be_split(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match=r"one run a cell shows no noise.* use excess_flips"):
        churn(worked_example, "typo")
    with pytest.raises(ValueError, match="runs must be at least 2, got 1"):
        noise_floor([0.5], runs=1)
    assert noise_floor([], runs=2) is None


def test_the_baseline_does_not_flip_against_itself() -> None:
    with pytest.raises(ValueError, match="'baseline' is the baseline"):
        churn(Outcomes.from_array(np.ones((3, 2, 2))), "baseline")


@modest
@given(with_rerun)
def test_the_excess_is_a_paired_difference_of_flips_on_the_same_items(matrix: Cells) -> None:
    outcomes = Outcomes.from_array(matrix, conditions=["baseline", "typo.1", "rerun"])
    found = excess_flips(outcomes, "typo.1", ["rerun"])
    complete = [row for row in matrix.tolist() if -1 not in row]
    pairs = [(again != base, changed != base) for base, changed, again in complete]
    assert found.n == len(complete)
    assert found.excess == newcombe_interval(PairedTable.from_pairs(pairs))
    assert found.variant_flips.count == sum(changed for _, changed in pairs)
    assert found.rerun_flips.count == sum(again for again, _ in pairs)


def test_the_wrong_twin_that_takes_the_two_flip_rates_for_unpaired_misses_how_alike_they_are() -> None:
    """Forty items flip under both, since the model wavers there; ten more flip under the variant only."""
    rows = [[1, 0, 0]] * 40 + [[1, 0, 1]] * 10 + [[1, 1, 1]] * 150
    outcomes = Outcomes.from_array(rows, conditions=["baseline", "typo.1", "rerun"])
    found = excess_flips(outcomes, "typo.1", ["rerun"])
    assert found.excess.low is not None
    assert found.excess.low > 0
    rates = [flip_rate(outcomes.table(name)) for name in ("typo.1", "rerun")]
    assert all(rate.low is not None and rate.high is not None for rate in rates)
    assert (rates[0].low or 0) < (rates[1].high or 0)


def test_several_reruns_make_the_floor_of_an_item_a_share() -> None:
    rows = [[1, 0, 1, 0]] * 6 + [[1, 1, 1, 1]] * 14
    outcomes = Outcomes.from_array(rows, conditions=["baseline", "typo.1", "rerun.1", "rerun.2"])
    found = excess_flips(outcomes, "typo.1", ["rerun.1", "rerun.2"])
    assert (known(found.variant_flips), known(found.rerun_flips)) == pytest.approx((0.3, 0.15))
    assert known(found.excess) == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("condition", "reruns", "message"),
    [
        ("typo.1", [], "reruns must name the conditions"),
        ("typo.1", ["typo.1"], "other than 'typo.1'"),
        ("typo.1", ["again"], "no condition is called 'again'"),
        ("typo.1", ["baseline"], "'baseline' is the baseline"),
    ],
)
def test_reruns_that_are_none_are_refused(condition: str, reruns: list[str], message: str) -> None:
    outcomes = Outcomes.from_array([[1, 0, 1]], conditions=["baseline", "typo.1", "rerun"])
    with pytest.raises(ValueError, match=message):
        excess_flips(outcomes, condition, reruns)


def test_the_summary_keeps_reruns_out_of_everything_but_the_floor(worked_example: Outcomes) -> None:
    cells = np.hstack([worked_example.matrix(), worked_example.matrix()[:, :1]])
    cells[:3, -1] = 0
    with_floor = Outcomes.from_array(cells, conditions=[*worked_example.conditions, "rerun"])
    found, plain = summarise(with_floor, reruns=["rerun"]), summarise(worked_example)
    assert found.overall == plain.overall
    assert [each.condition for each in found.conditions] == list(worked_example.variants)
    for each, without in zip(found.conditions, plain.conditions, strict=True):
        assert each.holm_p == without.holm_p
        assert each.excess == excess_flips(with_floor, each.condition, ["rerun"])
        assert without.excess is None
        assert each.excess is not None
        assert each.excess.rerun_flips.count == 3
