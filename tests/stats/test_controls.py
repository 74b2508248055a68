"""Controls: answers that stay are told from answers that follow, over the right items, whatever is missing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.stats import ControlResponse, Outcomes, clustered_rate_interval, control_response, rate_interval
from scipy.stats import binom  # type: ignore[import-untyped]  # scipy ships no type information

NAMES = ["baseline", "control.1"]


def response(cells: list[list[int]], codes: list[list[int]], clusters: list[str] | None = None) -> ControlResponse:
    return control_response(Outcomes.from_array(cells, conditions=NAMES, clusters=clusters), "control.1", codes)


def test_the_shares_are_counted_over_the_items_that_they_name() -> None:
    cells = [[1, 1]] * 24 + [[1, 0]] * 7 + [[0, 1]] * 2 + [[0, 0]] * 5 + [[1, -1]] * 3 + [[-1, 1]] * 2
    codes = [[0, 1]] * 24 + [[0, 0]] * 5 + [[0, 2]] * 2 + [[3, 1]] * 2 + [[3, 3]] * 4 + [[3, 0]] + [[0, 9]] * 5
    found = response(cells, codes)
    assert (found.n, found.right_before, found.units) == (38, 31, 38)
    assert found.right == rate_interval(26, 38)
    assert found.follows == rate_interval(24, 31)
    assert found.same == rate_interval(9, 38)
    assert found.keeps == rate_interval(5, 31)
    assert found.verdict == "follows"


@pytest.mark.parametrize("items", [10, 44, 200])
def test_a_constant_answer_stays_and_a_right_one_follows(items: int) -> None:
    golds = np.arange(items) % 2
    constant = response([[int(gold == 0), int(gold == 1)] for gold in golds], [[0, 0]] * items)
    assert (constant.verdict, constant.same) == ("stays", rate_interval(items, items))
    assert constant.follows.count == 0
    oracle = response([[1, 1]] * items, [[int(gold), 1 - int(gold)] for gold in golds])
    assert (oracle.verdict, oracle.follows, oracle.same) == (
        "follows",
        rate_interval(items, items),
        rate_interval(0, items),
    )


def test_a_pass_rate_that_forgets_the_old_answer_would_not_tell_them_apart() -> None:
    """The twin: with yes and no alike often right, a constant answer passes half before and half after the change."""
    cells = [[1, 0], [0, 1]] * 20
    rates = np.mean(cells, axis=0)
    assert rates[0] == rates[1]
    assert response(cells, [[0, 0]] * 40).verdict == "stays"


def test_lost_right_answers_fail_where_the_new_ones_are_not_the_old() -> None:
    found = response([[1, 0]] * 18 + [[1, 1]] * 2, [[0, 1]] * 18 + [[0, 2]] * 2)
    assert (found.verdict, found.follows.count, found.keeps) == ("fails", 2, rate_interval(0, 20))


def test_guesses_are_neither() -> None:
    cells = [[1, 1], [1, 0], [0, 1], [0, 0]] * 10
    assert response(cells, [[0, 1], [0, 0], [1, 1], [1, 0]] * 10).verdict == "unclear"


def test_nine_items_are_too_few_and_so_are_nine_clusters() -> None:
    assert response([[1, 0]] * 9, [[0, 0]] * 9).verdict == "too_few"
    clusters = [f"c{at % 9}" for at in range(90)]
    assert response([[1, 0]] * 90, [[0, 0]] * 90, clusters=clusters).verdict == "too_few"


def test_where_some_answers_are_not_told_none_are_compared() -> None:
    """As by a grader that names an answer only where it is right: over those alone, no answer would ever stay."""
    cells = [[1, 0]] * 20 + [[1, 1]] * 4
    found = response(cells, [[0, -1]] * 20 + [[0, 1]] * 4)
    assert found.same is None
    assert found.keeps is None
    assert found.verdict == "fails"


def test_an_answer_that_was_not_read_leaves_no_trace() -> None:
    cells = [[1, 1]] * 12 + [[1, -1]] * 30
    assert response(cells, [[0, 1]] * 12 + [[0, 0]] * 30) == response(cells, [[0, 1]] * 12 + [[0, -1]] * 30)


def test_with_repeats_the_item_is_the_unit_and_right_before_is_right_in_every_run() -> None:
    cells = [[[1, 1], [1, 0]], [[1, 0], [1, 1]], [[1, 1], [1, 1]]] * 5
    codes = [[[0, 0], [1, 0]], [[0, 2], [1, 1]], [[0, 0], [1, 1]]] * 5
    outcomes = Outcomes.from_array(cells, conditions=NAMES)
    found = control_response(outcomes, "control.1", codes)
    assert (found.n, found.right_before) == (15, 10)
    assert found.follows.estimate == pytest.approx(0.75)
    assert found.keeps is not None
    assert found.keeps.estimate == pytest.approx(0.25)
    assert found.right == clustered_rate_interval([0.5, 1.0, 1.0] * 5, runs=2)


def test_clustered_items_have_wider_intervals() -> None:
    cells = [[1, 1]] * 30 + [[1, 0]] * 30
    codes = [[0, 1]] * 30 + [[0, 0]] * 30
    alone = response(cells, codes)
    together = response(cells, codes, clusters=[f"c{at // 5}" for at in range(60)])
    assert together.units == 12
    assert together.follows.low is not None
    assert alone.follows.low is not None
    assert together.follows.low < alone.follows.low


def test_nothing_to_measure_is_none_and_no_error() -> None:
    found = response([[1, -1]] * 12, [[0, -1]] * 12)
    assert (found.n, found.right.estimate, found.verdict) == (0, None, "too_few")


@pytest.mark.parametrize("codes", [[[0, 0]] * 11, [[0, 0, 0]] * 12])
def test_answers_that_do_not_fit_are_refused(codes: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="laid out as the outcomes"):
        response([[1, 1]] * 12, codes)


def test_guesses_between_two_answers_are_said_to_stay_in_at_most_four_percent() -> None:
    worst = 0.0
    for n in range(10, 401, 3):
        lows = (rate_interval(count, n).low or 0.0 for count in range(n // 2, n + 1))
        fewest = n // 2 + next(at for at, low in enumerate(lows) if low > 0.5)
        worst = max(worst, float(binom.sf(fewest - 1, n, 0.5)))
    assert worst <= 0.04


@given(st.lists(st.tuples(*[st.integers(-1, 1)] * 2, *[st.integers(-1, 3)] * 2), min_size=1, max_size=40))
def test_shares_add_up_to_no_more_than_their_items(rows: list[tuple[int, int, int, int]]) -> None:
    found = response([[a, b] for a, b, _, _ in rows], [[c, d] for _, _, c, d in rows])
    assert found.right_before <= found.n <= len(rows)
    for share in (found.right, found.follows):
        assert share.count is not None
        assert share.count <= share.n
    if found.same is not None and found.keeps is not None:
        assert (found.same.n, found.keeps.n) == (found.n, found.right_before)
