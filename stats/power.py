"""Power of McNemar's test, and the items it needs: exact, and by Connor's formula."""

from math import ceil, sqrt
from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import FloatArray, binomial_cdf, binomial_pmf, half_binomial_cdf, normal_quantile

MOST_ITEMS = 1_000_000
NEXT_TO_NOTHING = 1e-15
TOOTH = 40


def mcnemar_power(
    n: SupportsIndex, pass_to_fail: float, fail_to_pass: float, *, alpha: float = 0.05, one_sided: bool = False
) -> float:
    """Chance that the exact McNemar test of n items rejects, over all numbers of flips that can occur.

    Args:
        n: Paired items.
        pass_to_fail: Chance that an item flips from pass to fail.
        fail_to_pass: Chance that it flips from fail to pass.
        alpha: Level of the test; with m variants alpha/m, so as to clear the bar of all of them.
        one_sided: True tests only the direction of the likelier flip.

    Returns:
        The exact unconditional power; at equal chances the actual level of the test.

    Raises:
        ValueError: If the chances are not between 0 and 1 in all, or `alpha` is not between 0 and 1.

    References:
        R. G. O'Brien (2002), as in the G*Power manual: .839 for odds ratio .25, 40% flips, n = 50, one-sided.

    Examples:
        >>> from prt.stats import mcnemar_power
        >>> round(mcnemar_power(50, 0.08, 0.32, one_sided=True), 3)
        0.839
    """
    check_flips(pass_to_fail, fail_to_pass)
    check_fraction("alpha", alpha)
    return exact_power(whole_number("n", n), pass_to_fail, fail_to_pass, alpha, one_sided=one_sided)


def mcnemar_sample_size(
    pass_to_fail: float, fail_to_pass: float, *, alpha: float = 0.05, power: float = 0.8, one_sided: bool = False
) -> int:
    """Fewest items with which the exact McNemar test reaches a power.

    Args:
        pass_to_fail: Chance that an item flips from pass to fail.
        fail_to_pass: Chance that it flips from fail to pass; different, or no number of items would do.
        alpha: Level of the test; with m variants alpha/m.
        power: Chance of rejecting that is asked for.
        one_sided: True tests only the direction of the likelier flip.

    Returns:
        The number of items. Because the test is discrete, a few items more can have slightly less power.

    Raises:
        ValueError: If the chances are equal or not between 0 and 1 in all, `alpha` or `power` is not between 0 and 1,
            or more than 1,000,000 items would be needed.

    References:
        As for `mcnemar_power`; the R package pwrss needs 249 for the chances below.

    Examples:
        >>> from prt.stats import mcnemar_sample_size
        >>> mcnemar_sample_size(0.2, 0.1)
        249
    """
    high = connor_sample_size(pass_to_fail, fail_to_pass, alpha=alpha, power=power, one_sided=one_sided)

    def reached(n: int) -> bool:
        return exact_power(n, pass_to_fail, fail_to_pass, alpha, one_sided=one_sided) >= power

    low = 0
    while not reached(high):
        low, high = high, high + max(1, high // 10)
        if high > MOST_ITEMS:
            raise _too_many(pass_to_fail, fail_to_pass)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    # Power climbs by small teeth, so that a slightly smaller number may reach it too.
    return min((n for n in range(max(high - TOOTH, 1), high) if reached(n)), default=high)


def connor_sample_size(
    pass_to_fail: float, fail_to_pass: float, *, alpha: float = 0.05, power: float = 0.8, one_sided: bool = False
) -> int:
    """Items that McNemar's test needs by Connor's formula, an approximation that the exact test mostly exceeds.

    n = (z_α·√ψ + z_β·√(ψ − δ²))²/δ² with flip rate ψ and change δ.

    Args:
        pass_to_fail: Chance that an item flips from pass to fail.
        fail_to_pass: Chance that it flips from fail to pass; different, or no number of items would do.
        alpha: Level of the test; with m variants alpha/m.
        power: Chance of rejecting that is asked for.
        one_sided: True tests only the direction of the likelier flip.

    Returns:
        The number of items, rounded up.

    Raises:
        ValueError: If the chances are equal or not between 0 and 1 in all, `alpha` or `power` is not between 0 and 1,
            or more than 1,000,000 items would be needed.

    References:
        R. J. Connor (1987), Biometrics 43, 207-211; 23 for the chances below.

    Examples:
        >>> from prt.stats import connor_sample_size
        >>> connor_sample_size(0.05, 0.45)
        23
    """
    check_flips(pass_to_fail, fail_to_pass)
    check_fraction("alpha", alpha)
    check_fraction("power", power)
    flips, change = pass_to_fail + fail_to_pass, abs(fail_to_pass - pass_to_fail)
    if change == 0.0:
        raise ValueError("with equal chances of both flips there is no change to find; give different ones")
    z_alpha, z_beta = normal_quantile(1.0 - (alpha if one_sided else alpha / 2.0)), normal_quantile(power)
    items = ((z_alpha * sqrt(flips) + z_beta * sqrt(max(flips - change**2, 0.0))) / change) ** 2
    if items > MOST_ITEMS:
        raise _too_many(pass_to_fail, fail_to_pass)
    return max(1, ceil(items))


def exact_power(n: int, pass_to_fail: float, fail_to_pass: float, alpha: float, *, one_sided: bool) -> float:
    """The power of `mcnemar_power`; the arguments are already validated."""
    flips = pass_to_fail + fail_to_pass
    if flips == 0.0:
        return 0.0
    chances = binomial_pmf(n, min(flips, 1.0))
    likely = np.flatnonzero(chances > NEXT_TO_NOTHING)
    counts = likely.astype(float)
    critical = critical_flips(counts, alpha if one_sided else alpha / 2.0)
    rarer, commoner = sorted((pass_to_fail / flips, fail_to_pass / flips))
    rejecting = _tail(critical, counts, rarer)
    if not one_sided:
        rejecting = rejecting + _tail(critical, counts, commoner)
    return float(min(np.sum(chances[likely] * rejecting), 1.0))


def critical_flips(flips: FloatArray, tail: float) -> FloatArray:
    """Largest number of the rarer flips at which P(Bin(flips, ½) ≤ it) ≤ tail; −1 where there is none."""
    low, high = np.full(flips.shape, -1.0), np.floor(flips / 2.0)
    while np.any(low < high):
        middle = np.ceil((low + high) / 2.0)
        fits = half_binomial_cdf(np.maximum(middle, 0.0), flips) <= tail
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1.0)
    return low


def check_flips(pass_to_fail: float, fail_to_pass: float) -> None:
    """Refuse chances of flips that can't be.

    Args:
        pass_to_fail: Chance of a flip from pass to fail.
        fail_to_pass: Chance of a flip from fail to pass.

    Raises:
        ValueError: If one is below 0, or both together exceed 1.
    """
    if not (pass_to_fail >= 0.0 and fail_to_pass >= 0.0 and pass_to_fail + fail_to_pass <= 1.0 + 1e-12):
        raise ValueError(
            f"the chances of both flips must be at least 0 and at most 1 together, got {pass_to_fail!r} and "
            f"{fail_to_pass!r}"
        )


def _tail(critical: FloatArray, flips: FloatArray, p: float) -> FloatArray:
    """P(X ≤ critical) of X ~ Bin(flips, p); certain where p = 0 and there is a critical number."""
    if p in {0.0, 1.0}:
        return np.where((critical >= 0.0) & ((p == 0.0) | (critical >= flips)), 1.0, 0.0)
    return binomial_cdf(critical, flips, p)


def _too_many(pass_to_fail: float, fail_to_pass: float) -> ValueError:
    return ValueError(
        f"a change from {pass_to_fail} against {fail_to_pass} is too small to find with {MOST_ITEMS:,} items"
    )
