"""All variants together: every figure that is said of them."""

from dataclasses import dataclass

from .agreement import AnswerAgreement
from .cochran import cochran_q
from .condition_summary import ConditionSummary
from .consistency import ConsistencyCurve, consistency_curve
from .exclusions import Exclusions, count_exclusions
from .flips import pooled_flip_rate
from .outcomes import Outcomes
from .passk import PassK, pass_k_rates
from .results import Estimate, HypothesisTest
from .robust import any_pass_rate, baseline_rate, robust_rate, robust_rate_present
from .score import robustness_score
from .spread import Spread, condition_spread
from .stability import fully_stable_share
from .variance import VarianceComponents, variance_components


@dataclass(frozen=True, slots=True)
class OverallRates:
    """The overall figures that carry an interval; `OverallSummary` says what each is."""

    baseline_rate: Estimate
    robust_rate: Estimate
    robust_rate_present: Estimate
    any_pass_rate: Estimate
    fully_stable: Estimate


@dataclass(frozen=True, slots=True)
class OverallSummary:
    """All variants together.

    Attributes:
        baseline_rate: Pass rate over all items with a baseline result, with its interval.
        robust_rate: Share of complete cases that pass everywhere, with its interval.
        robust_rate_present: Share of items that fail nowhere among their present conditions, with its interval.
        any_pass_rate: Share of complete cases that pass somewhere, with its interval.
        fully_stable: Share of items whose present variants all agree with the baseline, with its interval.
        pooled_flip_rate: Share of paired cells that differ from the baseline; no interval.
        spread: Best condition rate − worst.
        cochran: Cochran's Q across all conditions.
        consistency: Share of complete cases right in at least a fraction of their conditions.
        answer_agreement: Share of paired answers that are the baseline's; no interval; None if no answers were given.
        exclusions: What is missing.
        robustness_score: Composite of the variants' mean agreement with the baseline and their mean drop, 0 to 1; None
            where no variant can be compared.
        baseline_pass_k: pass@k and pass^k under the baseline; empty with one run a cell.
        variance: Variance by source; None with one run a cell.
        unclustered: The same rates with items taken for independent; None where nothing is clustered.
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
    robustness_score: float | None = None
    baseline_pass_k: tuple[PassK, ...] = ()
    variance: VarianceComponents | None = None
    unclustered: OverallRates | None = None


def summarise_overall(
    outcomes: Outcomes, conditions: tuple[ConditionSummary, ...], agreement: AnswerAgreement | None, *, level: float
) -> OverallSummary:
    """Analyse all variants together.

    Args:
        outcomes: Results, without the reruns.
        conditions: What was found of each variant.
        agreement: Answer agreement, or None.
        level: Confidence level, already validated.

    Returns:
        The figures.
    """
    rates, repeated = _rates(outcomes, level), outcomes.repeats > 1
    return OverallSummary(
        baseline_rate=rates.baseline_rate,
        robust_rate=rates.robust_rate,
        robust_rate_present=rates.robust_rate_present,
        any_pass_rate=rates.any_pass_rate,
        fully_stable=rates.fully_stable,
        pooled_flip_rate=pooled_flip_rate(outcomes),
        spread=condition_spread(outcomes),
        cochran=cochran_q(outcomes),
        consistency=consistency_curve(outcomes),
        answer_agreement=agreement.pooled if agreement else None,
        exclusions=count_exclusions(outcomes),
        robustness_score=_score(conditions),
        baseline_pass_k=pass_k_rates(outcomes, level=level) if repeated else (),
        variance=variance_components(outcomes) if repeated else None,
        unclustered=None if outcomes.codes is None else _rates(outcomes.without_clusters(), level),
    )


def _rates(outcomes: Outcomes, level: float) -> OverallRates:
    return OverallRates(
        baseline_rate=baseline_rate(outcomes, level=level),
        robust_rate=robust_rate(outcomes, level=level),
        robust_rate_present=robust_rate_present(outcomes, level=level),
        any_pass_rate=any_pass_rate(outcomes, level=level),
        fully_stable=fully_stable_share(outcomes, level=level),
    )


def _score(conditions: tuple[ConditionSummary, ...]) -> float | None:
    compared = [
        (1.0 - each.flip_rate.estimate, -each.change.estimate)
        for each in conditions
        if each.flip_rate.estimate is not None and each.change.estimate is not None
    ]
    return robustness_score([kept for kept, _ in compared], [drop for _, drop in compared])
