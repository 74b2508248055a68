"""Columns of a run: numbers in as few bytes as hold them, answers numbered within their item, places of items."""

import numpy as np
import pytest
from prt.runner.store.columns import AnswerCodes, Placing, VariantColumns, joined, narrow


def variants_of(items: list[int]) -> VariantColumns:
    """Variants of some items, all under one condition."""
    item, zeros = narrow(items), narrow([0] * len(items))
    return VariantColumns(("a", "b"), ("", ""), ("baseline",), (("applied", ""),), item, zeros, zeros, (None,))


@pytest.mark.parametrize(
    ("numbers", "bits"),
    [
        ([], 8),
        ([-1, 127], 8),
        ([-128], 8),
        ([128], 16),
        ([-129], 16),
        ([-1, 32_767], 16),
        ([32_768], 32),
        ([2**31 - 1, -(2**31)], 32),
        ([2**31], 64),
    ],
)
def test_numbers_take_as_few_bytes_as_hold_them(numbers: list[int], bits: int) -> None:
    found = narrow(numbers)
    assert found.dtype == np.dtype(f"int{bits}")
    assert found.tolist() == numbers


def test_blocks_are_joined_in_the_width_of_the_widest() -> None:
    assert joined([narrow([1, -1]), narrow([300])]).tolist() == [1, -1, 300]
    assert joined([narrow([1]), narrow([300])]).dtype == np.int16
    assert joined([]).size == 0


def test_answers_are_numbered_within_their_item_from_block_to_block() -> None:
    codes = AnswerCodes(variants_of([0, 0, 1, 1]))
    assert [*codes.of(narrow([0, 0, 1]), ["x", "y", "x"])] == [0, 1, 0]
    assert [*codes.of(narrow([1, 2, 3, 3]), ["y", "y", None, "y"])] == [1, 0, -1, 0]


def test_an_answer_has_one_code_for_all_items_where_an_item_comes_again() -> None:
    codes = AnswerCodes(variants_of([0, 1, 0]))
    assert [*codes.of(narrow([0, 1, 2]), ["x", "y", "x"])] == [0, 1, 0]
    # Numbered anew at each item, as where variants are grouped, the answer to the first would get the code of another.
    assert [*codes.of(narrow([2, 2]), ["y", "z"])] == [1, 2]


def test_items_are_found_in_any_order() -> None:
    placing = Placing(["a", "b", "c"])
    assert [*map(placing.place, ["a", "a", "b", "c", "a", "c", "b", "b", "c"])] == [0, 0, 1, 2, 0, 2, 1, 1, 2]
    with pytest.raises(KeyError):
        placing.place("d")
