"""The results of two runs in one order of items and conditions, without what is not alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats import Outcomes
from ..analysis import Results
from .matching import Match

Statuses = NDArray[np.int8]
Pair = tuple[Outcomes, Outcomes]


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Two runs in one order; the repeats may be another number.

    Attributes:
        counted: Results as the reports count them.
        read: The same with every result missing that was not read from an answer.
        statuses: How each reply was read, by its place in `STATUSES`; −1 where there is none, or the wordings differ.
        generators: The generator of each condition; empty for the baseline.
    """

    counted: Pair
    read: Pair
    statuses: tuple[Statuses, Statuses]
    generators: tuple[str, ...]

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, the baseline first."""
        return self.counted[0].conditions

    @property
    def units(self) -> int:
        """Independent units: clusters, or items where nothing is clustered."""
        codes = self.counted[0].codes
        return len(self.counted[0].items) if codes is None else int(codes.max()) + 1


def align(before: Results, after: Results, match: Match) -> Aligned:
    """Put two runs into one order.

    Clusters are those of the earlier run.

    Args:
        before: The earlier run.
        after: The later.
        match: What they hold alike, of which there must be an item.
    """
    clusters = before.outcomes.clusters
    labels = None if clusters is None else dict(zip(before.outcomes.items, clusters, strict=True))
    of_items = None if labels is None else tuple(labels[item] for item in match.items)
    places = [_places(each.outcomes, match) for each in (before, after)]

    def taken(cells: NDArray[np.int8], place: tuple[list[int], list[int]]) -> NDArray[np.int8]:
        some: NDArray[np.int8] = cells[np.ix_(*place)]
        some[match.unlike] = -1
        return some

    def pair(of: str) -> Pair:
        first, second = (
            Outcomes(taken(getattr(each, of).cells, place), match.items, match.conditions, of_items)
            for each, place in zip((before, after), places, strict=True)
        )
        return first, second

    return Aligned(
        pair("outcomes"),
        pair("parsed"),
        (taken(before.statuses, places[0]), taken(after.statuses, places[1])),
        tuple(after.tallies[name].generator for name in match.conditions),
    )


def _places(outcomes: Outcomes, match: Match) -> tuple[list[int], list[int]]:
    at = {item: place for place, item in enumerate(outcomes.items)}
    return [at[item] for item in match.items], [outcomes.column(name) for name in match.conditions]
