"""How often gates are wrong where the truth lies exactly at their bound, which is the worst case there is.

    python benchmarks/simulate_gates.py                        # all of it: a night on one core
    python benchmarks/simulate_gates.py --quick                # half a minute
    python benchmarks/simulate_gates.py --sizes 100 --reps 400 # a quarter of an hour

A gate that fails on proof may fail in at most 5% there (a false alarm); a gate that fails without proof may pass in at
most 5% (a false comfort). Beside each line stands its twin, which decides on the estimate instead of the interval and
has to be wrong far more often. The exit code is 1 if a gate misses its bound by more than two Monte Carlo errors, or a
twin keeps it. All draws are seeded.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from prt.runner.config.gates import GateConfig, Rule
from prt.runner.findings import GateResult
from prt.runner.gating.evaluate import evaluate
from prt.runner.gating.evidence import Condition, Evidence, World
from prt.runner.store.columns import STATUS
from prt.stats import Outcomes
from tally import HEADER, Row, Tally

ALPHA = 0.05
Cells = NDArray[np.int8]
Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Case:
    """A gate, and results whose truth lies at its bound.

    Attributes:
        figure: What the gate is on.
        where: What the results are like.
        gate: The gate.
        draw: Draws the results of a run; of two where the gate is against another.
    """

    figure: str
    where: str
    gate: GateConfig
    draw: Callable[[Random], tuple[Evidence, Evidence | None]]

    @property
    def rule(self) -> Rule:
        """Its rule."""
        if self.gate.rule is None:
            raise ValueError(f"a gate without a rule: {self.gate!r}")
        return self.gate.rule

    @property
    def on_proof(self) -> bool:
        """Whether the gate fails on proof."""
        return self.rule.reading == "fail_if"


def wrong(case: Case, results: Sequence[GateResult]) -> bool:
    """Whether a gate is wrong where the truth lies at its bound: it fails on proof, or passes as proven."""
    if case.on_proof:
        return any(each.verdict == "failed" for each in results)
    return all(each.verdict == "passed" for each in results)


def twin_is_wrong(case: Case, results: Sequence[GateResult]) -> bool:
    """Whether a gate would be wrong that decides on the estimate."""
    rule = case.rule
    sign = -1.0 if rule.side == "below" or (rule.side == "worse" and rule.kind.higher) else 1.0
    bound = rule.bound if rule.side != "below" else -rule.bound
    bad = [sign * (each.estimate or 0.0) > bound for each in results]
    return any(bad) if case.on_proof else not any(bad)


def evidence_of(
    cells: Cells, *, clusters: Sequence[str] | None = None, rerun: bool = False, statuses: Cells | None = None
) -> Evidence:
    """Results of items × conditions × repeats as a run has them; the last condition asks again where `rerun`."""
    names = ["baseline", *(f"typo.{at}" for at in range(1, cells.shape[1]))]
    if rerun:
        names[-1] = "rerun.1"
    conditions = [
        Condition(name, name.partition(".")[0], "rerun" if "rerun" in name else "perturbation") for name in names
    ]
    items = [f"q{at}" for at in range(len(cells))]
    outcomes = Outcomes(cells, tuple(items), tuple(names), None if clusters is None else tuple(clusters))
    world = World(tuple(conditions), tuple(items), tuple(clusters or [""] * len(items)), cells.shape[2], ALPHA)
    asked = np.ones(cells.shape[:2], dtype=bool)
    return Evidence(world, outcomes, outcomes, statuses=statuses, asked=asked)


def alone(draw: Callable[[Random], Evidence]) -> Callable[[Random], tuple[Evidence, None]]:
    """A run that is compared with none."""
    return lambda rng: (draw(rng), None)


def flipped(rng: Random, n: int, variants: int, drop: Sequence[float], gain: float, *, rate: float = 0.7) -> Evidence:
    """Single results whose chances of a loss exceed those of a gain by the drop of each variant."""
    baseline = rng.random(n) < (1.0 if gain == 0.0 else rate)
    share = 1.0 if gain == 0.0 else rate
    columns = [baseline]
    for lost in drop[:variants]:
        loses = rng.random(n) < (lost + gain) / share
        gains = rng.random(n) < (gain / (1.0 - share) if gain else 0.0)
        columns.append(np.where(baseline, ~loses, gains))
    return evidence_of(np.stack(columns, axis=1).astype(np.int8)[:, :, np.newaxis])


def repeated(rng: Random, n: int, variants: int, drop: float, k: int, *, size: int = 1) -> Evidence:
    """Items of every difficulty, several runs each, in clusters of a size whose items lose alike."""
    groups = -(-n // size)
    p = np.repeat(rng.beta(4.0, 1.0, groups), size)[:n]  # mean .8
    lost = np.repeat(rng.random((groups, variants)), size, axis=0)[:n] * 2.0 * drop / 0.8
    chances = np.concatenate([p[:, None], p[:, None] * (1.0 - lost)], axis=1)
    cells = (rng.random((n, variants + 1, k)) < chances[:, :, None]).astype(np.int8)
    return evidence_of(cells, clusters=None if size == 1 else [f"c{at // size}" for at in range(n)])


def unread(rng: Random, n: int, variants: int, share: float) -> Evidence:
    """Replies that are unread, some items far more often than others."""
    chances = rng.beta(0.3, 0.3 * (1.0 - share) / share, n)
    bad = rng.random((n, variants + 1, 1)) < chances[:, None, None]
    statuses = np.where(bad, STATUS["unparsed"], STATUS["graded"]).astype(np.int8)
    return evidence_of((~bad).astype(np.int8), statuses=statuses)


def excessive(rng: Random, n: int, excess: float) -> Evidence:
    """A variant whose flips exceed those of a rerun."""
    floor = 0.1
    baseline = np.ones(n, dtype=bool)
    columns = [baseline, rng.random(n) >= floor + excess, rng.random(n) >= floor]
    return evidence_of(np.stack(columns, axis=1).astype(np.int8)[:, :, np.newaxis], rerun=True)


def two_runs(rng: Random, n: int, variants: int, drop: float) -> tuple[Evidence, Evidence]:
    """Two runs of a model and a worse one, in which each item has its difficulty."""
    p = rng.beta(4.0, 1.0, (n, 1, 1))
    before, after = (
        (rng.random((n, variants + 1, 1)) < chance).astype(np.int8) for chance in (p, p * (1 - drop / 0.8))
    )
    return evidence_of(after), evidence_of(before)


def gate(figure: str, **rules: object) -> GateConfig:
    """A gate whose few items may decide."""
    return GateConfig.model_validate({"figure": figure, "min_n": 1, **rules})


def cases(n: int, margin: float, variants: Sequence[int]) -> Iterator[Case]:
    """Every gate at its bound, with n items."""
    for m in variants:
        for gain in (0.0, 0.05):
            where = f"{m} variants, {gain:.0%} gains"
            draw = alone(partial(flipped, n=n, variants=m, drop=[margin] * m, gain=gain))
            yield Case("change, fail_if", where, gate("change", fail_if_worse_than=margin), draw)
            yield Case(
                "change, fail_unless",
                where,
                gate("change", fail_unless_no_worse_than=margin),
                alone(partial(flipped, n=n, variants=m, drop=[margin, *[0.0] * (m - 1)], gain=gain)),
            )
            same = alone(partial(flipped, n=n, variants=m, drop=[0.0] * m, gain=max(gain, 0.02)))
            yield Case("change, any drop", where, gate("change", fail_if_worse_than=0.0), same)
        rates = alone(partial(flipped, n=n, variants=m, drop=[margin] * m, gain=0.0))
        yield Case("flip rate, fail_if", f"{m} variants", gate("flip_rate", fail_if_above=margin), rates)
        yield Case("pass rate, fail_if", f"{m} variants", gate("pass_rate", fail_if_below=1 - margin), rates)
        pooled = alone(partial(repeated, n=n, variants=m, drop=margin, k=1))
        yield Case(
            "change of a generator", f"{m} variants", gate("change", generators="*", fail_if_worse_than=margin), pooled
        )
        yield Case(
            "change of a generator, fail_unless",
            f"{m} variants",
            gate("change", generators="*", fail_unless_no_worse_than=margin),
            pooled,
        )
        yield Case(
            "unread, together",
            f"{m} variants",
            gate("unread", fail_if_above=margin),
            alone(partial(unread, n=n, variants=m, share=margin)),
        )
        yield Case(
            "unread, each",
            f"{m} variants",
            gate("unread", conditions="*", fail_if_above=margin),
            alone(partial(unread, n=n, variants=m, share=margin)),
        )
        yield Case(
            "pass rate against a run",
            f"{m} variants",
            gate("pass_rate", against="compared", fail_if_worse_than=margin),
            partial(two_runs, n=n, variants=m, drop=margin),
        )
        for k, size in ((3, 1), (1, 4), (3, 4)):
            where = f"{m} variants, k = {k}, clusters of {size}"
            draw = alone(partial(repeated, n=n, variants=m, drop=margin, k=k, size=size))
            yield Case("change, repeats and clusters", where, gate("change", fail_if_worse_than=margin), draw)
            yield Case("change, repeats, fail_unless", where, gate("change", fail_unless_no_worse_than=margin), draw)
    for bound in (margin, 1 - margin):
        draw = alone(partial(flipped, n=n, variants=1, drop=[1 - bound], gain=0.0))
        yield Case("pass rate, fail_if", f"at {bound:g}", gate("pass_rate", fail_if_below=bound), draw)
        yield Case("pass rate, fail_unless", f"at {bound:g}", gate("pass_rate", fail_unless_at_least=bound), draw)
        yield Case("robust rate, fail_unless", f"at {bound:g}", gate("robust_rate", fail_unless_at_least=bound), draw)
        yield Case("fully stable, fail_if", f"at {bound:g}", gate("fully_stable", fail_if_below=bound), draw)
    yield Case(
        "excess flips, fail_if",
        "",
        gate("excess_flips", fail_if_worse_than=margin),
        alone(partial(excessive, n=n, excess=margin)),
    )
    yield Case(
        "excess flips, fail_unless",
        "",
        gate("excess_flips", fail_unless_no_worse_than=margin),
        alone(partial(excessive, n=n, excess=margin)),
    )


def gate_rows(
    reps: int, sizes: Sequence[int], margins: Sequence[float], variants: Sequence[int]
) -> Iterator[tuple[Row, Row]]:
    """Each figure's worst case, and its twin's."""
    for n in sizes:
        for margin in margins:
            gates, twins = Tally(), Tally()
            for number, case in enumerate(cases(n, margin, variants)):
                rng = np.random.default_rng([n, round(1000 * margin), number])
                for _ in range(reps):
                    now, then = case.draw(rng)
                    results = evaluate([case.gate], now, lambda _, then=then: then)
                    gates.event(case.figure, case.where, happened=wrong(case, results))
                    twins.event(case.figure, case.where, happened=twin_is_wrong(case, results))
            setting = f"n = {n}, bound {margin:g}"
            yield from zip(
                gates.rows("false positives", setting, ALPHA),
                twins.rows("false positives", setting, ALPHA),
                strict=True,
            )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few sizes, few repetitions: a minute")
    parser.add_argument("--reps", type=int, help="runs of each case (2000; with --quick 200)")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of items (20 50 100 200 500; with --quick 50)")
    chosen = parser.parse_args()
    reps = chosen.reps or (200 if chosen.quick else 2000)
    sizes = chosen.sizes or ([50] if chosen.quick else [20, 50, 100, 200, 500])
    margins, variants = ((0.05,), (1, 5)) if chosen.quick else ((0.02, 0.05, 0.1), (1, 5, 20))
    print(f"{HEADER}; twin")
    missed = kept = 0
    for row, twin in gate_rows(reps, sizes, margins, variants):
        print(f"{row.text()}; {100 * twin.worst:.1f}", flush=True)
        missed += row.verdict == "MISSED"
        kept += twin.verdict != "MISSED"
    print(
        f"\n{missed} lines missed; {kept} twins that decide on the estimate keep the bound; {reps} runs of each case."
    )
    return 1 if missed or kept else 0


if __name__ == "__main__":
    sys.exit(main())
