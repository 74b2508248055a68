"""The verdict: each state, which one wins where several hold, and how often it is wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import (
    Outcomes,
    PairedTable,
    Verdict,
    decide_verdict,
    holm,
    mcnemar_exact,
    newcombe_interval,
    no_worse,
    tango_interval,
)

counts = st.integers(0, 60)
tables = st.builds(PairedTable, counts, counts, counts, counts).filter(lambda table: table.n > 0)


def judged(table: PairedTable, tests: int = 1, *, margin: float = 0.05) -> Verdict:
    """The verdict if this variant has the smallest p-value of so many tests."""
    pvalue = mcnemar_exact(table).pvalue
    holm_p = None if pvalue is None else min(1.0, pvalue * tests)
    return decide_verdict(newcombe_interval(table), tango_interval(table), holm_p, margin=margin)


@pytest.mark.parametrize(
    ("table", "tests", "verdict"),
    [
        (PairedTable(7, 8, 0, 5), 1, "regressed"),
        (PairedTable(7, 8, 0, 5), 4, "regressed"),
        (PairedTable(7, 0, 8, 5), 1, "improved"),
        (PairedTable(7, 8, 0, 5), 20, "suggestive"),
        (PairedTable(10, 5, 0, 5), 1, "suggestive"),
        (PairedTable(10, 0, 5, 5), 1, "suggestive"),
        (PairedTable(150, 2, 4, 44), 1, "no_worse"),
        (PairedTable(100, 0, 0, 0), 1, "no_worse"),
        (PairedTable(14, 1, 1, 4), 1, "inconclusive"),
        (PairedTable(10, 0, 0, 10), 1, "inconclusive"),
        (PairedTable(0, 9, 0, 0), 1, "too_few"),
        (PairedTable(0, 0, 0, 0), 1, "too_few"),
    ],
)
def test_each_state_has_its_tables(table: PairedTable, tests: int, verdict: Verdict) -> None:
    assert judged(table, tests) == verdict


def test_ten_items_are_enough_to_be_judged() -> None:
    assert judged(PairedTable(0, 9, 0, 0)) == "too_few"
    assert judged(PairedTable(0, 10, 0, 0)) == "regressed"


@pytest.mark.parametrize("flips", [(5, 0), (0, 5)])
def test_a_hint_stands_before_no_worse(flips: tuple[int, int]) -> None:
    table = PairedTable(600, *flips, 400)
    assert no_worse(tango_interval(table), margin=0.05)
    assert judged(table) == "suggestive"


def test_a_significant_drop_within_the_margin_is_still_regressed() -> None:
    table = PairedTable(6000, 60, 10, 3930)
    assert no_worse(tango_interval(table), margin=0.05)
    assert judged(table) == "regressed"


def test_a_small_p_against_an_interval_that_holds_0_is_a_hint_only() -> None:
    """It can't happen with single results of independent items; with repeats or clusters it can."""
    open_interval = newcombe_interval(PairedTable(40, 8, 4, 8))
    assert decide_verdict(open_interval, tango_interval(PairedTable(40, 8, 4, 8)), 0.01) == "suggestive"


def test_significance_among_several_goes_by_the_adjusted_p() -> None:
    """Raw p = .0156, Holm p = .0625 among four: the interval excludes 0, but nothing is proven."""
    table = PairedTable(7, 7, 0, 4)
    assert judged(table, 1) == "regressed"
    assert judged(table, 4) == "suggestive"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(tables)
def test_swapping_turns_regressed_into_improved_and_back(table: PairedTable) -> None:
    turned = {"regressed": "improved", "improved": "regressed"}
    verdict, swapped = judged(table), judged(table.swapped())
    if verdict in turned or verdict in {"suggestive", "too_few"}:
        assert swapped == turned.get(verdict, verdict)
    else:
        assert swapped in {"no_worse", "inconclusive"}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_a_wider_margin_only_ever_turns_inconclusive_into_no_worse(table: PairedTable) -> None:
    strict, generous = judged(table, margin=0.02), judged(table, margin=0.2)
    assert strict == generous or (strict, generous) == ("inconclusive", "no_worse")


def share_of_runs_without_any_change_that_call_one(*, adjusted: bool) -> float:
    """400 seeded runs of 60 items under eight variants whose flips go either way alike."""
    rng = np.random.default_rng(20)
    called = 0
    for _ in range(400):
        baseline = rng.random((60, 1)) < 0.5
        flips = (rng.random((60, 8)) < 0.5) & (rng.random((60, 1)) < 0.8)
        tables = Outcomes.from_array(np.hstack([baseline, baseline ^ flips])).tables()
        pvalues = [mcnemar_exact(table).pvalue for table in tables]
        judged_by = holm(pvalues) if adjusted else pvalues
        called += any(pvalue is not None and pvalue <= 0.05 for pvalue in judged_by)
    return called / 400


def test_at_most_alpha_of_the_runs_without_any_change_call_one() -> None:
    assert 0 < share_of_runs_without_any_change_that_call_one(adjusted=True) <= 0.05


def test_the_wrong_twin_that_forgets_holm_calls_one_too_often() -> None:
    assert share_of_runs_without_any_change_that_call_one(adjusted=False) > 0.05


def test_a_drop_of_the_whole_margin_is_seldom_called_no_worse() -> None:
    """The true change is −.10, the margin .10: no_worse is wrong, and may be said in about 2.5% of 2,000 tables."""
    rng = np.random.default_rng(21)
    draws = rng.multinomial(100, [0.55, 0.15, 0.05, 0.25], size=2000).tolist()
    wrong = sum(judged(PairedTable(*cells), margin=0.10) == "no_worse" for cells in draws)
    assert 0 < wrong / 2000 <= 0.035


@pytest.mark.parametrize(("alpha", "margin"), [(5, 0.05), (0.0, 0.05), (0.05, 5), (0.05, 0.0)])
def test_percentages_given_as_whole_numbers_are_refused(alpha: float, margin: float) -> None:
    table = PairedTable(7, 8, 0, 5)
    with pytest.raises(ValueError, match="must lie strictly between 0 and 1"):
        decide_verdict(newcombe_interval(table), tango_interval(table), 0.1, alpha=alpha, margin=margin)


def test_without_limits_there_is_no_saying_whether_it_is_no_worse() -> None:
    assert no_worse(tango_interval(PairedTable(0, 0, 0, 0)), margin=0.05) is None
