from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import benjamini_hochberg, bonferroni_bar, holm
from scipy import stats  # type: ignore[import-untyped]  # scipy ships no type information

PValues = Sequence[float | None]
Adjust = Callable[[PValues], Sequence[float | None]]

pvalues = st.lists(st.floats(0, 1), max_size=12)
searching = settings(max_examples=100, deadline=None, derandomize=True, report_multiple_bugs=False)


def known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def holm_without_running_maximum(raw: PValues) -> Sequence[float | None]:
    """Holm's factors alone."""
    ranks = {place: rank for rank, place in enumerate(sorted(range(len(raw)), key=lambda place: raw[place] or 0.0))}
    return [min(1.0, (p or 0.0) * (len(raw) - ranks[place])) for place, p in enumerate(raw)]


def assert_a_larger_p_stays_larger(adjust: Adjust) -> None:
    @searching
    @given(pvalues)
    def search(raw: list[float]) -> None:
        pairs = sorted(zip(raw, known(adjust(raw)), strict=True))
        assert [adjusted for _, adjusted in pairs] == sorted(adjusted for _, adjusted in pairs)

    search()


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_a_larger_p_stays_larger(adjust: Adjust) -> None:
    assert_a_larger_p_stays_larger(adjust)


def test_the_wrong_twin_holm_without_its_running_maximum_reorders_them() -> None:
    with pytest.raises(AssertionError):
        assert_a_larger_p_stays_larger(holm_without_running_maximum)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(pvalues)
def test_holm_lies_between_the_raw_p_and_bonferroni_and_not_below_benjamini_hochberg(raw: list[float]) -> None:
    for p, adjusted, q in zip(raw, known(holm(raw)), known(benjamini_hochberg(raw)), strict=True):
        assert p <= adjusted <= min(1.0, p * len(raw)) + 1e-15
        assert p - 1e-15 <= q <= adjusted + 1e-15


@settings(max_examples=100, deadline=None, derandomize=True)
@given(pvalues.filter(bool))
def test_the_q_values_are_those_of_scipy(raw: list[float]) -> None:
    assert known(benjamini_hochberg(raw)) == pytest.approx(stats.false_discovery_control(raw), abs=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(pvalues, st.floats(0.001, 0.999))
def test_holms_values_are_those_of_stepping_down(raw: list[float], alpha: float) -> None:
    """By definition: go up from the smallest p-value, and stop at the first that misses its bar."""
    stepwise = set()
    for rank, place in enumerate(sorted(range(len(raw)), key=raw.__getitem__)):
        if raw[place] * (len(raw) - rank) > alpha:
            break
        stepwise.add(place)
    assert {place for place, adjusted in enumerate(known(holm(raw))) if adjusted <= alpha} == stepwise


@settings(max_examples=60, deadline=None, derandomize=True)
@given(pvalues, st.randoms())
def test_the_order_of_the_tests_is_irrelevant(raw: list[float], random: Random) -> None:
    order = random.sample(range(len(raw)), len(raw))
    for adjust in (holm, benjamini_hochberg):
        straight = adjust(raw)
        assert adjust([raw[place] for place in order]) == tuple(straight[place] for place in order)


def test_a_variant_without_a_test_counts_for_nothing() -> None:
    assert holm([0.01, None, 0.04]) == (0.02, None, 0.04)
    assert benjamini_hochberg([None, 0.02, 0.04, None]) == (None, 0.04, 0.04, None)
    assert holm([]) == ()
    assert benjamini_hochberg([None]) == (None,)


@pytest.mark.parametrize("raw", [[1.2], [-0.1, 0.5], [float("nan")]])
def test_values_that_are_no_probabilities_are_refused(raw: list[float]) -> None:
    with pytest.raises(ValueError, match="p-values must lie between 0 and 1"):
        holm(raw)


def test_the_bonferroni_bar_divides_alpha_among_the_tests() -> None:
    assert bonferroni_bar(0.05, 4) == 0.0125
    assert bonferroni_bar(0.05, 0) is None
    with pytest.raises(ValueError, match="tests must be a whole number"):
        bonferroni_bar(0.05, -1)
    with pytest.raises(ValueError, match="alpha must lie strictly between 0 and 1"):
        bonferroni_bar(5, 4)
