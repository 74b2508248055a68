import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Outcomes, robustness_score, summarise

pairs = st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1)), min_size=1, max_size=8)


def test_the_worked_example_gives_nine_tenths() -> None:
    assert robustness_score([0.9], [0.1]) == pytest.approx(0.9)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(pairs)
def test_it_lies_between_0_and_1_and_improving_never_lifts_it_past_1(drawn: list[tuple[float, float]]) -> None:
    kept, drops = [pair[0] for pair in drawn], [pair[1] for pair in drawn]
    score = robustness_score(kept, drops)
    assert score is not None
    assert 0.0 <= score <= 1.0
    assert robustness_score(kept, [min(drop, 0.0) for drop in drops]) == pytest.approx(
        0.5 * sum(kept) / len(kept) + 0.5
    )


def test_the_summary_scores_agreement_and_drop_of_its_variants(worked_example: Outcomes) -> None:
    """Flip rates .4, .1, .2, .1 and changes −.4, 0, −.1, −.1."""
    assert summarise(worked_example).overall.robustness_score == pytest.approx(0.5 * 0.8 + 0.5 * (1 - 0.15))


def test_without_pairs_there_is_no_score() -> None:
    assert robustness_score([], []) is None
    assert summarise(Outcomes.from_array([[1], [0]])).overall.robustness_score is None


@pytest.mark.parametrize(
    ("kept", "drops", "message"),
    [
        ([1.2], [0.0], "pair_robustness must lie between 0 and 1, got 1.2"),
        ([0.9], [1.5], "a drop lies between -1 and 1, got 1.5"),
        ([0.9], [], "got 1 of robustness and 0 drops"),
        ([0.9], [float("inf")], "must be finite numbers"),
    ],
)
def test_figures_out_of_range_are_refused(kept: list[float], drops: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        robustness_score(kept, drops)
