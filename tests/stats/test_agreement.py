import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import Outcomes, answer_agreement, code_answers, fully_stable_share, summarise

codes = arrays.arrays(np.int64, st.tuples(st.integers(0, 12), st.integers(1, 4)), elements=st.integers(-1, 3))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(codes)
def test_it_counts_the_pairs_of_read_answers_that_are_equal(answers: NDArray[np.int64]) -> None:
    agreement = answer_agreement(answers)
    for column, variant in enumerate(agreement.by_variant, start=1):
        pairs = [(row[0], row[column]) for row in answers.tolist() if row[0] >= 0 and row[column] >= 0]
        assert (variant.count, variant.n) == (sum(x == y for x, y in pairs), len(pairs))
    assert agreement.pooled.count == sum(variant.count or 0 for variant in agreement.by_variant)
    assert agreement.pooled.n == sum(variant.n for variant in agreement.by_variant)
    assert agreement.pooled.low is None


def test_it_tells_steadily_wrong_from_wavering() -> None:
    """Both models fail everywhere and are fully stable; only one of them has an opinion."""
    failing = Outcomes.from_array(np.zeros((4, 3)))
    assert fully_stable_share(failing).estimate == 1.0
    steady, wavering = [[2, 2, 2]] * 4, [[1, 2, 3]] * 4
    assert summarise(failing, answers=steady).overall.answer_agreement == answer_agreement(steady).pooled
    assert answer_agreement(steady).pooled.estimate == 1.0
    assert answer_agreement(wavering).pooled.estimate == 0.0


def test_answers_are_coded_in_line_with_the_outcomes() -> None:
    outcomes = Outcomes.from_array([[1, 0, 0], [1, 1, 1]], items=["q1", "q2"])
    rows = [
        ("q2", "variant.2", "Lyon"),
        ("q1", "baseline", "Paris"),
        ("q1", "variant.1", "Lyon"),
        ("q2", "baseline", "Lyon"),
        ("q1", "variant.2", None),
        ("q1", "not selected", "Rome"),
    ]
    coded = code_answers(rows, outcomes)
    assert (coded < 0).tolist() == [[False, False, True], [False, True, False]]
    assert coded[0, 0] != coded[0, 1] == coded[1, 0] == coded[1, 2]


def test_answers_of_unknown_items_and_second_answers_are_refused() -> None:
    outcomes = Outcomes.from_array([[1, 0]], items=["q1"])
    with pytest.raises(ValueError, match="no item is called 'q9'"):
        code_answers([("q9", "baseline", "A")], outcomes)
    with pytest.raises(ValueError, match="item 'q1' under 'baseline' has two answers"):
        code_answers([("q1", "baseline", None), ("q1", "baseline", "A")], outcomes)


@pytest.mark.parametrize("bad", [[1, 2], [[0.5, 1.0]], [["a", "b"]], np.zeros((2, 0), dtype=int)])
def test_codes_that_are_no_integer_array_are_refused(bad: list[int]) -> None:
    with pytest.raises(ValueError, match="codes must be an integer array items × conditions"):
        answer_agreement(bad)


def test_answers_that_do_not_fit_the_outcomes_are_refused(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match=r"laid out as the outcomes, \(20, 5\) or \(20, 5, 1\), got \(20, 4\)"):
        summarise(worked_example, answers=np.zeros((20, 4), dtype=int))
