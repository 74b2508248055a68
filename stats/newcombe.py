"""Newcombe's hybrid score interval of the change between baseline and variant."""

import numpy as np

from .checks import check_fraction
from .numeric import FloatArray, two_sided_z
from .results import Estimate
from .tables import PairedTable
from .wilson import wilson_limits

METHOD_10 = "Newcombe hybrid score, method 10"
METHOD_8 = "Newcombe hybrid score, method 8"


def newcombe_interval(table: PairedTable, *, level: float = 0.95, correction: bool = True) -> Estimate:
    """Estimate the change (variant rate − baseline rate) with Newcombe's interval for paired proportions.

    The Wilson limits of the two rates are combined by squaring and adding, allowing for the correlation φ of the paired
    results. Method 10 lowers a positive φ by a continuity correction; it keeps its coverage where method 8 falls short,
    as with few flips: prefer it. Choose `tango_interval` for decisions about a margin.

    Args:
        table: The paired results.
        level: Confidence level.
        correction: True for method 10, False for method 8 (no correction of φ).

    Returns:
        The change with its limits; nothing but n = 0 for an empty table.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    References:
        R. G. Newcombe (1998), Improved confidence intervals for the difference between binomial proportions based on
        paired data, Stat. Med. 17, 2635-2650; table III gives .0562 to .3292 (method 10) for the table below.

    Examples:
        >>> from prt.stats import PairedTable, newcombe_interval
        >>> change = newcombe_interval(PairedTable(both_pass=20, pass_to_fail=2, fail_to_pass=12, both_fail=16))
        >>> print(f"{change.estimate:.4f}, {change.low:.4f} to {change.high:.4f}")
        0.2000, 0.0562 to 0.3292
    """
    check_fraction("level", level)
    method = METHOD_10 if correction else METHOD_8
    if table.change is None:
        return Estimate(None, None, None, level, 0, method)
    cells = (table.both_pass, table.pass_to_fail, table.fail_to_pass, table.both_fail)
    a, b, c, d = (np.asarray(float(cell)) for cell in cells)
    low, high = newcombe_limits(a, b, c, d, two_sided_z(level), correction=correction)
    return Estimate(table.change, float(low), float(high), level, table.n, method)


def newcombe_limits(
    a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray, z: float, *, correction: bool
) -> tuple[FloatArray, FloatArray]:
    """Limits of the change, elementwise; a, b, c, d are counts as floats with n > 0, already validated."""
    n = a + b + c + d
    variant, baseline, change = (a + c) / n, (a + b) / n, (c - b) / n
    variant_low, variant_high = wilson_limits(variant, n, z)
    baseline_low, baseline_high = wilson_limits(baseline, n, z)
    phi = _phi(a, b, c, d, correction=correction)
    low = change - added_errors(variant - variant_low, baseline_high - baseline, phi)
    high = change + added_errors(variant_high - variant, baseline - baseline_low, phi)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def _phi(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray, *, correction: bool) -> FloatArray:
    """Correlation of the paired results; 0 where a margin is empty. Counts are already validated."""
    excess = a * d - b * c
    if correction:
        excess = np.where(excess > 0.0, np.maximum(excess - (a + b + c + d) / 2.0, 0.0), excess)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    return np.where(margins > 0.0, excess / np.sqrt(np.maximum(margins, 1.0)), 0.0)


def added_errors(first: FloatArray, second: FloatArray, phi: FloatArray) -> FloatArray:
    """Length of the sum of two errors with correlation `phi`; rounding must not turn a zero into a negative square."""
    return np.asarray(np.sqrt(np.maximum(first**2 - 2.0 * phi * first * second + second**2, 0.0)))
