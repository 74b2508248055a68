"""McNemar's tests: their defining properties, and the wrong twin that must fail one."""

from collections.abc import Callable
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import HypothesisTest, PairedTable, mcnemar_exact, mcnemar_mid_p
from prt.stats.mcnemar import exact_pvalues, mid_pvalues
from scipy import stats  # type: ignore[import-untyped]  # scipy ships no type information

counts = st.integers(0, 60)
tables = st.builds(PairedTable, counts, counts, counts, counts).filter(lambda table: table.n > 0)


def pvalue(test: HypothesisTest) -> float:
    assert test.pvalue is not None
    return test.pvalue


def assert_never_rejects_more_often_than_alpha(test: Callable[[PairedTable], HypothesisTest]) -> None:
    """Add up, for every number of flips, the chance under "no change" of a p-value of at most alpha."""
    for flips in range(1, 61):
        pvalues = [pvalue(test(PairedTable(0, b, flips - b, 0))) for b in range(flips + 1)]
        for alpha in (0.01, 0.05, 0.1):
            rejecting = sum(comb(flips, b) for b, p in enumerate(pvalues) if p <= alpha)
            assert rejecting / 2**flips <= alpha


def test_the_exact_test_never_rejects_more_often_than_alpha() -> None:
    assert_never_rejects_more_often_than_alpha(mcnemar_exact)


def test_the_wrong_twin_mid_p_passed_off_as_exact_does() -> None:
    with pytest.raises(AssertionError):
        assert_never_rejects_more_often_than_alpha(mcnemar_mid_p)


def test_the_two_tests_say_which_they_are() -> None:
    table = PairedTable(1, 2, 3, 4)
    assert mcnemar_exact(table).method == "McNemar exact, two-sided"
    assert mcnemar_mid_p(table).method == "McNemar mid-p, two-sided"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables)
def test_the_exact_p_is_that_of_the_sign_test(table: PairedTable) -> None:
    """An independent implementation: scipy's exact binomial test of the flips."""
    expected = stats.binomtest(table.pass_to_fail, table.flips).pvalue if table.flips else 1.0
    assert pvalue(mcnemar_exact(table)) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables, counts, counts)
def test_concordant_items_never_change_the_p_values(table: PairedTable, passes: int, fails: int) -> None:
    larger = PairedTable(table.both_pass + passes, table.pass_to_fail, table.fail_to_pass, table.both_fail + fails)
    assert mcnemar_exact(larger).pvalue == mcnemar_exact(table).pvalue
    assert mcnemar_mid_p(larger).pvalue == mcnemar_mid_p(table).pvalue


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_swapping_changes_no_p_value(table: PairedTable) -> None:
    assert mcnemar_exact(table.swapped()) == mcnemar_exact(table)
    assert mcnemar_mid_p(table.swapped()) == mcnemar_mid_p(table)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_the_mid_p_never_exceeds_the_exact_p(table: PairedTable) -> None:
    assert 0 < pvalue(mcnemar_mid_p(table)) <= pvalue(mcnemar_exact(table)) <= 1


def test_without_flips_there_is_no_evidence() -> None:
    table = PairedTable(3, 0, 0, 2)
    assert mcnemar_exact(table).pvalue == 1.0
    assert mcnemar_mid_p(table).pvalue == 1.0


def test_without_items_there_is_no_test() -> None:
    assert mcnemar_exact(PairedTable(0, 0, 0, 0)) == HypothesisTest(None, None, 0, "McNemar exact, two-sided")
    assert mcnemar_mid_p(PairedTable(0, 0, 0, 0)).pvalue is None


@pytest.mark.parametrize("flips", [2, 7, 40, 41])
def test_the_mid_p_counts_half_of_what_was_observed(flips: int) -> None:
    """By its definition: the two tails beyond the observed split, and half of the splits as likely as it."""
    for b in range(flips + 1):
        fewer = min(b, flips - b)
        beyond = sum(2 * comb(flips, k) for k in range(fewer))
        equal = comb(flips, fewer) * (1 if 2 * fewer == flips else 2)
        table = PairedTable(0, b, flips - b, 0)
        assert pvalue(mcnemar_mid_p(table)) == pytest.approx((beyond + equal / 2) / 2**flips, rel=1e-12)


def test_whole_arrays_and_single_tables_agree() -> None:
    b, c = np.array([0.0, 1, 8, 10, 3000]), np.array([0.0, 7, 0, 10, 2800])
    singly = [PairedTable(0, int(x), int(y), 1) for x, y in zip(b, c, strict=True)]
    assert exact_pvalues(b, c).tolist() == [mcnemar_exact(table).pvalue for table in singly]
    assert mid_pvalues(b, c).tolist() == [mcnemar_mid_p(table).pvalue for table in singly]
