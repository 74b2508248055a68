"""Two runs of the same items: overall, by condition, and in their robustness."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import (
    Outcomes,
    PairedTable,
    RunComparison,
    compare_runs,
    holm,
    mcnemar_exact,
    newcombe_interval,
    signflip_exact,
)

Cells = NDArray[np.int8]

modest = settings(max_examples=40, deadline=None, derandomize=True)
two_runs = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 3)).flatmap(
    lambda shape: arrays.arrays(np.int8, (2, *shape), elements=st.sampled_from([1, 1, 0, -1]))
)


def compared(before: Cells, after: Cells, **options: float) -> RunComparison:
    return compare_runs(
        Outcomes.from_array(before), Outcomes.from_array(after), rng=np.random.default_rng(0), draws=199, **options
    )


def known(value: float | None) -> float:
    assert value is not None
    return value


@modest
@given(two_runs)
def test_every_comparison_is_plain_json_without_nan(cells: Cells) -> None:
    json.dumps(asdict(compared(cells[0], cells[1])), allow_nan=False)


@modest
@given(two_runs)
def test_swapping_the_runs_turns_everything_around(cells: Cells) -> None:
    found, swapped = compared(cells[0], cells[1]), compared(cells[1], cells[0])
    assert swapped.exact.pvalue == found.exact.pvalue
    assert swapped.robustness_exact.pvalue == found.robustness_exact.pvalue
    assert swapped.n == found.n
    turned = {"regressed": "improved", "improved": "regressed"}
    if found.verdict in turned:
        assert swapped.verdict == turned[found.verdict]
    if found.n:
        assert known(swapped.change.estimate) == pytest.approx(-known(found.change.estimate), abs=1e-12)
        assert known(swapped.change.low) == pytest.approx(-known(found.change.high), abs=1e-9)


@modest
@given(arrays.arrays(np.int8, st.tuples(st.just(2), st.integers(1, 30), st.just(1)), elements=st.sampled_from([1, 0])))
def test_of_one_condition_it_is_the_comparison_of_a_table(cells: Cells) -> None:
    found = compared(cells[0], cells[1])
    pairs = zip(cells[0].ravel().tolist(), cells[1].ravel().tolist(), strict=True)
    table = PairedTable.from_pairs((bool(x), bool(y)) for x, y in pairs)
    plain = newcombe_interval(table)
    assert found.exact.pvalue == mcnemar_exact(table).pvalue
    assert (found.change.low, found.change.high) == pytest.approx((plain.low, plain.high))
    assert found.conditions[0].figures.table == table
    assert found.conditions[0].max_t_p == pytest.approx(known(mcnemar_exact(table).pvalue), abs=0.2)


def test_the_item_is_the_unit_over_conditions_and_repeats() -> None:
    rng = np.random.default_rng(1)
    before, after = rng.integers(0, 2, (2, 30, 4, 3))
    found = compared(before.astype(np.int8), after.astype(np.int8))
    sums = after.sum(axis=(1, 2)) - before.sum(axis=(1, 2))
    assert found.exact.pvalue == signflip_exact(sums).pvalue
    assert known(found.change.estimate) == pytest.approx(sums.mean() / 12)
    for column, each in enumerate(found.conditions):
        by_condition = signflip_exact((after - before)[:, column].sum(axis=1))
        assert each.figures.exact.pvalue == by_condition.pvalue
    raw = [each.figures.exact.pvalue for each in found.conditions]
    assert [each.holm_p for each in found.conditions] == list(holm(raw))


def test_a_loss_under_the_variants_only_is_a_loss_of_robustness() -> None:
    before = np.ones((30, 3), dtype=np.int8)
    after = before.copy()
    after[:10, 1:] = 0
    found = compared(before, after)
    assert found.robustness_change.estimate == pytest.approx(-1 / 3)
    assert found.robustness_exact.pvalue == pytest.approx(2 * 0.5**10)
    everywhere = after.copy()
    everywhere[:10, 0] = 0
    level = compared(before, everywhere)
    assert (level.robustness_change.estimate, level.robustness_exact.pvalue) == (0.0, 1.0)
    assert level.verdict == "regressed"


def test_items_and_conditions_are_matched_by_name_and_the_rest_is_counted() -> None:
    before = Outcomes.from_array(
        [[1, 1, 0], [1, 0, 0], [0, 0, 0]], items=["a", "b", "c"], conditions=["baseline", "typo", "old"]
    )
    after = Outcomes.from_array(
        [[1, 0, 1], [0, 1, 1], [1, 1, 1]], items=["b", "a", "d"], conditions=["baseline", "new", "typo"]
    )
    found = compare_runs(before, after, rng=np.random.default_rng(0))
    assert (found.n, found.items_left_out) == (2, 2)
    assert found.conditions_left_out == ("new", "old")
    assert [each.condition for each in found.conditions] == ["baseline", "typo"]
    assert found.conditions[0].figures.table == PairedTable(1, 1, 0, 0)
    assert found.conditions[1].figures.table == PairedTable(1, 0, 1, 0)


def test_a_missing_cell_leaves_its_own_condition_and_the_robustness_of_its_item() -> None:
    before = np.array([[1, 1], [1, 1], [0, 1]], dtype=np.int8)
    after = np.array([[1, -1], [0, 1], [-1, -1]], dtype=np.int8)
    found = compared(before, after)
    assert (found.n, found.items_left_out, found.robustness_change.n) == (2, 1, 1)
    assert [each.figures.n for each in found.conditions] == [2, 1]
    assert found.exact.statistic == -1.0


def test_clusters_of_the_earlier_run_are_honoured() -> None:
    rng = np.random.default_rng(2)
    cells = (rng.random((40, 2)) < 0.8).astype(np.int8)
    worse = cells.copy()
    worse[:12] = 0
    labels = [place // 4 for place in range(40)]
    plain = compare_runs(Outcomes.from_array(cells), Outcomes.from_array(worse), rng=rng)
    clustered = compare_runs(Outcomes.from_array(cells, clusters=labels), Outcomes.from_array(worse), rng=rng)
    assert (plain.units, clustered.units) == (40, 10)
    assert known(clustered.exact.pvalue) > known(plain.exact.pvalue)
    assert (plain.verdict, clustered.verdict) == ("regressed", "inconclusive")


def test_runs_without_anything_in_common_are_refused() -> None:
    one, other = Outcomes.from_array([[1]], items=["a"]), Outcomes.from_array([[1]], items=["b"])
    with pytest.raises(ValueError, match="the two runs share no item"):
        compare_runs(one, other, rng=np.random.default_rng(0))
    renamed = Outcomes.from_array([[1]], items=["a"], conditions=["plain"])
    with pytest.raises(ValueError, match="different baselines, 'baseline' and 'plain'"):
        compare_runs(one, renamed, rng=np.random.default_rng(0))


@pytest.mark.parametrize(("alpha", "margin"), [(5, 0.05), (0.05, 5)])
def test_percentages_given_as_whole_numbers_are_refused(alpha: float, margin: float) -> None:
    with pytest.raises(ValueError, match="must lie strictly between 0 and 1"):
        compared(np.ones((2, 2)), np.ones((2, 2)), alpha=alpha, margin=margin)  # type: ignore[arg-type]  # floats will do
