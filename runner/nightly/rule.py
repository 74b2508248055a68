"""The sequential rules: when is a night an alarm, so that all nights together raise a false one in at most alpha?

Against a stored baseline the same luck of the baseline comes back every night, so alpha is split over the nights. With
a reference that is asked afresh each night the evidence of all nights may be multiplied, as an e-process does; against
a stored baseline that would raise false alarms. docs/statistics.md gives both.
"""

from math import ceil, exp, log2

import numpy as np

from ...stats import EProcess, HypothesisTest, Outcomes, PairedTable, spending_level
from ...stats.cells import Cells
from ...stats.clusters import kept_codes
from ...stats.paired import balanced_sums
from ...stats.signflip import unit_sums
from .summary import Decision, History

ONE_SIDED = "{test}, one-sided (worse)"


def units_table(before: Outcomes, after: Outcomes) -> PairedTable:
    """Count the independent units that got worse and better, over all conditions that both have.

    An item's results under several conditions rise and fall together, and so do the items of a cluster; so each unit
    counts once, by the sign of its sum.

    Args:
        before: The reference.
        after: Tonight; items and conditions are matched by name. Clusters are those of the reference.

    Returns:
        The units: `pass_to_fail` got worse, `fail_to_pass` better; all others stand under `both_pass`.
    """
    names = [name for name in before.conditions if name in after.conditions]
    places = {item: place for place, item in enumerate(after.items)}
    rows = [place for place, item in enumerate(before.items) if item in places]
    there = [places[before.items[row]] for row in rows]
    first = before.cells[np.ix_(rows, [before.column(name) for name in names])]
    second = after.cells[np.ix_(there, [after.column(name) for name in names])]
    paired = _paired(first, second)
    sums = sum(
        (balanced_sums(first[:, at], second[:, at]) for at in range(len(names))), np.zeros(len(rows), dtype=np.int64)
    )
    shared = np.zeros(len(before.items), dtype=bool)
    shared[np.array(rows, dtype=np.intp)[paired]] = True
    units = unit_sums(np.asarray(sums)[paired].astype(np.int64), kept_codes(before.codes, shared))
    worse, better = int(np.count_nonzero(units < 0)), int(np.count_nonzero(units > 0))
    return PairedTable(int(units.size) - worse - better, worse, better, 0)


def _paired(first: Cells, second: Cells) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which items carry results on both sides under any condition."""
    both = np.any(first >= 0, axis=2) & np.any(second >= 0, axis=2)
    return np.asarray(np.any(both, axis=1))


def worse_pvalue(exact: HypothesisTest) -> float | None:
    """The one-sided p-value of "worse" from the two-sided sign-flip test, whose distribution is symmetric.

    Half of the two-sided one where the sum is below 0. Where it is not, nothing speaks for "worse": the p-value is at
    least one half then, and 1 is what is said.
    """
    if exact.pvalue is None or exact.statistic is None:
        return None
    return exact.pvalue / 2.0 if exact.statistic < 0 else 1.0


def fewest_units(level: float) -> int:
    """The fewest units that, all of them worse, can reach a level: each halves the p-value."""
    return max(ceil(log2(1.0 / level)), 1)


def decide_stored(
    exact: HypothesisTest, units: PairedTable, *, look: int, alpha: float, nights: int | None
) -> Decision:
    """Decide a night against a stored baseline.

    Args:
        exact: The exact sign-flip test of the whole, tonight − baseline.
        units: The units that got worse and better.
        look: How many nights were held against this baseline, this one included.
        alpha: The chance of any false alarm.
        nights: How many there will be; None for endless ones.
    """
    level = spending_level(look, alpha, nights=nights)
    pvalue = worse_pvalue(exact)
    return Decision(
        rule="spending",
        look=look,
        alpha=alpha,
        level=level,
        pvalue=pvalue,
        alarm=pvalue is not None and pvalue <= level,
        n=exact.n,
        units=units.n,
        worse=units.pass_to_fail,
        better=units.fail_to_pass,
        method=ONE_SIDED.format(test=exact.method.removesuffix(", two-sided")),
        fewest=fewest_units(level),
    )


def decide_fresh(items: int, units: PairedTable, earlier: EProcess, *, alpha: float) -> Decision:
    """Decide a night against a reference that was asked the same night.

    Args:
        items: Items with a result on both sides.
        units: The units that got worse and better.
        earlier: The process before this night.
        alpha: The chance of any false alarm.
    """
    process = earlier.after(units)
    return Decision(
        rule="e_process",
        look=process.nights,
        alpha=alpha,
        level=alpha,
        pvalue=min(process.pvalue, 1.0),
        alarm=process.alarm(alpha),
        n=items,
        units=units.n,
        worse=units.pass_to_fail,
        better=units.fail_to_pass,
        method=process.method,
        fewest=fewest_one_sided(alpha),
        e_value=process.e_value,
        peak_log=process.peak_log,
        total_worse=process.pass_to_fail,
        total_better=process.fail_to_pass,
    )


def fewest_one_sided(alpha: float) -> int:
    """The fewest units that, all of them worse on a first night, raise the alarm of the e-process."""
    worse = 1
    while not EProcess(one_sided=True).after(PairedTable(0, worse, 0, 0)).alarm(alpha):
        worse += 1
    return worse


def process_of(history: History, reference_key: str) -> EProcess:
    """The e-process as it stood after the last night against a reference; a new one where there is none."""
    looks = history.looks(reference_key)
    if not looks or (last := looks[-1].decision) is None or last.peak_log is None:
        return EProcess(one_sided=True)
    return EProcess(last.total_worse, last.total_better, one_sided=True, peak_log=last.peak_log, nights=last.look)


def evidence(decision: Decision) -> float | None:
    """The largest E so far, at most e^700; None for the rule that has none."""
    return None if decision.peak_log is None else exp(min(decision.peak_log, 700.0))
