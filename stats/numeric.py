"""The few functions of scipy that the statistics need, with types and with their corner cases settled."""

import itertools
from collections.abc import Callable
from math import copysign, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from .special import special

FloatArray = NDArray[np.float64]
ROOT_TOLERANCE = 1e-15


def two_sided_z(level: float) -> float:
    """Normal quantile that leaves (1 − level)/2 in each tail; 1.959964 for 0.95."""
    return float(special().ndtri((1.0 + level) / 2.0))


def students_t(level: float, df: float) -> float:
    """Quantile of Student's t that leaves (1 − level)/2 in each tail."""
    return float(special().stdtrit(df, (1.0 + level) / 2.0))


def normal_cdf(z: float) -> float:
    """P(Z ≤ z) of a standard normal Z."""
    return float(special().ndtr(z))


def normal_tail(z: float) -> float:
    """P(Z ≥ z) of a standard normal Z."""
    return float(special().ndtr(-z))


def chi2_tail(statistic: float, df: int) -> float:
    """P(X ≥ statistic) of a chi-squared X with `df` degrees of freedom."""
    return float(special().chdtrc(df, statistic))


def half_binomial_cdf(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X ≤ k) of X ~ Bin(n, ½), elementwise, for 0 ≤ k < n; 1 where n = 0."""
    tail: FloatArray = special().betainc(np.maximum(n - k, 1.0), k + 1.0, 0.5)
    return np.where(n > 0, tail, 1.0)


def half_binomial_pmf(k: FloatArray, n: FloatArray) -> FloatArray:
    """P(X = k) of X ~ Bin(n, ½), elementwise, without overflow at large n."""
    log_choose: FloatArray = -special().betaln(k + 1.0, n - k + 1.0) - np.log1p(n)
    return np.asarray(np.exp(log_choose - n * np.log(2.0)))


def log_beta(a: float, b: float) -> float:
    """Natural logarithm of the beta function."""
    return float(special().betaln(a, b))


def beta_upper_half(a: float, b: float) -> float:
    """P(X > ½) of X ~ Beta(a, b)."""
    return float(special().betainc(b, a, 0.5))


def binomial_cdf(k: FloatArray, n: FloatArray, p: float) -> FloatArray:
    """P(X ≤ k) of X ~ Bin(n, p), elementwise, for 0 < p < 1; 0 where k < 0, 1 where k ≥ n."""
    inside = (k >= 0.0) & (k < n)
    tail: FloatArray = special().betainc(np.where(inside, n - k, 1.0), np.where(inside, k + 1.0, 1.0), 1.0 - p)
    return np.where(k < 0.0, 0.0, np.where(inside, tail, 1.0))


def binomial_pmf(n: int, p: float) -> FloatArray:
    """P(X = 0), …, P(X = n) of X ~ Bin(n, p), for 0 ≤ p ≤ 1."""
    k = np.arange(n + 1.0)
    log_choose: FloatArray = -special().betaln(k + 1.0, n - k + 1.0) - np.log1p(n)
    return np.asarray(np.exp(log_choose + special().xlogy(k, p) + special().xlog1py(n - k, -p)))


def normal_quantile(p: float) -> float:
    """Quantile of a standard normal variable."""
    return float(special().ndtri(p))


def choose_ratio(c: FloatArray, n: FloatArray, k: int) -> FloatArray:
    """C(c, k)/C(n, k), elementwise, for 0 ≤ c ≤ n and 1 ≤ k ≤ n: the chance that k of n draws all are among c."""
    ratio = np.ones_like(n)
    for drawn in range(k):
        ratio = ratio * np.maximum(c - drawn, 0.0) / (n - drawn)
    return ratio


def beta_quantile(a: FloatArray, b: FloatArray, p: float) -> FloatArray:
    """Quantile of X ~ Beta(a, b), elementwise: where P(X ≤ x) = p."""
    return np.asarray(special().betaincinv(a, b, p))


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a function whose values at `low` and `high` differ in sign, to the last few bits (Ridders).

    Raises:
        ValueError: If the values have the same sign.

    References:
        C. Ridders (1979), A new algorithm for computing a single root of a real continuous function, IEEE Trans.
        Circuits Syst. 26, 979-980.
    """
    at_low, at_high = function(low), function(high)
    if not at_low or not at_high:
        return high if at_low else low
    if copysign(1.0, at_low) == copysign(1.0, at_high):
        raise ValueError(f"the function has no change of sign between {low} and {high}")
    last = inf
    while True:
        middle = (low + high) / 2.0
        at_middle = function(middle)
        if not at_middle:
            return middle
        root = middle + (middle - low) * copysign(1.0, at_low) * at_middle / sqrt(at_middle**2 - at_low * at_high)
        at_root = function(root)
        if not at_root or abs(root - last) <= ROOT_TOLERANCE * max(1.0, abs(root)):
            return root
        last = root
        ends = sorted(((low, at_low), (high, at_high), (middle, at_middle), (root, at_root)))
        (low, at_low), (high, at_high) = next(
            (before, after) for before, after in itertools.pairwise(ends) if (before[1] < 0.0) != (after[1] < 0.0)
        )
