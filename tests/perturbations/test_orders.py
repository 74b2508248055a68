"""New orders: permutations that change what is shown, drawn evenly."""

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.options.orders import (
    alphabet_order,
    balanced_order,
    changes,
    length_order,
    random_order,
    rotated_order,
    slot_order,
)

TEXTS = st.lists(st.sampled_from("vwxyz"), min_size=2, max_size=60).filter(lambda texts: len(set(texts)) > 1)


def chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - reproducible draws, not secrets


@settings(deadline=None, max_examples=100)
@given(TEXTS, st.integers(0, 2**32), st.data())
def test_drawn_orders_are_permutations_that_change_something(texts: list[str], seed: int, data: st.DataObject) -> None:
    gold = data.draw(st.integers(0, len(texts) - 1))
    for order in (
        random_order(texts, chance(seed)),
        balanced_order(texts, gold, chance(seed)),
        rotated_order(texts, (), chance(seed)),
    ):
        assert order is not None
        assert sorted(order) == list(range(len(texts)))
        assert changes(order, texts)


@settings(deadline=None, max_examples=100)
@given(TEXTS, st.data())
def test_a_slot_order_puts_the_option_there_and_changes_something(texts: list[str], data: st.DataObject) -> None:
    gold, slot = (data.draw(st.integers(0, len(texts) - 1)) for _ in range(2))
    order = slot_order(texts, gold, slot)
    if order is None:
        assert slot == gold or texts[slot] == texts[gold]
        assert len({text for option, text in enumerate(texts) if option != gold}) == 1
    else:
        assert order[slot] == gold
        assert sorted(order) == list(range(len(texts)))
        assert changes(order, texts)


def test_in_another_slot_the_other_options_keep_their_order() -> None:
    assert slot_order("wxyz", 1, 3) == (0, 2, 3, 1)


def test_in_its_own_slot_the_other_options_rotate() -> None:
    assert slot_order("wxyz", 1, 1) == (2, 1, 3, 0)


def test_two_options_have_no_other_order_with_the_right_one_in_its_slot() -> None:
    assert slot_order("xy", 0, 0) is None


def test_random_orders_of_three_come_equally_often_and_never_the_original() -> None:
    rng = chance(1)
    counts = Counter(random_order("xyz", rng) for _ in range(5000))
    assert (0, 1, 2) not in counts
    assert len(counts) == 5
    assert chi_square(counts.values()) < 18.47  # p = .001 at 4 degrees of freedom


@pytest.mark.parametrize("gold", range(4))
def test_a_balanced_order_gives_the_right_option_each_slot_equally_often(gold: int) -> None:
    rng = chance(2)
    counts = Counter(balanced_order("wxyz", gold, rng).index(gold) for _ in range(4000))
    assert len(counts) == 4
    assert chi_square(counts.values()) < 16.27  # p = .001 at 3 degrees of freedom


def test_a_right_option_among_equal_others_leaves_its_slot_since_nothing_else_would_change() -> None:
    rng = chance(3)
    counts = Counter(balanced_order("xxxy", 3, rng).index(3) for _ in range(3000))
    assert sorted(counts) == [0, 1, 2]
    assert chi_square(counts.values()) < 13.82  # p = .001 at 2 degrees of freedom


def test_of_two_options_the_only_other_order_is_the_swap() -> None:
    assert {balanced_order("xy", gold, chance(seed)) for gold in (0, 1) for seed in range(20)} == {(1, 0)}


def test_rotations_are_drawn_until_none_is_left() -> None:
    rng, used = chance(4), list[tuple[int, ...]]()
    while rotation := rotated_order("wxyz", used, rng):
        used.append(rotation)
    assert sorted(used) == [(1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]


def test_a_rotation_that_shows_the_same_texts_is_not_drawn() -> None:
    assert rotated_order("xyxy", [(1, 2, 3, 0), (3, 0, 1, 2)], chance(5)) is None


def test_options_sort_by_length_and_by_alphabet_and_equal_ones_stay_as_they_were() -> None:
    texts = ("ccc", "B", "aa", "a")
    assert length_order(texts, descending=False) == (1, 3, 2, 0)
    assert length_order(texts, descending=True) == (0, 2, 1, 3)
    assert alphabet_order(texts, descending=False) == (3, 2, 1, 0)
    assert alphabet_order(("b", "A", "B"), descending=True) == (0, 2, 1)


def chi_square(counts: Iterable[int]) -> float:
    observed = list(counts)
    even = sum(observed) / len(observed)
    return sum((count - even) ** 2 for count in observed) / even
