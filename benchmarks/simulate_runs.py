"""Several variants, two runs, nightly runs: how often anything is called where nothing changed."""

from collections.abc import Iterator

import numpy as np
from populations import Results
from prt.stats import EProcess, Outcomes, PairedTable, compare_runs, mcnemar_exact, spending_level, summarise
from tally import Row, Tally

ALPHA = 0.05
NIGHTS = 30
CALLED = {"regressed", "improved"}


def runs_rows(reps: int, sizes: tuple[int, ...], runs: tuple[int, ...], draws: int) -> Iterator[Row]:
    """False alarms over several variants or conditions, with one run a cell or several."""
    for n in sizes:
        for k in runs:
            tally, rng = Tally(), np.random.default_rng([n, k, 5])
            for _ in range(reps):
                _count_variants(tally, rng, n, k)
                _count_two_runs(tally, rng, n, k, draws)
            yield from tally.rows("false positives", f"n = {n}, k = {k}", ALPHA)


def nightly_rows(reps: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """False alarms within 30 nights."""
    for n in sizes:
        tally, rng = Tally(), np.random.default_rng([n, 6])
        for _ in range(reps):
            chances = rng.beta(0.5, 0.5, n)
            results = rng.random((NIGHTS, n)) < chances
            stored = _tables(rng.random((1, n)) < chances, results)
            fresh = _tables(rng.random((NIGHTS, n)) < chances, results)
            for name, happened in (
                ("spending, stored baseline", _spent(stored)),
                ("e-process, fresh references", _watched(fresh, one_sided=False)),
                ("e-process one-sided, fresh", _watched(fresh, one_sided=True)),
            ):
                tally.event(name, f"{NIGHTS} nights", happened=happened)
        yield from tally.rows("false positives", f"n = {n}", ALPHA)


def _count_variants(tally: Tally, rng: np.random.Generator, n: int, k: int) -> None:
    """Eight variants without any effect, which waver on the same items."""
    cells = _same_chances(rng, n, 9, k)
    found = summarise(Outcomes.from_array(cells), alpha=ALPHA).conditions
    tally.event("any of 8 variants called", "no effect", happened=any(each.verdict in CALLED for each in found))


def _count_two_runs(tally: Tally, rng: np.random.Generator, n: int, k: int, draws: int) -> None:
    """Two runs of the same model, in which each item has luck of its own over all conditions."""
    level = rng.random((n, 1, 1))
    shocks = [np.clip(level + rng.normal(0.0, 0.3, (n, 1, 1)), 0.0, 1.0) for _ in range(2)]
    before, after = (Outcomes.from_array((rng.random((n, 5, k)) < shock).astype(np.int8)) for shock in shocks)
    found = compare_runs(before, after, rng=rng, alpha=ALPHA, draws=draws)
    robust = found.robustness_exact.pvalue
    adjusted = [p for p in found.max_t.pvalues if p is not None]
    for name, happened in (
        ("two runs, overall", found.verdict in CALLED),
        ("two runs, any condition by Holm", any(each.verdict in CALLED for each in found.conditions)),
        ("two runs, any condition by max-T", min(adjusted, default=1.0) <= ALPHA),
        ("two runs, robustness", robust is not None and robust <= ALPHA),
    ):
        tally.event(name, "item shocks", happened=happened)


def _same_chances(rng: np.random.Generator, n: int, conditions: int, k: int) -> Results:
    chances = rng.beta(0.5, 0.5, (n, 1, 1))
    return (rng.random((n, conditions, k)) < chances).astype(np.int8)


def _tables(references: np.ndarray, results: np.ndarray) -> list[PairedTable]:
    worse, better = np.sum(references & ~results, axis=1), np.sum(~references & results, axis=1)
    n = results.shape[1]
    return [PairedTable(0, b, c, n - b - c) for b, c in zip(worse.tolist(), better.tolist(), strict=True)]


def _spent(tables: list[PairedTable]) -> bool:
    pvalues = (mcnemar_exact(table).pvalue for table in tables)
    return any(p is not None and p <= spending_level(night, ALPHA) for night, p in enumerate(pvalues, start=1))


def _watched(tables: list[PairedTable], *, one_sided: bool) -> bool:
    process = EProcess(one_sided=one_sided)
    for table in tables:
        process = process.after(table)
    return process.alarm(ALPHA)
