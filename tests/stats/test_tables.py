from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import PairedTable, flip_rate

counts = st.integers(0, 60)
tables = st.builds(PairedTable, counts, counts, counts, counts)
results = st.sampled_from([True, False, None])


def test_the_rates_follow_from_the_counts() -> None:
    table = PairedTable(both_pass=7, pass_to_fail=8, fail_to_pass=1, both_fail=4)
    assert (table.n, table.flips) == (20, 9)
    assert (table.baseline_passes, table.variant_passes) == (15, 8)
    assert (table.baseline_rate, table.variant_rate) == (0.75, 0.4)
    assert (table.change, table.flip_rate) == (-0.35, 0.45)


def test_an_empty_table_estimates_nothing() -> None:
    table = PairedTable(0, 0, 0, 0)
    assert (table.baseline_rate, table.variant_rate, table.change, table.flip_rate) == (None,) * 4


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_swapping_negates_the_change_and_keeps_the_flips(table: PairedTable) -> None:
    swapped = table.swapped()
    assert swapped.swapped() == table
    assert swapped.flips == table.flips
    assert swapped.baseline_rate == table.variant_rate
    assert swapped.change == (None if table.change is None else -table.change)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(results, results)), st.randoms())
def test_a_pair_with_a_missing_result_is_never_counted_and_order_is_irrelevant(
    pairs: list[tuple[bool | None, bool | None]],
    random: Random,
) -> None:
    table = PairedTable.from_pairs(pairs)
    assert table.n == sum(None not in pair for pair in pairs)
    assert table.flips == sum(None not in pair and pair[0] is not pair[1] for pair in pairs)
    shuffled = random.sample(pairs, len(pairs))
    assert PairedTable.from_pairs(shuffled) == table


def test_flips_cancel_in_the_change_and_add_in_the_flip_rate() -> None:
    table = PairedTable(both_pass=6, pass_to_fail=5, fail_to_pass=5, both_fail=4)
    assert table.change == 0
    assert flip_rate(table).estimate == 0.5


@pytest.mark.parametrize("count", [-1, 1.5, "3", None])
def test_a_count_that_is_no_count_is_refused_by_name(count: object) -> None:
    with pytest.raises(ValueError, match="fail_to_pass must be a whole number of at least 0, got"):
        PairedTable(1, 1, count, 1)  # type: ignore[arg-type]  # the wrong type is what is tested


def test_a_pair_that_holds_no_result_is_refused_with_its_number() -> None:
    with pytest.raises(ValueError, match=r"pair 2 holds 'pass'; a result is True, False or None"):
        PairedTable.from_pairs([(True, True), (True, "pass")])  # type: ignore[list-item]  # the wrong type is tested
