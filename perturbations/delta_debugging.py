"""Delta debugging: which of many changes bring a difference about, found by trying subsets of them.

The search asks for one subset at a time and is told whether that subset shows the difference, so that whoever drives it
decides what a trial is, what it costs, and when to stop:

    search = Search(count)
    while (subset := search.subset) is not None:
        search.tell(shows=flips(subset))
    search.best, search.guarantee

References:
    A. Zeller, R. Hildebrandt (2002), Simplifying and isolating failure-inducing input, IEEE Trans. Softw. Eng. 28(2),
    183-200: the algorithm ddmin and its bound.
"""

from collections.abc import Generator, Iterable
from itertools import combinations, pairwise
from math import comb
from typing import Literal

Subset = tuple[int, ...]
"""Numbers of changes, from 0, rising."""
Guarantee = Literal["none", "one_minimal", "smallest"]
"""`smallest`: no smaller subset shows the difference. `one_minimal`: none does that lacks just one of these changes."""

MOST_SMALLER = 64
"""So many smaller subsets, at most, are tried to prove that a subset is the smallest; up to six changes always are."""


class Search:
    """A search for few changes that show what all of them show and none of them does not.

    First ddmin: it halves, and halves again, until no single change can be left out. It needs no order among subsets,
    so a difference that comes and goes as changes are added is borne, but a smaller subset elsewhere may be missed.
    Then, where few enough smaller subsets are left, each of them is tried, the smallest first.

    Attributes:
        best: The fewest changes known to show the difference; all of them at first.
        guarantee: What is known of `best`; `none` until ddmin is through.
        tried: Subsets tried so far, each once: count² + 3·count by ddmin at most, and `MOST_SMALLER` more.
        subset: The next subset to try; None at the end.
    """

    def __init__(self, count: int) -> None:
        """Begin with so many changes, one at least.

        Raises:
            ValueError: Without a change.
        """
        if count < 1:
            raise ValueError(f"there are {count} changes; a difference needs one at least")
        self.best: Subset = tuple(range(count))
        self.guarantee: Guarantee = "none"
        self.tried = 0
        self._count = count
        self._known: dict[Subset, bool] = {(): False, self.best: True}
        self._trials = self._search()
        self.subset: Subset | None = next(self._trials, None)

    def tell(self, *, shows: bool) -> None:
        """Say whether `subset` shows the difference; one that can't be tried does not.

        Raises:
            ValueError: At the end, when nothing is being tried.
        """
        if self.subset is None:
            raise ValueError("the search is over; there is no trial to tell the result of")
        self.tried += 1
        try:
            self.subset = self._trials.send(shows)
        except StopIteration:
            self.subset = None

    def _search(self) -> Generator[Subset, bool, None]:
        yield from self._ddmin()
        self.guarantee = "one_minimal"
        sizes = range(1, len(self.best))
        known = sum(len(subset) in sizes for subset in self._known)
        if sum(comb(self._count, size) for size in sizes) - known <= MOST_SMALLER:
            yield from self._first(subset for size in sizes for subset in combinations(range(self._count), size))
            self.guarantee = "smallest"

    def _ddmin(self) -> Generator[Subset, bool, None]:
        """Reduce to a part, else to what one part leaves, else cut finer."""
        parts = 2
        while len(self.best) > 1:
            chunks = cut(self.best, parts)
            if (yield from self._first(chunks)):
                parts = 2
            elif (yield from self._first([without(self.best, chunk) for chunk in chunks])):
                parts = max(parts - 1, 2)
            elif parts == len(self.best):
                return
            else:
                parts = min(2 * parts, len(self.best))

    def _first(self, subsets: Iterable[Subset]) -> Generator[Subset, bool, bool]:
        """Find the first of some subsets that shows the difference; it is the best from now on."""
        for subset in subsets:
            if subset not in self._known:
                self._known[subset] = yield subset
            if self._known[subset]:
                self.best = subset
                return True
        return False


def cut(subset: Subset, parts: int) -> list[Subset]:
    """Cut a subset into so many parts of nearly equal size."""
    bounds = [len(subset) * part // parts for part in range(parts + 1)]
    return [subset[start:end] for start, end in pairwise(bounds)]


def without(subset: Subset, part: Subset) -> Subset:
    """Give what a part leaves."""
    return tuple(change for change in subset if change not in part)
