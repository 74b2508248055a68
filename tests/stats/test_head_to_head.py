"""Candidate against opponent, in both orders: counts, rates, position, verdicts."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import (
    Estimate,
    JudgedPairs,
    PairedTable,
    bootstrap_win_rate,
    compare_head_to_head,
    decide_duel,
    mcnemar_exact,
    position_bias,
    tango_interval,
    win_rate,
)

modest = settings(max_examples=60, deadline=None, derandomize=True)
scores = st.lists(
    st.tuples(st.sampled_from([0.0, 0.3, 0.5, 1.0, None]), st.sampled_from([0.0, 0.5, 0.8, 1.0, None])), max_size=30
)
counts = st.tuples(*[st.integers(0, 40)] * 3).filter(lambda drawn: sum(drawn) > 0)
Rows = list[tuple[str, str, str, float | None]]
Scores = Sequence[tuple[float | None, float | None]]


def judged(both: Scores) -> JudgedPairs:
    queries = tuple(f"q{number}" for number in range(len(both)))
    return JudgedPairs(queries, tuple(first for first, _ in both), tuple(second for _, second in both))


def known(value: float | None) -> float:
    assert value is not None
    return value


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@modest
@given(scores)
def test_a_query_is_won_only_if_both_orders_say_so(both: Scores) -> None:
    pairs = judged(both)
    complete = [(a, b) for a, b in both if a is not None and b is not None]
    wins, losses = (sum(a > 0.5 and b > 0.5 for a, b in complete), sum(a < 0.5 and b < 0.5 for a, b in complete))
    assert (pairs.wins, pairs.losses, pairs.ties) == (wins, losses, len(complete) - wins - losses)
    assert pairs.inconsistent == sum((a - 0.5) * (b - 0.5) < 0 for a, b in complete)
    assert pairs.complete + pairs.incomplete == len(both)


@modest
@given(scores)
def test_candidate_and_opponent_mirror_each_other(both: Scores) -> None:
    turned = [tuple(None if score is None else 1 - score for score in pair) for pair in both]
    (found,) = compare_head_to_head({"x": judged(both)}, rng=rng(), resamples=100)
    (mirrored,) = compare_head_to_head({"x": judged(turned)}, rng=rng(), resamples=100)  # type: ignore[arg-type]  # pairs of two
    assert (mirrored.wins, mirrored.losses, mirrored.ties) == (found.losses, found.wins, found.ties)
    assert mirrored.exact == found.exact
    opposite = {"BETTER": "WORSE", "WORSE": "BETTER"}
    assert mirrored.verdict == opposite.get(found.verdict, found.verdict)
    if found.n:
        assert known(mirrored.rate.low) == pytest.approx(1 - known(found.rate.high))
        assert mirrored.position.advantage.estimate == pytest.approx(
            -known(found.position.advantage.estimate), abs=1e-12
        )


@modest
@given(scores)
def test_every_result_is_plain_json_without_nan(both: Scores) -> None:
    found = compare_head_to_head({"x": judged(both), "y": judged([])}, rng=rng(), resamples=100)
    json.dumps([asdict(each) for each in found], allow_nan=False)


@modest
@given(counts)
def test_the_win_rate_is_tangos_change_halved(drawn: tuple[int, int, int]) -> None:
    wins, losses, ties = drawn
    rate = win_rate(wins, losses, sum(drawn))
    change = tango_interval(PairedTable(ties, losses, wins, 0))
    for field in ("estimate", "low", "high"):
        assert 2 * known(getattr(rate, field)) - 1 == pytest.approx(known(getattr(change, field)), abs=1e-12)


@modest
@given(counts)
def test_the_bootstrap_holds_the_rate_and_is_never_without_width(drawn: tuple[int, int, int]) -> None:
    wins, losses, _ = drawn
    rate = bootstrap_win_rate(wins, losses, sum(drawn), rng=rng(), resamples=400)
    if sum(drawn) == 1:
        assert rate.low is None
        return
    assert 0 <= known(rate.low) <= known(rate.estimate) <= known(rate.high) <= 1
    assert known(rate.low) < known(rate.high)


def test_the_bootstrap_repeats_with_its_seed() -> None:
    first, again = (bootstrap_win_rate(20, 10, 50, rng=rng(3)) for _ in range(2))
    assert first == again


def test_the_bootstraps_percentiles_are_expanded_to_students() -> None:
    drawn = rng().multinomial(15, np.array([6.5, 4.5, 5.0]) / 16, size=4000)
    plain = np.quantile(0.5 + (drawn[:, 0] - drawn[:, 1]) / 30, [0.025, 0.975])
    rate = bootstrap_win_rate(6, 4, 15, rng=rng(), resamples=4000)
    assert known(rate.low) < plain[0]
    assert known(rate.high) > plain[1]


def coverage(interval: Callable[[int, int, int], tuple[float, float]]) -> float:
    """Share of 2,000 seeded samples of 12 queries (5% lost, 40% won) whose interval holds the true rate of .675."""
    draws = np.random.default_rng(14).multinomial(12, [0.4, 0.05, 0.55], size=2000)
    cells, times = np.unique(draws, axis=0, return_counts=True)
    held = 0
    for (wins, losses, _), count in zip(cells.tolist(), times.tolist(), strict=True):
        low, high = interval(wins, losses, 12)
        held += count if low <= 0.675 <= high else 0
    return held / 2000


def smoothed(wins: int, losses: int, n: int) -> tuple[float, float]:
    rate = bootstrap_win_rate(wins, losses, n, rng=rng(), resamples=1000)
    return known(rate.low), known(rate.high)


def plain_percentile(wins: int, losses: int, n: int) -> tuple[float, float]:
    drawn = rng().multinomial(n, np.array([wins, losses, n - wins - losses]) / n, size=1000)
    low, high = np.quantile(0.5 + (drawn[:, 0] - drawn[:, 1]) / (2 * n), [0.025, 0.975])
    return float(low), float(high)


def scored(wins: int, losses: int, n: int) -> tuple[float, float]:
    rate = win_rate(wins, losses, n)
    return known(rate.low), known(rate.high)


@pytest.mark.parametrize("interval", [smoothed, scored])
def test_the_intervals_hold_the_truth(interval: Callable[[int, int, int], tuple[float, float]]) -> None:
    assert coverage(interval) >= 0.93


def test_the_wrong_twin_plain_percentile_bootstrap_does_not() -> None:
    assert coverage(plain_percentile) < 0.93


def width_of_row_bootstrap() -> float:
    """Resampling single judgements as if each were a query: 200 judgements of 100 queries, each judged alike twice."""
    won = np.repeat([1.0, 0.0], [60, 40]).repeat(2)
    means = [float(rng(seed).choice(won, 200).mean()) for seed in range(300)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(high - low)


def test_the_wrong_twin_that_resamples_rows_is_too_narrow() -> None:
    by_query = bootstrap_win_rate(60, 40, 100, rng=rng())
    assert width_of_row_bootstrap() < 0.8 * (known(by_query.high) - known(by_query.low))


@pytest.mark.parametrize(
    ("rate", "holm_p", "verdict"),
    [
        (win_rate(9, 0, 9), 0.004, "INSUFFICIENT_EVIDENCE"),
        (win_rate(10, 0, 10), 0.002, "BETTER"),
        (win_rate(0, 10, 10), 0.002, "WORSE"),
        (win_rate(12, 4, 20), 0.0768, "INCONCLUSIVE"),
        (win_rate(21, 20, 1000), 1.0, "TIED"),
        (win_rate(60, 20, 1000), 1e-5, "BETTER"),
        (win_rate(5, 5, 20), 1.0, "INCONCLUSIVE"),
        (win_rate(5, 12, 60), 0.14, "INCONCLUSIVE"),
        (win_rate(12, 5, 60), 0.14, "INCONCLUSIVE"),
        (win_rate(0, 0, 0), None, "INSUFFICIENT_EVIDENCE"),
    ],
)
def test_each_verdict_has_its_counts(rate: Estimate, holm_p: float | None, verdict: str) -> None:
    assert decide_duel(rate, holm_p) == verdict


def rejections(*, by_interval: bool) -> float:
    """Chance that 50 queries, all decided by the toss of a coin, call one side better."""
    chance = 0.0
    pmf = [1.0]
    for _ in range(50):
        pmf = [(a + b) / 2 for a, b in zip([*pmf, 0.0], [0.0, *pmf], strict=True)]
    for wins, probability in enumerate(pmf):
        rate = win_rate(wins, 50 - wins, 50)
        exact = known(mcnemar_exact(PairedTable(0, 50 - wins, wins, 0)).pvalue)
        excluded = known(rate.low) > 0.5 or known(rate.high) < 0.5
        called = excluded if by_interval else decide_duel(rate, exact) in {"BETTER", "WORSE"}
        chance += probability if called else 0.0
    return chance


def test_a_coin_is_called_better_or_worse_in_at_most_5_percent() -> None:
    assert rejections(by_interval=False) <= 0.05


def test_the_wrong_twin_that_goes_by_the_interval_alone_calls_it_in_6_5_percent() -> None:
    assert rejections(by_interval=True) == pytest.approx(0.0649, abs=1e-4)


def wrongly_tied(level: float) -> float:
    """Chance of an interval inside ½ ± .1 for 20 queries whose rate is .6, the margin itself: 20% won, none lost."""
    chance = 0.0
    factorials = np.cumprod([1.0, *range(1, 21)])
    for wins in range(21):
        for losses in range(21 - wins):
            rate, ties = win_rate(wins, losses, 20, level=level), 20 - wins - losses
            if known(rate.low) > 0.4 and known(rate.high) < 0.6:
                ways = factorials[20] / (factorials[wins] * factorials[losses] * factorials[ties])
                chance += ways * 0.2**wins * 0.0**losses * 0.8**ties
    return chance


def test_a_rate_at_the_margin_is_called_tied_in_at_most_5_percent() -> None:
    assert wrongly_tied(0.95) <= 0.05


def test_the_wrong_twin_that_takes_the_90_percent_interval_calls_it_tied_in_7() -> None:
    assert wrongly_tied(0.90) > 0.065


def test_dimensions_are_adjusted_for_one_another() -> None:
    strong, none = judged([(1.0, 1.0)] * 8 + [(0.0, 0.0)] + [(0.5, 0.5)] * 11), judged([(1.0, 0.0)] * 20)
    alone = compare_head_to_head({"style": strong}, rng=rng())
    several = compare_head_to_head({"style": strong, "depth": none, "tone": none}, rng=rng())
    assert (alone[0].verdict, several[0].verdict) == ("BETTER", "INCONCLUSIVE")
    assert several[0].holm_p == pytest.approx(3 * known(several[0].exact.pvalue))
    assert [found.dimension for found in several] == ["style", "depth", "tone"]


def test_incomplete_queries_are_counted_and_in_no_figure() -> None:
    both: Scores = [(1.0, 1.0)] * 12 + [(1.0, None)] * 5 + [(None, None)]
    (found,) = compare_head_to_head({"x": judged(both)}, rng=rng())
    assert (found.n, found.incomplete, found.wins, found.rate.n) == (12, 6, 12, 12)
    (rows_only,) = compare_head_to_head({"x": judged([(1.0, None)] * 40)}, rng=rng())
    assert rows_only.verdict == "INSUFFICIENT_EVIDENCE"
    assert rows_only.mean_score is None


def test_a_judge_that_always_picks_the_first_is_found_out() -> None:
    bias = position_bias(judged([(1.0, 0.0)] * 20))
    assert (bias.favouring_first, bias.favouring_second) == (20, 0)
    assert bias.advantage.estimate == 0.5
    assert bias.exact.pvalue == pytest.approx(2 * 0.5**20)


@pytest.mark.parametrize(("first", "second", "p"), [(133, 10, 1.383e-28), (20, 10, 0.0987)])
def test_two_published_judges(first: int, second: int, p: float) -> None:
    """Inconsistent pairs of 419 that favour the first shown: ChatGPT 133 of 143, GPT-4 20 of 30 (LLMBar)."""
    both = [(1.0, 0.0)] * first + [(0.0, 1.0)] * second + [(1.0, 1.0)] * (419 - first - second)
    bias = position_bias(judged(both))
    assert known(bias.exact.pvalue) == pytest.approx(p, rel=1e-3)
    assert known(bias.advantage.estimate) == pytest.approx((first - second) / (2 * 419))


def test_long_rows_are_seen_from_the_candidate() -> None:
    rows: Rows = [
        ("q1", "new", "old", 1.0),
        ("q1", "old", "new", 0.0),
        ("q2", "old", "new", 0.8),
        ("q3", "new", "old", None),
    ]
    pairs = JudgedPairs.from_rows(rows, "new")
    assert pairs.queries == ("q1", "q2", "q3")
    assert pairs.shown_first == (1.0, None, None)
    assert pairs.shown_second == pytest.approx((1.0, 0.2, None))
    assert JudgedPairs.from_rows([], "new").complete == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("q1", "new", "old", 1.0)] * 2, "query 'q1' is judged twice with 'new' first"),
        ([("q1", "a", "b", 1.0)], "compares 'a' with 'b'; one of the two must be 'new'"),
        ([("q1", "new", "new", 1.0)], "one of the two must be 'new'"),
        ([("q1", "new", "a", 1.0), ("q2", "new", "b", 1.0)], r"two are compared at a time, got \['a', 'b', 'new'\]"),
        ([("q1", "new", "old", 1.5)], "query 'q1' has the score 1.5"),
    ],
)
def test_rows_that_do_not_make_pairs_are_refused(rows: Rows, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        JudgedPairs.from_rows(rows, "new")


def test_pairs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="each query has two scores"):
        JudgedPairs(("q1",), (1.0,), ())
    with pytest.raises(ValueError, match="the query 'q1' occurs twice"):
        JudgedPairs(("q1", "q1"), (1.0, 1.0), (1.0, 1.0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: win_rate(3, 3, 5), "must not exceed n, got 3 \\+ 3 of 5"),
        (lambda: bootstrap_win_rate(1, 1, 5, rng=rng(), resamples=10), "at least 100 resamples, got 10"),
        (lambda: decide_duel(win_rate(5, 5, 20), 1.0, margin=5), "margin must lie strictly"),
        (lambda: compare_head_to_head({}, rng=rng(), alpha=5), "alpha must lie strictly"),
    ],
)
def test_impossible_questions_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
