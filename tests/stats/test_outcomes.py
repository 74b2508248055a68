import itertools
import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import Outcomes, PairedTable

matrices = arrays.arrays(
    np.int8, st.tuples(st.integers(0, 12), st.integers(1, 5)), elements=st.sampled_from([1, 0, -1])
)
Row = tuple[str, str, int, bool | None]


def as_rows(outcomes: Outcomes) -> list[Row]:
    meaning = {1: True, 0: False, -1: None}
    return [
        (item, condition, 0, meaning[int(outcomes.matrix()[i, j])])
        for i, item in enumerate(outcomes.items)
        for j, condition in enumerate(outcomes.conditions)
    ]


def counted_one_by_one(outcomes: Outcomes, column: int) -> PairedTable:
    meaning = {1: True, 0: False, -1: None}
    return PairedTable.from_pairs((meaning[row[0]], meaning[row[column]]) for row in outcomes.matrix().tolist())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(matrices)
def test_the_tables_are_those_of_counting_pair_by_pair(matrix: NDArray[np.int8]) -> None:
    outcomes = Outcomes.from_array(matrix)
    expected = [counted_one_by_one(outcomes, column) for column in range(1, len(outcomes.conditions))]
    assert list(outcomes.tables()) == expected
    assert [outcomes.table(name) for name in outcomes.variants] == expected


@settings(max_examples=40, deadline=None, derandomize=True)
@given(matrices.filter(lambda matrix: matrix.shape[0] > 0), st.randoms())
def test_long_rows_in_any_order_make_the_same_tables(matrix: NDArray[np.int8], random: Random) -> None:
    outcomes = Outcomes.from_array(matrix)
    rows = as_rows(outcomes)
    random.shuffle(rows)
    again = Outcomes.from_rows(rows)
    assert set(again.conditions) == set(outcomes.conditions)
    assert again.baseline == "baseline"
    for name in outcomes.variants:
        assert again.table(name) == outcomes.table(name)


def test_long_rows_keep_the_order_of_appearance_with_the_baseline_first() -> None:
    rows: list[Row] = [("b", "typo.1", 0, True), ("a", "plain", 0, False), ("a", "reorder.1", 0, None)]
    outcomes = Outcomes.from_rows(rows, baseline="plain")
    assert outcomes.items == ("b", "a")
    assert outcomes.conditions == ("plain", "typo.1", "reorder.1")
    assert outcomes.matrix().tolist() == [[-1, 1, -1], [0, -1, -1]]


def test_repeats_are_put_in_ascending_order_of_their_numbers() -> None:
    rows: list[Row] = [("a", "baseline", 7, True), ("a", "baseline", 2, False), ("b", "baseline", 2, True)]
    outcomes = Outcomes.from_rows(rows)
    assert outcomes.repeats == 2
    assert outcomes.cells.tolist() == [[[0, 1]], [[1, -1]]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "baseline", 0, True)] * 2, r"row 2 gives item 'a' under 'baseline' \(repeat 0\) a second result"),
        ([("a", "baseline", 0, "yes")], "row 1 holds 'yes'; passed is True, False or None"),
        ([("a", "typo.1", 0, True)], "no row is of the baseline 'baseline'; conditions found: 'typo.1'; name"),
        ([], "conditions found: none"),
    ],
)
def test_bad_rows_are_refused_with_their_number(rows: list[Row], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Outcomes.from_rows(rows)


def test_booleans_integers_and_floats_are_read_alike() -> None:
    as_floats = Outcomes.from_array([[1.0, 0.0], [np.nan, 1.0]])
    assert as_floats.matrix().tolist() == [[1, 0], [-1, 1]]
    assert Outcomes.from_array(np.array([[True, False]])).matrix().tolist() == [[1, 0]]
    assert as_floats.cells.dtype == np.int8


def test_names_are_made_where_none_are_given() -> None:
    outcomes = Outcomes.from_array([[1, 0, 1], [0, 0, 0]])
    assert outcomes.items == ("1", "2")
    assert outcomes.conditions == ("baseline", "variant.1", "variant.2")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1, 0], r"items × conditions × repeats, got an array of shape \(2,\)"),
        (np.zeros((3, 0)), "at least one condition"),
        (np.zeros((3, 2, 0)), "at least one condition .* and one repeat"),
        ([[1, 2]], r"item '1' under 'variant.1' \(repeat 0\) holds 2; a cell is 1"),
        ([[1, 256]], "holds 256"),
        ([[1, 0.5]], "holds 0.5"),
        ([[1, None]], "must be numbers or booleans, got an array of object"),
        ([["1", "0"]], "must be numbers or booleans"),
    ],
)
def test_cells_that_are_no_results_are_refused(cells: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Outcomes.from_array(cells)  # type: ignore[arg-type]  # some are no arrays, which is what is tested


def test_names_that_do_not_fit_the_array_are_refused() -> None:
    with pytest.raises(ValueError, match="hold 1 items × 2 conditions, but 2 item ids and 2 condition names"):
        Outcomes.from_array([[1, 0]], items=["a", "b"])
    with pytest.raises(ValueError, match="the item 'a' occurs twice"):
        Outcomes.from_array([[1], [0]], items=["a", "a"])
    with pytest.raises(ValueError, match="the condition 'x' occurs twice"):
        Outcomes.from_array([[1, 0]], conditions=["x", "x"])


def test_the_cells_can_be_changed_neither_in_place_nor_through_the_array_given() -> None:
    given_array = np.array([[1, 0]], dtype=np.int8)
    outcomes = Outcomes.from_array(given_array)
    given_array[0, 0] = 0
    assert outcomes.matrix()[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        outcomes.cells[0, 0, 0] = 0


def test_selecting_keeps_the_baseline_first_and_the_order_asked_for(worked_example: Outcomes) -> None:
    chosen = worked_example.select(["typo", "format"])
    assert chosen.conditions == ("baseline", "typo", "format")
    assert chosen.table("format") == worked_example.table("format")
    assert worked_example.select(["typo", "baseline"]).conditions == ("baseline", "typo")
    assert worked_example.select([]).conditions == ("baseline",)
    assert worked_example.select(worked_example.variants) is worked_example  # nothing can be changed in it


def test_selecting_an_unknown_or_a_doubled_name_is_refused(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match="no condition is called 'typos'; there are: 'baseline', 'format'"):
        worked_example.select(["typos"])
    with pytest.raises(ValueError, match="the condition 'typo' occurs twice"):
        worked_example.select(["typo", "typo"])


def test_the_baseline_has_no_table_of_its_own(worked_example: Outcomes) -> None:
    with pytest.raises(ValueError, match="'baseline' is the baseline; name one of the variants"):
        worked_example.table("baseline")
    with pytest.raises(ValueError, match="no condition is called 'typos'"):
        worked_example.table("typos")


def test_a_table_of_repeats_is_refused() -> None:
    outcomes = Outcomes.from_array(np.ones((2, 2, 3)))
    with pytest.raises(ValueError, match="these outcomes hold 3 repeats a cell"):
        outcomes.table("variant.1")


def test_memory_stays_proportional_to_the_array() -> None:
    """Tables of 1,000 conditions × 2,000 items need a few copies of one byte a cell, not Python objects."""
    cells = np.random.default_rng(5).choice(np.array([1, 0, -1], dtype=np.int8), size=(2_000, 1_001))
    tracemalloc.start()
    try:
        tables = Outcomes.from_array(cells).tables()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(tables) == 1_000
    assert peak < 6 * cells.nbytes


def test_every_cell_without_a_row_is_missing() -> None:
    rows: list[Row] = [("a", "baseline", 0, True), ("b", "typo.1", 0, True)]
    cells = Outcomes.from_rows(rows).cells
    assert sorted(itertools.chain.from_iterable(cells[:, :, 0].tolist())) == [-1, -1, 1, 1]
