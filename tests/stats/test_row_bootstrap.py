"""The plain bootstrap over rows: what it says, and in which ways it says too much."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.stats import JudgedPairs, bootstrap_rows, bootstrap_win_rate, win_rate

scores = st.lists(st.tuples(*[st.sampled_from([0.0, 0.3, 0.5, 1.0, None])] * 2), max_size=20)


def judged(both: Sequence[tuple[float | None, ...]]) -> JudgedPairs:
    queries = tuple(map(str, range(len(both))))
    return JudgedPairs(queries, tuple(first for first, _ in both), tuple(second for _, second in both))


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@given(scores)
def test_it_is_the_mean_over_the_rows_that_have_a_score(both: list[tuple[float | None, ...]]) -> None:
    rows = [score for pair in both for score in pair if score is not None]
    found = bootstrap_rows(judged(both), rng=rng(), resamples=100)
    assert found.n == len(rows)
    if not rows:
        assert (found.estimate, found.low, found.high) == (None, None, None)
        return
    assert found.estimate == pytest.approx(sum(rows) / len(rows))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.high <= 1


def test_it_draws_as_choosing_rows_at_random_does() -> None:
    pairs = judged([(1.0, 0.0), (1.0, 1.0), (0.5, 0.0), (0.3, 1.0), (0.0, 0.0)] * 6)
    found = bootstrap_rows(pairs, rng=rng(), resamples=20_000)
    rows = np.array([*pairs.shown_first, *pairs.shown_second], dtype=float)
    means = rng().choice(rows, (20_000, rows.size)).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.005)
    assert found.high == pytest.approx(high, abs=0.005)


def test_where_both_orders_agree_it_is_too_narrow() -> None:
    both = [(1.0, 1.0)] * 60 + [(0.0, 0.0)] * 40
    by_row = bootstrap_rows(judged(both), rng=rng())
    by_query = bootstrap_win_rate(60, 40, 100, rng=rng())
    widths = [each.high - each.low for each in (by_row, by_query) if each.low is not None and each.high is not None]
    assert widths[0] < 0.8 * widths[1]


def test_it_takes_a_favoured_place_for_a_preference_where_one_order_is_missing() -> None:
    both = [(1.0, None)] * 30
    found = bootstrap_rows(judged(both), rng=rng())
    assert found.low == 1.0
    assert win_rate(0, 0, judged(both).complete).low is None


def test_it_repeats_with_its_seed_and_refuses_too_few_draws() -> None:
    pairs = judged([(1.0, 0.0), (1.0, 1.0), (0.5, 0.0)])
    assert bootstrap_rows(pairs, rng=rng()) == bootstrap_rows(pairs, rng=rng())
    with pytest.raises(ValueError, match="at least 100 resamples"):
        bootstrap_rows(pairs, rng=rng(), resamples=99)
