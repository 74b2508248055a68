"""Comparisons of runs: what is called where nothing changed, and whether planted causes are named rightly.

    python benchmarks/simulate_comparisons.py --reps 2000

Two runs are drawn cell by cell: whether a reply could be read, and whether it passes. Nothing is stored or asked.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from prt.runner.comparing.aligning import Aligned
from prt.runner.comparing.claims import claims_of, condition_changes
from prt.runner.comparing.evidence import gather
from prt.runner.store.columns import STATUS
from prt.stats import Outcomes, PairedTable, mcnemar_exact
from tally import HEADER, Row, Tally

ALPHA, MARGIN = 0.05, 0.05
CALLED = frozenset({"regressed", "improved"})
DRAWS = 99
CAUSES = ("model", "perturbation_effect", "infrastructure")

Floats = NDArray[np.float64]
Bits = NDArray[np.int8]
Chances = Callable[[np.random.Generator, int, int], tuple[Floats, Floats]]


@dataclass(frozen=True)
class World:
    """Two runs as they might be.

    Attributes:
        name: What it is like.
        chances: The chances to pass, items × conditions, of the earlier and of the later run.
        changed: The causes of change that are in it.
        truncated: The share of replies that are cut off, in the earlier and in the later run.
        bursts: Whether a reply is cut off under all conditions of an item or none.
        clusters: How many items share a cluster, and its luck.
    """

    name: str
    chances: Chances
    changed: frozenset[str] = field(default_factory=frozenset)
    truncated: tuple[float, float] = (0.0, 0.0)
    bursts: bool = False
    clusters: int = 1

    def draw(self, rng: np.random.Generator, n: int, conditions: int) -> Aligned:
        """Draw both runs."""
        chances = self.chances(rng, n, conditions)
        runs = [self._run(rng, each, share) for each, share in zip(chances, self.truncated, strict=True)]
        labels = [str(item // self.clusters) for item in range(n)] if self.clusters > 1 else None
        counted = [Outcomes.from_array(passed, clusters=labels) for passed, _ in runs]
        read = [Outcomes.from_array(np.where(cut, -1, passed), clusters=labels) for passed, cut in runs]
        statuses = [np.where(cut, STATUS["truncated"], STATUS["graded"]).astype(np.int8)[:, :, None] for _, cut in runs]
        return Aligned((counted[0], counted[1]), (read[0], read[1]), (statuses[0], statuses[1]), ("",) * conditions)

    def _run(self, rng: np.random.Generator, chances: Floats, truncated: float) -> tuple[Bits, NDArray[np.bool_]]:
        shape = (chances.shape[0], 1) if self.bursts else chances.shape
        cut = (rng.random(shape) < truncated) & np.ones(chances.shape, dtype=bool)
        return np.where(cut, 0, rng.random(chances.shape) < chances).astype(np.int8), cut


def steady(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """Each item has its own chance, the same under all conditions of both runs."""
    chances = np.repeat(rng.beta(2.0, 0.7, (n, 1)), conditions, axis=1)
    return chances, chances


def shocks(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """In each run an item has luck of its own, that all conditions share."""
    level = rng.random((n, 1))
    first, second = (np.clip(level + rng.normal(0.0, 0.3, (n, 1)), 0.0, 1.0) for _ in range(2))
    return np.repeat(first, conditions, axis=1), np.repeat(second, conditions, axis=1)


def cluster_shocks(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """The same for five items of a cluster together."""
    first, second = shocks(rng, -(-n // 5), conditions)
    return np.repeat(first, 5, axis=0)[:n], np.repeat(second, 5, axis=0)[:n]


def fragile(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """Both runs lose a fifth of each chance under the variants."""
    chances = steady(rng, n, conditions)[0].copy()
    chances[:, 1:] *= 0.8
    return chances, chances


def moved(base: Chances, amount: Callable[[int], Floats]) -> Chances:
    """The later run passes as much less as `amount` says of each condition."""

    def chances(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
        before, _ = base(rng, n, conditions)
        before = 0.25 + 0.7 * before
        return before, before - amount(conditions)

    return chances


def everywhere(conditions: int) -> Floats:
    """A drop of 15 points under each wording."""
    return np.full(conditions, 0.15)


def of_variants(conditions: int) -> Floats:
    """A drop of 15 points under each variant, none under the original."""
    return np.array([0.0, *[0.15] * (conditions - 1)])


def whole_items(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """Certain items, 15% of which the later run fails under every wording."""
    before = np.ones((n, conditions))
    return before, np.where(rng.random((n, 1)) < 0.15, 0.0, before)


def rare_original(rng: np.random.Generator, n: int, conditions: int) -> tuple[Floats, Floats]:
    """Certain items; each wording of each fails by itself in 10% of the later run: as much under all."""
    del rng
    return np.ones((n, conditions)), np.full((n, conditions), 0.9)


MODEL, EFFECT, INFRA = (frozenset({cause}) for cause in CAUSES)
WORLDS = (
    World("nothing, steady items", steady),
    World("nothing, item shocks", shocks),
    World("nothing, fragile both", fragile),
    World("nothing, bursts of failures", steady, truncated=(0.1, 0.1), bursts=True),
    World("nothing, cluster shocks", cluster_shocks, clusters=5),
    World("model, all wordings", moved(steady, everywhere), MODEL),
    World("model, whole items", whole_items, MODEL),
    World("model, cells by themselves", rare_original, MODEL),
    World("perturbation effect", moved(steady, of_variants), EFFECT),
    World("infrastructure", steady, INFRA, truncated=(0.02, 0.17)),
    World("infrastructure in bursts", steady, INFRA, truncated=(0.02, 0.17), bursts=True),
)


def pooled_mcnemar(aligned: Aligned) -> bool:
    """Deliberately wrong: every cell as if it were an item of its own; whether this would call anything."""
    before, after = (each.cells.ravel() for each in aligned.counted)
    worse, better = int(np.sum((before == 1) & (after == 0))), int(np.sum((before == 0) & (after == 1)))
    pvalue = mcnemar_exact(PairedTable(before.size - worse - better, worse, better, 0)).pvalue
    return pvalue is not None and pvalue <= ALPHA


def look(world: World, aligned: Aligned, alarms: Tally, named: Tally) -> None:
    """Compare two runs, and count what is called."""
    evidence = [gather(aligned, alpha=ALPHA, margin=MARGIN, draws=DRAWS)]
    (claims,) = claims_of(evidence, alpha=ALPHA, margin=MARGIN)
    (conditions,) = condition_changes(evidence, [aligned.generators], alpha=ALPHA, margin=MARGIN)
    verdicts = {each.verdict for each in claims} | {each.verdict for each in conditions}
    if not world.changed:
        alarms.event("anything worse", world.name, happened="regressed" in verdicts)
        alarms.event("anything better", world.name, happened="improved" in verdicts)
        alarms.event("a question, either way", world.name, happened=any(each.verdict in CALLED for each in claims))
        alarms.event("a wording, either way", world.name, happened=any(each.verdict in CALLED for each in conditions))
        alarms.event("pooled cells (wrong)", world.name, happened=pooled_mcnemar(aligned))
    others = [each for each in claims if each.name in CAUSES and each.name not in world.changed]
    for claim in others:
        alarms.event(f"{claim.name}, unplanted", world.name, happened=claim.verdict in CALLED)
    for claim in claims:
        if claim.name in world.changed:
            named.event(f"{claim.name}, planted", world.name, happened=claim.verdict == "regressed")


def comparison_rows(reps: int, sizes: tuple[int, ...], conditions: tuple[int, ...]) -> Iterator[Row]:
    """False alarms at most alpha, and how often planted causes are found (a bound of .8 for 200 items)."""
    for n in sizes:
        for count in conditions:
            alarms, named = Tally(), Tally()
            for number, world in enumerate(WORLDS):
                rng = np.random.default_rng([n, count, number])
                for _ in range(reps):
                    look(world, world.draw(rng, n, count), alarms, named)
            setting = f"n = {n}, wordings {count}"
            yield from alarms.rows("false positives", setting, ALPHA)
            yield from found_rows(named, setting)


def found_rows(named: Tally, setting: str) -> Iterator[Row]:
    """The world in which each planted cause is found least often."""
    for figure, by_world in named.events.items():
        where = min(by_world, key=lambda name: by_world[name].share)
        worst = by_world[where]
        error = float(np.sqrt(worst.share * (1 - worst.share) / worst.seen))
        yield Row("coverage", figure, setting, worst.share, where, None, 0.8 if "n = 200" in setting else 0.0, error)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reps", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 100, 200])
    parser.add_argument("--wordings", type=int, nargs="+", default=[2, 6])
    given = parser.parse_args()
    print(HEADER)
    for row in comparison_rows(given.reps, tuple(given.sizes), tuple(given.wordings)):
        print(row.text(), flush=True)


if __name__ == "__main__":
    main()
