"""Twenty items under five conditions, small enough to check by hand; then the same with four cells missing."""

import pytest
from prt.stats import ConditionSummary, Estimate, Outcomes, PairedTable, Summary, summarise


def points(estimate: Estimate) -> tuple[str, str, str]:
    figures = (estimate.estimate, estimate.low, estimate.high)
    assert None not in figures
    low, middle, high = sorted(100 * figure for figure in figures if figure is not None)
    return f"{middle:.1f}", f"{low:.1f}", f"{high:.1f}"


def counts(estimate: Estimate) -> tuple[int | None, int]:
    return estimate.count, estimate.n


@pytest.fixture(scope="module")
def complete(worked_example: Outcomes) -> Summary:
    return summarise(worked_example)


@pytest.fixture(scope="module")
def holed(worked_missing: Outcomes) -> Summary:
    return summarise(worked_missing)


def condition(summary: Summary, name: str) -> ConditionSummary:
    return next(found for found in summary.conditions if found.condition == name)


def test_format_costs_40_points(complete: Summary) -> None:
    found = condition(complete, "format")
    assert found.table == PairedTable(7, 8, 0, 5)
    assert points(found.change) == ("-40.0", "-58.3", "-14.3")
    assert (found.exact.pvalue, found.holm_p) == (0.0078125, 0.03125)
    assert complete.bonferroni_bar == 0.0125
    assert points(found.flip_rate) == ("40.0", "21.9", "61.3")
    assert found.verdict == "regressed"


def test_reorder_flips_two_items_and_changes_nothing_on_balance(complete: Summary) -> None:
    found = condition(complete, "reorder")
    assert found.table == PairedTable(14, 1, 1, 4)
    assert counts(found.flip_rate) == (2, 20)
    assert points(found.change) == ("0.0", "-17.5", "17.5")
    assert found.exact.pvalue == 1.0
    assert found.verdict == "inconclusive"


@pytest.mark.parametrize(
    ("name", "table", "exact_p"),
    [
        ("paraphrase", (12, 3, 1, 4), 0.625),
        ("typo", (13, 2, 0, 5), 0.5),
    ],
)
def test_paraphrase_and_typo_prove_nothing(
    complete: Summary, name: str, table: tuple[int, int, int, int], exact_p: float
) -> None:
    found = condition(complete, name)
    assert found.table == PairedTable(*table)
    assert found.exact.pvalue == pytest.approx(exact_p)
    assert found.holm_p == 1.0
    assert found.verdict == "inconclusive"


def test_all_variants_together(complete: Summary) -> None:
    overall = complete.overall
    assert counts(overall.baseline_rate) == (15, 20)
    assert (counts(overall.pooled_flip_rate), overall.pooled_flip_rate.estimate) == ((16, 80), 0.2)
    assert (overall.pooled_flip_rate.low, overall.pooled_flip_rate.high) == (None, None)
    assert (counts(overall.fully_stable), points(overall.fully_stable)) == ((10, 20), ("50.0", "29.9", "70.1"))
    assert (counts(overall.robust_rate), points(overall.robust_rate)) == ((7, 20), ("35.0", "18.1", "56.7"))
    assert counts(overall.robust_rate_present) == (7, 20)
    assert counts(overall.any_pass_rate) == (17, 20)
    assert (overall.spread.best, overall.spread.worst) == ("baseline", "format")
    assert overall.spread.estimate == pytest.approx(0.4)
    assert overall.cochran.statistic == pytest.approx(17.28)
    assert overall.consistency.counts == (17, 15, 14, 10, 7)


def test_nothing_is_missing_from_the_complete_example(complete: Summary) -> None:
    excluded = complete.overall.exclusions
    assert excluded.items == 20
    assert (excluded.without_baseline, excluded.without_any_variant, excluded.incomplete) == (0, 0, 0)
    assert (excluded.missing_cells, excluded.stable_with_missing) == (0, 0)


@pytest.mark.parametrize(
    ("name", "table", "interval", "exact_p"),
    [
        ("format", (7, 7, 0, 4), (-0.388889, -0.583304, -0.117729), 0.015625),
        ("reorder", (14, 1, 0, 3), (-0.055556, -0.234036, 0.11517), 1.0),
        ("paraphrase", (12, 3, 0, 4), (-0.157895, -0.34381, 0.037534), 0.25),
        ("typo", (12, 2, 0, 4), (-0.111111, -0.292165, 0.07269), 0.5),
    ],
)
def test_a_missing_cell_leaves_its_own_table_and_no_other(
    holed: Summary,
    name: str,
    table: tuple[int, int, int, int],
    interval: tuple[float, float, float],
    exact_p: float,
) -> None:
    """The expected figures are regression values of this project (`own_pin`)."""
    found = condition(holed, name)
    assert found.table == PairedTable(*table)
    assert (found.change.estimate, found.change.low, found.change.high) == pytest.approx(interval, abs=1e-6)
    assert found.exact.pvalue == pytest.approx(exact_p)
    assert found.n + found.without_baseline + found.without_variant == 20
    assert found.without_baseline == 1


def test_every_exclusion_is_counted(holed: Summary) -> None:
    """The counts of the overall figures are regression values of this project (`own_pin`)."""
    overall = holed.overall
    assert counts(overall.baseline_rate) == (15, 19)
    assert counts(overall.pooled_flip_rate) == (13, 73)
    assert counts(overall.fully_stable) == (11, 19)
    assert counts(overall.robust_rate) == (6, 16)
    assert counts(overall.robust_rate_present) == (7, 19)
    excluded = overall.exclusions
    assert (excluded.items, excluded.without_baseline, excluded.incomplete) == (20, 1, 4)
    assert (excluded.without_any_variant, excluded.missing_cells) == (0, 4)


def test_two_items_look_fully_stable_with_a_cell_missing(holed: Summary, worked_example: Outcomes) -> None:
    """q05 would have stayed stable, q19 would have flipped; with the cells missing nobody can tell."""
    assert holed.overall.exclusions.stable_with_missing == 2
    stable = {item for item, share in zip(worked_example.items, holed.item_stability, strict=True) if share == 1.0}
    truly = summarise(worked_example).item_stability
    truly_stable = {item for item, share in zip(worked_example.items, truly, strict=True) if share == 1.0}
    assert stable - truly_stable == {"q19"}


def test_the_wrong_twin_that_counts_missing_as_fail_gets_other_tables(worked_missing: Outcomes) -> None:
    matrix = worked_missing.matrix().copy()
    matrix[matrix == -1] = 0
    twin = Outcomes.from_array(matrix, conditions=worked_missing.conditions)
    for name in worked_missing.variants:
        assert twin.table(name) != worked_missing.table(name)
