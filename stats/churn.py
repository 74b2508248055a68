"""Churn: how many flips the wording itself caused, beyond those that asking twice would have caused anyway."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import item_rates
from .clustered_rate import standard_error
from .clusters import Codes, kept_codes
from .numeric import FloatArray
from .outcomes import Counts, Outcomes
from .results import Estimate

FLIPS = "mean over items of differing pairs of runs, baseline against variant"
FLOOR = "mean over items of differing pairs of runs of one condition"
CAUSED = "flip rate − mean noise floor, estimates E(p1 − p0)²"


@dataclass(frozen=True, slots=True)
class Churn:
    """Where the flips between a baseline and a variant come from; all figures are over the same items.

    flip_rate = (baseline_floor + variant_floor)/2 + caused. A flip rate can't be read without its floor: a model that
    answers differently when asked the same question twice flips without any change of wording.

    Attributes:
        flip_rate: F, the chance that one run under the baseline and one under the variant differ.
        baseline_floor: N0, the chance that two runs under the baseline differ.
        variant_floor: N1, the chance that two runs under the variant differ.
        caused: D, the flips that the perturbation itself caused; unbiased, so that it can fall below 0 by luck.
        left_out: Paired items with fewer than two runs under either condition: they show no noise.
    """

    flip_rate: Estimate
    baseline_floor: Estimate
    variant_floor: Estimate
    caused: Estimate
    left_out: int


def churn(outcomes: Outcomes, condition: str) -> Churn:
    """Split the flip rate of a variant into the noise floor and the flips that the perturbation caused.

    With pᵢⱼ the chance that item i passes under condition j, two independent runs under different conditions differ
    with probability p0(1 − p1) + p1(1 − p0) = p0(1 − p0) + p1(1 − p1) + (p1 − p0)². The first two terms are half of
    what two runs of each condition differ by; the third is the wording's own. Each is estimated without bias from pairs
    of different runs: ȳ0(1 − ȳ1) + ȳ1(1 − ȳ0) and 2k/(k − 1)·ȳ(1 − ȳ).

    Args:
        outcomes: Results with repeats.
        condition: Name of the variant.

    Returns:
        The four figures, with standard errors and without limits, over the items with at least two runs under both
        conditions.

    Raises:
        ValueError: If there is one run a cell (`excess_flips` is the figure for that), or the name is unknown or the
            baseline's own.

    References:
        The identity above; the estimates are U-statistics (W. Hoeffding, 1948, Ann. Math. Stat. 19, 293-325).

    Examples:
        >>> from prt.stats import Outcomes, churn
        >>> found = churn(Outcomes.from_array([[[1, 1], [1, 0]], [[1, 0], [0, 1]], [[1, 1], [0, 0]]]), "variant.1")
        >>> [round(figure.estimate, 3) for figure in (found.flip_rate, found.baseline_floor, found.variant_floor)]
        [0.667, 0.333, 0.667]
        >>> round(found.caused.estimate, 3)
        0.167
    """
    if outcomes.repeats < 2:
        raise ValueError(
            "one run a cell shows no noise, so that flips can't be split; repeat the runs, or add the baseline again "
            "as a condition of its own and use excess_flips"
        )
    before, after = outcomes.counts(0), outcomes.counts(outcomes.variant_column(condition))
    paired = (before[1] > 0) & (after[1] > 0)
    kept = (before[1] > 1) & (after[1] > 1)
    left_out = int(np.count_nonzero(paired & ~kept))
    return _split(_kept(before, kept), _kept(after, kept), kept_codes(outcomes.codes, kept), left_out)


def noise_floor(rates: ArrayLike, runs: int) -> float | None:
    """Chance that two runs of the same item under the same condition differ, averaged over items.

    Args:
        rates: Share of each item's runs that passed.
        runs: Runs an item, at least 2.

    Returns:
        Mean of 2k/(k − 1)·ȳ(1 − ȳ) for k runs; None without items.

    Raises:
        ValueError: If a rate is not between 0 and 1, or there are fewer than 2 runs.

    Examples:
        >>> from prt.stats import noise_floor
        >>> noise_floor([1.0, 0.5, 0.0], runs=2)
        0.3333333333333333
    """
    if runs < 2:
        raise ValueError(f"one run shows no noise: runs must be at least 2, got {runs}")
    means = item_rates("rates", rates)
    return float(np.mean(floor_of_items(means, np.asarray(float(runs))))) if means.size else None


def floor_of_items(means: FloatArray, runs: FloatArray) -> FloatArray:
    """Chance that two runs of an item differ, without bias; at least two runs of each are already validated."""
    return np.asarray(2.0 * runs / (runs - 1.0) * means * (1.0 - means))


def _split(
    before: tuple[FloatArray, FloatArray], after: tuple[FloatArray, FloatArray], codes: Codes | None, left_out: int
) -> Churn:
    flips = before[0] * (1.0 - after[0]) + after[0] * (1.0 - before[0])
    baseline_floor, variant_floor = floor_of_items(*before), floor_of_items(*after)
    return Churn(
        flip_rate=_mean(flips, codes, FLIPS),
        baseline_floor=_mean(baseline_floor, codes, FLOOR),
        variant_floor=_mean(variant_floor, codes, FLOOR),
        caused=_mean(flips - (baseline_floor + variant_floor) / 2.0, codes, CAUSED),
        left_out=left_out,
    )


def _kept(counts: tuple[Counts, Counts], kept: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Means and numbers of runs of some of the items."""
    passes, runs = (each[kept].astype(float) for each in counts)
    return passes / runs, runs


def _mean(values: FloatArray, codes: Codes | None, method: str) -> Estimate:
    if values.size == 0:
        return Estimate(None, None, None, None, 0, method)
    return Estimate(
        float(values.mean()), None, None, None, values.size, method, standard_error=standard_error(values, codes)
    )
