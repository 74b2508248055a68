"""One run a cell: every table of n items, weighted by its probability, so that nothing is left to luck."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from populations import AT_THE_MARGIN, LARGE, LEVELS, POPULATIONS, Population
from prt.stats.mcnemar import exact_pvalues
from prt.stats.newcombe import newcombe_limits
from prt.stats.numeric import two_sided_z
from prt.stats.rate import rate_limits
from prt.stats.tango import upper_limit
from scipy.special import gammaln, xlogy  # type: ignore[import-untyped]  # scipy ships no type information
from simulate_pairs import ALPHA, AT_MARGIN, BALANCED, EXACT, LEVEL, MARGIN, VERDICT, named, rows_of
from tally import Row, Tally

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = tuple[float, float, float, float]
Z = two_sided_z(LEVEL)


@dataclass(frozen=True)
class Tables:
    """All tables of n items: counts of the four cells, and what is said of each."""

    counts: tuple[Floats, Floats, Floats, Floats]
    newcombe: tuple[Floats, Floats]
    tango: tuple[Floats, Floats]
    pvalues: Floats

    @property
    def called(self) -> Mask:
        """Tables whose verdict is `regressed` or `improved`."""
        return (self.pvalues <= ALPHA) & self._excludes_0()

    @property
    def no_worse(self) -> Mask:
        """Tables whose verdict is `no_worse`."""
        hint = (self.pvalues <= ALPHA) | self._excludes_0()
        return ~hint & (self.tango[0] > -MARGIN)

    def chances(self, cells: Cells) -> Floats:
        """Probability of every table if the four cells have these probabilities."""
        n = sum(count[0] for count in self.counts)
        ways = gammaln(n + 1) - sum(gammaln(count + 1) for count in self.counts)
        powers = sum(xlogy(count, cell) for count, cell in zip(self.counts, cells, strict=True))
        return np.asarray(np.exp(ways + powers), dtype=np.float64)

    def _excludes_0(self) -> Mask:
        return (self.newcombe[0] > 0) | (self.newcombe[1] < 0)


def single_rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Exact coverage and false positives with one run a cell."""
    for n in sizes:
        tally, tables = Tally(exact=True), all_tables(n)
        for population, level in product(POPULATIONS, LEVELS):
            _count(tally, tables, population, level)
        for population in AT_THE_MARGIN:
            weights = tables.chances(_paired_cells(population, 0.0))
            tally.share(AT_MARGIN, population.name, float(weights[tables.no_worse].sum()))
        yield from rows_of(tally, f"n = {n}, k = 1")


def all_tables(n: int) -> Tables:
    """Every table, with its intervals and its exact p."""
    b, c = (counts[np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n] for counts in np.indices((n + 1, n + 1)))
    upper = np.zeros((n + 1, n + 1))
    upper[b, c] = [upper_limit(flips, gains, n, Z) for flips, gains in zip(b.tolist(), c.tolist(), strict=True)]
    concordant = n - b - c
    b, c = np.repeat(b, concordant + 1), np.repeat(c, concordant + 1)
    a = np.concatenate([np.arange(number + 1) for number in concordant])
    first, worse, better, last = (count.astype(np.float64) for count in (a, b, c, n - a - b - c))
    return Tables(
        counts=(first, worse, better, last),
        newcombe=newcombe_limits(first, worse, better, last, Z, correction=True),
        tango=(-upper[c, b], upper[b, c]),
        pvalues=exact_pvalues(worse, better),
    )


def _count(tally: Tally, tables: Tables, population: Population, level: float) -> None:
    truth, weights = population.truth(level), tables.chances(_paired_cells(population, level))
    for figure, limits in (("change, Newcombe", tables.newcombe), ("change, Tango", tables.tango)):
        tally.limits(figure, population.name, limits, truth["change"], weights)
    excess = tables.chances(_flip_cells(population, level))
    tally.limits("excess flips", population.name, tables.newcombe, truth["excess flips"], excess)
    if population.no_effect:
        tally.share(EXACT, population.name, float(weights[tables.pvalues <= ALPHA].sum()))
        tally.share(VERDICT, population.name, float(weights[tables.called].sum()))
    if population.balanced:
        tally.share(BALANCED, population.name, float(weights[tables.called].sum()))
    n = int(sum(count[0] for count in tables.counts))
    for figure in ("rate", "flip rate", "robust rate", "any-pass rate", "fully stable"):
        k = np.arange(n + 1.0)
        chances = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + _powers(k, n, truth[figure]))
        limits = rate_limits(k / n, np.full(n + 1, float(n)), LEVEL)
        tally.limits(named(figure, truth[figure]), population.name, limits, truth[figure], chances)


def _powers(k: Floats, n: int, rate: float) -> Floats:
    return np.asarray(xlogy(k, rate) + xlogy(n - k, 1.0 - rate), dtype=np.float64)


def _paired_cells(population: Population, level: float) -> Cells:
    """Probabilities of the four cells of a variant's table."""
    p0, p1 = population.at(np.random.default_rng(7), LARGE, level)
    return _means(p0 * p1, p0 * (1 - p1), (1 - p0) * p1)


def _flip_cells(population: Population, level: float) -> Cells:
    """The same of the flips: under the rerun (first) and under the variant, against one baseline."""
    p0, p1 = population.at(np.random.default_rng(7), LARGE, level)
    both = p0 * (1 - p0) * (1 - p1) + (1 - p0) * p0 * p1
    return _means(both, 2 * p0 * (1 - p0) - both, p0 * (1 - p1) + (1 - p0) * p1 - both)


def _means(a: Floats, b: Floats, c: Floats) -> Cells:
    cells = float(a.mean()), float(b.mean()), float(c.mean())
    return (*cells, max(1.0 - sum(cells), 0.0))
