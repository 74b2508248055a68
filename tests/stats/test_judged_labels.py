"""A judge beside people with several answers to an item: the items are the units."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.stats import (
    Estimate,
    JudgedLabels,
    JudgeTable,
    PairedTable,
    cohen_kappa,
    corrected_rate,
    mcnemar_exact,
    rate_interval,
)

SAID = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)
RIGHT, KAPPA = 0.8, 0.6
"""How often the simulated judge is right, and the κ that goes with it where people pass half."""


def judged(said: list[tuple[bool, bool]], items: list[int]) -> JudgedLabels:
    return JudgedLabels(tuple(judge for judge, _ in said), tuple(people for _, people in said), tuple(items))


def figures(sample: JudgedLabels) -> list[Estimate]:
    return [
        sample.agreement(),
        sample.sensitivity(),
        sample.specificity(),
        sample.kappa(rng=np.random.default_rng(0)),
    ]


@given(SAID)
def test_one_answer_an_item_gives_the_figures_of_the_table(said: list[tuple[bool, bool]]) -> None:
    sample = judged(said, [*range(len(said))])
    table = sample.table
    kappa = cohen_kappa(table, rng=np.random.default_rng(0))
    assert figures(sample) == [table.agreement(), table.sensitivity(), table.specificity(), kappa]
    paired = PairedTable(table.both_pass, table.human_only, table.judge_only, table.both_fail)
    assert sample.lenience() == mcnemar_exact(paired)
    assert sample.worth() == table.n
    assert sample.worth_by_side() == (table.both_pass + table.human_only, table.both_fail + table.judge_only)


@given(SAID, st.integers(2, 4))
def test_answers_that_are_only_copies_tell_nothing_more(said: list[tuple[bool, bool]], copies: int) -> None:
    once = judged(said, [*range(len(said))])
    copied = judged(said * copies, [*range(len(said))] * copies)
    assert copied.worth() <= len(said) + 1e-9
    assert copied.lenience().pvalue == pytest.approx(once.lenience().pvalue)
    for one, many in zip(figures(once), figures(copied), strict=True):
        assert many.estimate == (None if one.estimate is None else pytest.approx(one.estimate))
        if one.low is not None and one.high is not None and many.low is not None and many.high is not None:
            assert many.high - many.low >= one.high - one.low - 0.02


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(ValueError, match="a verdict, a label and an item"):
        JudgedLabels((True,), (True,), ())


def test_nothing_is_said_of_no_answers() -> None:
    assert [each.estimate for each in figures(JudgedLabels((), (), ()))] == [None] * 4


@cache
def drawn(items: int) -> list[JudgedLabels]:
    """Samples of three answers an item; whether the judge errs on them goes mostly by item, and so do the labels."""
    rng, samples = np.random.default_rng(5), []
    for _ in range(300):
        shape = (items, 3)
        right = np.where(rng.random(shape) < 0.7, rng.random((items, 1)) < RIGHT, rng.random(shape) < RIGHT)
        label = np.where(rng.random(shape) < 0.7, rng.random((items, 1)) < 0.5, rng.random(shape) < 0.5)
        judge = np.where(right, label, ~label)
        names = np.repeat(np.arange(items), 3)
        samples.append(JudgedLabels(*(tuple(each.ravel().tolist()) for each in (judge, label, names))))
    return samples


def coverage(figure: Callable[[JudgedLabels], Estimate], truth: float, items: int) -> float:
    found = [figure(sample) for sample in drawn(items)]
    return float(np.mean([each.low is not None and each.low <= truth <= (each.high or 0.0) for each in found]))


def kappa(sample: JudgedLabels) -> Estimate:
    return sample.kappa(rng=np.random.default_rng(0))


FIGURES: dict[str, tuple[Callable[[JudgedLabels], Estimate], float]] = {
    "agreement": (JudgedLabels.agreement, RIGHT),
    "sensitivity": (JudgedLabels.sensitivity, RIGHT),
    "specificity": (JudgedLabels.specificity, RIGHT),
    "kappa": (kappa, KAPPA),
}


@pytest.mark.parametrize("items", [12, 40])
@pytest.mark.parametrize("name", FIGURES)
def test_the_intervals_hold_where_errors_go_by_item(name: str, items: int) -> None:
    figure, truth = FIGURES[name]
    assert coverage(figure, truth, items) >= 0.93


def test_intervals_that_take_answers_for_independent_would_not_hold() -> None:
    def agreement(sample: JudgedLabels) -> Estimate:
        return sample.table.agreement()

    def plain(sample: JudgedLabels) -> Estimate:
        return cohen_kappa(sample.table, rng=np.random.default_rng(0))

    assert coverage(agreement, RIGHT, 40) < 0.88
    assert coverage(plain, KAPPA, 40) < 0.88


@pytest.mark.parametrize("items", [12, 40])
def test_the_test_of_lenience_keeps_its_level_where_errors_go_by_item(items: int) -> None:
    found = [sample.lenience().pvalue for sample in drawn(items)]
    assert np.mean([p is not None and p <= 0.05 for p in found]) <= 0.06


def test_mcnemars_test_of_single_answers_would_not_keep_it() -> None:
    tables = [sample.table for sample in drawn(40)]
    found = [mcnemar_exact(PairedTable(t.both_pass, t.human_only, t.judge_only, t.both_fail)).pvalue for t in tables]
    assert np.mean([p is not None and p <= 0.05 for p in found]) > 0.07


def coverage_of_correction(items: int, *, by_item: bool) -> float:
    """Share of samples whose corrected interval holds a true rate of .6, judged on 4,000 answers."""
    rng, hits = np.random.default_rng(6), 0
    judged_rate = 0.6 * RIGHT + 0.4 * (1 - RIGHT)
    for sample in drawn(items):
        worth = sample.worth_by_side() if by_item else None
        rate = corrected_rate(int(rng.binomial(4000, judged_rate)), 4000, sample.table, labels_worth=worth)
        hits += rate.low is not None and rate.low <= 0.6 <= (rate.high or 0.0)
    return hits / len(drawn(items))


def test_a_correction_allows_for_labels_of_one_item() -> None:
    assert coverage_of_correction(40, by_item=True) >= 0.93
    assert coverage_of_correction(40, by_item=False) < 0.92


def test_a_worth_beyond_the_answers_is_refused() -> None:
    with pytest.raises(ValueError, match="n_effective"):
        cohen_kappa(JudgeTable(1, 1, 1, 1), rng=np.random.default_rng(0), n_effective=4.5)


def test_the_count_of_a_clustered_share_is_that_of_its_answers() -> None:
    sample = judged([(True, True), (False, True), (True, True)], [1, 1, 2])
    assert (sample.sensitivity().count, sample.sensitivity().n) == (2, 3)
    assert sample.sensitivity().estimate == rate_interval(2, 3).estimate
