import json
import time
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from prt.stats import (
    Outcomes,
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe_interval,
    summarise,
    tango_interval,
)

matrices = arrays.arrays(
    np.int8, st.tuples(st.integers(0, 12), st.integers(1, 4)), elements=st.sampled_from([1, 1, 0, -1])
)


def numbers_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [found for inner in value.values() for found in numbers_in(inner)]
    if isinstance(value, list | tuple):
        return [found for inner in value for found in numbers_in(inner)]
    return [value]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(matrices)
def test_every_summary_is_plain_json_without_nan(matrix: NDArray[np.int8]) -> None:
    summary = summarise(Outcomes.from_array(matrix), answers=matrix)
    as_json = json.loads(json.dumps(summary.to_dict(), allow_nan=False))
    assert as_json["overall"]["exclusions"]["items"] == matrix.shape[0]
    assert len(as_json["item_stability"]) == matrix.shape[0]
    assert all(type(found) in {int, float, str, bool, type(None)} for found in numbers_in(summary.to_dict()))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(matrices)
def test_every_item_is_in_a_table_or_counted_as_left_out(matrix: NDArray[np.int8]) -> None:
    summary = summarise(Outcomes.from_array(matrix))
    for found in summary.conditions:
        assert found.n + found.without_baseline + found.without_variant == matrix.shape[0]
    excluded = summary.overall.exclusions
    assert summary.overall.baseline_rate.n + excluded.without_baseline == matrix.shape[0]
    assert summary.overall.robust_rate.n + excluded.incomplete == matrix.shape[0]
    assert summary.overall.fully_stable.n + excluded.without_baseline + excluded.without_any_variant == matrix.shape[0]


def test_the_summary_says_what_the_single_statistics_say(worked_missing: Outcomes) -> None:
    summary = summarise(worked_missing)
    tables = worked_missing.tables()
    raw = [mcnemar_exact(table).pvalue for table in tables]
    assert [found.condition for found in summary.conditions] == list(worked_missing.variants)
    assert [found.change for found in summary.conditions] == [newcombe_interval(table) for table in tables]
    assert [found.change_score for found in summary.conditions] == [tango_interval(table) for table in tables]
    assert [found.mid_p for found in summary.conditions] == [mcnemar_mid_p(table) for table in tables]
    assert [found.holm_p for found in summary.conditions] == list(holm(raw))
    assert [found.bh_q for found in summary.conditions] == list(benjamini_hochberg(raw))


def test_alpha_sets_the_level_of_every_interval_and_the_bar(worked_example: Outcomes) -> None:
    summary = summarise(worked_example, alpha=0.01)
    assert (summary.level, summary.bonferroni_bar) == (0.99, 0.0025)
    levels = {
        getattr(found, field.name).level
        for found in summary.conditions
        for field in fields(found)
        if is_dataclass(getattr(found, field.name)) and hasattr(getattr(found, field.name), "level")
    }
    assert levels == {0.99}
    assert summary.conditions[0].verdict == "suggestive"


def test_a_variant_without_a_single_pair_is_no_test() -> None:
    cells = np.ones((12, 3))
    cells[:6, 1] = 0
    cells[:, 2] = -1
    summary = summarise(Outcomes.from_array(cells))
    tested, untested = summary.conditions
    assert summary.tests == 1
    assert summary.bonferroni_bar == 0.05
    assert tested.holm_p == tested.exact.pvalue
    assert (untested.n, untested.without_variant, untested.verdict) == (0, 12, "too_few")
    assert (untested.change.estimate, untested.holm_p, untested.bh_q, untested.no_worse) == (None,) * 4


def test_a_baseline_alone_is_summarised_too() -> None:
    summary = summarise(Outcomes.from_array([[1], [0], [-1]]))
    assert (summary.conditions, summary.tests, summary.bonferroni_bar) == ((), 0, None)
    assert (summary.overall.baseline_rate.count, summary.overall.baseline_rate.n) == (1, 2)
    assert summary.item_stability == (None, None, None)


def test_all_figures_are_over_the_selected_conditions_only(worked_example: Outcomes) -> None:
    summary = summarise(worked_example.select(["reorder", "typo"]))
    assert [found.condition for found in summary.conditions] == ["reorder", "typo"]
    assert summary.bonferroni_bar == 0.025
    assert (summary.overall.robust_rate.count, summary.overall.pooled_flip_rate.n) == (12, 40)


def test_without_answers_there_is_no_agreement(worked_example: Outcomes) -> None:
    summary = summarise(worked_example)
    assert summary.overall.answer_agreement is None
    assert {found.answer_agreement for found in summary.conditions} == {None}


@pytest.mark.parametrize(("alpha", "margin"), [(5, 0.05), (0.05, 5), (0.05, 0.0)])
def test_percentages_given_as_whole_numbers_are_refused(worked_example: Outcomes, alpha: float, margin: float) -> None:
    with pytest.raises(ValueError, match="must lie strictly between 0 and 1"):
        summarise(worked_example, alpha=alpha, margin=margin)


def test_a_thousand_conditions_of_ten_thousand_items_take_seconds_at_most() -> None:
    """Half a second here; a loop over the ten million cells would take minutes."""
    cells = np.random.default_rng(3).choice(np.array([1, 1, 0, -1], dtype=np.int8), size=(10_000, 1_001))
    started = time.process_time()
    summary = summarise(Outcomes.from_array(cells))
    assert time.process_time() - started < 10
    assert len(summary.conditions) == 1_000
    assert summary.overall.pooled_flip_rate.n == sum(found.n for found in summary.conditions)
