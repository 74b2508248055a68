"""pass@k and pass^k: at least one of k runs passes, and all of k runs pass."""

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from .checks import check_fraction, whole_number
from .clustered_rate import rate_of_items
from .clusters import Codes, kept_codes
from .effective import Design
from .numeric import FloatArray, choose_ratio
from .outcomes import Counts, Outcomes
from .results import Estimate


@dataclass(frozen=True, slots=True)
class PassK:
    """What k runs of one condition achieve.

    Attributes:
        k: Number of runs.
        at_least_one: pass@k, the chance that at least one of k runs passes, averaged over items.
        all_of_them: pass^k, the chance that all of k runs pass, averaged over items.
        left_out: Items with results, but of fewer than k runs; they are in neither.
    """

    k: int
    at_least_one: Estimate
    all_of_them: Estimate
    left_out: int


def pass_at_k(runs: SupportsIndex, passes: SupportsIndex, k: SupportsIndex) -> float:
    """Chance that at least one of k runs of an item passes, without bias: 1 − C(runs − passes, k)/C(runs, k).

    Args:
        runs: Runs of the item.
        passes: Those that passed.
        k: How many runs are asked about, at most `runs`.

    Returns:
        The estimate.

    Raises:
        ValueError: If there are fewer than k runs, k is below 1, or a count is impossible.

    References:
        M. Chen et al. (2021), Evaluating large language models trained on code, arXiv:2107.03374.

    Examples:
        >>> from prt.stats import pass_at_k
        >>> round(pass_at_k(runs=10, passes=3, k=5), 6)
        0.916667
    """
    n, c, k = _checked(runs, passes, k)
    return float(1.0 - choose_ratio(_of(n - c), _of(n), k))


def pass_hat_k(runs: SupportsIndex, passes: SupportsIndex, k: SupportsIndex) -> float:
    """Chance that all of k runs of an item pass (pass^k), without bias: C(passes, k)/C(runs, k).

    Args:
        runs: Runs of the item.
        passes: Those that passed.
        k: How many runs are asked about, at most `runs`.

    Returns:
        The estimate.

    Raises:
        ValueError: If there are fewer than k runs, k is below 1, or a count is impossible.

    References:
        S. Yao et al. (2024), τ-bench, arXiv:2406.12045.

    Examples:
        >>> from prt.stats import pass_hat_k
        >>> round(pass_hat_k(runs=8, passes=6, k=4), 6)
        0.214286
    """
    n, c, k = _checked(runs, passes, k)
    return float(choose_ratio(_of(c), _of(n), k))


def pass_k_rates(
    outcomes: Outcomes, *, condition: str | None = None, largest: int | None = None, level: float = 0.95
) -> tuple[PassK, ...]:
    """Estimate pass@k and pass^k of one condition for k = 1, 2, …, each averaged over items.

    The items are the units, or their clusters: the intervals are `clustered_rate_interval` of one estimate an item. An
    item with fewer than k runs can't say what k runs do; it is left out of that k and counted.

    Args:
        outcomes: Results with any number of repeats.
        condition: Name of the condition; the baseline where left out.
        largest: The largest k; as many as the item with the most runs has, where left out.
        level: Confidence level.

    Returns:
        One pair of estimates for each k; none where there is no result at all.

    Raises:
        ValueError: If no item has as many runs as `largest`, the name is unknown, or `level` is not between 0 and 1.

    References:
        As for `pass_at_k` and `pass_hat_k`.

    Examples:
        >>> from prt.stats import Outcomes, pass_k_rates
        >>> rates = pass_k_rates(Outcomes.from_array([[[1, 1, 1]], [[1, 0, 1]], [[0, 0, 0]]]))
        >>> [(each.k, f"{each.at_least_one.estimate:.3f}", f"{each.all_of_them.estimate:.3f}") for each in rates]
        [(1, '0.556', '0.556'), (2, '0.667', '0.444'), (3, '0.667', '0.333')]
    """
    check_fraction("level", level)
    passes, runs = outcomes.counts(outcomes.column(outcomes.baseline if condition is None else condition))
    most = int(runs.max(initial=0))
    wanted = most if largest is None else whole_number("largest", largest)
    if wanted > most:
        raise ValueError(f"pass@{wanted} needs {wanted} runs of an item, and no item has more than {most}")
    return tuple(_averaged(passes, runs, outcomes.codes, k, level) for k in range(1, wanted + 1))


def _averaged(passes: Counts, runs: Counts, codes: Codes | None, k: int, level: float) -> PassK:
    kept = runs >= k
    n, c = runs[kept].astype(float), passes[kept].astype(float)
    # No more than this many groups of k runs share no run, so that an item is never worth more than that.
    groups = float(np.sum(runs[kept] // k))
    design = Design(kept_codes(codes, kept), groups, level)
    return PassK(
        k=k,
        at_least_one=rate_of_items(1.0 - choose_ratio(n - c, n, k), design),
        all_of_them=rate_of_items(choose_ratio(c, n, k), design),
        left_out=int(np.count_nonzero((runs > 0) & ~kept)),
    )


def _checked(runs: SupportsIndex, passes: SupportsIndex, k: SupportsIndex) -> tuple[int, int, int]:
    n, c, size = whole_number("runs", runs), whole_number("passes", passes), whole_number("k", k)
    if c > n:
        raise ValueError(f"passes must not exceed runs, got {c} of {n}")
    if size < 1:
        raise ValueError(f"k must be at least 1, got {size}")
    if n < size:
        raise ValueError(f"pass@{size} and pass^{size} need at least {size} runs of the item, got {n}")
    return n, c, size


def _of(count: int) -> FloatArray:
    return np.asarray(float(count))
