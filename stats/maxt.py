"""Max-T: the p-values of several conditions, adjusted by flipping the signs of whole items."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .checks import whole_number
from .clusters import Codes, Labels, cluster_codes
from .numeric import FloatArray
from .signflip import Sums, unit_sums

EXACT_UNITS = 14
CHUNK = 512
SIGNS = 1 << 18
"""Signs that are drawn at a time, at most, so that many items take no more memory than few."""
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class MaxT:
    """P-values adjusted over conditions.

    Attributes:
        pvalues: One a condition: the chance, if nothing changed anywhere, of a statistic as large in any condition. 1
            where nothing differs in that condition; None without items.
        statistics: |ΣS|/√ΣS² of each condition; 0 where nothing differs, None without items.
        errors: Monte Carlo standard error of each p-value; 0 where all sign patterns were counted.
        draws: Sign patterns drawn; None where all were counted.
        n: Items.
        method: The method by name.
    """

    pvalues: tuple[float | None, ...]
    statistics: tuple[float | None, ...]
    errors: tuple[float | None, ...]
    draws: int | None
    n: int
    method: str


def max_t(
    differences: ArrayLike,
    *,
    rng: "np.random.Generator",
    clusters: Labels | None = None,
    draws: int = 9999,
) -> MaxT:
    """Adjust the sign-flip tests of several conditions for one another.

    All conditions of an item change sign together, so that what they have in common is kept: where conditions flip the
    same items this is sharper than Holm. The adjusted p-value is the share of sign patterns whose largest |ΣS|/√ΣS²
    over all conditions reaches that of the condition (single step). Up to 14 items that differ anywhere, all patterns
    are counted; beyond that they are drawn, and p = (1 + reached)/(1 + draws) never rejects too often.

    Args:
        differences: Items × conditions: one whole number an item and condition, as for `signflip_exact`.
        rng: Source of the sign patterns; a seeded one repeats its p-values.
        clusters: One label an item; None or "" marks an item by itself. The signs then flip by cluster.
        draws: Sign patterns to draw.

    Returns:
        The adjusted p-values with their Monte Carlo errors.

    Raises:
        ValueError: If `differences` is not a two-dimensional array of whole numbers, the labels don't fit, or there is
            no draw.

    References:
        P. H. Westfall and S. S. Young (1993), Resampling-Based Multiple Testing; B. Phipson and G. K. Smyth (2010),
        Stat. Appl. Genet. Mol. Biol. 9, 39, on 1 + reached. (ΣS)²/ΣS² is the statistic of V. L. Durkalski et al.
        (2003), Stat. Med. 22, 2417-2428, for clusters of equal size.

    Examples:
        >>> import numpy as np
        >>> from prt.stats import max_t
        >>> found = max_t([[-1, 0]] * 6 + [[0, 1]] * 4 + [[0, -1]] * 2, rng=np.random.default_rng(1))
        >>> [round(p, 3) for p in found.pvalues], found.draws
        ([0.062, 0.902], None)
    """
    given = np.asarray(differences)
    if given.ndim != 2 or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(f"differences must be whole numbers, items × conditions, got {given.dtype} of {given.shape}")
    number = whole_number("draws", draws)
    if number < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    return max_t_of_items(given.astype(np.int64), cluster_codes(clusters, given.shape[0]), number, rng)


def max_t_of_items(differences: Sums, codes: Codes | None, draws: int, rng: "np.random.Generator") -> MaxT:
    """The adjustment of `max_t`; whole differences (items × conditions) and clusters are already validated."""
    n, conditions = differences.shape
    if n == 0 or conditions == 0:
        nothing = (None,) * conditions
        return MaxT(nothing, nothing, nothing, None, n, _method(counted=True))
    by_unit = np.stack([unit_sums(column, codes) for column in differences.T], axis=1)
    return _adjusted(by_unit, n, draws, rng)


def _adjusted(by_unit: Sums, n: int, draws: int, rng: "np.random.Generator") -> MaxT:
    scale = np.sqrt(np.sum(by_unit.astype(float) ** 2, axis=0))
    differing = by_unit[np.any(by_unit != 0, axis=1)].astype(np.float64) / np.where(scale > 0.0, scale, 1.0)
    observed = np.abs(differing.sum(axis=0))
    units = differing.shape[0]
    counted = units <= EXACT_UNITS
    signs = _all_signs(units) if counted else None
    total = signs.shape[0] if signs is not None else draws
    reached = np.zeros(observed.size)
    chunk = max(min(CHUNK, SIGNS // max(units, 1)), 1)
    for start in range(0, total, chunk):
        size = min(chunk, total - start)
        some = signs[start : start + size] if signs is not None else rng.choice(np.array([-1.0, 1.0]), (size, units))
        largest = np.abs(some @ differing).max(axis=1, initial=0.0)
        reached += np.count_nonzero(largest[:, np.newaxis] >= observed - TIE, axis=0)
    p = reached / total if counted else (1.0 + reached) / (1.0 + draws)
    errors = np.zeros_like(p) if counted else np.sqrt(p * (1.0 - p) / draws)
    p = np.where(observed > 0.0, p, 1.0)
    return MaxT(
        pvalues=tuple(p.tolist()),
        statistics=tuple(observed.tolist()),
        errors=tuple(errors.tolist()),
        draws=None if counted else draws,
        n=n,
        method=_method(counted=counted),
    )


def _all_signs(units: int) -> FloatArray:
    """All patterns of signs, one a row."""
    patterns = np.arange(2**units)[:, np.newaxis] >> np.arange(units) & 1
    return np.asarray(1.0 - 2.0 * patterns, dtype=np.float64)


def _method(*, counted: bool) -> str:
    return f"max-T by item sign flips, {'all patterns' if counted else 'Monte Carlo'}, two-sided"
