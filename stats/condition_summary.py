"""One variant against the baseline: every figure that is said of it, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .cells import MISSING
from .churn import Churn, churn
from .excess import ExcessFlips, excess_flips
from .multiplicity import benjamini_hochberg, holm
from .outcomes import Outcomes
from .paired_figures import PairedFigures, figures_of_columns, figures_of_table
from .passk import PassK, pass_k_rates
from .results import Estimate, HypothesisTest
from .tables import PairedTable
from .verdict import Verdict, decide_verdict, no_worse


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """One variant against the baseline, on the items that carry results under both.

    Where items have several runs or belong to clusters, the items' means or the clusters are what every figure, test
    and verdict rests on.

    Attributes:
        condition: Name of the variant.
        verdict: What may be said of it; `decide_verdict` has the rules.
        n: Paired items; n + without_baseline + without_variant is the number of items.
        without_baseline: Items left out for want of a baseline result.
        without_variant: Items with a baseline result left out for want of this variant's.
        table: The paired results; None with repeats.
        baseline_rate: Pass rate of the paired items under the baseline, with its interval.
        variant_rate: Their pass rate under the variant, with its interval.
        change: Variant rate − baseline rate, Newcombe method 10.
        change_score: The same change with Tango's score interval, for decisions about the margin.
        flip_rate: Share of paired items whose result differs in either direction; with repeats the chance that
            a run under the variant and one under the baseline differ. It can't be read without the noise floor.
        exact: Exact test of no change: McNemar, with repeats or clusters by sign flips.
        mid_p: Mid-p test of no change.
        holm_p: The exact p-value, Holm-adjusted over the variants of this summary.
        bh_q: Its Benjamini–Hochberg q-value over the same variants.
        noninferiority: One-sided score test against the margin; not adjusted for the number of variants.
        no_worse: Whether a drop of the margin or more is ruled out, whatever the verdict.
        answer_agreement: Share of paired answers that are the baseline's; None if no answers were given.
        units: Independent units: clusters, or paired items where nothing is clustered.
        uneven: Paired items with unequally many runs under the two conditions; the tests use as many of each.
        churn: Noise floor, and the flips that the perturbation itself caused; None with one run a cell.
        excess: Flips beyond those of asking the original again; None if no condition does.
        pass_k: pass@k and pass^k under this variant, over its own items; empty with one run a cell.
        unclustered: The same figures with items taken for independent; None where nothing is clustered.
    """

    condition: str
    verdict: Verdict
    n: int
    without_baseline: int
    without_variant: int
    table: PairedTable | None
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
    units: int = 0
    uneven: int = 0
    churn: Churn | None = None
    excess: ExcessFlips | None = None
    pass_k: tuple[PassK, ...] = ()
    unclustered: PairedFigures | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides: significance level, margin, and the conditions that repeat the original."""

    alpha: float
    margin: float
    reruns: tuple[str, ...]

    @property
    def level(self) -> float:
        """Confidence level of every interval."""
        return 1.0 - self.alpha


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A condition's p-value, adjusted over all of them."""

    holm_p: float | None
    bh_q: float | None


def summarise_conditions(
    outcomes: Outcomes, rules: Rules, agreements: Sequence[Estimate] | None
) -> tuple[ConditionSummary, ...]:
    """Analyse every variant but the reruns.

    Args:
        outcomes: Results, reruns included.
        rules: Already validated.
        agreements: Answer agreement of each variant analysed, or None.

    Returns:
        One summary a variant, in the order of the outcomes.
    """
    names = [name for name in outcomes.variants if name not in rules.reruns]
    figures = _figures(outcomes, names, rules)
    pvalues = [each.exact.pvalue for each in figures]
    adjusted = map(Adjusted, holm(pvalues), benjamini_hochberg(pvalues))
    given = agreements if agreements is not None else [None] * len(names)
    missing = int(np.count_nonzero(np.all(outcomes.cells[:, 0] == MISSING, axis=1)))
    return tuple(
        _condition(outcomes, name, each, of_all, rules, answers=answers, without_baseline=missing)
        for name, each, of_all, answers in zip(names, figures, adjusted, given, strict=True)
    )


def _figures(outcomes: Outcomes, names: Sequence[str], rules: Rules) -> list[PairedFigures]:
    if outcomes.repeats == 1 and outcomes.codes is None:
        tables = dict(zip(outcomes.variants, outcomes.tables(), strict=True))
        return [figures_of_table(tables[name], level=rules.level, margin=rules.margin) for name in names]
    return [_of_column(outcomes, name, rules) for name in names]


def _of_column(outcomes: Outcomes, name: str, rules: Rules) -> PairedFigures:
    column = outcomes.cells[:, outcomes.column(name)]
    return figures_of_columns(outcomes.cells[:, 0], column, outcomes.codes, level=rules.level, margin=rules.margin)


def _condition(
    outcomes: Outcomes,
    name: str,
    figures: PairedFigures,
    adjusted: Adjusted,
    rules: Rules,
    *,
    answers: Estimate | None,
    without_baseline: int,
) -> ConditionSummary:
    clustered, repeated = outcomes.codes is not None, outcomes.repeats > 1
    return ConditionSummary(
        condition=name,
        verdict=decide_verdict(
            figures.change,
            figures.change_score,
            adjusted.holm_p,
            alpha=rules.alpha,
            margin=rules.margin,
            units=figures.units,
        ),
        n=figures.n,
        without_baseline=without_baseline,
        without_variant=len(outcomes.items) - without_baseline - figures.n,
        table=figures.table,
        baseline_rate=figures.baseline_rate,
        variant_rate=figures.variant_rate,
        change=figures.change,
        change_score=figures.change_score,
        flip_rate=figures.flip_rate,
        exact=figures.exact,
        mid_p=figures.mid_p,
        holm_p=adjusted.holm_p,
        bh_q=adjusted.bh_q,
        noninferiority=figures.noninferiority,
        no_worse=no_worse(figures.change_score, rules.margin),
        answer_agreement=answers,
        units=figures.units,
        uneven=figures.uneven,
        churn=churn(outcomes, name) if repeated else None,
        excess=excess_flips(outcomes, name, rules.reruns, level=rules.level) if rules.reruns else None,
        pass_k=pass_k_rates(outcomes, condition=name, level=rules.level) if repeated else (),
        unclustered=_of_column(outcomes.without_clusters(), name, rules) if clustered else None,
    )
