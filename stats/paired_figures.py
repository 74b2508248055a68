"""Every figure that compares two columns of results item by item, whatever the repeats and the clusters."""

from dataclasses import dataclass

from .cells import Cells
from .clustered_newcombe import change_of_items
from .clustered_rate import rate_of_items
from .clustered_tango import noninferiority_of_items, score_of_items
from .clusters import Codes, kept_codes
from .flips import flip_rate
from .mcnemar import mcnemar_exact, mcnemar_mid_p
from .newcombe import newcombe_interval
from .paired import ItemPairs, balanced_sums, has_pair, pairs_of, table_of, uneven_items
from .rate import rate_interval
from .results import Estimate, HypothesisTest
from .signflip import signflip_of_items
from .tables import PairedTable
from .tango import tango_interval, tango_noninferiority


@dataclass(frozen=True, slots=True)
class PairedFigures:
    """One column of results against another, on the items that carry results in both.

    Attributes:
        n: Paired items.
        units: Independent units: clusters, or items where nothing is clustered.
        table: The paired results; None where an item has several runs.
        baseline_rate: Pass rate of the paired items before.
        variant_rate: Their pass rate after.
        change: The difference of the two rates, with Newcombe's interval.
        change_score: The same with Tango's interval, for decisions about a margin.
        flip_rate: Chance that a result before and one after differ.
        exact: Exact test of no change: McNemar's, or by sign flips of items or clusters.
        mid_p: Its mid-p counterpart.
        noninferiority: One-sided score test against the margin.
        uneven: Items with unequally many runs on the two sides; the tests use as many of each.
    """

    n: int
    units: int
    table: PairedTable | None
    baseline_rate: Estimate
    variant_rate: Estimate
    change: Estimate
    change_score: Estimate
    flip_rate: Estimate
    exact: HypothesisTest
    mid_p: HypothesisTest
    noninferiority: HypothesisTest
    uneven: int = 0


def figures_of_columns(
    before: Cells, after: Cells, codes: Codes | None, *, level: float, margin: float
) -> PairedFigures:
    """Compare two columns of results.

    Args:
        before: Items × repeats, −1 missing.
        after: Items × repeats, −1 missing.
        codes: Cluster of each item, or None.
        level: Confidence level, already validated.
        margin: The largest drop that would not matter, already validated.

    Returns:
        All figures: those of a table where every item has one run on each side and nothing is clustered.
    """
    single = before.shape[1] == after.shape[1] == 1
    table = table_of(before[:, 0], after[:, 0]) if single else None
    if table is not None and codes is None:
        return figures_of_table(table, level=level, margin=margin)
    pairs = pairs_of(before, after, codes)
    kept = has_pair(before, after)
    sums, of_kept = balanced_sums(before, after)[kept], kept_codes(codes, kept)
    return PairedFigures(
        n=pairs.n,
        units=pairs.units,
        table=table,
        baseline_rate=rate_of_items(pairs.baseline, pairs.design(level, runs=pairs.runs[0])),
        variant_rate=rate_of_items(pairs.variant, pairs.design(level, runs=pairs.runs[1])),
        change=change_of_items(pairs, level),
        change_score=score_of_items(pairs, level),
        flip_rate=flips_of_items(pairs, level),
        exact=signflip_of_items(sums, of_kept),
        mid_p=signflip_of_items(sums, of_kept, mid_p=True),
        noninferiority=noninferiority_of_items(pairs, margin, level),
        uneven=uneven_items(before, after),
    )


def figures_of_table(table: PairedTable, *, level: float, margin: float) -> PairedFigures:
    """Compare two columns of single results of independent items.

    Args:
        table: The paired results.
        level: Confidence level, already validated.
        margin: The largest drop that would not matter, already validated.

    Returns:
        All figures.
    """
    return PairedFigures(
        n=table.n,
        units=table.n,
        table=table,
        baseline_rate=rate_interval(table.baseline_passes, table.n, level=level),
        variant_rate=rate_interval(table.variant_passes, table.n, level=level),
        change=newcombe_interval(table, level=level),
        change_score=tango_interval(table, level=level),
        flip_rate=flip_rate(table, level=level),
        exact=mcnemar_exact(table),
        mid_p=mcnemar_mid_p(table),
        noninferiority=tango_noninferiority(table, margin),
    )


def flips_of_items(pairs: ItemPairs, level: float) -> Estimate:
    """Chance that a run before and a run after differ; pairs and level are already validated."""
    return rate_of_items(pairs.pass_to_fail + pairs.fail_to_pass, pairs.design(level))
