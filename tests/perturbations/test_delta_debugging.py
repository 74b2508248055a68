"""Delta debugging on differences that are known beforehand: monotone, ambiguous, inconsistent, and plain chance."""

from collections.abc import Callable, Generator, Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.delta_debugging import MOST_SMALLER, Search, Subset, cut, without

Shows = Callable[[Subset], bool]


def searched(count: int, shows: Shows) -> tuple[Search, list[Subset]]:
    """A search driven to its end, and what it tried."""
    search, tried = Search(count), list[Subset]()
    while (subset := search.subset) is not None:
        tried.append(subset)
        search.tell(shows=shows(subset))
    return search, tried


def needs(*wanted: int) -> Shows:
    return lambda subset: set(wanted) <= set(subset)


def by_chance(seed: int, share: float) -> Shows:
    """A difference without rhyme or reason, the same each time a subset is tried."""
    return lambda subset: Random(f"{seed} {subset}").random() < share  # noqa: S311 - no secret is drawn


def is_run(subset: Subset) -> bool:
    return subset == tuple(range(subset[0], subset[-1] + 1))


def smallest(count: int, shows: Shows) -> int:
    sizes = (size for size in range(1, count) for subset in combinations(range(count), size) if shows(subset))
    return next(sizes, count)


@pytest.mark.parametrize("wanted", [(0,), (39,), (3, 17), (0, 1), (5, 20, 38)])
def test_the_changes_that_are_needed_are_found_among_many(wanted: tuple[int, ...]) -> None:
    search, tried = searched(40, needs(*wanted))
    assert search.best == wanted
    assert len(tried) == search.tried < 120


def test_a_search_of_one_change_tries_nothing() -> None:
    search, tried = searched(1, needs(0))
    assert (search.best, search.guarantee, tried) == ((0,), "smallest", [])


def test_without_a_change_there_is_nothing_to_search() -> None:
    with pytest.raises(ValueError, match="one at least"):
        Search(0)


def test_nothing_can_be_told_once_the_search_is_over() -> None:
    search, _ = searched(2, needs(0))
    with pytest.raises(ValueError, match="over"):
        search.tell(shows=True)


@given(st.integers(1, 14), st.integers(0, 10**6), st.sampled_from([0.02, 0.1, 0.3, 0.6]))
def test_no_change_of_the_result_can_be_left_out_whatever_the_difference(count: int, seed: int, share: float) -> None:
    shows = by_chance(seed, share)
    search, tried = searched(count, shows)
    assert search.guarantee in {"one_minimal", "smallest"}
    assert search.best == tuple(range(count)) or shows(search.best)
    for change in search.best:
        rest = without(search.best, (change,))
        assert not rest or not shows(rest)
    assert len(set(tried)) == len(tried) == search.tried <= count**2 + 3 * count + MOST_SMALLER
    assert () not in tried
    assert tuple(range(count)) not in tried


def test_a_search_that_only_halves_leaves_changes_in_that_are_not_needed() -> None:
    """The twin that tries no complements stops at the two changes that stand far apart, with all between them."""

    class Halving(Search):
        def _first(self, subsets: Iterable[Subset]) -> Generator[Subset, bool, bool]:
            return (yield from super()._first(each for each in subsets if is_run(each)))

    twin = Halving(20)
    while (subset := twin.subset) is not None:
        twin.tell(shows=needs(0, 10)(subset))
    assert len(twin.best) > 2
    assert searched(20, needs(0, 10))[0].best == (0, 10)


@given(st.integers(1, 10), st.integers(0, 10**6), st.sampled_from([0.02, 0.1, 0.3]))
def test_smallest_is_claimed_only_where_it_is_true_and_always_of_few_changes(
    count: int, seed: int, share: float
) -> None:
    shows = by_chance(seed, share)
    search, _ = searched(count, shows)
    if search.guarantee == "smallest":
        assert len(search.best) == smallest(count, shows)
    else:
        assert count > 6


def test_ddmin_alone_misses_a_smaller_subset_elsewhere_and_the_search_finds_it() -> None:
    """Any three of the first four changes show the difference, and so does the fifth with the last: but not at once."""

    def shows(subset: Subset) -> bool:
        return subset == (1, 4) or len({0, 1, 2} & set(subset)) == 3

    found: list[Subset] = []
    search = Search(6)
    while (subset := search.subset) is not None:
        if search.guarantee == "one_minimal":
            found.append(search.best)
        search.tell(shows=shows(subset))
    assert found[0] == (0, 1, 2)
    assert (search.best, search.guarantee) == ((1, 4), "smallest")


def test_where_too_many_subsets_are_left_no_more_is_claimed_than_was_tried() -> None:
    search, _ = searched(30, needs(2, 9, 14, 29))
    assert search.best == (2, 9, 14, 29)
    assert search.guarantee == "one_minimal"


def test_a_search_that_is_cut_short_has_the_best_so_far() -> None:
    search = Search(16)
    for _ in range(4):
        assert search.subset is not None
        search.tell(shows=needs(3)(search.subset))
    assert search.guarantee == "none"
    assert 3 in search.best
    assert len(search.best) < 16


@given(st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(1, size))))
def test_parts_are_of_nearly_equal_size_and_leave_nothing_out(sizes: tuple[int, int]) -> None:
    size, parts = sizes
    pieces = cut(tuple(range(size)), parts)
    assert [change for piece in pieces for change in piece] == list(range(size))
    lengths = {len(piece) for piece in pieces}
    assert len(pieces) == parts
    assert max(lengths) - min(lengths) <= 1
    assert min(lengths) >= 1
