"""The excess flip rate: flips under a variant beyond those of asking the original again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .checks import check_fraction
from .clustered_newcombe import change_of_items
from .clustered_rate import rate_of_items
from .clusters import kept_codes
from .newcombe import newcombe_interval
from .numeric import FloatArray
from .outcomes import Outcomes
from .paired import ItemPairs
from .rate import rate_interval
from .results import Estimate
from .tables import PairedTable

Flips = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True)
class ExcessFlips:
    """Flips under a variant against flips of the original asked again, on the same items.

    Attributes:
        variant_flips: Flip rate of the variant against the baseline.
        rerun_flips: Flip rate of the reruns against the baseline: the noise floor.
        excess: Their paired difference, with a Newcombe interval.
        n: Items with a result under the baseline, the variant and a rerun.
    """

    variant_flips: Estimate
    rerun_flips: Estimate
    excess: Estimate
    n: int


def excess_flips(outcomes: Outcomes, condition: str, reruns: Sequence[str], *, level: float = 0.95) -> ExcessFlips:
    """Estimate how much more often a variant flips the result than asking the original again does.

    Both flips are indicators of the same items against the same baseline, so that their difference is a paired one: its
    interval is Newcombe's, method 10 (on item means where there are several reruns or repeats). It estimates
    E[(p1 − p0)(1 − 2·p0)], with pⱼ an item's chance to pass: for items that are all but certain under the baseline
    that is |p1 − p0|; a variant that makes the model steadier has an excess below 0. `churn` splits flips without this
    restriction, from two runs a cell.

    Args:
        outcomes: Results, with the reruns among the conditions.
        condition: Name of the variant.
        reruns: Names of the conditions that repeat the original.
        level: Confidence level.

    Returns:
        The two flip rates and their difference, over the items that carry all three results.

    Raises:
        ValueError: If a name is unknown or the baseline's, there is no rerun, the variant is among the reruns, or
            `level` is not between 0 and 1.

    References:
        R. G. Newcombe (1998), Stat. Med. 17, 2635-2650, method 10.

    Examples:
        >>> from prt.stats import Outcomes, excess_flips
        >>> rows = [[1, 0, 1]] * 6 + [[1, 0, 0]] * 2 + [[1, 1, 0]] + [[0, 0, 0]] * 11
        >>> outcomes = Outcomes.from_array(rows, conditions=["baseline", "typo.1", "rerun"])
        >>> found = excess_flips(outcomes, "typo.1", ["rerun"])
        >>> f"{found.variant_flips.estimate:.2f} − {found.rerun_flips.estimate:.2f} = {found.excess.estimate:.2f}"
        '0.40 − 0.15 = 0.25'
    """
    check_fraction("level", level)
    column = outcomes.variant_column(condition)
    columns = [outcomes.variant_column(name) for name in reruns]
    if not columns or column in columns:
        raise ValueError(f"reruns must name the conditions that repeat the original, other than {condition!r}")
    flips, present = _flips(outcomes, [column])
    floor, floor_present = _flips(outcomes, columns)
    kept = (present > 0) & (floor_present > 0)
    runs = tuple(_runs(each[kept]) for each in (floor_present, present))
    pairs = ItemPairs(floor[kept], flips[kept], (runs[0], runs[1]), kept_codes(outcomes.codes, kept))
    return _plain(pairs, level) if runs == (1.0, 1.0) and pairs.codes is None else _by_items(pairs, level)


def _flips(outcomes: Outcomes, columns: Sequence[int]) -> Flips:
    """Each item's share of run pairs that differ from the baseline, and its number of runs, over some conditions."""
    base_passes, base_runs = outcomes.counts(0)
    counts = [outcomes.counts(column) for column in columns]
    passes, runs = (np.sum([each[side] for each in counts], axis=0).astype(float) for side in (0, 1))
    compared = runs * base_runs
    differing = passes * (base_runs - base_passes) + (runs - passes) * base_passes
    shares = np.divide(differing, compared, out=np.zeros_like(compared), where=compared > 0)
    return shares, np.where(compared > 0, runs, 0.0)


def _runs(present: FloatArray) -> float:
    return float(present.mean()) if present.size else 1.0


def _plain(pairs: ItemPairs, level: float) -> ExcessFlips:
    """The figures where every flip is a single yes or no."""
    again, changed = pairs.baseline > 0.5, pairs.variant > 0.5
    cells = (again & changed, again & ~changed, ~again & changed, ~again & ~changed)
    table = PairedTable(*(int(np.count_nonzero(cell)) for cell in cells))
    return ExcessFlips(
        variant_flips=rate_interval(table.variant_passes, table.n, level=level),
        rerun_flips=rate_interval(table.baseline_passes, table.n, level=level),
        excess=newcombe_interval(table, level=level),
        n=table.n,
    )


def _by_items(pairs: ItemPairs, level: float) -> ExcessFlips:
    """The figures where a flip is a share of several pairs of runs, or items belong to clusters."""
    floor, flips = (pairs.design(level, runs=runs) for runs in pairs.runs)
    return ExcessFlips(
        variant_flips=rate_of_items(pairs.variant, flips),
        rerun_flips=rate_of_items(pairs.baseline, floor),
        excess=change_of_items(pairs, level),
        n=pairs.n,
    )
