"""Controls: changes of what is asked, with a new right answer. Does the model's answer follow, or stay what it was?"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .agreement import AnswerCodes, answer_agreement
from .checks import check_fraction
from .outcomes import Outcomes
from .results import Estimate
from .shares import passes_of
from .verdict import FEWEST_ITEMS

ControlVerdict = Literal["stays", "fails", "follows", "unclear", "too_few"]

MOST = 0.5


@dataclass(frozen=True, slots=True)
class ControlResponse:
    """What becomes of the answers where the right one has changed.

    Attributes:
        condition: Name of the control.
        verdict: What may be said of it; `control_response` has the rules.
        n: Items with a result under the baseline and under the control.
        right: Share of them that is right by the new answer.
        same: Share of them whose answer is the baseline's; None where a grader does not tell every answer apart.
        right_before: How many of them are right under the baseline; with repeats, in each of its runs.
        follows: Share of these that is right by the new answer.
        keeps: Share of these whose answer is the baseline's, the old right one; None as for `same`.
        units: Independent units among the n: clusters, or items where nothing is clustered.
    """

    condition: str
    verdict: ControlVerdict
    n: int
    right: Estimate
    same: Estimate | None
    right_before: int
    follows: Estimate
    keeps: Estimate | None
    units: int


def control_response(outcomes: Outcomes, condition: str, answers: ArrayLike, *, level: float = 0.95) -> ControlResponse:
    """Measure whether answers follow a change of what is right.

    The first that holds decides the verdict:

    1. `too_few`: fewer than 10 items with both results, or clusters of them.
    2. `stays`: the lower limit of `same` lies above ½. Most answers are what they were though another one is right, as
       those of a model that ignores the change, or the whole question.
    3. `fails`: the upper limit of `follows` lies below ½. Most right answers are lost once another one is right, so
       they may owe little to what is asked.
    4. `follows`: the lower limit of `follows` lies above ½.
    5. `unclear`: none of these.

    A model that gives one answer to everything has `same` at 1. One that answers rightly whatever is asked has
    `follows` at 1 and `same` at 0.

    Args:
        outcomes: Results of the baseline and the control, by what is right under each; a cell whose answer was not read
            is missing.
        condition: Name of the control.
        answers: Canonical answers as codes, laid out as the outcomes (`code_answers` makes them): equal where the
            answers are, negative where none is known.
        level: Confidence level.

    Returns:
        The shares, with `rate_interval` over items, at the effective sample size with repeats or clusters.

    Raises:
        ValueError: If the condition is no variant of the outcomes, `answers` is not laid out as they are, or `level` is
            not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, control_response
        >>> outcomes = Outcomes.from_array([[1, 1]] * 24 + [[1, 0]] * 7, conditions=["baseline", "control.1"])
        >>> found = control_response(outcomes, "control.1", [[0, 1]] * 24 + [[0, 0]] * 5 + [[0, 2]] * 2)
        >>> print(f"{found.follows.estimate:.0%}, {found.follows.low:.0%} to {found.follows.high:.0%}: {found.verdict}")
        77%, 60% to 89%: follows
        >>> found.keeps.count, found.keeps.n
        (5, 31)
    """
    check_fraction("level", level)
    column = outcomes.variant_column(condition)
    codes = _codes_of(answers, outcomes, column)
    before, after = passes_of(outcomes, 0), passes_of(outcomes, column)
    paired = before.kept & after.kept
    sure = paired & (before.values >= 1.0)
    right = replace(after, kept=paired).interval(outcomes, level)
    follows = replace(after, kept=sure).interval(outcomes, level)
    same = _same(codes, paired, outcomes, level)
    units = _units(outcomes, paired)
    return ControlResponse(
        condition=condition,
        verdict=_verdict(same, follows, units),
        n=right.n,
        right=right,
        same=same,
        right_before=follows.n,
        follows=follows,
        keeps=None if same is None else _same(codes, sure, outcomes, level),
        units=units,
    )


def _verdict(same: Estimate | None, follows: Estimate, units: int) -> ControlVerdict:
    if units < FEWEST_ITEMS:
        return "too_few"
    if same is not None and same.low is not None and same.low > MOST:
        return "stays"
    if follows.high is not None and follows.high < MOST:
        return "fails"
    return "follows" if follows.low is not None and follows.low > MOST else "unclear"


def _codes_of(answers: ArrayLike, outcomes: Outcomes, column: int) -> AnswerCodes:
    """Items × (baseline, control) × repeats, negative where there is no result."""
    codes = np.asarray(answers)
    if codes.ndim == 2:
        codes = codes[:, :, np.newaxis]
    if codes.shape != outcomes.cells.shape:
        raise ValueError(f"answers must be laid out as the outcomes, {outcomes.cells.shape}, got {np.shape(answers)}")
    return np.where(outcomes.cells >= 0, codes, -1)[:, [0, column]]


def _same(codes: AnswerCodes, kept: NDArray[np.bool_], outcomes: Outcomes, level: float) -> Estimate | None:
    """Share of equal answers among some items; None if it would rest on those alone whose answers are known."""
    if not np.all(np.any(codes[kept] >= 0, axis=2)):
        return None
    labels = outcomes.clusters
    clusters = None if labels is None else [label for label, keep in zip(labels, kept, strict=True) if keep]
    return answer_agreement(codes[kept], level=level, clusters=clusters).by_variant[0]


def _units(outcomes: Outcomes, kept: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(kept) if outcomes.codes is None else np.unique(outcomes.codes[kept]).size)
