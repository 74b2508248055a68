"""Several variants, several tests: the Bonferroni bar, Holm-adjusted p-values, Benjamini–Hochberg q-values."""

from collections.abc import Callable, Sequence

import numpy as np

from .checks import check_fraction, whole_number
from .numeric import FloatArray

PValues = Sequence[float | None]


def bonferroni_bar(alpha: float, tests: int) -> float | None:
    """The bar that a raw p-value has to reach among several tests.

    Args:
        alpha: The chance of any false alarm that is accepted over all tests.
        tests: Number of tests.

    Returns:
        alpha/tests; None where there is no test.

    Raises:
        ValueError: If `alpha` is not between 0 and 1, or `tests` is not a whole number.

    Examples:
        >>> from prt.stats import bonferroni_bar
        >>> bonferroni_bar(0.05, 4)
        0.0125
    """
    check_fraction("alpha", alpha)
    tests = whole_number("tests", tests)
    return alpha / tests if tests else None


def holm(pvalues: PValues) -> tuple[float | None, ...]:
    """Adjust p-values so that those at or below α hold the chance of any false alarm to α, however they depend.

    The i-th smallest of m is multiplied by m − i + 1; an adjusted value is never below that of a smaller p-value.

    Args:
        pvalues: Raw p-values; None (nothing to test) is passed through and is no test.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        ValueError: If a p-value is not between 0 and 1.

    References:
        S. Holm (1979), Scand. J. Stat. 6, 65-70. On the 15 p-values of Benjamini and Hochberg (1995), three stay
        at or below .05.

    Examples:
        >>> from prt.stats import holm
        >>> published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
        >>> published += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
        >>> sum(p <= 0.05 for p in holm(published))
        3
    """
    return _adjusted(pvalues, _holm)


def benjamini_hochberg(pvalues: PValues) -> tuple[float | None, ...]:
    """Turn p-values into q-values: those at or below α hold the expected share of false alarms among them to α.

    The i-th smallest of m is multiplied by m/i; a q-value is never above that of a larger p-value. The promise holds
    for independent or positively dependent tests; variants share a baseline, so that it is a guide here and Holm the
    guarantee.

    Args:
        pvalues: Raw p-values; None (nothing to test) is passed through and is no test.

    Returns:
        The q-values, in the order given.

    Raises:
        ValueError: If a p-value is not between 0 and 1.

    References:
        Y. Benjamini and Y. Hochberg (1995), J. R. Stat. Soc. B 57, 289-300; of their 15 p-values, four stay at or
        below .05.

    Examples:
        >>> from prt.stats import benjamini_hochberg
        >>> published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
        >>> published += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
        >>> sum(q <= 0.05 for q in benjamini_hochberg(published))
        4
    """
    return _adjusted(pvalues, _benjamini_hochberg)


def _adjusted(pvalues: PValues, adjust: Callable[[FloatArray], FloatArray]) -> tuple[float | None, ...]:
    """Apply an adjustment of ascending p-values to those that are not None."""
    tested = [place for place, pvalue in enumerate(pvalues) if pvalue is not None]
    raw = np.array([pvalues[place] for place in tested], dtype=np.float64)
    if not np.all((raw >= 0.0) & (raw <= 1.0)):
        raise ValueError(f"p-values must lie between 0 and 1, got {list(pvalues)!r}")
    order = np.argsort(raw, kind="stable")
    adjusted: list[float | None] = [None] * len(pvalues)
    for rank, value in zip(order, adjust(raw[order]), strict=True):
        adjusted[tested[rank]] = min(float(value), 1.0)
    return tuple(adjusted)


def _holm(ascending: FloatArray) -> FloatArray:
    """Holm's values of ascending p-values, already validated."""
    return np.maximum.accumulate(ascending * np.arange(ascending.size, 0, -1))


def _benjamini_hochberg(ascending: FloatArray) -> FloatArray:
    """Benjamini and Hochberg's values of ascending p-values, already validated."""
    scaled = ascending * ascending.size / np.arange(1, ascending.size + 1)
    return np.minimum.accumulate(scaled[::-1])[::-1]
