"""Before anything is spent: what a number of items can see, and how many the question needs."""

from math import ceil
from typing import SupportsIndex

from .checks import check_fraction, whole_number
from .multiplicity import bonferroni_bar
from .numeric import normal_quantile
from .power import exact_power

MOST_FLIPS = 10_000
STEPS = 40


def fewest_flips(alpha: float = 0.05, variants: SupportsIndex = 1) -> int:
    """Fewest flips, all in one direction, whose exact p reaches the bar of several variants.

    Args:
        alpha: Significance level.
        variants: Variants judged together.

    Returns:
        The smallest f with 2·½^f ≤ alpha/variants: with fewer flips no verdict can be reached, whatever they are.

    Raises:
        ValueError: If `alpha` is not between 0 and 1, or there is no variant.

    Examples:
        >>> from prt.stats import fewest_flips
        >>> [fewest_flips(variants=m) for m in (1, 4, 8, 20)]
        [6, 8, 9, 10]
    """
    bar = _bar(alpha, variants)
    return next(flips for flips in range(2, MOST_FLIPS) if 2.0 * 0.5**flips <= bar)


def zero_flip_items(margin: float, alpha: float = 0.025) -> int:
    """Fewest items that rule out a drop of the margin if not a single one flips.

    Args:
        margin: The largest drop that would not matter, as a rate: 0.05 is 5 points.
        alpha: One-sided level; 0.025 goes with a 95% interval.

    Returns:
        The smallest n with z²/(n + z²) < margin, Tango's limit without flips.

    Raises:
        ValueError: If `margin` or `alpha` is not between 0 and 1.

    Examples:
        >>> from prt.stats import zero_flip_items
        >>> zero_flip_items(0.05), zero_flip_items(0.10)
        (73, 35)
    """
    check_fraction("margin", margin)
    check_fraction("alpha", alpha)
    z2 = normal_quantile(1.0 - alpha) ** 2
    n = max(1, ceil(z2 * (1.0 - margin) / margin))
    return n if z2 / (n + z2) < margin else n + 1


def detectable_change(
    n: SupportsIndex,
    flip_rate: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    variants: SupportsIndex = 1,
) -> float | None:
    """Smallest change that n items can find with a given power, at a given flip rate.

    Args:
        n: Paired items.
        flip_rate: Share of items whose result differs, in either direction.
        alpha: Significance level.
        power: Chance of finding it that is asked for.
        variants: Variants judged together; the bar is alpha/variants.

    Returns:
        The size of the change, at most `flip_rate`; None where even flips all in one direction are too few to be found.

    Raises:
        ValueError: If `flip_rate`, `alpha` or `power` is not between 0 and 1, or there is no variant.

    Examples:
        At n = 249 and 30% flips, .2 against .1 has just 80% power:

        >>> from prt.stats import detectable_change
        >>> round(detectable_change(249, 0.3), 3)
        0.1
        >>> detectable_change(20, 0.1) is None
        True
    """
    check_fraction("flip_rate", flip_rate)
    check_fraction("power", power)
    items, bar = whole_number("n", n), _bar(alpha, variants)
    low, high = 0.0, flip_rate
    if exact_power(items, flip_rate, 0.0, bar, one_sided=False) < power:
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        drop, gain = (flip_rate + middle) / 2.0, (flip_rate - middle) / 2.0
        found = exact_power(items, drop, gain, bar, one_sided=False) >= power
        low, high = (low, middle) if found else (middle, high)
    return high


def repeats_sample_size(
    change: float,
    between: float,
    *,
    baseline_noise: float = 0.0,
    variant_noise: float = 0.0,
    repeats: SupportsIndex = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Items needed to find a change with several runs an item, by the normal approximation.

    n = (z_{α/2} + z_β)²·(between + baseline_noise/k + variant_noise/k)/change². More repeats k shrink the noise only:
    where items differ in how the wording affects them, more items are needed, not more repeats.

    Args:
        change: The change to be found, as a rate.
        between: Variance over items of the difference of their chances to pass.
        baseline_noise: Mean over items of the variance of a single run under the baseline, p0(1 − p0): half of the
            noise floor.
        variant_noise: The same under the variant.
        repeats: Runs a cell.
        alpha: Two-sided significance level; with m variants alpha/m.
        power: Chance of finding it that is asked for.

    Returns:
        The number of items, rounded up.

    Raises:
        ValueError: If `change`, `alpha` or `power` is not between 0 and 1, a variance is not between 0 and 1, or there
            is no repeat.

    References:
        E. Miller (2024), arXiv:2411.00640, section 5: 969 for the figures below.

    Examples:
        >>> from prt.stats import repeats_sample_size
        >>> repeats_sample_size(0.03, 1 / 9)
        969
    """
    check_fraction("change", change)
    check_fraction("alpha", alpha)
    check_fraction("power", power)
    variances = {"between": between, "baseline_noise": baseline_noise, "variant_noise": variant_noise}
    for name, value in variances.items():
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{name} is a variance between 0 and 1, got {value!r}")
    runs = whole_number("repeats", repeats)
    if runs < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats!r}")
    z = normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power)
    return max(1, ceil(z**2 * (between + (baseline_noise + variant_noise) / runs) / change**2))


def _bar(alpha: float, variants: SupportsIndex) -> float:
    bar = bonferroni_bar(alpha, whole_number("variants", variants))
    if bar is None:
        raise ValueError("variants must be at least 1: without one there is nothing to test")
    return bar
