"""Two runs of the same items and conditions: another model version, another prompt version."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import MISSING, PASS, Cells
from .checks import check_fraction
from .clustered_newcombe import change_of_items
from .clustered_tango import score_of_items
from .clusters import Codes, kept_codes
from .maxt import MaxT, max_t_of_items
from .multiplicity import holm
from .numeric import FloatArray
from .outcomes import Outcomes
from .paired import ItemPairs, balanced_sums
from .paired_figures import PairedFigures, figures_of_columns
from .results import Estimate, HypothesisTest
from .robustness_change import robustness_change_of_items
from .signflip import Sums, signflip_of_items
from .verdict import Verdict, decide_verdict

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ConditionComparison:
    """One condition in both runs.

    Attributes:
        condition: Its name.
        verdict: `regressed` and so on: the later run against the earlier, Holm-adjusted over conditions.
        figures: Every paired figure; "baseline" there is the earlier run, "variant" the later.
        holm_p: The exact p-value, Holm-adjusted over the conditions.
        max_t_p: The p-value adjusted by flipping the signs of whole items in all conditions together.
    """

    condition: str
    verdict: Verdict
    figures: PairedFigures
    holm_p: float | None
    max_t_p: float | None


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A later run against an earlier one, on the items and conditions of both.

    Attributes:
        verdict: What may be said of the two runs overall.
        n: Items with a pair of results under any condition.
        units: Independent units: clusters, or items where nothing is clustered.
        items_left_out: Items of only one of the runs, or without a pair of results.
        conditions_left_out: Names of the conditions of only one of the runs.
        change: Change of the mean over conditions, item by item, with Newcombe's interval on item means.
        change_score: The same with Tango's interval.
        exact: Exact sign-flip test of no change, on each item's sum over conditions.
        conditions: Each condition in both runs.
        max_t: The adjustment over conditions, with its Monte Carlo error.
        robustness_change: How much more (or less) the later run loses under the variants than the earlier; below 0 it
            became less robust.
        robustness_exact: Exact sign-flip test of each item's difference in differences.
    """

    verdict: Verdict
    n: int
    units: int
    items_left_out: int
    conditions_left_out: tuple[str, ...]
    change: Estimate
    change_score: Estimate
    exact: HypothesisTest
    conditions: tuple[ConditionComparison, ...]
    max_t: MaxT
    robustness_change: Estimate
    robustness_exact: HypothesisTest


@dataclass(frozen=True, slots=True)
class AlignedRuns:
    """Cells of both runs in one order of items and conditions.

    Attributes:
        before: Items × conditions × repeats of the earlier run.
        after: The same of the later run; the repeats may be another number.
        conditions: Names of the conditions that both have, the baseline first.
        codes: Cluster of each item, or None.
    """

    before: Cells
    after: Cells
    conditions: tuple[str, ...]
    codes: Codes | None


def compare_runs(
    before: Outcomes,
    after: Outcomes,
    *,
    rng: "np.random.Generator",
    alpha: float = 0.05,
    margin: float = 0.05,
    draws: int = 9999,
) -> RunComparison:
    """Compare two runs item by item.

    The item is the unit: its results under several conditions rise and fall together, so that pooling cells, as if each
    were an item, rejects up to 15% of the time where nothing changed. Only what both runs hold is compared; clusters
    are those of the earlier run.

    Args:
        before: The earlier run.
        after: The later run; items and conditions are matched by name, in any order.
        rng: Source of the max-T sign patterns; a seeded one repeats its p-values.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate.
        draws: Sign patterns that max-T draws.

    Returns:
        The comparison overall, by condition, and of the robustness.

    Raises:
        ValueError: If the runs share no item or have different baselines, `alpha` or `margin` is not between 0 and 1,
            or there is no draw.

    References:
        `signflip_exact`, `clustered_newcombe_interval` and `max_t` name those of their methods.

    Examples:
        >>> import numpy as np
        >>> from prt.stats import Outcomes, compare_runs
        >>> before = Outcomes.from_array([[1, 1, 1]] * 14 + [[0, 1, 0]] * 6)
        >>> after = Outcomes.from_array([[1, 1, 1]] * 6 + [[1, 0, 0]] * 8 + [[0, 1, 0]] * 6)
        >>> found = compare_runs(before, after, rng=np.random.default_rng(1))
        >>> print(f"{found.change.estimate:+.3f}, p = {found.exact.pvalue:.4f}, {found.verdict}")
        -0.267, p = 0.0078, regressed
        >>> print(f"robustness {found.robustness_change.estimate:+.2f}, p = {found.robustness_exact.pvalue:.4f}")
        robustness -0.40, p = 0.0078
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    aligned = align_runs(before, after)
    level = 1.0 - alpha
    pairs, kept = _overall_pairs(aligned)
    sums = _sums(aligned)
    exact = signflip_of_items(sums[kept].sum(axis=1), pairs.codes)
    change, score = change_of_items(pairs, level), score_of_items(pairs, level)
    adjusted = max_t_of_items(sums[kept], pairs.codes, draws, rng)
    return RunComparison(
        verdict=decide_verdict(change, score, exact.pvalue, alpha=alpha, margin=margin, units=pairs.units),
        n=pairs.n,
        units=pairs.units,
        items_left_out=len(set(before.items) | set(after.items)) - pairs.n,
        conditions_left_out=tuple(sorted(set(before.conditions) ^ set(after.conditions))),
        change=change,
        change_score=score,
        exact=exact,
        conditions=_conditions(aligned, adjusted, alpha=alpha, margin=margin),
        max_t=adjusted,
        robustness_change=_robustness_change(aligned, level),
        robustness_exact=_robustness_test(aligned, sums),
    )


def align_runs(before: Outcomes, after: Outcomes) -> AlignedRuns:
    """Put the items and conditions that two runs share in one order, that of the earlier run.

    Raises:
        ValueError: The runs share no item, or have different baselines.
    """
    if before.baseline != after.baseline:
        raise ValueError(f"the runs have different baselines, {before.baseline!r} and {after.baseline!r}")
    conditions = tuple(name for name in before.conditions if name in after.conditions)
    places = {item: place for place, item in enumerate(after.items)}
    rows = [place for place, item in enumerate(before.items) if item in places]
    if not rows:
        raise ValueError("the two runs share no item; items are matched by their ids")
    of_after = [places[before.items[row]] for row in rows]
    first, second = ([run.column(name) for name in conditions] for run in (before, after))
    shared = np.isin(np.arange(len(before.items)), rows)
    return AlignedRuns(
        before.cells[np.ix_(rows, first)],
        after.cells[np.ix_(of_after, second)],
        conditions,
        kept_codes(before.codes, shared),
    )


def _overall_pairs(aligned: AlignedRuns) -> tuple[ItemPairs, Mask]:
    """Each item's mean over the conditions that it has results for in both runs."""
    means, runs = zip(*(_means(cells) for cells in (aligned.before, aligned.after)), strict=True)
    both = (runs[0] > 0) & (runs[1] > 0)
    kept = np.any(both, axis=1)
    averaged = [np.mean(each[kept], axis=1, where=both[kept]) if kept.any() else np.zeros(0) for each in means]
    total = [float(np.sum(each, where=both)) / max(int(np.count_nonzero(kept)), 1) for each in runs]
    codes = kept_codes(aligned.codes, kept)
    return ItemPairs(averaged[0], averaged[1], (max(total[0], 1.0), max(total[1], 1.0)), codes), kept


def _means(cells: Cells) -> tuple[FloatArray, NDArray[np.int32]]:
    runs, passes = (np.asarray(np.sum(each, axis=2, dtype=np.int32)) for each in (cells != MISSING, cells == PASS))
    return np.asarray(passes / np.maximum(runs, 1)), runs


def _sums(aligned: AlignedRuns) -> Sums:
    """Items × conditions: passes after − passes before, over equally many runs."""
    columns = zip(aligned.before.swapaxes(0, 1), aligned.after.swapaxes(0, 1), strict=True)
    return np.stack([balanced_sums(before, after) for before, after in columns], axis=1).astype(np.int64)


def _conditions(
    aligned: AlignedRuns, adjusted: MaxT, *, alpha: float, margin: float
) -> tuple[ConditionComparison, ...]:
    figures = [
        figures_of_columns(
            aligned.before[:, column], aligned.after[:, column], aligned.codes, level=1.0 - alpha, margin=margin
        )
        for column in range(len(aligned.conditions))
    ]
    return tuple(
        ConditionComparison(
            condition=name,
            verdict=decide_verdict(
                each.change, each.change_score, holm_p, alpha=alpha, margin=margin, units=each.units
            ),
            figures=each,
            holm_p=holm_p,
            max_t_p=max_t_p if each.n else None,
        )
        for name, each, holm_p, max_t_p in zip(
            aligned.conditions, figures, holm([each.exact.pvalue for each in figures]), adjusted.pvalues, strict=True
        )
    )


def _complete(aligned: AlignedRuns) -> Mask:
    """Items with results under every condition of both runs."""
    present = [np.all(np.any(cells != MISSING, axis=2), axis=1) for cells in (aligned.before, aligned.after)]
    return np.asarray(present[0] & present[1])


def _robustness_change(aligned: AlignedRuns, level: float) -> Estimate:
    kept = _complete(aligned)
    if len(aligned.conditions) < 2:
        return robustness_change_of_items(np.zeros(0), None, level)
    change = (_means(aligned.after)[0] - _means(aligned.before)[0])[kept]
    return robustness_change_of_items(change[:, 1:].mean(axis=1) - change[:, 0], kept_codes(aligned.codes, kept), level)


def _robustness_test(aligned: AlignedRuns, sums: Sums) -> HypothesisTest:
    """Sign flips of (sum over variants − number of variants × baseline): whole numbers, even-handed under no change."""
    kept, variants = _complete(aligned), len(aligned.conditions) - 1
    differences = sums[kept, 1:].sum(axis=1) - variants * sums[kept, 0] if variants else np.zeros(0, dtype=np.int64)
    return signflip_of_items(differences, kept_codes(aligned.codes, kept) if variants else None)
