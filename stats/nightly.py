"""Night after night: rules that keep the chance of any false alarm at α over all the nights."""

from dataclasses import dataclass
from math import exp, log, pi
from typing import Self, SupportsIndex

from .checks import check_fraction, whole_number
from .numeric import beta_upper_half, log_beta
from .tables import PairedTable

LARGEST_LOG = 700.0
METHOD = "beta-binomial e-process, Jeffreys mixture"
ONE_SIDED = "beta-binomial e-process, Jeffreys mixture over drops, one-sided"


def spending_level(night: SupportsIndex, alpha: float = 0.05, *, nights: SupportsIndex | None = None) -> float:
    """Significance level of one night's test against a stored baseline, so that all nights together hold α.

    α·6/(π²t²) on night t = 1, 2, …, which adds up to α over endless nights; or α/T where the number T of nights is
    known beforehand. A stored baseline is compared with night after night, so that its own luck stays: the levels add
    up whatever the nights share, while the e-process of `EProcess` would raise false alarms.

    Args:
        night: Number of the night, from 1.
        alpha: The chance of any false alarm that is accepted.
        nights: All nights there will be; None where they are endless.

    Returns:
        The level for this night's p-value.

    Raises:
        ValueError: If `night` is below 1 or beyond `nights`, or `alpha` is not between 0 and 1.

    References:
        Bonferroni's inequality with the weights of L. Euler's sum Σ1/t² = π²/6.

    Examples:
        >>> from prt.stats import spending_level
        >>> [round(spending_level(night), 4) for night in (1, 2, 3, 10)]
        [0.0304, 0.0076, 0.0034, 0.0003]
        >>> spending_level(3, nights=10)
        0.005
    """
    check_fraction("alpha", alpha)
    t = whole_number("night", night)
    if t < 1:
        raise ValueError(f"nights are counted from 1, got {night!r}")
    if nights is None:
        return alpha * 6.0 / (pi**2 * t**2)
    known = whole_number("nights", nights)
    if t > known:
        raise ValueError(f"night {t} lies beyond the {known} nights that the level was split over")
    return alpha / known


@dataclass(frozen=True, slots=True)
class EProcess:
    """Evidence against "no change" over nights that each ran baseline and variant afresh.

    E = 2^(b + c)·Beta(b + ½, c + ½)/Beta(½, ½) over all flips so far: the betting wealth of someone who started with 1.
    If nothing changed, the chance that it ever reaches 1/α is at most α, however many nights are looked at, and
    whenever one stops. One-sided, only drops are bet on: E·2·P(Beta(b + ½, c + ½) > ½).

    Use it only where each night has a fresh reference run: against a stored baseline the same flips come back night
    after night, and false alarms with them (31% in 30 nights); `spending_level` is for that. Items must be independent:
    with clusters, or the same item in several conditions, flips come in groups.

    Attributes:
        pass_to_fail: Flips from pass to fail over all nights so far.
        fail_to_pass: Flips from fail to pass.
        one_sided: True bets on drops only.
        peak_log: Natural logarithm of the largest E so far.
        nights: Nights taken in.

    Examples:
        >>> from prt.stats import EProcess, PairedTable
        >>> watched = EProcess().after(PairedTable(50, 3, 1, 46))
        >>> round(watched.e_value, 4), watched.alarm(0.05)
        (0.625, False)
        >>> watched = watched.after(PairedTable(40, 13, 1, 46))
        >>> round(watched.e_value, 1), watched.alarm(0.05)
        (89.9, True)
    """

    pass_to_fail: int = 0
    fail_to_pass: int = 0
    one_sided: bool = False
    peak_log: float = 0.0
    nights: int = 0

    def after(self, table: PairedTable) -> Self:
        """Take in one night.

        Args:
            table: That night's paired results against that night's reference run.

        Returns:
            The process after it.
        """
        b, c = self.pass_to_fail + table.pass_to_fail, self.fail_to_pass + table.fail_to_pass
        peak = max(self.peak_log, log_e_value(b, c, one_sided=self.one_sided))
        return type(self)(b, c, self.one_sided, peak, self.nights + 1)

    @property
    def e_value(self) -> float:
        """E after the last night, at most e^700 ≈ 1e304."""
        return e_value(self.pass_to_fail, self.fail_to_pass, one_sided=self.one_sided)

    @property
    def pvalue(self) -> float:
        """1/(largest E so far): valid whenever one stops; at least e^−700."""
        return exp(-min(self.peak_log, LARGEST_LOG))

    @property
    def method(self) -> str:
        """The method by name."""
        return ONE_SIDED if self.one_sided else METHOD

    def alarm(self, alpha: float = 0.05) -> bool:
        """Tell whether E has ever reached 1/α.

        Args:
            alpha: The chance of any false alarm that is accepted.

        Raises:
            ValueError: If `alpha` is not between 0 and 1.
        """
        check_fraction("alpha", alpha)
        return self.peak_log >= -log(alpha)


def e_value(pass_to_fail: SupportsIndex, fail_to_pass: SupportsIndex, *, one_sided: bool = False) -> float:
    """Betting wealth against "flips go either way alike" after so many flips; its mean is 1 if that is true.

    Args:
        pass_to_fail: Flips from pass to fail.
        fail_to_pass: Flips from fail to pass.
        one_sided: True bets on drops only.

    Returns:
        The e-value, at most e^700.

    Raises:
        ValueError: If a count is negative or not a whole number.

    References:
        H. Robbins (1970), Ann. Math. Stat. 41, 1397-1409; V. Vovk and R. Wang (2021), Ann. Stat. 49, 1736-1754; the
        alarm at 1/α is J. Ville's inequality (1939).

    Examples:
        >>> from prt.stats import e_value
        >>> round(e_value(8, 0), 4), round(e_value(16, 2), 4)
        (50.2734, 89.9192)
    """
    counts = whole_number("pass_to_fail", pass_to_fail), whole_number("fail_to_pass", fail_to_pass)
    return exp(min(log_e_value(*counts, one_sided=one_sided), LARGEST_LOG))


def log_e_value(b: int, c: int, *, one_sided: bool) -> float:
    """Natural logarithm of the e-value, unbounded; counts are already validated."""
    two_sided = (b + c) * log(2.0) + log_beta(b + 0.5, c + 0.5) - log_beta(0.5, 0.5)
    if not one_sided:
        return two_sided
    drops = beta_upper_half(b + 0.5, c + 0.5)
    return two_sided + log(2.0 * drops) if drops > 0.0 else -LARGEST_LOG
