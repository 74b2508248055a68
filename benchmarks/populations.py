"""Populations of items whose true figures are known: how likely each item passes under baseline and variant."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Results = NDArray[np.int8]
Draw = Callable[[np.random.Generator, tuple[int, ...]], tuple[Floats, Floats]]

LARGE = 400_000
MOST_RUNS = 5
LEVELS = (-0.06, -0.03, 0.0, 0.03, 0.06)


@dataclass(frozen=True)
class Population:
    """Chances of an item to pass under baseline and variant.

    Attributes:
        name: What it is like.
        draw: Draws the chances of items.
        no_effect: Whether the wording matters to no item, so that a test may reject in at most α of the runs.
        balanced: Whether gains and losses cancel without being nil.
    """

    name: str
    draw: Draw
    no_effect: bool = False
    balanced: bool = False

    def at(self, rng: np.random.Generator, n: int, level: float) -> tuple[Floats, Floats]:
        """Draw items whose chances are all moved a little towards 1 (level above 0) or towards 0.

        With few items the coverage at one fixed rate jumps with the rate, by whether one more pass is in or out;
        averaged over a few levels it says what an interval is worth.
        """
        goal, share = (1.0 if level > 0 else 0.0), abs(level)
        p0, p1 = self.draw(rng, (n,))
        return (1 - share) * p0 + share * goal, (1 - share) * p1 + share * goal

    @cache  # noqa: B019  # the populations are module constants
    def truth(self, level: float) -> dict[str, float]:
        """The true figures at one level, over a large sample of items."""
        p0, p1 = self.at(np.random.default_rng(7), LARGE, level)
        found = {
            "rate": float(p1.mean()),
            "change": float((p1 - p0).mean()),
            "flip rate": float((p0 * (1 - p1) + p1 * (1 - p0)).mean()),
            "excess flips": float(((p1 - p0) * (1 - 2 * p0)).mean()),
            "robust rate": float((p0 * p1).mean()),
            "any-pass rate": float((1 - (1 - p0) * (1 - p1)).mean()),
            "fully stable": float((p0 * p1 + (1 - p0) * (1 - p1)).mean()),
        }
        for k in range(1, MOST_RUNS + 1):
            found[f"pass@{k}"], found[f"pass^{k}"] = float((1 - (1 - p1) ** k).mean()), float((p1**k).mean())
        return found


def same(chances: Callable[[np.random.Generator, tuple[int, ...]], Floats]) -> Draw:
    """A wording that matters to no item."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        p = chances(rng, shape)
        return p, p

    return draw


def constant(before: float, after: float) -> Draw:
    """Items that are all alike."""
    return lambda _, shape: (np.full(shape, before), np.full(shape, after))


def uniform_with_drop(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Items of every difficulty; the wording takes a fifth of each chance."""
    p = rng.random(shape)
    return p, 0.8 * p


def steady_with_flips(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Nearly certain items, a tenth of which the wording turns around."""
    p = np.where(rng.random(shape) < 0.7, 0.97, 0.05)
    return p, np.where(rng.random(shape) < 0.1, 1 - p, p)


def easy_with_losses(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Easy items, a tenth of which the wording all but ruins."""
    p = rng.beta(9, 1, shape)
    return p, np.where(rng.random(shape) < 0.1, 0.2, p)


def unrelated(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Chances under the two wordings that have nothing to do with each other."""
    return rng.random(shape), rng.random(shape)


def lopsided(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """A tenth of the items lose .72, all others gain .08: no change on balance."""
    p = rng.uniform(0.72, 0.92, shape)
    return p, np.where(rng.random(shape) < 0.1, p - 0.72, p + 0.08)


POPULATIONS = (
    Population("all at .5", constant(0.5, 0.5), no_effect=True),
    Population("all at .9", constant(0.9, 0.9), no_effect=True),
    Population("all at .97", constant(0.97, 0.97), no_effect=True),
    Population("uniform, no effect", same(lambda rng, shape: rng.random(shape)), no_effect=True),
    Population("steady, no effect", same(lambda rng, shape: rng.beta(0.3, 0.15, shape)), no_effect=True),
    Population(".9 to .85", constant(0.9, 0.85)),
    Population("uniform, a drop", uniform_with_drop),
    Population("steady, some turned", steady_with_flips),
    Population("easy, some lost", easy_with_losses),
    Population("unrelated", unrelated, balanced=True),
    Population("few lose much, most gain", lopsided, balanced=True),
)


def certain_with_losses(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Items that always pass, a tenth of which the wording always fails."""
    return np.ones(shape), np.where(rng.random(shape) < 0.1, 0.0, 1.0)


def uniform_with_equal_drop(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Items of every difficulty from .1 up, all of which lose a tenth."""
    p = rng.uniform(0.1, 1.0, shape)
    return p, p - 0.1


AT_THE_MARGIN = (
    Population(".5 to .4", constant(0.5, 0.4)),
    Population(".9 to .8", constant(0.9, 0.8)),
    Population("uniform, a tenth less", uniform_with_equal_drop),
    Population("certain, a tenth lost", certain_with_losses),
)


def run(rng: np.random.Generator, chances: Floats, runs: int) -> Results:
    """Results of so many runs of every item: one more axis."""
    return (rng.random((*chances.shape, runs)) < chances[..., np.newaxis]).astype(np.int8)


@dataclass(frozen=True)
class ClusteredPopulation:
    """Items in clusters of uneven sizes that share part of their chances.

    Attributes:
        rate: Mean chance to pass under the baseline.
        likeness: Correlation of the chances of two items of one cluster.
        lost: Share of the clusters whose items lose half of their chances under the variant.
    """

    rate: float
    likeness: float
    lost: float

    @property
    def name(self) -> str:
        """What it is like."""
        return f"rate {self.rate}, likeness {self.likeness}, {self.lost:.0%} of clusters lose"

    @property
    def truth(self) -> dict[str, float]:
        """The true figures."""
        return {"rate": self.rate, "change": -self.rate * self.lost / 2}

    def draw(self, rng: np.random.Generator, codes: NDArray[np.intp], runs: int) -> tuple[Results, Results]:
        """Results under baseline and variant; items are steady or waver, half of them each."""
        clusters = int(codes.max()) + 1
        spread = (1 - self.likeness) / self.likeness if self.likeness else 0.0
        shared = (
            rng.beta(self.rate * spread, (1 - self.rate) * spread, clusters) if spread else np.full(clusters, self.rate)
        )
        before = shared[codes]
        after = before * np.where(rng.random(clusters) < self.lost, 0.5, 1.0)[codes]
        steady, level = rng.random(codes.size) < 0.5, rng.random(codes.size)
        chances = [np.where(steady, (level < p).astype(float), p) for p in (before, after)]
        return run(rng, chances[0], runs), run(rng, chances[1], runs)


def uneven_clusters(clusters: int, mean_size: int) -> NDArray[np.intp]:
    """Cluster of each item, for clusters of sizes from near 0 to twice the mean."""
    sizes = [max(1, round(2 * mean_size * (place + 1) / (clusters + 1))) for place in range(clusters)]
    return np.repeat(np.arange(clusters), sizes)
