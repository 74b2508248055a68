"""What was never seen before is told apart from what comes and goes."""

from prt.runner.nightly.flips import first_flips, majority
from prt.runner.nightly.summary import Flip
from prt.stats import Outcomes

from .nights import a_night, decision

CONDITIONS = ["baseline", "typo.1"]


def outcomes(*rows: list[int], items: str = "xyz") -> Outcomes:
    return Outcomes.from_array([*rows], items=[*items], conditions=CONDITIONS)


def test_a_result_that_differs_from_the_baseline_for_the_first_time_is_told_with_its_direction() -> None:
    found = first_flips(outcomes([1, 1], [1, 0], [0, 0]), outcomes([1, 0], [1, 0], [1, 0]), ())
    assert found == (Flip("x", "typo.1", passes=False), Flip("z", "baseline", passes=True))


def test_what_flipped_on_any_night_before_is_not_new() -> None:
    seen = a_night(1, decision(), flips=(Flip("x", "typo.1", passes=False),))
    found = first_flips(
        outcomes([1, 1], [1, 1], [1, 1]), outcomes([0, 0], [1, 1], [1, 1]), [seen, a_night(2, decision())]
    )
    assert found == (Flip("x", "baseline", passes=False),)


def test_items_and_conditions_are_matched_by_name_and_missing_results_are_no_flips() -> None:
    before = outcomes([1, -1], [1, 1], [1, 1])
    after = Outcomes.from_array([[0, 0], [-1, 0], [1, 1]], items=["x", "y", "new"], conditions=["typo.1", "baseline"])
    assert first_flips(before, after, ()) == (Flip("x", "baseline", passes=False), Flip("y", "baseline", passes=False))


def test_with_repeats_most_of_the_runs_decide_and_a_tie_says_nothing() -> None:
    found = majority(Outcomes.from_array([[[1, 1, 0]], [[1, 0, -1]], [[0, 0, 1]], [[-1, -1, -1]]]))
    assert found[:, 0].tolist() == [1, -1, 0, -1]
