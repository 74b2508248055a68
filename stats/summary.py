"""The whole analysis of one set of outcomes: every variant against the baseline, and all variants together."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .agreement import AnswerAgreement, answer_agreement
from .checks import check_fraction
from .cochran import cochran_q
from .consistency import ConsistencyCurve, consistency_curve
from .exclusions import Exclusions, count_exclusions
from .flips import flip_rate, pooled_flip_rate
from .mcnemar import mcnemar_exact, mcnemar_mid_p
from .multiplicity import benjamini_hochberg, bonferroni_bar, holm
from .newcombe import newcombe_interval
from .outcomes import MISSING, Outcomes
from .results import Estimate, HypothesisTest
from .robust import any_pass_rate, baseline_rate, robust_rate, robust_rate_present
from .spread import Spread, condition_spread
from .stability import fully_stable_share, item_stability
from .tables import PairedTable
from .tango import tango_interval, tango_noninferiority
from .verdict import Verdict, decide_verdict, no_worse
from .wilson import wilson_interval


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """One variant against the baseline, on the items that carry both results.

    Attributes:
        condition: Name of the variant.
        verdict: What may be said of it; `decide_verdict` has the rules.
        n: Paired items; n + without_baseline + without_variant is the number of items.
        without_baseline: Items left out for want of a baseline result.
        without_variant: Items with a baseline result left out for want of this variant's.
        table: The paired results.
        baseline_rate: Pass rate of the paired items under the baseline, Wilson.
        variant_rate: Their pass rate under the variant, Wilson.
        change: Variant rate − baseline rate, Newcombe method 10.
        change_score: The same change with Tango's score interval, for decisions about the margin.
        flip_rate: Share of paired items whose result differs in either direction, Wilson.
        exact: Exact McNemar test of no change.
        mid_p: Mid-p McNemar test of no change.
        holm_p: The exact p-value, Holm-adjusted over the variants of this summary.
        bh_q: Its Benjamini–Hochberg q-value over the same variants.
        noninferiority: One-sided score test against the margin; not adjusted for the number of variants.
        no_worse: Whether a drop of the margin or more is ruled out, whatever the verdict.
        answer_agreement: Share of paired answers that are the baseline's, Wilson; None if no answers were given.
    """

    condition: str
    verdict: Verdict
    n: int
    without_baseline: int
    without_variant: int
    table: PairedTable
    baseline_rate: Estimate
    variant_rate: Estimate
    change: Estimate
    change_score: Estimate
    flip_rate: Estimate
    exact: HypothesisTest
    mid_p: HypothesisTest
    holm_p: float | None
    bh_q: float | None
    noninferiority: HypothesisTest
    no_worse: bool | None
    answer_agreement: Estimate | None


@dataclass(frozen=True, slots=True)
class OverallSummary:
    """All variants together.

    Attributes:
        baseline_rate: Pass rate over all items with a baseline result, Wilson.
        robust_rate: Share of complete cases that pass everywhere, Wilson.
        robust_rate_present: Share of items that fail nowhere among their present conditions, Wilson.
        any_pass_rate: Share of complete cases that pass somewhere, Wilson.
        fully_stable: Share of items whose present variants all agree with the baseline, Wilson.
        pooled_flip_rate: Share of paired cells that differ from the baseline; no interval.
        spread: Best condition rate − worst.
        cochran: Cochran's Q across all conditions.
        consistency: Share of complete cases right in at least a fraction of their conditions.
        answer_agreement: Share of paired answers that are the baseline's; no interval; None if no answers were given.
        exclusions: What is missing.
    """

    baseline_rate: Estimate
    robust_rate: Estimate
    robust_rate_present: Estimate
    any_pass_rate: Estimate
    fully_stable: Estimate
    pooled_flip_rate: Estimate
    spread: Spread
    cochran: HypothesisTest
    consistency: ConsistencyCurve
    answer_agreement: Estimate | None
    exclusions: Exclusions


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

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values for JSON: numbers, strings, None, never NaN or an infinity."""
        return asdict(self)


def summarise(
    outcomes: Outcomes, *, alpha: float = 0.05, margin: float = 0.05, answers: ArrayLike | None = None
) -> Summary:
    """Analyse outcomes with one result a cell.

    Every figure is over all conditions of the outcomes: `Outcomes.select` chooses which ones count.

    Args:
        outcomes: Results with a single repeat.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.
        answers: Canonical answers as codes, items × conditions as in the outcomes (`code_answers` makes them); None
            leaves answer agreement out.

    Returns:
        The figures of every variant and of all together.

    Raises:
        ValueError: If there is more than one repeat, `alpha` or `margin` is not between 0 and 1, or `answers` doesn't
            fit the outcomes.

    Examples:
        >>> from prt.stats import Outcomes, summarise
        >>> outcomes = Outcomes.from_array([[1, 1]] * 7 + [[1, 0]] * 8 + [[0, 0]] * 5)
        >>> change = summarise(outcomes).conditions[0].change
        >>> print(f"{100 * change.estimate:.1f} points, {100 * change.low:.1f} to {100 * change.high:.1f}")
        -40.0 points, -58.3 to -14.3
    """
    check_fraction("alpha", alpha)
    check_fraction("margin", margin)
    outcomes.matrix()
    agreement = None if answers is None else _agreement(answers, outcomes, 1.0 - alpha)
    conditions = _conditions(outcomes, agreement, alpha=alpha, margin=margin)
    tests = sum(condition.n > 0 for condition in conditions)
    return Summary(
        baseline=outcomes.baseline,
        alpha=alpha,
        level=1.0 - alpha,
        margin=margin,
        tests=tests,
        bonferroni_bar=bonferroni_bar(alpha, tests),
        conditions=conditions,
        overall=_overall(outcomes, agreement, level=1.0 - alpha),
        item_stability=item_stability(outcomes),
    )


def _agreement(answers: ArrayLike, outcomes: Outcomes, level: float) -> AnswerAgreement:
    codes = np.asarray(answers)
    if codes.shape != outcomes.matrix().shape:
        raise ValueError(
            f"answers must be items × conditions as in the outcomes, {outcomes.matrix().shape}, got {codes.shape}"
        )
    return answer_agreement(codes, level=level)


def _conditions(
    outcomes: Outcomes, agreement: AnswerAgreement | None, *, alpha: float, margin: float
) -> tuple[ConditionSummary, ...]:
    tables = outcomes.tables()
    agreements = agreement.by_variant if agreement else (None,) * len(tables)
    pvalues = [mcnemar_exact(table).pvalue for table in tables]
    without_baseline = int(np.count_nonzero(outcomes.matrix()[:, 0] == MISSING))
    with_baseline = len(outcomes.items) - without_baseline
    return tuple(
        _condition(
            name,
            table,
            without_baseline=without_baseline,
            with_baseline=with_baseline,
            holm_p=holm_p,
            bh_q=bh_q,
            answers=answers,
            alpha=alpha,
            margin=margin,
        )
        for name, table, holm_p, bh_q, answers in zip(
            outcomes.variants, tables, holm(pvalues), benjamini_hochberg(pvalues), agreements, strict=True
        )
    )


def _condition(
    name: str,
    table: PairedTable,
    *,
    without_baseline: int,
    with_baseline: int,
    holm_p: float | None,
    bh_q: float | None,
    answers: Estimate | None,
    alpha: float,
    margin: float,
) -> ConditionSummary:
    level = 1.0 - alpha
    change = newcombe_interval(table, level=level)
    score = tango_interval(table, level=level)
    return ConditionSummary(
        condition=name,
        verdict=decide_verdict(change, score, holm_p, alpha=alpha, margin=margin),
        n=table.n,
        without_baseline=without_baseline,
        without_variant=with_baseline - table.n,
        table=table,
        baseline_rate=wilson_interval(table.baseline_passes, table.n, level=level),
        variant_rate=wilson_interval(table.variant_passes, table.n, level=level),
        change=change,
        change_score=score,
        flip_rate=flip_rate(table, level=level),
        exact=mcnemar_exact(table),
        mid_p=mcnemar_mid_p(table),
        holm_p=holm_p,
        bh_q=bh_q,
        noninferiority=tango_noninferiority(table, margin),
        no_worse=no_worse(score, margin),
        answer_agreement=answers,
    )


def _overall(outcomes: Outcomes, agreement: AnswerAgreement | None, *, level: float) -> OverallSummary:
    return OverallSummary(
        baseline_rate=baseline_rate(outcomes, level=level),
        robust_rate=robust_rate(outcomes, level=level),
        robust_rate_present=robust_rate_present(outcomes, level=level),
        any_pass_rate=any_pass_rate(outcomes, level=level),
        fully_stable=fully_stable_share(outcomes, level=level),
        pooled_flip_rate=pooled_flip_rate(outcomes),
        spread=condition_spread(outcomes),
        cochran=cochran_q(outcomes),
        consistency=consistency_curve(outcomes),
        answer_agreement=agreement.pooled if agreement else None,
        exclusions=count_exclusions(outcomes),
    )
