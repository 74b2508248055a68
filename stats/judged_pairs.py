"""What a pairwise judge said: each query judged twice, with the candidate shown first and shown second."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .numeric import FloatArray

Score = float | None
JudgedRow = tuple[str, str, str, Score]

EVEN = 0.5


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """The candidate's scores against one opponent, in both orders.

    Attributes:
        queries: Query ids.
        shown_first: The candidate's score where it was shown first: 1 won, 0 lost, ½ a tie, or any degree between;
            None is missing.
        shown_second: The candidate's score where it was shown second.

    Raises:
        ValueError: If the lengths differ, a query occurs twice, or a score is not between 0 and 1.

    Examples:
        >>> from prt.stats import JudgedPairs
        >>> pairs = JudgedPairs(("q1", "q2", "q3"), (1.0, 1.0, 0.0), (1.0, 0.0, None))
        >>> pairs.wins, pairs.losses, pairs.ties, pairs.inconsistent, pairs.incomplete
        (1, 0, 1, 1, 1)
    """

    queries: tuple[str, ...]
    shown_first: tuple[Score, ...]
    shown_second: tuple[Score, ...]

    def __post_init__(self) -> None:
        lengths = {len(self.queries), len(self.shown_first), len(self.shown_second)}
        if len(lengths) > 1:
            raise ValueError(f"each query has two scores; got {len(self.queries)} queries and {sorted(lengths)} scores")
        if len(set(self.queries)) < len(self.queries):
            repeated = next(query for query in self.queries if self.queries.count(query) > 1)
            raise ValueError(f"the query {repeated!r} occurs twice; each has one score in each order")
        for query, *scores in zip(self.queries, self.shown_first, self.shown_second, strict=True):
            for score in scores:
                if score is not None and not 0.0 <= score <= 1.0:
                    raise ValueError(f"query {query!r} has the score {score!r}; a score lies between 0 and 1")

    @classmethod
    def from_rows(cls, rows: Iterable[JudgedRow], candidate: str) -> Self:
        """Arrange long rows, one a judgement.

        Args:
            rows: (query id, what was shown first, what was shown second, score of the first), the score None where the
                judge gave none.
            candidate: The one of the two that is judged; the other is its opponent.

        Returns:
            The pairs, in the order in which queries first appear. An order without a row is missing.

        Raises:
            ValueError: If the candidate is not among the two, more than two are compared, or an order of a query has
                two rows.
        """
        scores: dict[str, list[Score]] = {}
        seen: set[tuple[str, bool]] = set()
        names: set[str] = set()
        for query, first, second, score in rows:
            names |= {first, second}
            at_first = _order(query, (first, second), candidate)
            if (query, at_first) in seen:
                raise ValueError(f"query {query!r} is judged twice with {first!r} first; each order has one row")
            seen.add((query, at_first))
            own = score if score is None or at_first else 1.0 - score
            scores.setdefault(query, [None, None])[0 if at_first else 1] = own
        if len(names) > 2:
            raise ValueError(f"two are compared at a time, got {sorted(names)}; give the rows of one pair")
        return cls(tuple(scores), *zip(*scores.values(), strict=True)) if scores else cls((), (), ())

    @property
    def complete(self) -> int:
        """Queries judged in both orders; all figures are over these."""
        return self.both_orders()[0].size

    @property
    def incomplete(self) -> int:
        """Queries with an order missing."""
        return len(self.queries) - self.complete

    @property
    def wins(self) -> int:
        """Complete queries that the candidate wins in both orders."""
        first, second = self.both_orders()
        return int(np.count_nonzero((first > EVEN) & (second > EVEN)))

    @property
    def losses(self) -> int:
        """Complete queries that the candidate loses in both orders."""
        first, second = self.both_orders()
        return int(np.count_nonzero((first < EVEN) & (second < EVEN)))

    @property
    def ties(self) -> int:
        """All other complete queries."""
        return self.complete - self.wins - self.losses

    @property
    def inconsistent(self) -> int:
        """Ties in which the two orders name different winners."""
        return self.favouring_first + self.favouring_second

    @property
    def favouring_first(self) -> int:
        """Inconsistent queries in which whatever was shown first won."""
        first, second = self.both_orders()
        return int(np.count_nonzero((first > EVEN) & (second < EVEN)))

    @property
    def favouring_second(self) -> int:
        """Inconsistent queries in which whatever was shown second won."""
        first, second = self.both_orders()
        return int(np.count_nonzero((first < EVEN) & (second > EVEN)))

    def both_orders(self) -> tuple[FloatArray, FloatArray]:
        """The candidate's scores of the complete queries, shown first and shown second."""
        first, second = _numbers(self.shown_first), _numbers(self.shown_second)
        kept = ~(_missing(self.shown_first) | _missing(self.shown_second))
        return first[kept], second[kept]


def _order(query: str, shown: tuple[str, str], candidate: str) -> bool:
    """Whether the candidate is the first of two."""
    if (shown[0] == candidate) == (shown[1] == candidate):
        raise ValueError(
            f"query {query!r} compares {shown[0]!r} with {shown[1]!r}; one of the two must be {candidate!r}"
        )
    return shown[0] == candidate


def _numbers(scores: tuple[Score, ...]) -> FloatArray:
    return np.array([EVEN if score is None else score for score in scores], dtype=np.float64)


def _missing(scores: tuple[Score, ...]) -> NDArray[np.bool_]:
    return np.array([score is None for score in scores], dtype=bool)
