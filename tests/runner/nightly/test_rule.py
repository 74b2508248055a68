"""Nights are decided so that all of them together hold alpha; the rules that are nearly the same do not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.nightly.rule import (
    decide_fresh,
    decide_stored,
    fewest_one_sided,
    fewest_units,
    process_of,
    units_table,
    worse_pvalue,
)
from prt.runner.nightly.summary import History
from prt.stats import EProcess, HypothesisTest, Outcomes, PairedTable, compare_runs, mcnemar_exact, signflip_exact

from .nights import a_night

pytestmark = pytest.mark.storeless

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "simulate_nights.py"


def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("simulate_nights", BENCHMARK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATION = benchmark()


@pytest.fixture(scope="module")
def alarms() -> dict[str, float]:
    """The share of 150 unchanged histories of 30 nights in which each rule raises an alarm."""
    shares: dict[str, float] = SIMULATION.false_alarms(150, 100, seed=3)
    return shares


@pytest.mark.parametrize("rule", ["spending, endless", "spending, 30 known", "e-process, fresh reference"])
def test_thirty_unchanged_nights_alarm_in_at_most_alpha_of_histories(alarms: dict[str, float], rule: str) -> None:
    assert alarms[rule] <= 0.05


@pytest.mark.parametrize("rule", ["WRONG: alpha every night", "WRONG: e-process, stored"])
def test_the_wrong_twins_raise_false_alarms(alarms: dict[str, float], rule: str) -> None:
    assert alarms[rule] > 0.15


@pytest.mark.parametrize("spread", ["some", "all"])
@pytest.mark.parametrize(("rule", "nights"), [("spending, endless", 2), ("e-process, fresh reference", 9)])
def test_a_drop_of_ten_points_on_300_items_is_found_within_so_many_nights(spread: str, rule: str, nights: int) -> None:
    waited = SIMULATION.delays(20, 300, spread, seed=4)[rule]
    assert np.percentile(waited, 90, method="higher") <= nights


def test_a_drop_is_held_against_its_part_of_alpha() -> None:
    exact = signflip_exact([-2] * 8 + [0] * 12)
    first = decide_stored(exact, PairedTable(12, 8, 0, 0), look=1, alpha=0.05, nights=None)
    tenth = decide_stored(exact, PairedTable(12, 8, 0, 0), look=10, alpha=0.05, nights=None)
    assert (first.pvalue, first.alarm) == (2**-8, True)
    assert first.level == pytest.approx(0.05 * 6 / np.pi**2)
    assert (tenth.pvalue, tenth.alarm) == (2**-8, False)
    assert tenth.fewest == 12
    assert tenth.decidable


def test_known_nights_share_alpha_evenly() -> None:
    exact = signflip_exact([-1] * 8)
    decision = decide_stored(exact, PairedTable(0, 8, 0, 0), look=10, alpha=0.05, nights=10)
    assert (decision.level, decision.alarm) == (0.005, True)


def test_what_is_better_is_no_alarm_however_clear() -> None:
    exact = signflip_exact([1] * 40)
    decision = decide_stored(exact, PairedTable(0, 0, 40, 0), look=1, alpha=0.05, nights=None)
    assert (decision.pvalue, decision.alarm) == (1.0, False)


def test_nothing_to_test_is_no_alarm() -> None:
    decision = decide_stored(
        HypothesisTest(None, None, 0, "m"), PairedTable(0, 0, 0, 0), look=1, alpha=0.05, nights=None
    )
    assert (decision.pvalue, decision.alarm, decision.decidable) == (None, False, False)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=12))
def test_the_one_sided_p_value_never_promises_more_than_all_sign_patterns_give(sums: list[int]) -> None:
    patterns = np.array(np.meshgrid(*[[-1, 1]] * len(sums))).reshape(len(sums), -1)
    lower = float(np.mean(np.array([abs(each) for each in sums]) @ patterns <= sum(sums)))
    p = worse_pvalue(signflip_exact(sums))
    assert p is not None
    assert p >= lower - 1e-12
    if sum(sums) < 0:
        assert p == pytest.approx(lower)


@pytest.mark.parametrize("level", [0.05, 0.0304, 0.0076, 1e-4])
def test_fewest_units_are_the_first_that_reach_the_level(level: float) -> None:
    fewest = fewest_units(level)
    assert [(worse_pvalue(signflip_exact([-1] * units)) or 0) <= level for units in (fewest - 1, fewest)] == [
        False,
        True,
    ]


def test_a_unit_counts_once_whatever_its_conditions_and_items() -> None:
    before = Outcomes.from_array(
        [[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, -1], [1, 0, 1]], clusters=["a", "a", "b", None, None]
    )
    after = Outcomes.from_array([[0, 0, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0], [-1, -1, -1]])
    table = units_table(before, after)
    assert (table.pass_to_fail, table.fail_to_pass, table.n) == (1, 1, 3)


def test_units_are_matched_by_name_in_any_order() -> None:
    before = Outcomes.from_array([[1, 1], [1, 0]], items=["x", "y"], conditions=["baseline", "typo.1"])
    after = Outcomes.from_array(
        [[1, 0, 1], [0, 1, 0], [1, 1, 1]], items=["y", "x", "z"], conditions=["baseline", "other", "typo.1"]
    )
    table = units_table(before, after)
    assert (table.pass_to_fail, table.fail_to_pass, table.n) == (1, 1, 2)


@given(st.integers(0, 2**32 - 1))
def test_with_one_condition_the_units_are_those_of_mcnemar(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = (Outcomes.from_array(rng.integers(-1, 2, (12, 1))) for _ in range(2))
    table = units_table(before, after)
    exact = compare_runs(before, after, rng=rng, draws=1).exact
    assert exact.n == table.n
    assert exact.pvalue == (mcnemar_exact(table).pvalue if table.n else None)


def test_the_e_process_goes_on_where_the_last_night_left_it() -> None:
    first = decide_fresh(50, PairedTable(40, 4, 1, 5), EProcess(one_sided=True), alpha=0.05)
    second = decide_fresh(50, PairedTable(39, 5, 1, 5), process_of(History((a_night(1, first),)), "ref"), alpha=0.05)
    whole = EProcess(one_sided=True).after(PairedTable(40, 4, 1, 5)).after(PairedTable(39, 5, 1, 5))
    assert (second.total_worse, second.total_better, second.look) == (9, 2, 2)
    assert second.peak_log == whole.peak_log
    assert second.pvalue == whole.pvalue


def test_another_reference_begins_new_evidence() -> None:
    decision = decide_fresh(50, PairedTable(40, 8, 0, 2), EProcess(one_sided=True), alpha=0.05)
    history = History((a_night(1, decision),))
    assert process_of(history, "other") == EProcess(one_sided=True)
    assert process_of(History((a_night(1, decision), a_night(2, decision, restarted=True))), "ref").nights == 1


def test_the_fewest_units_of_the_e_process_raise_its_alarm() -> None:
    fewest = fewest_one_sided(0.05)
    process = EProcess(one_sided=True)
    assert [process.after(PairedTable(0, units, 0, 0)).alarm(0.05) for units in (fewest - 1, fewest)] == [False, True]
