"""A judge as a measuring instrument: how far it agrees with people, and what its error makes of a rate."""

from dataclasses import dataclass

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import FloatArray, two_sided_z
from .rate import rate_interval
from .results import Estimate

KAPPA_METHOD = "Cohen's kappa, quantiles of a Dirichlet posterior"
CORRECTED_METHOD = "Rogan-Gladen, Lang-Reiczigel interval"
DRAWS = 10_000
_NEXT_TO_NOTHING = 1e-4


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """A judge beside a person, on the same answers.

    Attributes:
        both_pass: Answers that both pass.
        judge_only: Answers that the judge passes and the person fails: false passes.
        human_only: Answers that the judge fails and the person passes: false fails.
        both_fail: Answers that both fail.

    Raises:
        ValueError: If a count is not a whole number of at least 0.

    Examples:
        >>> from prt.stats import JudgeTable
        >>> table = JudgeTable(both_pass=20, judge_only=10, human_only=5, both_fail=15)
        >>> table.n, table.agreement().estimate, table.sensitivity().estimate, table.specificity().estimate
        (50, 0.7, 0.8, 0.6)
    """

    both_pass: int
    judge_only: int
    human_only: int
    both_fail: int

    def __post_init__(self) -> None:
        for name in ("both_pass", "judge_only", "human_only", "both_fail"):
            whole_number(name, getattr(self, name))

    @property
    def n(self) -> int:
        """Answers that both judged."""
        return self.both_pass + self.judge_only + self.human_only + self.both_fail

    def agreement(self, *, level: float = 0.95) -> Estimate:
        """Share of answers that both judge alike."""
        return rate_interval(self.both_pass + self.both_fail, self.n, level=level)

    def sensitivity(self, *, level: float = 0.95) -> Estimate:
        """Share of what the person passes that the judge passes too."""
        return rate_interval(self.both_pass, self.both_pass + self.human_only, level=level)

    def specificity(self, *, level: float = 0.95) -> Estimate:
        """Share of what the person fails that the judge fails too."""
        return rate_interval(self.both_fail, self.both_fail + self.judge_only, level=level)


def cohen_kappa(
    table: JudgeTable, *, rng: "np.random.Generator", level: float = 0.95, n_effective: float | None = None
) -> Estimate:
    """Estimate how far judge and person agree beyond chance.

    κ = (pₒ − pₑ)/(1 − pₑ) with pₒ the share judged alike and pₑ the share that would be, were each to pass as many as
    it does but at random. The limits are quantiles of κ under a Dirichlet posterior of the four shares. Its prior is ½
    in each cell for the lower limit; for the upper one it gives nothing to the two cells of disagreement, since with ½
    the interval of ten answers misses a κ of .95 in one sample of seven.

    Where nearly all answers are alike, κ can be low beside a high agreement (Feinstein, Cicchetti): read both.

    Args:
        table: The counts.
        rng: Source of the posterior's draws; a seeded one repeats the limits.
        level: Confidence level.
        n_effective: How many independent answers these are worth for κ, at most their number; None: each is one.

    Returns:
        κ with its limits; no figure where there is no answer, or where both judge all answers one way.

    Raises:
        ValueError: If `level` is not between 0 and 1, or `n_effective` not between 0 and n.

    References:
        J. Cohen (1960), Educ. Psychol. Meas. 20, 37-46. A. R. Feinstein, D. V. Cicchetti (1990), J. Clin. Epidemiol.
        43, 543-549.

    Examples:
        >>> import numpy as np
        >>> from prt.stats import JudgeTable, cohen_kappa
        >>> kappa = cohen_kappa(JudgeTable(20, 10, 5, 15), rng=np.random.default_rng(1))
        >>> print(f"{kappa.estimate:.2f}, {kappa.low:.1f} to {kappa.high:.1f}")
        0.40, 0.1 to 0.6
    """
    check_fraction("level", level)
    counts = np.array([table.both_pass, table.judge_only, table.human_only, table.both_fail], dtype=np.float64)
    kappa = kappas(counts[np.newaxis])[0] if table.n else np.nan
    if np.isnan(kappa):
        return Estimate(None, None, None, level, table.n, KAPPA_METHOD)
    if n_effective is not None:
        if not 0.0 < n_effective <= table.n:
            raise ValueError(f"n_effective must lie between 0 and n, got {n_effective} of {table.n}")
        counts *= n_effective / table.n
    tail = (1.0 - level) / 2.0
    low = np.quantile(kappas(rng.standard_gamma(counts + 0.5, (DRAWS, 4))), tail)
    for_upper = counts + np.array([0.5, _NEXT_TO_NOTHING, _NEXT_TO_NOTHING, 0.5])
    high = np.quantile(kappas(rng.standard_gamma(for_upper, (DRAWS, 4))), 1.0 - tail)
    return Estimate(float(kappa), float(min(low, kappa)), float(max(high, kappa)), level, table.n, KAPPA_METHOD)


def kappas(weights: FloatArray) -> FloatArray:
    """κ of each row of four weights (both pass, judge only, person only, both fail); NaN where it is 0/0."""
    shares = weights / weights.sum(axis=1, keepdims=True)
    judge, person = shares[:, 0] + shares[:, 1], shares[:, 0] + shares[:, 2]
    chance = judge * person + (1.0 - judge) * (1.0 - person)
    left = 1.0 - chance
    above = shares[:, 0] + shares[:, 3] - chance
    kappa: FloatArray = np.divide(above, left, out=np.full(left.shape, np.nan), where=left > 0.0)
    return kappa


def corrected_rate(
    passes: float,
    n: float,
    table: JudgeTable,
    *,
    level: float = 0.95,
    labels_worth: tuple[float, float] | None = None,
) -> Estimate:
    """Estimate the rate that a person would give from the rate that a judge gave, by the judge's measured error.

    (p + Sp − 1)/(Se + Sp − 1) with p the judge's rate and Se, Sp its sensitivity and specificity (Rogan, Gladen), cut
    to 0…1. The interval allows for all three being estimates. It is only as good as the labels: they must be a random
    sample of answers like those that are corrected.

    Args:
        passes: Answers that the judge passed; not whole where an effective number is meant.
        n: Answers that it judged: independent ones, so the effective number where they are not.
        table: The judge beside a person, on other answers or a sample of these.
        level: Confidence level.
        labels_worth: How many independent answers those that the person passes, and those that it fails, are worth;
            None: each is one.

    Returns:
        The corrected rate with its limits. No figure where n = 0, where either side of the table is empty, or where the
        judge is no better than chance (Se + Sp ≤ 1).

    Raises:
        ValueError: If `passes` is not between 0 and n, or `level` not between 0 and 1.

    References:
        W. J. Rogan, B. Gladen (1978), Am. J. Epidemiol. 107, 71-76. Z. Lang, J. Reiczigel (2014), Prev. Vet. Med. 113,
        13-22.

    Examples:
        >>> from prt.stats import JudgeTable, corrected_rate
        >>> rate = corrected_rate(140, 200, JudgeTable(90, 15, 10, 85))
        >>> print(f"{rate.estimate:.4f}, {rate.low:.3f} to {rate.high:.3f}, n = {rate.n}")
        0.7333, 0.628 to 0.844, n = 200
    """
    check_fraction("level", level)
    if not 0.0 <= passes <= n:
        raise ValueError(f"passes must lie between 0 and n, got {passes} of {n}")
    positives, negatives = table.both_pass + table.human_only, table.both_fail + table.judge_only
    nothing = Estimate(None, None, None, level, round(n), CORRECTED_METHOD)
    if not n or not positives or not negatives:
        return nothing
    informed = table.both_pass / positives + table.both_fail / negatives - 1.0
    if informed <= 0.0:
        return nothing
    raw = (passes / n + table.both_fail / negatives - 1.0) / informed
    sides = labels_worth or (positives, negatives)
    low, high = _lang_reiczigel(passes / n, n, table, sides, two_sided_z(level))
    estimate = min(1.0, max(0.0, raw))
    return Estimate(estimate, min(low, estimate), max(high, estimate), level, round(n), CORRECTED_METHOD)


def _lang_reiczigel(
    rate: float, n: float, table: JudgeTable, sides: tuple[float, float], z: float
) -> tuple[float, float]:
    """Limits of the corrected rate: the delta method about a centre that is drawn in, as Agresti and Coull do.

    `sides` are the independent answers that the person passes and fails.
    """
    positives, negatives = sides
    found = table.both_pass / (table.both_pass + table.human_only) * positives
    refused = table.both_fail / (table.both_fail + table.judge_only) * negatives
    tried = n + z**2
    p = (n * rate + z**2 / 2.0) / tried
    se, sp = (found + 1.0) / (positives + 2.0), (refused + 1.0) / (negatives + 2.0)
    informed = se + sp - 1.0
    if informed <= 0.0:
        return 0.0, 1.0
    centre = (p + sp - 1.0) / informed
    from_se, from_sp = se * (1.0 - se) / (positives + 2.0), sp * (1.0 - sp) / (negatives + 2.0)
    shift = 2.0 * z**2 * (centre * from_se - (1.0 - centre) * from_sp)
    variance = p * (1.0 - p) / tried + centre**2 * from_se + (1.0 - centre) ** 2 * from_sp
    half_width = z * float(np.sqrt(variance)) / informed
    middle = centre + shift
    return min(1.0, max(0.0, middle - half_width)), max(0.0, min(1.0, middle + half_width))
