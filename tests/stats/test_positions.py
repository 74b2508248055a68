"""Slots of the right option: a model that favours one is told from a model that does not, item by item."""

import json
from collections.abc import Callable
from dataclasses import asdict
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from prt.stats import Outcomes, PairedTable, Positions, cochran_q, mcnemar_exact, positions, slot_test
from scipy.stats import chi2_contingency  # type: ignore[import-untyped]  # scipy ships no type information

Array = NDArray[np.int64]
Test = Callable[[Array, Array, np.random.Generator], float]

cells = st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=1, max_size=12)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def known(value: float | None) -> float:
    assert value is not None
    return value


def p_of(passed: object, slots: object, *, draws: int = 1999) -> float:
    return known(slot_test(np.asarray(passed), np.asarray(slots), rng=rng(), draws=draws).pvalue)


@given(cells)
def test_items_shown_once_in_every_slot_have_cochrans_q(passed: list[list[int]]) -> None:
    found = slot_test(passed, [[0, 1, 2]] * len(passed), rng=rng(), draws=9)
    assert found.statistic == pytest.approx(known(cochran_q(Outcomes.from_array(passed)).statistic), abs=1e-9)


def test_two_slots_have_mcnemars_exact_p() -> None:
    passed = [[1, 0]] * 9 + [[0, 1]] * 2 + [[1, 1]] * 5 + [[0, 0]] * 4
    exact = known(mcnemar_exact(PairedTable(5, 9, 2, 4)).pvalue)
    assert p_of(passed, [[0, 1]] * 20, draws=20_000) == pytest.approx(exact, abs=0.005)


def test_the_p_value_is_the_share_of_all_orders_within_items() -> None:
    passed = [[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0]]
    slots = [[0, 1, 2], [0, 2, 1], [0, 0, 1], [0, 1, 2]]
    observed = known(slot_test(passed, slots, rng=rng(), draws=1).statistic)
    every = [
        known(slot_test(orders, slots, rng=rng(), draws=1).statistic)
        for orders in product(*(sorted(set(permutations(row))) for row in passed))
    ]
    share = np.mean([statistic >= observed - 1e-9 for statistic in every])
    assert p_of(passed, slots, draws=20_000) == pytest.approx(float(share), abs=0.01)


@given(cells, st.permutations([0, 1, 2]), st.permutations([0, 1, 2]))
def test_neither_the_names_of_slots_nor_the_order_of_cells_matters(
    passed: list[list[int]], names: list[int], order: list[int]
) -> None:
    slots = np.array([[0, 1, 1], [2, 0, 1]])[np.arange(len(passed)) % 2]
    before = slot_test(passed, slots, rng=rng(), draws=9).statistic
    after = slot_test(np.array(passed)[:, order], np.array(names)[slots][:, order], rng=rng(), draws=9).statistic
    assert before == pytest.approx(after, abs=1e-9)


def test_items_that_say_nothing_of_slots_change_nothing() -> None:
    passed, slots = [[1, 0], [1, 0], [0, 1], [1, 0]] * 3, [[0, 1]] * 12
    one_slot, no_cell = ([[1, 0], [0, 0]], [[2, 2], [-1, -1]])
    plain = slot_test(passed, slots, rng=rng())
    assert slot_test(passed + one_slot, slots + no_cell, rng=rng()) == plain
    alike = slot_test([*passed, [1, 1]], [*slots, [0, 1]], rng=rng())
    assert (alike.pvalue, alike.n) == (plain.pvalue, 13)


def test_nothing_to_compare_is_none_and_nothing_that_differs_is_one() -> None:
    assert slot_test([[1, 0]], [[1, 1]], rng=rng()).pvalue is None
    assert slot_test(np.zeros((0, 0)), np.zeros((0, 0), dtype=int), rng=rng()).pvalue is None
    assert slot_test([[1, 1], [0, 0]], [[0, 1], [0, 1]], rng=rng()).pvalue == 1.0


@pytest.mark.parametrize(
    ("passed", "slots", "said"),
    [
        ([[1, 0]], [[0, 1, 2]], "equal items × cells"),
        ([[1, 0]], [[0, -2]], "whole numbers from 0"),
        ([[1, 2]], [[0, 1]], "between 0 and 1"),
        ([[1, float("nan")]], [[0, 1]], "between 0 and 1"),
    ],
)
def test_other_cells_are_refused(passed: list[list[float]], slots: list[list[int]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        slot_test(passed, slots, rng=rng())


def steady_model(generator: np.random.Generator, items: int, runs: int) -> tuple[Array, Array]:
    """Passes and slots of a model that answers one prompt alike each time, and another order as chance has it."""
    chances = generator.beta(2, 1, (items, 1))
    passed = (generator.random((items, 4)) < chances).astype(np.int64)
    return np.repeat(passed[:, :, np.newaxis], runs, axis=2), np.tile(np.arange(4), (items, 1))


def within_items(passed: Array, slots: Array, generator: np.random.Generator) -> float:
    return known(slot_test(passed.mean(axis=2), slots, rng=generator, draws=199).pvalue)


def runs_as_items(passed: Array, slots: Array, _generator: np.random.Generator) -> float:
    """The wrong twin: every run is an item of its own in a table of slots against pass and fail."""
    counts = [[int(np.sum(passed[slots == slot] == result)) for result in (1, 0)] for slot in range(4)]
    return float(chi2_contingency(counts, correction=False).pvalue)


def false_positives(test: Test) -> float:
    generator = rng(7)
    worlds = (steady_model(generator, 30, 4) for _ in range(400))
    return float(np.mean([test(passed, slots, generator) <= 0.05 for passed, slots in worlds]))


def test_a_model_without_a_favourite_is_called_out_no_more_often_than_alpha() -> None:
    assert false_positives(within_items) <= 0.05 + 2 * 0.011


def test_the_wrong_twin_that_takes_runs_for_items_is() -> None:
    assert false_positives(runs_as_items) > 0.3


def leaning_model(generator: np.random.Generator, items: int, lean: float) -> tuple[Array, Array, Array]:
    """Results, right slots and choices of a model that answers A in so many cases, and else is right in 60%."""
    baseline = generator.integers(0, 4, (items, 1))
    right = np.concatenate([baseline, np.tile(np.arange(4), (items, 1))], axis=1)
    able = generator.random(right.shape) < generator.beta(3, 2, (items, 1))
    chosen = np.where(able, right, (right + generator.integers(1, 4, right.shape)) % 4)
    chosen = np.where(generator.random(right.shape) < lean, 0, chosen)
    return (chosen == right).astype(np.int64), right, chosen


def found_for(generator: np.random.Generator, items: int, lean: float) -> Positions:
    passed, right, chosen = leaning_model(generator, items, lean)
    return positions(Outcomes.from_array(passed), right, chosen=chosen, rng=generator, draws=199)


def test_a_lean_towards_a_slot_is_found_and_named() -> None:
    generator = rng(3)
    named = [found_for(generator, 100, 0.25).favoured for _ in range(40)]
    assert named.count((0,)) >= 36
    assert not any(favoured for favoured in named if favoured != (0,))


def test_no_slot_is_named_of_a_model_that_leans_to_none() -> None:
    generator = rng(4)
    verdicts = [found_for(generator, 60, 0.0).verdict for _ in range(200)]
    assert verdicts.count("favours") + verdicts.count("differs") <= 200 * 0.05 + 2 * 3.1
    assert verdicts.count("favours") <= 4


def test_the_intervals_of_a_slot_hold_the_truth() -> None:
    """The difference between there and elsewhere is the lean, and A is chosen in it and in a quarter of the rest."""
    generator, held = rng(5), []
    for _ in range(200):
        first = found_for(generator, 40, 0.25).slots[0]
        assert first.chosen is not None
        truths = ((first.difference, 0.25), (first.chosen, 0.25 + 0.75 / 4))
        held.append([known(each.low) <= truth <= known(each.high) for each, truth in truths])
    assert np.mean(held, axis=0).min() >= 0.93


def test_a_model_that_always_answers_a_passes_there_and_nowhere_else() -> None:
    right = [[item % 3, 0, 1, 2] for item in range(12)]
    passed = [[int(slot == 0) for slot in row] for row in right]
    found = positions(Outcomes.from_array(passed), right, chosen=np.zeros((12, 4), dtype=int), rng=rng())
    assert (found.verdict, found.favoured, found.n, found.with_baseline) == ("favours", (0,), 12, 0)
    first, second, _ = found.slots
    assert [known(first.there.estimate), known(first.elsewhere.estimate)] == [1.0, 0.0]
    assert [known(first.right), known(second.right)] == [pytest.approx(1 / 3)] * 2
    assert first.chosen is not None
    assert second.chosen is not None
    assert (first.chosen.estimate, second.chosen.estimate, first.difference.n) == (1.0, 0.0, 12)


def test_a_model_that_is_always_right_favours_no_slot() -> None:
    right = [[item % 3, 0, 1, 2] for item in range(12)]
    found = positions(Outcomes.from_array(np.ones((12, 4))), right, chosen=right, rng=rng())
    assert (found.verdict, found.test.pvalue) == ("not_shown", 1.0)
    assert {known(each.difference.estimate) for each in found.slots} == {0.0}


def test_the_original_order_counts_only_where_the_others_show_one_slot() -> None:
    """Its own results would be taken for the slot's: here every original passes, wherever the right option stands."""
    several = positions(Outcomes.from_array([[1, 0, 0]] * 12), [[0, 0, 1]] * 12, rng=rng())
    assert (several.with_baseline, several.verdict) == (0, "not_shown")
    one = positions(Outcomes.from_array([[1, 0]] * 12), [[0, 1]] * 12, rng=rng())
    assert (one.with_baseline, one.verdict, one.favoured) == (12, "favours", (0,))


def test_cells_without_a_result_or_without_one_right_slot_are_left_out() -> None:
    passed = [[-1, 1, 0]] * 6 + [[1, 1, -1]] * 6 + [[1, 1, 0]] * 6
    right = [[0, 1, 2]] * 6 + [[0, 1, 2]] * 6 + [[-1, 1, -1]] * 6
    found = positions(Outcomes.from_array(passed), right, rng=rng())
    assert (found.n, found.with_baseline) == (12, 6)
    assert [each.there.n for each in found.slots] == [6, 12, 6]


def test_a_slot_is_chosen_among_the_items_that_have_it() -> None:
    right, options = [[0, 1]] * 10 + [[0, 3]] * 10, [2] * 10 + [4] * 10
    chosen = [[0, -1]] * 10 + [[3, 3]] * 10
    found = positions(Outcomes.from_array(np.ones((20, 2))), right, options=options, chosen=chosen, rng=rng())
    shares = [(each.right, each.chosen.estimate, each.chosen.n) for each in found.slots if each.chosen]
    assert shares == [(0.75, 0.5, 20), (0.0, 0.0, 20), (0.0, 0.0, 10), (0.5, 1.0, 10)]


def test_few_items_or_clusters_get_no_verdict() -> None:
    nine = positions(Outcomes.from_array([[1, 0]] * 9), [[0, 1]] * 9, rng=rng())
    assert (nine.verdict, nine.favoured, nine.n) == ("too_few", (), 9)
    clusters = [str(item // 2) for item in range(18)]
    grouped = positions(Outcomes.from_array([[1, 0]] * 18, clusters=clusters), [[0, 1]] * 18, rng=rng())
    assert grouped.verdict == "too_few"


def test_a_slot_with_few_items_is_not_named() -> None:
    passed, right = [[0, 1]] * 20 + [[1, 0]] * 9, [[0, 1]] * 20 + [[2, 0]] * 9
    found = positions(Outcomes.from_array(passed), right, rng=rng())
    assert (found.slots[2].there.n, found.slots[2].difference.estimate) == (9, 1.0)
    assert (found.verdict, found.favoured) == ("favours", (1,))


def test_every_result_is_plain_json_without_nan() -> None:
    for found in (
        positions(Outcomes.from_array(np.zeros((0, 1))), np.zeros((0, 1), dtype=int), rng=rng()),
        positions(Outcomes.from_array([[1]]), [[0]], chosen=[[0]], rng=rng()),
        positions(Outcomes.from_array([[1, 0]]), [[0, 1]], chosen=[[-1, -1]], rng=rng()),
    ):
        json.dumps(asdict(found), allow_nan=False)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"right": [[0, 1]]}, "equal items × cells"),
        ({"right": [[0, 1]] * 2, "options": [1, 2]}, "more than the highest slot"),
        ({"right": [[0, 1]] * 2, "options": [2]}, "one whole number an item"),
        ({"right": [[0, 1]] * 2, "chosen": [[0]]}, "laid out as the outcomes"),
        ({"right": [[0, 1]] * 2, "chosen": [[0, -2]] * 2}, "whole numbers from 0"),
        ({"right": [[0, 1]] * 2, "alpha": 5.0}, "alpha"),
        ({"right": [[0, 1]] * 2, "draws": 0}, "draws must be at least 1"),
    ],
)
def test_what_does_not_fit_the_outcomes_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        positions(Outcomes.from_array([[1, 0]] * 2), **wrong, rng=rng())  # type: ignore[arg-type]  # wrong on purpose
