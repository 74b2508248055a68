"""The 2×2 table of one variant with the baseline: all that the paired statistics of one variant need."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

from .checks import whole_number


@dataclass(frozen=True, slots=True)
class PairedTable:
    """Counts of items by their result under the baseline and under one variant.

    Only items that carry both results are counted. A change is positive where the variant is better.

    Attributes:
        both_pass: Passed under both.
        pass_to_fail: Passed under the baseline, failed under the variant.
        fail_to_pass: Failed under the baseline, passed under the variant.
        both_fail: Failed under both.

    Raises:
        ValueError: If a count is negative or not a whole number.

    Examples:
        >>> from prt.stats import PairedTable
        >>> table = PairedTable(both_pass=7, pass_to_fail=8, fail_to_pass=0, both_fail=5)
        >>> table.n, table.baseline_rate, table.variant_rate, table.change, table.flip_rate
        (20, 0.75, 0.35, -0.4, 0.4)
    """

    both_pass: int
    pass_to_fail: int
    fail_to_pass: int
    both_fail: int

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, whole_number(field.name, getattr(self, field.name)))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[bool | None, bool | None]]) -> Self:
        """Count pairs of results.

        Args:
            pairs: (passed under the baseline, passed under the variant) of each item; None is a missing result, and a
                pair with a missing result is left out.

        Returns:
            The table of the complete pairs.

        Raises:
            ValueError: If a result is none of True, False and None.
        """
        counts = Counter(_checked(number, pair) for number, pair in enumerate(pairs, start=1))
        return cls(counts[True, True], counts[True, False], counts[False, True], counts[False, False])

    @property
    def n(self) -> int:
        """Paired items."""
        return self.both_pass + self.pass_to_fail + self.fail_to_pass + self.both_fail

    @property
    def baseline_passes(self) -> int:
        """Paired items that pass under the baseline."""
        return self.both_pass + self.pass_to_fail

    @property
    def variant_passes(self) -> int:
        """Paired items that pass under the variant."""
        return self.both_pass + self.fail_to_pass

    @property
    def flips(self) -> int:
        """Paired items whose result differs, in either direction."""
        return self.pass_to_fail + self.fail_to_pass

    @property
    def baseline_rate(self) -> float | None:
        """Pass rate under the baseline; None without paired items."""
        return self._share(self.baseline_passes)

    @property
    def variant_rate(self) -> float | None:
        """Pass rate under the variant; None without paired items."""
        return self._share(self.variant_passes)

    @property
    def change(self) -> float | None:
        """Variant rate − baseline rate; None without paired items."""
        return self._share(self.fail_to_pass - self.pass_to_fail)

    @property
    def flip_rate(self) -> float | None:
        """Share of paired items whose result differs; None without paired items."""
        return self._share(self.flips)

    def swapped(self) -> Self:
        """The table with baseline and variant exchanged."""
        return type(self)(self.both_pass, self.fail_to_pass, self.pass_to_fail, self.both_fail)

    def _share(self, count: int) -> float | None:
        return count / self.n if self.n else None


def _checked(number: int, pair: tuple[bool | None, bool | None]) -> tuple[bool | None, bool | None]:
    for passed in pair:
        if passed not in (True, False, None):
            raise ValueError(f"pair {number} holds {passed!r}; a result is True, False or None (missing)")
    return pair
