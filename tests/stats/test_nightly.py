"""Night after night: the chance of any false alarm stays at α, with the rule that fits the reference."""

from collections.abc import Callable
from math import comb, isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import EProcess, PairedTable, e_value, mcnemar_exact, spending_level

NIGHTS, ITEMS, SERIES = 30, 80, 400
Alarm = Callable[[list[PairedTable]], bool]


def known(value: float | None) -> float:
    assert value is not None
    return value


def by_spending(tables: list[PairedTable]) -> bool:
    return any(known(mcnemar_exact(table).pvalue) <= spending_level(t) for t, table in enumerate(tables, start=1))


def by_spending_over_known_nights(tables: list[PairedTable]) -> bool:
    levels = (spending_level(t, nights=NIGHTS) for t in range(1, NIGHTS + 1))
    return any(known(mcnemar_exact(table).pvalue) <= level for table, level in zip(tables, levels, strict=True))


def at_alpha_each_night(tables: list[PairedTable]) -> bool:
    return any(known(mcnemar_exact(table).pvalue) <= 0.05 for table in tables)


def by_e_process(tables: list[PairedTable], *, one_sided: bool = False) -> bool:
    watched = EProcess(one_sided=one_sided)
    for table in tables:
        watched = watched.after(table)
    return watched.alarm(0.05)


def by_one_sided_e_process(tables: list[PairedTable]) -> bool:
    return by_e_process(tables, one_sided=True)


def false_alarms(alarm: Alarm, *, stored_baseline: bool) -> float:
    """Share of seeded series of nights without any change in which an alarm is raised."""
    rng = np.random.default_rng(12)
    alarms = 0
    for _ in range(SERIES):
        chances = rng.beta(0.5, 0.5, ITEMS)
        runs = rng.random((NIGHTS, ITEMS)) < chances
        references = rng.random((1 if stored_baseline else NIGHTS, ITEMS)) < chances
        worse, better = references & ~runs, ~references & runs
        counts = zip(worse.sum(axis=1).tolist(), better.sum(axis=1).tolist(), strict=True)
        alarms += alarm([PairedTable(0, b, c, ITEMS - b - c) for b, c in counts])
    return alarms / SERIES


@pytest.mark.parametrize("rule", [by_spending, by_spending_over_known_nights])
def test_spending_holds_alpha_against_a_stored_baseline(rule: Alarm) -> None:
    assert false_alarms(rule, stored_baseline=True) <= 0.05


@pytest.mark.parametrize("rule", [by_e_process, by_one_sided_e_process])
def test_the_e_process_holds_alpha_against_fresh_references(rule: Alarm) -> None:
    assert false_alarms(rule, stored_baseline=False) <= 0.05


def test_the_wrong_twin_that_tests_at_alpha_every_night_raises_false_alarms() -> None:
    assert false_alarms(at_alpha_each_night, stored_baseline=False) > 0.3


def test_the_wrong_twin_that_runs_the_e_process_on_a_stored_baseline_raises_false_alarms() -> None:
    assert false_alarms(by_e_process, stored_baseline=True) > 0.15


def test_the_levels_of_endless_nights_add_up_to_alpha() -> None:
    assert sum(spending_level(t, 0.05) for t in range(1, 100_000)) == pytest.approx(0.05, abs=1e-6)
    assert sum(spending_level(t, 0.05, nights=14) for t in range(1, 15)) == pytest.approx(0.05)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.booleans())
def test_the_mean_e_value_is_1_if_flips_go_either_way_alike(flips: int, one_sided: bool) -> None:  # noqa: FBT001  # hypothesis passes by position
    mean = sum(comb(flips, b) / 2**flips * e_value(b, flips - b, one_sided=one_sided) for b in range(flips + 1))
    assert mean == pytest.approx(1.0)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_two_one_sided_bets_share_the_two_sided_one(b: int, c: int) -> None:
    halves = (e_value(b, c, one_sided=True) + e_value(c, b, one_sided=True)) / 2
    assert halves == pytest.approx(e_value(b, c))
    assert e_value(b, c) == pytest.approx(e_value(c, b))


def test_an_alarm_once_raised_stays() -> None:
    watched = EProcess().after(PairedTable(80, 12, 0, 8))
    assert watched.alarm(0.05)
    calmed = watched.after(PairedTable(80, 0, 12, 8))
    assert calmed.alarm(0.05)
    assert calmed.pvalue == watched.pvalue < 0.05
    assert calmed.e_value < 1
    assert calmed.nights == 2


def test_gains_raise_no_one_sided_alarm() -> None:
    gains = PairedTable(80, 0, 30, 8)
    assert EProcess().after(gains).alarm(0.05)
    assert not EProcess(one_sided=True).after(gains).alarm(0.05)


def test_a_million_flips_stay_finite() -> None:
    for watched in (EProcess(), EProcess(one_sided=True)):
        for flips in ((1_000_000, 0), (0, 1_000_000)):
            after = watched.after(PairedTable(0, *flips, 0))
            assert isfinite(after.e_value)
            assert isfinite(after.peak_log)
            assert 0 < after.pvalue <= 1


@pytest.mark.parametrize(
    ("night", "nights", "alpha", "message"),
    [
        (0, None, 0.05, "nights are counted from 1, got 0"),
        (11, 10, 0.05, "night 11 lies beyond the 10 nights"),
        (1.5, None, 0.05, "night must be a whole number"),
        (1, None, 5, "alpha must lie strictly between 0 and 1"),
    ],
)
def test_nights_that_are_none_are_refused(night: int, nights: int | None, alpha: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spending_level(night, alpha, nights=nights)
