"""What gates decide: on a bound of the interval, in the reading that is asked for, and never both ways at once."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.config.gates import Rule
from prt.runner.findings import GateResult
from prt.runner.gating.deciding import Could
from prt.stats import PairedTable, drop_exact, tango_interval, zero_flip_items

from .evidences import decided, make_evidence, one, table_cells

pytestmark = pytest.mark.storeless

Counts = tuple[int, int, int, int]
SEVERITY = {"passed": 0, "undecided": 1, "failed": 2}


def on_table(cells: Counts, **rule: object) -> GateResult:
    return one(make_evidence(table_cells(*cells)), figure="change", **rule)


def test_a_gate_on_proof_fails_where_the_whole_interval_is_worse_than_the_margin() -> None:
    found = on_table((70, 25, 0, 5), fail_if_worse_than=0.05)
    interval = tango_interval(PairedTable(70, 25, 0, 5))
    assert (found.verdict, found.effect) == ("failed", "fail")
    assert (found.low, found.high, found.n, found.method) == (interval.low, interval.high, 100, "Tango score")
    assert found.reason == (
        "−25.0 points, 95% interval −34.3 to −17.5, n 100 (Tango score): proven worse than 5 points"
    )


def test_a_drop_beyond_the_margin_that_chance_may_have_made_passes_one_reading_and_fails_the_other() -> None:
    cells = (85, 9, 2, 4)
    on_proof = on_table(cells, fail_if_worse_than=0.05)
    without = on_table(cells, fail_unless_no_worse_than=0.05)
    assert on_proof.estimate == without.estimate == pytest.approx(-0.07)
    assert (on_proof.verdict, without.verdict) == ("passed", "failed")
    for found in (on_proof, without):
        assert "neither proven worse than 5 points nor ruled out; about " in found.reason
        assert found.enough is not None
        assert found.enough > 100


def test_the_number_of_items_that_would_settle_it_does_settle_it_at_these_rates() -> None:
    found = on_table((85, 9, 2, 4), fail_if_worse_than=0.05)
    assert found.enough is not None
    lost, gained = round(9 * found.enough / 100), round(2 * found.enough / 100)
    high = tango_interval(PairedTable(found.enough - lost - gained, lost, gained, 0)).high
    assert high is not None
    assert high < -0.05


def test_both_readings_pass_where_a_drop_is_ruled_out() -> None:
    for rule in ({"fail_if_worse_than": 0.05}, {"fail_unless_no_worse_than": 0.05}):
        found = on_table((150, 2, 4, 44), **rule)
        assert (found.verdict, found.reason.partition(": ")[2]) == ("passed", "a drop of 5 points is ruled out")


def test_too_few_items_to_rule_out_a_drop_are_said_with_how_many_it_takes() -> None:
    found = on_table((70, 0, 0, 2), fail_unless_no_worse_than=0.05)
    assert (found.verdict, found.effect, found.enough) == ("undecided", "fail", zero_flip_items(0.05))
    assert found.reason.endswith(
        "too few items to decide: even without a single flip they can't rule out a drop of 5 points; it takes 73"
    )
    assert on_table((71, 0, 0, 2), fail_unless_no_worse_than=0.05).verdict == "passed"


@pytest.mark.parametrize("choice", ["pass", "warn", "fail"])
def test_what_an_undecided_gate_does_is_the_config_s_choice(choice: str) -> None:
    found = on_table((5, 0, 0, 4), fail_if_worse_than=0.05, undecided=choice)
    assert (found.verdict, found.effect, found.enough) == ("undecided", choice, 10)
    assert found.reason.endswith("too few items to decide: `min_n` is 10")


def test_an_undecided_gate_warns_where_it_needs_proof_and_fails_where_it_needs_proof_of_the_good() -> None:
    assert on_table((5, 0, 0, 4), fail_if_worse_than=0.05).effect == "warn"
    assert on_table((5, 0, 0, 4), fail_unless_no_worse_than=0.05).effect == "fail"


def test_fewer_items_may_decide_where_the_config_says_so() -> None:
    assert on_table((0, 9, 0, 0), fail_if_worse_than=0.05, min_n=5).verdict == "failed"
    assert on_table((0, 9, 0, 0), fail_if_worse_than=0.05).verdict == "undecided"


def test_a_baseline_that_passes_next_to_nothing_can_prove_no_drop() -> None:
    found = on_table((1, 1, 0, 98), fail_if_worse_than=0.05)
    assert (found.verdict, found.enough) == ("undecided", None)
    assert found.reason.endswith("too few items to decide: 2.0% can't fall by more than 5 points")
    scarce = on_table((0, 8, 0, 92), fail_if_worse_than=0.05)
    assert scarce.verdict == "undecided"
    assert "not even the loss of all that passes would prove a drop; it takes " in scarce.reason


def test_an_exact_test_has_to_confirm_what_the_limits_of_a_score_call_proven() -> None:
    """Five subjects share 5%: 18 losses of 200 lie beyond the limits, but a drop of 5 points makes them in over 1%."""
    cells = [[1, 0, 1, 1, 1, 1]] * 18 + [[1] * 6] * 182
    worst, *others = decided(make_evidence(cells), figure="change", fail_if_worse_than=0.05)
    assert worst.high is not None
    assert worst.high < -0.05
    p = drop_exact(PairedTable(182, 18, 0, 0), 0.05).pvalue
    assert p is not None
    assert p > 0.01
    assert worst.verdict == "passed"
    assert worst.reason.endswith(f"since the exact test does not confirm it (p {p:.4f})")
    assert {each.verdict for each in others} == {"passed"}


def test_several_subjects_share_the_chance_of_a_false_alarm() -> None:
    """Of one condition this drop is proven; among twenty it is not."""
    alone = decided(make_evidence([[1, 0]] * 14 + [[1, 1]] * 86), figure="change", fail_if_worse_than=0.05)
    cells = [[1, 0, *[1] * 19]] * 14 + [[1] * 21] * 86
    among = decided(make_evidence(cells), figure="change", fail_if_worse_than=0.05)
    assert [each.verdict for each in alone] == ["failed"]
    assert {each.verdict for each in among} == {"passed"}
    assert alone[0].level == pytest.approx(0.95)
    assert among[0].level == pytest.approx(0.9975)
    assert "99.75% interval" in among[0].reason
    assert "one of 20 that share 5%" in among[0].reason


def test_a_gate_that_needs_proof_of_the_good_needs_it_of_every_subject_and_shares_nothing() -> None:
    cells = [[1, 1, 1]] * 97 + [[1, 0, 1]] * 3
    first, second = decided(make_evidence(cells), figure="change", fail_unless_no_worse_than=0.05)
    assert (first.level, second.level) == (0.95, 0.95)
    assert (first.verdict, second.verdict) == ("failed", "passed")


def test_conditions_without_a_result_share_in_nothing() -> None:
    cells = [[1, 0, -1]] * 20 + [[1, 1, -1]] * 20
    first, second = decided(make_evidence(cells), figure="change", fail_if_worse_than=0.05)
    assert first.level == 0.95
    assert (second.verdict, second.n, second.reason) == ("undecided", 0, "n 0: there is nothing to decide on")


@pytest.mark.parametrize(
    ("rule", "count", "verdict"),
    [
        ({"fail_if_above": 0.1}, 30, "failed"),
        ({"fail_if_above": 0.1}, 12, "passed"),
        ({"fail_unless_at_most": 0.1}, 12, "failed"),
        ({"fail_unless_at_most": 0.1}, 2, "passed"),
        ({"fail_if_below": 0.1}, 1, "failed"),
        ({"fail_if_below": 0.1}, 7, "passed"),
        ({"fail_unless_at_least": 0.1}, 7, "failed"),
        ({"fail_unless_at_least": 0.1}, 30, "passed"),
    ],
)
def test_a_rate_is_decided_in_either_reading(rule: dict[str, object], count: int, verdict: str) -> None:
    evidence = make_evidence([[1, 0]] * count + [[1, 1]] * (100 - count))
    found = one(evidence, **{"figure": "flip_rate", **rule})
    assert found.verdict == verdict
    assert f"{count:.1f}% ({count} of 100), 95% interval " in found.reason


def test_one_case_proves_that_there_are_more_than_none() -> None:
    statuses = [[0, 0]] * 99 + [[0, 1]]
    evidence = make_evidence([[1, 1]] * 100, statuses=statuses)
    assert one(evidence, max_unparsed=0).verdict == "failed"
    assert one(evidence, max_unparsed=0.01).verdict == "passed"
    few = make_evidence([[1, 1]] * 3, statuses=[[0, 0], [0, 0], [0, 4]])
    assert one(few, max_errors=0).verdict == "failed"
    clean = one(make_evidence([[1, 1]] * 3, statuses=[[0, 0]] * 3), max_errors=0)
    assert (clean.verdict, clean.reason.rpartition(": ")[2]) == ("passed", "there is none")


def test_cells_that_were_to_be_asked_and_have_no_reply_are_errors_and_others_are_not() -> None:
    statuses = [[0, -1]] * 4 + [[0, 0]] * 16
    asked = [[True, False]] * 3 + [[True, True]] * 17
    found = one(make_evidence([[1, 1]] * 20, statuses=statuses, asked=asked), max_errors=0)
    assert found.verdict == "failed"
    assert "(1 of 37 cells)" in found.reason


def test_items_are_the_units_of_replies_not_replies() -> None:
    """Ten items whose every reply is unread are no proof, though they make a fifth of a thousand replies."""
    statuses = [[1] * 20] * 10 + [[0] * 20] * 40
    found = one(make_evidence([[1] * 20] * 50, statuses=statuses), max_unparsed=0.12)
    assert "20.0% (200 of 1,000 replies)" in found.reason
    assert (found.n, found.verdict) == (50, "passed")


def test_items_that_must_pass_are_named_where_they_fail() -> None:
    evidence = make_evidence([[1, 1], [1, 0], [0, 1], [1, -1]])
    assert one(evidence, must_pass=["q0"]).verdict == "passed"
    found = one(evidence, must_pass=["q*"])
    assert (found.verdict, found.subject) == ("failed", "4 items")
    assert found.reason == "2 of 4 fail at least once: q1, q2"
    assert one(evidence, must_pass=["q3"]).effect == "fail"
    assert one(evidence, must_pass=["q1"], conditions="baseline").verdict == "passed"


def test_items_that_fail_everywhere_are_named() -> None:
    found = one(make_evidence([[0, 0]] * 9 + [[1, 0]] * 31), figure="always_fails", fail_if_above=0.05)
    assert found.verdict == "failed"
    assert found.reason.endswith("proven above 5% (q0, q1, q2, q3, q4 and 4 more)")


def tables(most: int = 60) -> st.SearchStrategy[Counts]:
    cell = st.integers(0, most)
    return st.tuples(cell, cell, cell, cell).filter(lambda cells: sum(cells) > 0)


@given(tables(), st.sampled_from([0.02, 0.05, 0.1, 0.3]))
def test_the_two_readings_never_contradict_each_other(cells: Counts, margin: float) -> None:
    on_proof = on_table(cells, fail_if_worse_than=margin)
    without = on_table(cells, fail_unless_no_worse_than=margin)
    assert (on_proof.verdict, without.verdict) != ("failed", "passed")


@given(
    st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.05, 0.3, 0.9])
)
def test_the_two_readings_of_a_rate_never_contradict_each_other(counts: tuple[int, int], bound: float) -> None:
    count, n = counts
    evidence = make_evidence([[1, 0]] * count + [[1, 1]] * (n - count))
    for on_proof, without in (("fail_if_above", "fail_unless_at_most"), ("fail_if_below", "fail_unless_at_least")):
        first = one(evidence, **{"figure": "flip_rate", on_proof: bound})
        second = one(evidence, **{"figure": "flip_rate", without: bound})
        assert (first.verdict, second.verdict) != ("failed", "passed")


def never_better(results: Sequence[GateResult]) -> bool:
    """Whether no verdict is better than the one before it."""
    severities = [SEVERITY[each.verdict] for each in results]
    return all(later >= earlier for earlier, later in pairwise(severities))


@given(tables(25), st.sampled_from(["fail_if_worse_than", "fail_unless_no_worse_than"]), st.sampled_from([0.05, 0.2]))
def test_a_larger_drop_never_makes_a_failed_gate_pass(cells: Counts, rule: str, margin: float) -> None:
    """One more loss after another, until all that passed under the baseline is lost."""
    both, lost, gained, failing = cells
    worse = [on_table((both - more, lost + more, gained, failing), **{rule: margin}) for more in range(both + 1)]
    assert never_better(worse)


@given(tables(25), st.sampled_from(["fail_if_worse_than", "fail_unless_no_worse_than"]))
def test_a_wider_margin_never_makes_a_passed_gate_fail(cells: Counts, rule: str) -> None:
    verdicts = [on_table(cells, **{rule: margin}).verdict for margin in (0.02, 0.05, 0.1, 0.2, 0.3)]
    assert all("failed" not in verdicts[at:] for at, verdict in enumerate(verdicts) if verdict == "passed")


def test_deciding_on_the_estimate_fails_where_no_proof_is() -> None:
    """The twin that these tests guard against: one loss more than the margin allows, and nothing proven."""
    found = on_table((94, 6, 0, 0), fail_if_worse_than=0.05)
    assert found.estimate is not None
    assert found.estimate < -0.05
    assert found.verdict == "passed"


@pytest.mark.parametrize(
    ("rule", "enough"),
    [
        (Rule("change", "fail_unless", "worse", 0.05), 73),
        (Rule("change", "fail_unless", "worse", 0.10), 35),
        (Rule("flip_rate", "fail_unless", "above", 0.05), 73),
        (Rule("flip_rate", "fail_unless", "above", 0.0), None),
        (Rule("pass_rate", "fail_unless", "below", 1.0), None),
    ],
)
def test_how_many_items_could_decide(rule: Rule, enough: int | None) -> None:
    could = Could(rule, 0.95)
    assert could.enough() == enough
    if enough is not None:
        assert could.decide(enough)
        assert not could.decide(enough - 1)
