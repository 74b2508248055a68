"""How many calls in flight an endpoint bears: found out, and never fallen below what one episode costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.models.growth import FIRST, Growth


def answer_round(growth: Growth, latency_s: float) -> None:
    """As many answers as are allowed in flight, all of calls that began under this limit."""
    era = growth.era
    for _ in range(growth.limit):
        growth.answered(era, latency_s)


def test_the_limit_doubles_while_latency_stays() -> None:
    growth, seen = Growth(100), []
    for _ in range(6):
        seen.append(growth.limit)
        answer_round(growth, 0.5)
    assert seen == [FIRST, 16, 32, 64, 100, 100]


def test_a_limit_that_brings_nothing_is_given_up_for_the_one_before() -> None:
    growth = Growth(1000)
    while growth.limit < 64:
        answer_round(growth, 1.0)
    answer_round(growth, 2.0)
    assert growth.limit == 32


def test_after_a_rest_it_tries_again_by_one_a_round() -> None:
    growth = Growth(1000)
    for latency_s in (1.0, 2.0):
        answer_round(growth, latency_s)
    assert growth.limit == FIRST
    for _ in range(15):
        answer_round(growth, 1.0)
    assert growth.limit == FIRST
    for _ in range(20):
        answer_round(growth, 1.0)
    assert FIRST + 10 < growth.limit <= FIRST + 20


def test_refusals_of_one_episode_halve_it_once() -> None:
    growth = Growth(64)
    for _ in range(3):
        answer_round(growth, 0.5)
    era = growth.era
    assert growth.limit == 64
    for _ in range(64):
        growth.refused(era)
    assert growth.limit == 32
    growth.refused(growth.era)
    assert growth.limit == 16


class EachTime(Growth):
    """A wrong twin: each refusal halves."""

    def refused(self, era: int) -> None:
        super().refused(max(era, self.era))


def test_halving_at_each_refusal_would_end_at_one() -> None:
    growth = EachTime(64)
    era = growth.era
    for _ in range(FIRST):
        growth.refused(era)
    assert growth.limit == 1


def test_after_a_refusal_it_grows_by_one_a_round_and_rests_below_what_was_refused() -> None:
    growth = Growth(64)
    growth.refused(growth.era)
    seen = []
    for _ in range(22):
        answer_round(growth, 0.5)
        seen.append(growth.limit)
    assert seen == [5, 6, *[7] * 17, 8, 9, 10]


def test_failures_hold_it_where_it_is() -> None:
    growth = Growth(64)
    growth.failed(growth.era)
    answer_round(growth, 0.5)
    assert growth.limit == FIRST
    answer_round(growth, 0.5)
    assert growth.limit == 2 * FIRST


def test_what_began_under_another_limit_says_nothing() -> None:
    growth = Growth(64)
    old = growth.era
    answer_round(growth, 0.5)
    for _ in range(100):
        growth.answered(old, 0.001)
    assert growth.limit == 2 * FIRST


def test_a_limit_that_was_set_stays() -> None:
    growth = Growth(50, adapts=False)
    answer_round(growth, 0.5)
    growth.refused(growth.era)
    assert growth.limit == 50


EVENTS = st.lists(st.tuples(st.sampled_from(["answered", "failed", "refused"]), st.floats(0, 100)), max_size=300)


@given(most=st.integers(1, 40), events=EVENTS)
def test_it_stays_between_one_and_the_most_whatever_happens(most: int, events: list[tuple[str, float]]) -> None:
    growth = Growth(most)
    for kind, latency_s in events:
        if kind == "answered":
            growth.answered(growth.era, latency_s)
        elif kind == "failed":
            growth.failed(growth.era)
        else:
            growth.refused(growth.era)
        assert 1 <= growth.limit <= most


@pytest.mark.parametrize("capacity", [10, 40, 150])
def test_an_endpoint_that_only_queues_what_is_too_much_is_found_out(capacity: int) -> None:
    growth = Growth(1000)
    limits = []
    for _ in range(400):
        answer_round(growth, 0.2 * max(1.0, growth.limit / capacity))
        limits.append(growth.limit)
    assert all(0.5 * capacity <= limit <= 2 * capacity for limit in limits[20:])
