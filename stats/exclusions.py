"""What is missing from outcomes, counted, so that no figure stands without what it left out."""

from dataclasses import dataclass

import numpy as np

from .cells import MISSING
from .flips import paired_cells
from .outcomes import Outcomes
from .stability import stable_with_missing


@dataclass(frozen=True, slots=True)
class Exclusions:
    """How many items and cells are missing, and from which figures.

    Attributes:
        items: All items.
        without_baseline: Items without a baseline result: out of every paired figure.
        without_any_variant: Items with a baseline result and no other.
        incomplete: Items that lack at least one result: out of the robust and any-pass rates, the consistency curve and
            Cochran's Q.
        missing_cells: Cells (item × condition) without any result.
        stable_with_missing: Items that look fully stable though some of their variants are missing.
        missing_runs: Single results that are missing, those of missing cells included; equal to `missing_cells` with
            one run a cell.
    """

    items: int
    without_baseline: int
    without_any_variant: int
    incomplete: int
    missing_cells: int
    stable_with_missing: int
    missing_runs: int = 0


def count_exclusions(outcomes: Outcomes) -> Exclusions:
    """Count what is missing.

    Args:
        outcomes: Results with any number of repeats.

    Returns:
        The counts.

    Examples:
        >>> from prt.stats import Outcomes, count_exclusions
        >>> excluded = count_exclusions(Outcomes.from_array([[1, 1, 0], [0, 0, -1], [-1, 1, 1]]))
        >>> excluded.without_baseline, excluded.incomplete, excluded.missing_cells
        (1, 2, 2)
    """
    stable, (_, paired) = stable_with_missing(outcomes), paired_cells(outcomes)
    runs_missing = outcomes.cells == MISSING
    missing = np.all(runs_missing, axis=2)
    return Exclusions(
        items=len(outcomes.items),
        without_baseline=int(np.count_nonzero(missing[:, 0])),
        without_any_variant=int(np.count_nonzero(~missing[:, 0] & (paired == 0))),
        incomplete=int(np.count_nonzero(missing.any(axis=1))),
        missing_cells=int(np.count_nonzero(missing)),
        stable_with_missing=stable,
        missing_runs=int(np.count_nonzero(runs_missing)),
    )
