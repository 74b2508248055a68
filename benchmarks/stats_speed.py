"""The statistics of 1,000 conditions × 10,000 items against a loop over statsmodels, and memory at 1,000,000 items.

    pip install statsmodels                 # only for this comparison; nothing else here needs it
    python benchmarks/stats_speed.py

1. The same outputs for each condition, computed both ways in the same process: the paired table, the exact McNemar
   p-value, and Wilson's limits of the variant's rate and of the flip rate. They must agree, and ours must be at least
   ten times as fast.
2. Everything that is said of one variant, for the thousand, within the time of that loop.
3. 1,000,000 items × 20 conditions: the peak of memory, as a multiple of the array.
4. A bootstrap of counts: multinomial against row by row.
"""

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from prt.stats import Outcomes, bootstrap_win_rate, summarise
from prt.stats.condition_summary import Rules, summarise_conditions
from prt.stats.mcnemar import exact_pvalues
from prt.stats.numeric import two_sided_z
from prt.stats.wilson import wilson_limits

try:
    from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-not-found]  # no dependency of ours
    from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-not-found]  # as above
except ImportError:
    sys.exit("This comparison needs statsmodels: pip install statsmodels")

Floats = NDArray[np.float64]
Cells = NDArray[np.int8]
T = TypeVar("T")

LEAST_RATIO = 10.0


@dataclass(frozen=True)
class Outputs:
    """What both ways compute: one number (or pair of limits) a condition."""

    tables: Floats
    pvalues: Floats
    rate_limits: Floats
    flip_limits: Floats

    def agrees_with(self, other: "Outputs") -> bool:
        """Whether all numbers are the same, but for rounding."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__)
        return all(np.allclose(ours, theirs, rtol=1e-7, atol=1e-12) for ours, theirs in pairs)


def by_prt(outcomes: Outcomes) -> Outputs:
    """All conditions at once."""
    tables = np.array(
        [(t.both_pass, t.pass_to_fail, t.fail_to_pass, t.both_fail) for t in outcomes.tables()], dtype=np.float64
    )
    a, b, c, _ = tables.T
    n, z = tables.sum(axis=1), two_sided_z(0.95)
    rate, flips = wilson_limits((a + c) / n, n, z), wilson_limits((b + c) / n, n, z)
    return Outputs(tables, exact_pvalues(b, c), np.stack(rate, axis=1), np.stack(flips, axis=1))


def by_statsmodels(cells: Cells) -> Outputs:
    """One condition after the other, as one would with statsmodels; columns lie together in memory, in its favour."""
    columns = np.ascontiguousarray(cells.T)
    baseline = columns[0]
    rows = [_one_condition(baseline, variant) for variant in columns[1:]]
    tables, pvalues, rates, flips = zip(*rows, strict=True)
    return Outputs(*(np.array(each, dtype=np.float64) for each in (tables, pvalues, rates, flips)))


def _one_condition(
    baseline: Cells, variant: Cells
) -> tuple[tuple[int, ...], float, tuple[float, float], tuple[float, float]]:
    kept = (baseline >= 0) & (variant >= 0)
    before, after = baseline[kept], variant[kept]
    codes = np.bincount(2 * before + after, minlength=4)
    d, c, b, a = codes.tolist()
    pvalue = float(mcnemar([[a, b], [c, d]], exact=True).pvalue)
    n = a + b + c + d
    rate = proportion_confint(a + c, n, method="wilson")
    return (a, b, c, d), pvalue, rate, proportion_confint(b + c, n, method="wilson")


def timed(call: Callable[[], T], times: int = 1) -> tuple[float, T]:
    """Seconds of processor time of the fastest of several calls, and the result."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        result = call()
        best = min(best, time.process_time() - started)
    return best, result


def compare_speed(conditions: int, items: int) -> bool:
    """Parts 1 and 2; whether both bounds hold."""
    choices = np.array([1, 1, 1, 0, 0, -1], dtype=np.int8)
    cells = np.random.default_rng(1).choice(choices, size=(items, conditions + 1))
    outcomes = Outcomes.from_array(cells)
    by_prt(outcomes)
    ours_s, ours = timed(lambda: by_prt(outcomes), 5)
    loop_s, theirs = timed(lambda: by_statsmodels(cells), 2)
    all_s, summaries = timed(lambda: summarise_conditions(outcomes, Rules(0.05, 0.05, ()), None), 2)
    whole_s, _ = timed(lambda: summarise(outcomes))
    ratio, equal = loop_s / ours_s, ours.agrees_with(theirs)
    print(f"{conditions:,} conditions × {items:,} items, {len(summaries):,} summaries")
    print(f"  statsmodels, a loop:            {loop_s:8.3f} s")
    print(f"  the same outputs here:          {ours_s:8.3f} s   {ratio:5.1f} times as fast, equal: {equal}")
    print(f"  everything of one variant here: {all_s:8.3f} s   {loop_s / all_s:5.1f} times as fast")
    print(f"  all of summarise:               {whole_s:8.3f} s")
    return equal and ratio >= LEAST_RATIO and all_s <= loop_s


def measure_memory(items: int, conditions: int) -> None:
    """Part 3."""
    choices = np.array([1, 0, -1], dtype=np.int8)
    cells = np.random.default_rng(2).choice(choices, size=(items, conditions))
    outcomes = Outcomes.from_array(cells, items=[str(number) for number in range(items)])
    tracemalloc.start()
    seconds, tables = timed(outcomes.tables)
    _, of_tables = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    all_s, _ = timed(lambda: summarise(outcomes))
    _, of_all = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = cells.nbytes
    print(f"{items:,} items × {conditions} conditions, an array of {size / 1e6:.0f} MB")
    print(f"  {len(tables)} tables:    {seconds:6.2f} s, at most {of_tables / size:.1f} times the array besides it")
    print(f"  summarise:    {all_s:6.2f} s, at most {of_all / size:.1f} times the array besides it")


def compare_bootstraps(queries: int, resamples: int) -> None:
    """Part 4."""
    wins, losses = queries // 2, queries // 5
    scores = np.repeat([1.0, 0.0, 0.5], [wins, losses, queries - wins - losses])
    rng = np.random.default_rng(3)
    counts_s, _ = timed(lambda: bootstrap_win_rate(wins, losses, queries, rng=rng, resamples=resamples), 3)
    rows_s, _ = timed(lambda: [float(rng.choice(scores, queries).mean()) for _ in range(resamples)])
    print(f"bootstrap of {queries:,} queries, {resamples:,} resamples")
    print(f"  counts from a multinomial: {counts_s:8.4f} s   {rows_s / counts_s:6.0f} times as fast")
    print(f"  row by row:                {rows_s:8.4f} s")


def main() -> int:
    """Print all four parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the items, for a look")
    part = 10 if parser.parse_args().quick else 1
    held = compare_speed(1_000, 10_000 // part)
    measure_memory(1_000_000 // part, 20)
    compare_bootstraps(10_000, 5_000 // part)
    print(
        "ok"
        if held
        else f"MISSED: equal outputs, {LEAST_RATIO:.0f} times as fast and all within the loop's time are asked"
    )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
