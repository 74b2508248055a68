"""A gate's figure and interval are those of the report where it has one subject, whatever repeats and clusters."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.gating.evidence import Evidence
from prt.runner.gating.figures import RATES
from prt.runner.gating.measuring import EXACT, exact_too, measured_rate
from prt.stats import (
    ControlResponse,
    Estimate,
    Outcomes,
    Summary,
    control_response,
    exact_rate_limits,
    rate_interval,
    summarise,
)

from .evidences import decided, make_evidence, one

pytestmark = pytest.mark.storeless

CONDITIONS = ("baseline", "typo.1", "typo.2", "rerun.1")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Results with the answers that go with them."""

    evidence: Evidence
    answers: np.ndarray[tuple[int, int, int], np.dtype[np.int64]]

    @property
    def summary(self) -> Summary:
        """What the report says of them."""
        outcomes = self.evidence.outcomes
        return summarise(outcomes, reruns=["rerun.1"], answers=np.where(outcomes.cells >= 0, self.answers, -1))


@st.composite
def results(draw: st.DrawFn) -> Drawn:
    """Results of some items, with missing cells, one run a cell or several, in clusters or not."""
    seed, n, k = draw(st.integers(0, 10_000)), draw(st.integers(10, 40)), draw(st.sampled_from([1, 1, 3]))
    rng = np.random.default_rng(seed)
    chances = rng.beta(2.0, 1.0, (n, 1, 1)) * np.array([1.0, 0.9, 0.7, 1.0])[None, :, None]
    cells = (rng.random((n, 4, k)) < chances).astype(np.int8)
    cells[rng.random(cells.shape) < draw(st.sampled_from([0.0, 0.1]))] = -1
    clusters = [f"c{at // 2}" for at in range(n)] if draw(st.booleans()) else None
    answers = rng.integers(0, 3, cells.shape)
    return Drawn(make_evidence(cells, conditions=CONDITIONS, clusters=clusters, answers=answers), answers)


def close(found: object, expected: float | None) -> bool:
    return found == pytest.approx(expected, abs=1e-12) if expected is not None else found is None


def assert_same(drawn: Drawn, figure: str, expected: Estimate, **keys: object) -> None:
    """A gate of one subject has the report's figure, and its interval, or a wider one where an exact limit is wider."""
    rule: dict[str, object] = (
        {"fail_if_worse_than": 0.1} if figure in {"change", "excess_flips"} else {"fail_if_below": 0.5}
    )
    found = one(drawn.evidence, **{"figure": figure, **rule, **keys})
    assert close(found.estimate, expected.estimate), figure
    assert found.n == expected.n
    if expected.low is None or expected.high is None or found.low is None or found.high is None:
        assert found.low is None
        return
    if found.method == expected.method:
        assert found.low == pytest.approx(expected.low, abs=1e-12)
        assert found.high == pytest.approx(expected.high, abs=1e-12)
    elif EXACT in found.method:
        low, high = exact_rate_limits(expected.count or 0, expected.n, alpha=0.05)
        assert found.low == pytest.approx(min(low, expected.low))
        assert found.high == pytest.approx(max(high, expected.high))


@given(results())
def test_each_figure_of_a_gate_is_the_report_s(drawn: Drawn) -> None:
    summary = drawn.summary
    overall = summary.overall
    assert_same(drawn, "baseline_rate", overall.baseline_rate)
    assert_same(drawn, "robust_rate", overall.robust_rate)
    assert_same(drawn, "any_pass_rate", overall.any_pass_rate)
    assert_same(drawn, "fully_stable", overall.fully_stable)
    for each in summary.conditions:
        assert_same(drawn, "change", each.change_score, conditions=each.condition)
        assert_same(drawn, "pass_rate", each.variant_rate, conditions=each.condition)
        assert_same(drawn, "flip_rate", each.flip_rate, conditions=each.condition)
        assert each.answer_agreement is not None
        assert_same(drawn, "answer_agreement", each.answer_agreement, conditions=each.condition)
        assert each.excess is not None
        found = one(drawn.evidence, figure="excess_flips", fail_if_worse_than=0.1, conditions=each.condition)
        assert close(found.estimate, each.excess.excess.estimate)


@given(results())
def test_figures_without_an_interval_are_the_report_s_and_are_decided_on_the_point(drawn: Drawn) -> None:
    headline = drawn.evidence.outcomes.select(["typo.1", "typo.2"])
    overall = summarise(headline).overall
    for figure, expected in (
        ("spread", overall.spread.estimate),
        ("pooled_flip_rate", overall.pooled_flip_rate.estimate),
        ("robustness_score", overall.robustness_score),
    ):
        found = one(drawn.evidence, figure=figure, decide="point", fail_if_above=0.2, min_n=1)
        assert found.estimate == pytest.approx(expected)
        assert found.low is found.high is None
        assert found.verdict == ("failed" if (expected or 0.0) > 0.2 else "passed")
        assert "chance alone may have decided" in found.reason


@given(results())
def test_always_fails_is_what_no_condition_passes(drawn: Drawn) -> None:
    found = one(drawn.evidence, figure="always_fails", fail_if_above=0.5)
    summary = summarise(drawn.evidence.outcomes.select(["typo.1", "typo.2"])).overall.any_pass_rate
    if summary.estimate is not None:
        assert found.estimate == pytest.approx(1.0 - summary.estimate)


@given(results())
def test_a_generator_s_change_is_the_mean_of_its_conditions_over_items_that_have_them_all(drawn: Drawn) -> None:
    found = one(drawn.evidence, figure="change", generators="typo", fail_if_worse_than=0.1)
    outcomes: Outcomes = drawn.evidence.outcomes
    means = outcomes.means(missing=np.nan)
    kept = ~np.isnan(means[:, 0]) & (~np.isnan(means[:, 1]) | ~np.isnan(means[:, 2]))
    expected = np.mean([np.nanmean(row[1:3]) - row[0] for row in means[kept]])
    assert found.estimate == pytest.approx(expected)
    assert found.subject == "typo (2 conditions)"


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.95, 0.995]))
def test_a_rate_s_interval_is_never_narrower_than_the_exact_limits(counts: tuple[int, int], level: float) -> None:
    count, n = counts
    found, (low, high) = exact_too(count, n, level), exact_rate_limits(count, n, alpha=1 - level)
    shown = rate_interval(count, n, level=level)
    assert found.low is not None
    assert found.high is not None
    assert shown.low is not None
    assert shown.high is not None
    assert found.low <= min(low, shown.low) + 1e-12
    assert found.high >= max(high, shown.high) - 1e-12
    assert found.low in {low, shown.low}


def test_a_cluster_is_decided_on_its_own_items() -> None:
    cells = [[1, 1]] * 20 + [[1, 0]] * 20
    evidence = make_evidence(cells, clusters=["calm"] * 20 + ["loud"] * 20)
    calm, loud = decided(evidence, figure="change", clusters="*", fail_if_worse_than=0.05)
    assert (calm.subject, calm.estimate, calm.n) == ("cluster calm", 0.0, 20)
    assert (loud.subject, loud.estimate, loud.verdict) == ("cluster loud", -1.0, "failed")


def test_two_runs_are_compared_on_their_shared_items_whatever_their_order() -> None:
    then = make_evidence([[1, 1]] * 30, items=[f"q{at}" for at in range(30)])
    now = make_evidence([[1, 0]] * 25, items=[f"q{at}" for at in range(29, 4, -1)])
    baseline, typo = decided(now, then, figure="change", against="then", fail_if_worse_than=0.05)
    assert (baseline.subject, baseline.estimate, baseline.n) == ("baseline", 0.0, 25)
    assert (typo.subject, typo.estimate, typo.verdict) == ("typo.1", -1.0, "failed")


def test_more_flips_than_before_are_worse_though_the_number_is_higher() -> None:
    then, now = make_evidence([[1, 1]] * 40), make_evidence([[1, 0]] * 20 + [[1, 1]] * 20)
    found = one(now, then, figure="flip_rate", against="then", fail_if_worse_than=0.1)
    assert (found.estimate, found.verdict) == (0.5, "failed")
    assert one(then, now, figure="flip_rate", against="then", fail_if_worse_than=0.1).verdict == "passed"


def test_a_control_s_gate_is_on_the_right_answers_that_follow_it() -> None:
    cells, answers = [[1, 1]] * 6 + [[1, 0]] * 24 + [[0, 0]] * 10, [[0, 1]] * 6 + [[0, 0]] * 24 + [[2, 2]] * 10
    plain = make_evidence(cells, conditions=["baseline", "control.1"], answers=answers)
    conditions = tuple(
        replace(each, role="control") if "control" in each.name else each for each in plain.world.conditions
    )

    def response(alpha: float) -> ControlResponse:
        return control_response(plain.outcomes, "control.1", answers, level=1.0 - alpha)

    evidence = replace(plain, world=replace(plain.world, conditions=conditions), control={"control.1": response})
    found = one(evidence, figure="follows", fail_if_below=0.5)
    assert (found.subject, found.estimate, found.n, found.verdict) == ("control.1", 0.2, 30, "failed")
    assert one(evidence, figure="follows", fail_unless_at_least=0.1).verdict == "failed"


def test_robustness_is_the_loss_under_the_variants_beyond_that_under_the_baseline() -> None:
    then = make_evidence([[1, 1, 1]] * 40)
    worse = make_evidence([[1, 1, 1]] * 20 + [[1, 0, 0]] * 20)
    alike = make_evidence([[1, 1, 1]] * 20 + [[0, 0, 0]] * 20)
    keys = {"figure": "robustness_change", "against": "then", "fail_if_worse_than": 0.1}
    found = one(worse, then, **keys)
    assert (found.subject, found.estimate, found.verdict, found.n) == ("all conditions", -0.5, "failed", 40)
    assert one(alike, then, **keys).estimate == 0.0
    assert one(alike, then, **keys).verdict == "passed"
    assert one(make_evidence([[1, 1]] * 12, items=[f"x{at}" for at in range(12)]), then, **keys).verdict == "undecided"


def test_a_condition_that_the_other_run_lacks_leaves_its_gate_undecided() -> None:
    then = make_evidence([[1, 1]] * 30, conditions=["baseline", "style.1"])
    found = decided(make_evidence([[1, 1]] * 30), then, figure="change", against="then", fail_if_worse_than=0.05)
    assert [(each.subject, each.verdict) for each in found] == [("baseline", "passed"), ("typo.1", "undecided")]


def test_values_of_no_item_are_no_figure() -> None:
    evidence = make_evidence(np.full((12, 2), -1))
    found = RATES["flip_rate"](evidence, [1])
    assert measured_rate(found, None).n == 0
    result = one(evidence, figure="flip_rate", fail_if_above=0.1)
    assert (result.verdict, result.estimate, result.n) == ("undecided", None, 0)
