"""Nights: how often a history of 30 nights raises an alarm where nothing changed, and how soon a drop is found.

    python benchmarks/simulate_nights.py            # 2,000 histories each, a few minutes
    python benchmarks/simulate_nights.py --reps 200

Each history is decided by the rules of `prt night`, night after night. Items have chances of their own, which all
conditions of a night share, so that an item's results rise and fall together. The two rules that are wrong are there to
be caught: a fixed level every night, and the e-process on a stored baseline.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from prt.runner.nightly.rule import decide_fresh, decide_stored, worse_pvalue
from prt.runner.nightly.summary import Decision
from prt.stats import EProcess, PairedTable, signflip_exact

ALPHA = 0.05
NIGHTS = 30
CONDITIONS = 4
QUIET = 10
LATEST = 60
DROP = 0.1
Floats = NDArray[np.float64]
Sums = NDArray[np.int64]
Rule = Callable[[list[Sums]], int | None]
"""Gives the night of the first alarm of a history, from 1; None where there is none."""


@dataclass(frozen=True)
class History:
    """A history of nights.

    Attributes:
        stored: Each night's passes minus those of one stored baseline, an array of items a night.
        fresh: Each night's passes minus those of a reference that was asked the same night.
    """

    stored: list[Sums]
    fresh: list[Sums]


def history(rng: np.random.Generator, n: int, nights: int, *, after: int | None = None, spread: str = "") -> History:
    """Draw a history.

    Args:
        rng: Source of all chance.
        n: Items.
        nights: Nights.
        after: The number of quiet nights before the rate falls by a tenth; None for no drop.
        spread: Whom the drop hits: `some` items fail every night, or `all` lose a little.
    """
    chances = rng.beta(0.6, 0.2, n)
    worse = dropped(rng, chances, spread) if after is not None else chances
    baseline = passes(rng, chances)
    results = [passes(rng, worse if after is not None and night >= after else chances) for night in range(nights)]
    return History([each - baseline for each in results], [each - passes(rng, chances) for each in results])


def dropped(rng: np.random.Generator, chances: Floats, spread: str) -> Floats:
    """Chances whose mean is lower by a tenth."""
    if spread == "all":
        return np.asarray(chances * (1.0 - DROP / chances.mean()))
    hit = np.zeros(chances.size, dtype=bool)
    for item in rng.permutation(chances.size):
        if chances[hit].sum() >= DROP * chances.size:
            break
        hit[item] = True
    return np.where(hit, 0.0, chances)


def passes(rng: np.random.Generator, chances: Floats) -> Sums:
    """Each item's passes over all conditions; half of its luck is shared by them."""
    shared = rng.random(chances.size) < chances
    own = rng.random((chances.size, CONDITIONS)) < chances[:, np.newaxis]
    tied = rng.random((chances.size, CONDITIONS)) < 0.5
    return np.asarray(np.where(tied, shared[:, np.newaxis], own).sum(axis=1), dtype=np.int64)


def table(sums: Sums) -> PairedTable:
    """The items that got worse and better."""
    worse, better = int(np.count_nonzero(sums < 0)), int(np.count_nonzero(sums > 0))
    return PairedTable(sums.size - worse - better, worse, better, 0)


def first(decisions: Iterator[Decision]) -> int | None:
    """The first night with an alarm."""
    return next((decision.look for decision in decisions if decision.alarm), None)


def spending(known: int | None) -> Rule:
    """The rule of a stored baseline, for endless nights or a known number of them."""
    return lambda sums: first(
        decide_stored(signflip_exact(each), table(each), look=look, alpha=ALPHA, nights=known)
        for look, each in enumerate(sums, start=1)
    )


def e_process(sums: list[Sums]) -> int | None:
    """The rule of a fresh reference."""
    return first(_followed(sums))


def _followed(sums: list[Sums]) -> Iterator[Decision]:
    process = EProcess(one_sided=True)
    for each in sums:
        units = table(each)
        yield decide_fresh(each.size, units, process, alpha=ALPHA)
        process = process.after(units)


def fixed_level(sums: list[Sums]) -> int | None:
    """The wrong rule: alpha every night."""
    pvalues = (worse_pvalue(signflip_exact(each)) for each in sums)
    return next((night for night, p in enumerate(pvalues, start=1) if p is not None and p <= ALPHA), None)


RULES: dict[str, tuple[Rule, str]] = {
    "spending, endless": (spending(None), "stored"),
    "spending, 30 known": (spending(NIGHTS), "stored"),
    "e-process, fresh reference": (e_process, "fresh"),
    "WRONG: alpha every night": (fixed_level, "stored"),
    "WRONG: e-process, stored": (e_process, "stored"),
}


def false_alarms(reps: int, n: int, seed: int = 1) -> dict[str, float]:
    """The share of unchanged histories with any alarm, by rule."""
    rng = np.random.default_rng([seed, n])
    found = dict.fromkeys(RULES, 0)
    for _ in range(reps):
        drawn = history(rng, n, NIGHTS)
        for name, (rule, kind) in RULES.items():
            found[name] += rule(getattr(drawn, kind)) is not None
    return {name: count / reps for name, count in found.items()}


def delays(reps: int, n: int, spread: str, seed: int = 2) -> dict[str, list[int]]:
    """After how many nights with a drop of a tenth it is found, by rule; LATEST where it is not.

    A history that ends by a false alarm before the drop counts in none.
    """
    rng = np.random.default_rng([seed, n, len(spread)])
    found: dict[str, list[int]] = {name: [] for name in RULES if not name.startswith("WRONG")}
    for _ in range(reps):
        drawn = history(rng, n, QUIET + LATEST, after=QUIET, spread=spread)
        for name, waited in found.items():
            rule, kind = RULES[name]
            sums = getattr(drawn, kind)
            night = rule(sums[:NIGHTS]) if name == "spending, 30 known" else rule(sums)
            if night is None or night > QUIET:
                waited.append(LATEST if night is None else night - QUIET)
    return found


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reps", type=int, default=2000)
    reps = parser.parse_args().reps
    print(f"Unchanged histories of {NIGHTS} nights with any alarm, of {reps:,}; alpha {ALPHA}")
    for n in (40, 100, 300):
        for name, share in false_alarms(reps, n).items():
            error = (max(share * (1 - share), 1 / reps) / reps) ** 0.5
            print(f"  n = {n:<4} {name:<28} {share:.3f} ± {2 * error:.3f}")
    print(
        f"\nA drop of .10 after {QUIET} quiet nights: nights until it is found, half and nine tenths of {reps // 4:,}"
    )
    for n in (100, 200, 400):
        for spread in ("some", "all"):
            for name, nights in delays(reps // 4, n, spread).items():
                half, most = np.percentile(nights, [50, 90], method="higher")
                never = sum(night == LATEST for night in nights)
                late = f", not within {LATEST}: {never}" if never else ""
                print(f"  n = {n:<4} {spread + ' items':<10} {name:<28} {half:.0f} and {most:.0f}{late}")


if __name__ == "__main__":
    main()
