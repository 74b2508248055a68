"""Stability: how far an item keeps its result when the wording changes."""

import numpy as np

from .flips import paired_cells
from .outcomes import Outcomes
from .results import Estimate
from .shares import stays_the_same


def item_stability(outcomes: Outcomes) -> tuple[float | None, ...]:
    """Share of each item's present variants whose result agrees with the baseline.

    Args:
        outcomes: Results with any number of repeats; with several, a variant agrees by the share of its pairs of runs
            (one under it, one under the baseline) that do.

    Returns:
        One share an item, in the order of `outcomes.items`; None where the baseline or every variant is missing.

    Examples:
        >>> from prt.stats import Outcomes, item_stability
        >>> item_stability(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        (0.5, 1.0, None)
    """
    agreeing, paired = paired_cells(outcomes)
    shares = agreeing / np.maximum(paired, 1)
    return tuple(share if count else None for share, count in zip(shares.tolist(), paired.tolist(), strict=True))


def fully_stable_share(outcomes: Outcomes, *, level: float = 0.95) -> Estimate:
    """Estimate the share of items whose every present variant agrees with the baseline, with its interval.

    An item that fails under every condition is fully stable too: stable says nothing of right.

    Args:
        outcomes: Results with any number of repeats; with several, an item counts by the chance that single runs, one
            of each condition, all agree. Clusters are honoured.
        level: Confidence level.

    Returns:
        Fully stable items over the items with a baseline result and at least one variant's; n counts items.

    Raises:
        ValueError: If `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import Outcomes, fully_stable_share
        >>> share = fully_stable_share(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        >>> share.count, share.n
        (1, 2)
    """
    return stays_the_same(outcomes).interval(outcomes, level)


def stable_with_missing(outcomes: Outcomes) -> int:
    """Count the items that look fully stable though some of their variants are missing.

    Their missing cells might have flipped; were none of them stable in truth, the fully stable share would lose exactly
    these.

    Args:
        outcomes: Results with any number of repeats.

    Returns:
        Items without a single differing run that lack all results of at least one variant.

    Examples:
        >>> from prt.stats import Outcomes, stable_with_missing
        >>> stable_with_missing(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        1
    """
    _, paired = paired_cells(outcomes)
    stable = (paired > 0) & (stays_the_same(outcomes).values == 1.0)
    return int(np.count_nonzero(stable & (paired < len(outcomes.variants))))
