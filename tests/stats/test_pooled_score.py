"""The pooled robustness score: what it is made of, and how often its interval holds the truth."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from prt.stats import pooled_robustness_score, robustness_score

Floats = NDArray[np.float64]
Rows = tuple[Floats, Floats]
Drawing = Callable[[np.random.Generator, int], Rows]
Limits = Callable[[Rows, np.random.Generator], tuple[float, float]]

SAMPLES = 200
modest = settings(max_examples=60, deadline=None, derandomize=True)
rows = st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1)), min_size=2, max_size=12)


def seeded() -> np.random.Generator:
    return np.random.default_rng(1)


def known(value: float | None) -> float:
    assert value is not None
    return value


def split(drawn: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [kept for kept, _ in drawn], [drop for _, drop in drawn]


@modest
@given(rows)
def test_it_is_the_score_of_the_means_and_no_less_than_the_mean_of_the_scores(drawn: list[tuple[float, float]]) -> None:
    kept, drops = split(drawn)
    found = pooled_robustness_score(kept, drops, rng=seeded(), resamples=100)
    assert found.estimate == pytest.approx(robustness_score(kept, drops))
    own = [known(robustness_score([each], [drop])) for each, drop in drawn]
    assert known(found.estimate) >= np.mean(own) - 1e-12
    assert 0.0 <= known(found.low) <= known(found.estimate) <= known(found.high) <= 1.0
    assert found.n == len(drawn)


@modest
@given(rows, st.data())
def test_more_robustness_never_lowers_it_and_a_larger_drop_never_lifts_it(
    drawn: list[tuple[float, float]], data: st.DataObject
) -> None:
    kept, drops = split(drawn)
    at = data.draw(st.integers(0, len(drawn) - 1))
    before = known(pooled_robustness_score(kept, drops, rng=seeded(), resamples=100).estimate)
    kept[at] = data.draw(st.floats(kept[at], 1))
    firmer = known(pooled_robustness_score(kept, drops, rng=seeded(), resamples=100).estimate)
    drops[at] = data.draw(st.floats(drops[at], 1))
    worse = known(pooled_robustness_score(kept, drops, rng=seeded(), resamples=100).estimate)
    assert before <= firmer + 1e-12
    assert worse <= firmer + 1e-12


def test_a_row_of_weight_2_counts_as_two_rows_and_one_of_weight_0_as_none() -> None:
    weighted = pooled_robustness_score([0.2, 0.8, 0.5], [0.4, 0.1, 1.0], weights=[2, 1, 0], rng=seeded())
    twice = pooled_robustness_score([0.2, 0.2, 0.8], [0.4, 0.4, 0.1], rng=seeded())
    assert weighted.estimate == pytest.approx(twice.estimate)
    assert (weighted.n, twice.n) == (2, 3)


def test_equal_weights_of_any_size_change_nothing() -> None:
    kept, drops = [0.2, 0.8, 0.5], [0.4, 0.1, 1.0]
    plain = pooled_robustness_score(kept, drops, rng=seeded())
    heavy = pooled_robustness_score(kept, drops, weights=[4, 4, 4], rng=seeded())
    assert (heavy.low, heavy.high) == pytest.approx((plain.low, plain.high))


def test_rows_that_repeat_each_other_in_a_cluster_are_no_more_evidence() -> None:
    kept, drops = [1.0] * 9 + [0.0], [0.0] * 9 + [1.0]
    once = pooled_robustness_score(kept, drops, rng=seeded())
    names = [str(number) for number in range(10)] * 5
    repeated = pooled_robustness_score(kept * 5, drops * 5, clusters=names, rng=seeded())
    alone = pooled_robustness_score(kept * 5, drops * 5, rng=seeded())
    assert (repeated.low, repeated.high) == pytest.approx((once.low, once.high))
    assert known(alone.low) > known(once.low)
    assert repeated.n == 50
    assert "over clusters" in repeated.method


@pytest.mark.parametrize(("kept", "n"), [([], 0), ([0.5], 1)])
def test_too_few_rows_have_no_interval(kept: list[float], n: int) -> None:
    found = pooled_robustness_score(kept, [0.0] * len(kept), rng=seeded())
    assert (found.low, found.high, found.n) == (None, None, n)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"robustness": [1.2, 0.0]}, "robustness must lie between 0 and 1, got 1.2"),
        ({"drops": [1.5, 0.0]}, "a drop lies between -1 and 1, got 1.5"),
        ({"drops": [0.0]}, "got 2 of robustness, 1 drops and 2 weights"),
        ({"weights": [-1, 1]}, "a weight is at least 0, got -1.0"),
        ({"clusters": ["a"]}, "got 2 rows and 1 clusters"),
        ({"resamples": 9}, "at least 100 resamples, got 9"),
        ({"level": 95}, "level must lie strictly between 0 and 1"),
    ],
)
def test_what_is_no_score_is_refused(changed: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"robustness": [0.5, 0.6], "drops": [0.0, 0.1], "weights": [1, 1], **changed}
    kept, drops = given.pop("robustness"), given.pop("drops")
    with pytest.raises(ValueError, match=message):
        pooled_robustness_score(kept, drops, rng=seeded(), **given)  # type: ignore[arg-type]  # wrong on purpose


def judged(worse: float, better: float, pairs: int) -> tuple[Drawing, float]:
    """Pairs that flip by themselves, to worse and to better."""

    def draw(rng: np.random.Generator, n: int) -> Rows:
        chance = rng.random((n, pairs))
        drops = np.where(chance < worse, 1.0, np.where(chance < worse + better, -1.0, 0.0))
        return np.where(chance < worse + better, 0.0, 1.0).mean(axis=1), drops.mean(axis=1)

    return draw, known(robustness_score([1 - worse - better], [worse - better]))


def failing(share: float) -> tuple[Drawing, float]:
    """Rows whose pairs all fail together, or none of them."""

    def draw(rng: np.random.Generator, n: int) -> Rows:
        fails = (rng.random(n) < share).astype(float)
        return 1 - fails, fails

    return draw, 1 - share


def graded(a: float, b: float, drop: float) -> tuple[Drawing, float]:
    """Scores of a judge on a scale."""

    def draw(rng: np.random.Generator, n: int) -> Rows:
        return rng.beta(a, b, n), rng.uniform(drop - 0.2, drop + 0.2, n)

    return draw, known(robustness_score([a / (a + b)], [drop]))


SCENARIOS = {
    "a fair drop": judged(0.12, 0.02, 3),
    "no drop, some flips": judged(0.05, 0.05, 3),
    "improving": judged(0.02, 0.15, 3),
    "hardly a failure": failing(0.02),
    "few failures": failing(0.05),
    "half of all": failing(0.5),
    "a scale": graded(9, 1, 0.1),
    "a scale without a drop": graded(20, 1, 0.0),
    "all bad": graded(1, 9, 0.7),
}


def pooled(drawn: Rows, rng: np.random.Generator) -> tuple[float, float]:
    found = pooled_robustness_score(*drawn, rng=rng, resamples=300)
    return known(found.low), known(found.high)


def plain(drawn: Rows, rng: np.random.Generator) -> tuple[float, float]:
    """The wrong twin: percentiles of a bootstrap over rows, as they are."""
    kept, drops = drawn
    picked = rng.integers(kept.size, size=(300, kept.size))
    scores = 0.5 * kept[picked].mean(axis=1) + 0.5 * (1 - np.maximum(0, drops[picked].mean(axis=1)))
    low, high = np.quantile(scores, [0.025, 0.975]).tolist()
    return low, high


def assert_holds_the_truth_in_93_percent(interval: Limits, n: int) -> None:
    for name, (draw, truth) in SCENARIOS.items():
        rng = np.random.default_rng(n)
        limits = [interval(draw(rng, n), rng) for _ in range(SAMPLES)]
        held = sum(low - 1e-9 <= truth <= high + 1e-9 for low, high in limits)
        assert held / SAMPLES >= 0.93, name


@pytest.mark.parametrize("n", [10, 20, 50, 100, 200])
def test_the_interval_holds_the_truth(n: int) -> None:
    assert_holds_the_truth_in_93_percent(pooled, n)


@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_the_wrong_twin_plain_percentiles_does_not(n: int) -> None:
    with pytest.raises(AssertionError):
        assert_holds_the_truth_in_93_percent(plain, n)
