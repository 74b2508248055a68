"""Pass rates of a run corrected for the judge that graded it, with repeats and clusters honoured."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .checks import check_fraction
from .clusters import kept_codes
from .effective import Design, effective_n
from .judge import CORRECTED_METHOD, JudgeTable, corrected_rate
from .outcomes import Outcomes
from .results import Estimate
from .shares import Shares, passes_of

CORRECTED_CLUSTERED_METHOD = f"{CORRECTED_METHOD} at the effective sample size"


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """The pass rate under one condition, by a judge and as a person would give it.

    Attributes:
        condition: The condition.
        judged: The judge's rate with its interval; n counts items.
        corrected: The rate corrected for the judge's error; n counts the same items. No figure where there are none, or
            where the judge's table allows for none.
        n_effective: How many independent items these are worth; n without repeats and clusters, 0 without items.
    """

    condition: str
    judged: Estimate
    corrected: Estimate
    n_effective: float


def corrected_rates(
    outcomes: Outcomes,
    table: JudgeTable,
    *,
    level: float = 0.95,
    labels_worth: tuple[float, float] | None = None,
) -> tuple[CorrectedRate, ...]:
    """Estimate the pass rate under each condition that a person would give, from a judge's and its measured error.

    One sensitivity and one specificity stand for all conditions (`corrected_rate`). If the judge errs more under one
    condition than under another, the corrected rates differ although the answers don't: a difference of two corrected
    rates can be the judge's. The error of the calibration is common to all of them, so intervals that overlap say
    nothing of a difference.

    Args:
        outcomes: What the judge passed and failed, with any number of repeats; clusters are honoured.
        table: The judge beside a person.
        level: Confidence level.
        labels_worth: As of `corrected_rate`, where several of the table's answers are to one item.

    Returns:
        The baseline, over the items with a result there; then each variant, over the items that carry both results.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    References:
        `corrected_rate` and, for the effective sample size, `clustered_rate_interval`.

    Examples:
        >>> from prt.stats import JudgeTable, Outcomes, corrected_rates
        >>> outcomes = Outcomes.from_array([[1, 0]] * 70 + [[1, 1]] * 70 + [[0, 0]] * 60)
        >>> for each in corrected_rates(outcomes, JudgeTable(90, 15, 10, 85)):
        ...     print(f"{each.condition}: {each.judged.estimate:.2f}, corrected {each.corrected.estimate:.3f}")
        baseline: 0.70, corrected 0.733
        variant.1: 0.35, corrected 0.267
    """
    check_fraction("level", level)
    baseline = passes_of(outcomes, 0)
    shares = [passes_of(outcomes, column) for column in range(1, len(outcomes.conditions))]
    paired = [replace(each, kept=each.kept & baseline.kept) for each in shares]
    named = zip(outcomes.conditions, [baseline, *paired], strict=True)
    correct = partial(corrected_rate, table=table, level=level, labels_worth=labels_worth)
    return tuple(_corrected(name, each, outcomes, correct, level) for name, each in named)


def _corrected(
    name: str, shares: Shares, outcomes: Outcomes, correct: Callable[[float, float], Estimate], level: float
) -> CorrectedRate:
    judged = shares.interval(outcomes, level)
    rate = judged.estimate
    if rate is None:
        return CorrectedRate(name, judged, correct(0, 0), 0.0)
    if shares.fewest is None and outcomes.codes is None:
        passes = int(np.count_nonzero(shares.values[shares.kept]))
        return CorrectedRate(name, judged, correct(passes, judged.n), float(judged.n))
    values = shares.values[shares.kept].astype(np.float64)
    most = float(judged.n if shares.fewest is None else np.sum(shares.fewest[shares.kept]))
    design = Design(kept_codes(outcomes.codes, shares.kept), most, level)
    effective = effective_n(values, rate * (1.0 - rate), design)
    corrected = correct(min(rate * effective, effective), effective)
    return CorrectedRate(name, judged, replace(corrected, n=judged.n, method=CORRECTED_CLUSTERED_METHOD), effective)
