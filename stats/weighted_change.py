"""The change of a weighted sum of conditions between two runs: what a mix of wordings gains or loses."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

import numpy as np

from .cells import MISSING, Cells
from .checks import check_fraction
from .clustered_newcombe import change_of_items
from .clusters import kept_codes
from .numeric import FloatArray
from .outcomes import Outcomes
from .paired import ItemPairs
from .results import Estimate
from .two_runs import align_runs

METHOD = "{of_items}, of each item's weighted sum"


def weighted_change(
    before: Outcomes, after: Outcomes, weights: Mapping[str, float], *, level: float = 0.95
) -> Estimate:
    """Estimate how much a weighted sum of pass rates changed from one run to another.

    Each item has one number in each run, Σ w·(its pass rate under the condition)/Σ w, which is a rate; items (or their
    clusters) are the units, so that Newcombe's interval on item means applies. The limits are those of that rate's
    change, times Σ w. Summing up the limits of the single conditions instead would be wrong: their changes rise and
    fall together on the same items.

    *Choose it* for requests that are written in several ways: with the share of each as its weight it is the change of
    the rate that users see. With one condition of the weight 1 it is `clustered_newcombe_interval`. For a difference in
    differences `robustness_change` is sharper.

    Args:
        before: The earlier run.
        after: The later run; items and conditions are matched by name.
        weights: The weight of each condition that counts; those of weight 0 are not looked at.
        level: Confidence level.

    Returns:
        The change, later − earlier, over the items that have results under every weighted condition in both runs;
        n counts these. Nothing but n where there are none.

    Raises:
        ValueError: If the runs share no item, a weight is negative, no finite number, or of no condition of both, none
            is above 0, or `level` is not between 0 and 1.

    References:
        `clustered_newcombe_interval` names those of the method. L. Kish (1965), Survey Sampling, on the number of
        equal weights that unequal ones are worth, which bounds the effective sample size here.

    Examples:
        Half of the traffic is written as the variant is, which loses 6 of 20 items; the other half loses none.

        >>> from prt.stats import Outcomes, weighted_change
        >>> before = Outcomes.from_array([[1, 1]] * 16 + [[0, 0]] * 4)
        >>> after = Outcomes.from_array([[1, 0]] * 6 + [[1, 1]] * 10 + [[0, 0]] * 4)
        >>> change = weighted_change(before, after, {"baseline": 0.5, "variant.1": 0.5})
        >>> print(f"{change.estimate:.3f}, {change.low:.3f} to {change.high:.3f}")
        -0.150, -0.296 to 0.010
    """
    check_fraction("level", level)
    runs = align_runs(before, after)
    given = {name: float(weight) for name, weight in weights.items() if weight != 0}
    unknown = [name for name in given if name not in runs.conditions]
    if unknown or not given or not all(isfinite(weight) and weight > 0 for weight in given.values()):
        raise ValueError(f"weights must be above 0, of conditions that both runs have, got {dict(weights)!r}")
    columns, w = [runs.conditions.index(name) for name in given], np.array([*given.values()])
    sides = [cells[:, columns] for cells in (runs.before, runs.after)]
    kept = np.all([np.all(np.any(side != MISSING, axis=2), axis=1) for side in sides], axis=0)
    span = float(w.sum())
    scores, worth = zip(*(_scores(side[kept], w) for side in sides), strict=True)
    pairs = ItemPairs(scores[0], scores[1], (worth[0], worth[1]), kept_codes(runs.codes, kept))
    found = change_of_items(pairs, level)
    method = METHOD.format(of_items=found.method)
    if found.estimate is None or found.low is None or found.high is None:
        return replace(found, method=method)
    error = found.standard_error
    return replace(
        found,
        estimate=span * found.estimate,
        low=span * found.low,
        high=span * found.high,
        method=method,
        standard_error=None if error is None else span * error,
    )


def _scores(cells: Cells, weights: FloatArray) -> tuple[FloatArray, float]:
    """Each item's weighted mean rate; and how many results an item that is worth, at most."""
    counts = np.count_nonzero(cells != MISSING, axis=2)
    rates = np.count_nonzero(cells == 1, axis=2) / np.maximum(counts, 1)
    shares = weights / weights.sum()
    runs = counts.mean(axis=0) if counts.shape[0] else np.ones(weights.size)
    # Means of means can round past 0 and 1.
    return np.clip(rates @ shares, 0.0, 1.0), 1.0 / float(np.sum(shares**2 / np.maximum(runs, 1.0)))
