"""Lists by the page: which part of them a page shows, and what its number may be."""

from dataclasses import dataclass

DIGITS = 9


def number_of(given: str) -> int:
    """The number of a page as an address has it; 1 where that is none."""
    return max(1, int(given)) if given.isascii() and given.isdecimal() and len(given) <= DIGITS else 1


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a list.

    Attributes:
        number: The page that is shown, from 1.
        total: How many entries there are.
        size: How many a page has at most.
    """

    number: int
    total: int
    size: int

    @property
    def count(self) -> int:
        """How many pages there are; one where there is nothing."""
        return max(1, -(-self.total // self.size))

    @property
    def start(self) -> int:
        """How many entries come before this page."""
        return (self.number - 1) * self.size

    @property
    def previous(self) -> int | None:
        """The page before; None before the first, the last one after that."""
        return min(self.number - 1, self.count) if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The page after; None after the last."""
        return self.number + 1 if self.number < self.count else None
