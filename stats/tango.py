"""Tango's score interval of the change, and the score test against a margin."""

from math import copysign, sqrt

from .checks import check_fraction
from .numeric import find_root, normal_tail, two_sided_z
from .results import Estimate, HypothesisTest
from .tables import PairedTable

METHOD = "Tango score"
NONINFERIORITY = "Tango score, one-sided, change above −margin"


def tango_interval(table: PairedTable, *, level: float = 0.95) -> Estimate:
    """Estimate the change (variant rate − baseline rate) with Tango's score interval.

    The limits are the changes D for which `tango_z` is ±z. Only flips and n enter. This is the interval for decisions
    about a margin, since it holds exactly the changes that the score test does not reject.

    Args:
        table: The paired results.
        level: Confidence level.

    Returns:
        The change with its limits; the upper limit is 1 where every item flipped to pass, the lower −1 where every item
        flipped to fail; nothing but n = 0 for an empty table.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    References:
        T. Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
        paired-sample design, Stat. Med. 17, 891-908. M. W. Fagerland, S. Lydersen and P. Laake (2014), Stat. Med. 33,
        2850-2875, give −.517 to −.026 for the table below.

    Examples:
        >>> from prt.stats import PairedTable, tango_interval
        >>> change = tango_interval(PairedTable(both_pass=1, pass_to_fail=7, fail_to_pass=1, both_fail=12))
        >>> print(f"{change.estimate:.3f}, {change.low:.3f} to {change.high:.3f}")
        -0.286, -0.517 to -0.026
    """
    check_fraction("level", level)
    if table.change is None:
        return Estimate(None, None, None, level, 0, METHOD)
    b, c, n, z = table.pass_to_fail, table.fail_to_pass, table.n, two_sided_z(level)
    return Estimate(table.change, -upper_limit(c, b, n, z), upper_limit(b, c, n, z), level, n, METHOD)


def tango_z(table: PairedTable, change: float) -> float | None:
    """Score statistic of the hypothesis that the true change is `change`; above 0 where the data lie above it.

    Args:
        table: The paired results.
        change: The hypothetical change, strictly between −1 and 1.

    Returns:
        (c − b − n·change) over its standard error under the hypothesis; None where n = 0.

    Raises:
        ValueError: If `change` is not strictly between −1 and 1.

    References:
        T. Tango (1998), Stat. Med. 17, 891-908.

    Examples:
        At a change of 0 the statistic is McNemar's (c − b)/√(b + c):

        >>> from prt.stats import PairedTable, tango_z
        >>> round(tango_z(PairedTable(both_pass=1, pass_to_fail=1, fail_to_pass=7, both_fail=12), 0.0) ** 2, 12)
        4.5
    """
    if not -1.0 < change < 1.0:
        raise ValueError(f"change must lie strictly between -1 and 1, got {change!r}")
    if table.n == 0:
        return None
    return score(table.pass_to_fail, table.fail_to_pass, table.n, change)


def tango_noninferiority(table: PairedTable, margin: float) -> HypothesisTest:
    """Test whether the variant is no worse than the baseline by `margin` or more.

    The hypothesis to be rejected is change ≤ −margin. One-sided: p < α/2 exactly where the lower limit of
    `tango_interval` at level 1 − α lies above −margin.

    Args:
        table: The paired results.
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.

    Returns:
        The one-sided p-value with the score z as statistic; None where n = 0.

    Raises:
        ValueError: If `margin` is not between 0 and 1.

    References:
        T. Tango (1998), Stat. Med. 17, 891-908; J.-p. Liu et al. (2002), Stat. Med. 21, 231-245.

    Examples:
        >>> from prt.stats import PairedTable, tango_noninferiority
        >>> table = PairedTable(both_pass=150, pass_to_fail=2, fail_to_pass=4, both_fail=44)
        >>> print(f"{tango_noninferiority(table, margin=0.05).pvalue:.4f}")
        0.0006
    """
    check_fraction("margin", margin)
    z = tango_z(table, -margin)
    return HypothesisTest(None if z is None else normal_tail(z), z, table.n, NONINFERIORITY)


def score(b: float, c: float, n: float, change: float) -> float:
    """Score statistic of a hypothetical change; counts (or effective counts) with n > 0 are already validated."""
    distance = c - b - n * change
    return distance / _standard_error(b, c, n, change) if distance else 0.0


def upper_limit(b: float, c: float, n: float, z: float) -> float:
    """Upper limit of the change; the lower one is its mirror.

    Args:
        b: Flips from pass to fail, or their effective number; already validated.
        c: Flips from fail to pass.
        n: All items, or their effective number, above 0.
        z: Normal quantile, above 0.
    """
    if c == n:
        return 1.0
    if b == n:
        return (z**2 - n) / (n + z**2)
    if b + c == 0:
        return z**2 / (n + z**2)
    # Multiplied by its standard error, the equation "score = −z" stays finite up to a change of 1.
    return find_root(lambda change: c - b - n * change + z * _standard_error(b, c, n, change), (c - b) / n, 1.0)


def _standard_error(b: float, c: float, n: float, change: float) -> float:
    """Standard error of c − b if the true change is `change`; counts with n > 0 and |change| ≤ 1 already validated."""
    if copysign(1.0, change) < 0.0:
        b, c, change = c, b, -change
    return sqrt(n * (2.0 * _rarer_flip_probability(b, c, n, change) + change * (1.0 - change)))


def _rarer_flip_probability(b: float, c: float, n: float, change: float) -> float:
    """Likeliest probability of pass→fail if fail→pass is likelier by `change` ≥ 0.

    It is the larger root of 2n·q² + linear·q + constant = 0, whose constant is never positive; each branch adds
    magnitudes only, so nothing cancels near a change of 1.
    """
    linear = -(b + c) + (2.0 * n - (c - b)) * change
    constant = -b * change * (1.0 - change)
    root = sqrt(linear**2 - 8.0 * n * constant)
    if linear > 0.0:
        return -2.0 * constant / (root + linear)
    return (root - linear) / (4.0 * n)
