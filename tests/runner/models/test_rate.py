"""Calls and tokens a minute: never more, and no slower than that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.models.rate import MINUTE_S, Rate, Start

GAPS_S = st.lists(st.floats(0, 40), min_size=1, max_size=120)


def begun(rate: Rate, gaps_s: list[float], weights: list[float]) -> list[Start]:
    """What begins where something is asked for after each gap; nobody asks again before what was asked for began."""
    now_s, starts = 1000.0, []
    for gap_s, weight in zip(gaps_s, weights, strict=True):
        now_s += gap_s
        starts.append(rate.reserve(now_s, weight))
    return starts


def heaviest_minute(starts: list[Start]) -> float:
    """The largest weight of the starts of any 60 seconds."""
    return max(
        sum(start.weight for start in starts if first.at_s <= start.at_s < first.at_s + MINUTE_S) for first in starts
    )


def together(one: Start, other: Start) -> bool:
    """Whether two starts lie within one minute."""
    return one.at_s < other.at_s + MINUTE_S and other.at_s < one.at_s + MINUTE_S


@given(per_minute=st.integers(1, 90), gaps_s=GAPS_S)
def test_no_minute_has_more_calls_than_allowed(per_minute: int, gaps_s: list[float]) -> None:
    assert heaviest_minute(begun(Rate(per_minute), gaps_s, [1] * len(gaps_s))) <= per_minute


@given(data=st.data(), per_minute=st.integers(50, 4000), gaps_s=GAPS_S)
def test_no_minute_has_more_tokens_than_allowed_unless_one_call_alone_has(
    data: st.DataObject, per_minute: int, gaps_s: list[float]
) -> None:
    weights = data.draw(st.lists(st.integers(1, 5000), min_size=len(gaps_s), max_size=len(gaps_s)))
    starts = begun(Rate(per_minute), gaps_s, [float(weight) for weight in weights])
    assert heaviest_minute(starts) <= max(per_minute, *weights)
    alone = [start for start in starts if start.weight > per_minute]
    assert all(sum(together(one, other) for other in starts) == 1 for one in alone)


@pytest.mark.parametrize("per_minute", [1, 7, 60, 600])
def test_who_asks_at_once_is_served_at_the_allowed_rate_and_no_slower(per_minute: int) -> None:
    starts = begun(Rate(per_minute), [0.0] * 200, [1] * 200)
    assert starts[-1].at_s - starts[0].at_s == pytest.approx(199 * MINUTE_S / per_minute)


def test_who_asks_more_slowly_never_waits() -> None:
    starts = begun(Rate(60), [1.5] * 100, [1] * 100)
    assert [start.at_s for start in starts] == pytest.approx([1000 + 1.5 * n for n in range(1, 101)])


def test_what_was_reserved_and_not_used_is_free_again() -> None:
    rate = Rate(1000)
    first = rate.reserve(0, 900)
    assert rate.reserve(0, 900).at_s >= MINUTE_S
    corrected = Rate(1000)
    corrected.correct(corrected.reserve(0, 900), 90)
    assert corrected.reserve(0, 900).at_s == pytest.approx(90 * MINUTE_S / 1000)
    assert first.at_s == 0


def test_what_took_more_than_was_reserved_makes_others_wait() -> None:
    rate = Rate(1000)
    rate.correct(rate.reserve(0, 10), 950)
    assert rate.reserve(0, 100).at_s >= MINUTE_S


class Bucket(Rate):
    """A wrong twin: a bucket that may be emptied at once and fills again meanwhile, as many libraries have it."""

    def __init__(self, per_minute: float) -> None:
        super().__init__(per_minute)
        self._left = per_minute
        self._at_s = 1000.0

    def reserve(self, now_s: float, weight: float) -> Start:
        now_s = max(now_s, self._at_s)
        self._left = min(self._per_minute, self._left + (now_s - self._at_s) * self._per_minute / MINUTE_S)
        wait_s = max(0.0, weight - self._left) * MINUTE_S / self._per_minute
        self._left += wait_s * self._per_minute / MINUTE_S - weight
        self._at_s = now_s + wait_s
        return Start(self._at_s, weight)


def test_a_bucket_would_let_through_twice_as_many() -> None:
    assert heaviest_minute(begun(Bucket(60), [0.0] * 200, [1] * 200)) > 1.9 * 60
