"""The whole analysis of one set of outcomes: every variant against the baseline, and all variants together."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .agreement import AnswerAgreement, answer_agreement
from .checks import check_fraction
from .condition_summary import ConditionSummary, Rules, summarise_conditions
from .multiplicity import bonferroni_bar
from .outcomes import Outcomes
from .overall_summary import OverallSummary, summarise_overall
from .stability import item_stability


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that is said of one set of outcomes.

    Attributes:
        baseline: Name of the baseline condition.
        alpha: Significance level.
        level: Confidence level of every interval, 1 − alpha.
        margin: The largest drop that would not matter, as a rate.
        tests: Variants with at least one paired item: the tests that Holm, Benjamini–Hochberg and the bar count.
        bonferroni_bar: alpha/tests, the bar for a raw p-value; None where nothing could be tested.
        conditions: One summary a variant, in the order of the outcomes.
        overall: All variants together.
        item_stability: Share of each item's present variants that agree with its baseline, in the order of
            `Outcomes.items`; None where there is nothing to compare.
        repeats: Runs a cell.
        clusters: Clusters among the items, an item by itself counting as one; None where nothing is clustered.
    """

    baseline: str
    alpha: float
    level: float
    margin: float
    tests: int
    bonferroni_bar: float | None
    conditions: tuple[ConditionSummary, ...]
    overall: OverallSummary
    item_stability: tuple[float | None, ...]
    repeats: int = 1
    clusters: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values for JSON: numbers, strings, None, never NaN or an infinity."""
        return asdict(self)


def summarise(
    outcomes: Outcomes,
    *,
    alpha: float = 0.05,
    margin: float = 0.05,
    answers: ArrayLike | None = None,
    reruns: Sequence[str] = (),
) -> Summary:
    """Analyse outcomes.

    Every figure is over all conditions of the outcomes but the reruns: `Outcomes.select` chooses which ones count.
    Repeats and clusters are honoured in every interval, test and verdict.

    Args:
        outcomes: Results with any number of repeats.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.
        answers: Canonical answers as codes, items × conditions (× repeats) as in the outcomes (`code_answers` makes
            them); None leaves answer agreement out.
        reruns: Names of the conditions that repeat the original. They are no variants: they give the noise floor of
            each variant's flips, and enter nothing else.

    Returns:
        The figures of every variant and of all together.

    Raises:
        ValueError: If `alpha` or `margin` is not between 0 and 1, `answers` doesn't fit the outcomes, or a rerun is no
            variant of the outcomes.

    Examples:
        >>> from prt.stats import Outcomes, summarise
        >>> outcomes = Outcomes.from_array([[1, 1]] * 7 + [[1, 0]] * 8 + [[0, 0]] * 5)
        >>> change = summarise(outcomes).conditions[0].change
        >>> print(f"{100 * change.estimate:.1f} points, {100 * change.low:.1f} to {100 * change.high:.1f}")
        -40.0 points, -58.3 to -14.3
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    rules = Rules(alpha, margin, tuple(reruns))
    left_out = {outcomes.variant_column(name) for name in reruns}
    kept = [column for column in range(len(outcomes.conditions)) if column not in left_out]
    agreement = None if answers is None else _agreement(answers, outcomes, kept, rules.level)
    conditions = summarise_conditions(outcomes, rules, agreement.by_variant if agreement else None)
    headline = outcomes.select([outcomes.conditions[column] for column in kept]) if reruns else outcomes
    tests = sum(condition.n > 0 for condition in conditions)
    return Summary(
        baseline=outcomes.baseline,
        alpha=alpha,
        level=rules.level,
        margin=margin,
        tests=tests,
        bonferroni_bar=bonferroni_bar(alpha, tests),
        conditions=conditions,
        overall=summarise_overall(headline, conditions, agreement, level=rules.level),
        item_stability=item_stability(headline),
        repeats=outcomes.repeats,
        clusters=None if outcomes.codes is None else int(outcomes.codes.max()) + 1,
    )


def _agreement(answers: ArrayLike, outcomes: Outcomes, kept: Sequence[int], level: float) -> AnswerAgreement:
    codes = np.asarray(answers)
    shapes = {outcomes.cells.shape} | ({outcomes.cells.shape[:2]} if outcomes.repeats == 1 else set())
    if codes.shape not in shapes:
        expected = " or ".join(map(str, sorted(shapes)))
        raise ValueError(f"answers must be laid out as the outcomes, {expected}, got {codes.shape}")
    counted = codes if len(kept) == codes.shape[1] else codes[:, kept]
    return answer_agreement(counted, level=level, clusters=outcomes.clusters)
