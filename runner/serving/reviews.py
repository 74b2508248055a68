"""The bundles that are reviewed on pages: each read once, its answers written one after the other."""

from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from ...perturbations.canonical import canonical_json
from ...perturbations.variant import Review, Variant
from ..errors import UsageError
from ..plan import BASELINE
from ..problems import listed, quoted
from ..review_file import ReviewFile, State, state_of
from ..reviewing import SAID, can_be_asked, is_meant

Value = TypeVar("Value")

KEPT = 4
"""How many bundles are kept in memory."""
AT_ONCE = 4
"""How many requests work on bundles at once; the others wait, and keep nothing else waiting."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many variants were accepted, rejected, and neither."""

    accepted: int
    rejected: int
    unreviewed: int

    @property
    def total(self) -> int:
        """How many there are."""
        return self.accepted + self.rejected + self.unreviewed

    @property
    def reviewed(self) -> int:
        """How many were reviewed."""
        return self.accepted + self.rejected


@dataclass(frozen=True, slots=True)
class Tallies:
    """The tallies of a bundle: of all variants that can be asked, and of those in other words."""

    every: Tally
    reworded: Tally


class Reviewed:
    """A bundle as it was read, and as it was answered since."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            BundleError: It can't be read.
        """
        self.file = ReviewFile(path)
        variants = self.file.variants
        self.numbers = [at for at, one in enumerate(variants) if one.condition != BASELINE and can_be_asked(one)]
        self.reworded = [at for at in self.numbers if is_meant(variants[at], ())]
        self.originals = {one.item_id: one for one in variants if one.condition == BASELINE}

    @cached_property
    def conditions(self) -> list[str]:
        """The conditions of the variants that can be asked, in the order of the file."""
        return [*dict.fromkeys(self.file.variants[at].condition for at in self.numbers)]

    def has(self, number: int) -> bool:
        """Whether the variant of this number is one that can be asked."""
        return Place(self.numbers, number).position is not None

    def meant(self, pattern: str) -> list[int]:
        """The numbers of the variants whose condition a pattern fits.

        An empty pattern stands for those in other words, as in `prt perturb --review`; for all where none is.

        Raises:
            UsageError: It fits no condition.
        """
        if not pattern:
            return self.reworded or self.numbers
        fitting = {name for name in self.conditions if fnmatchcase(name, pattern)}
        if not fitting:
            raise UsageError(f"No condition is called {quoted(pattern)}; the bundle has {listed(self.conditions)}")
        return [at for at in self.numbers if self.file.variants[at].condition in fitting]

    def tally(self, numbers: Iterable[int]) -> Tally:
        """Count what was said of variants."""
        said = Counter(self.file.variants[at].review for at in numbers)
        return Tally(said["accept"], said["reject"], said[""])

    def tallies(self) -> Tallies:
        """Count what was said of all."""
        return Tallies(self.tally(self.numbers), self.tally(self.reworded))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a variant stands among those that are looked through.

    Attributes:
        numbers: Those that are looked through, in the order of the file.
        at: The number of the variant in the file; None where there is none.
    """

    numbers: Sequence[int]
    at: int | None

    @property
    def position(self) -> int | None:
        """Its place among them, from 1; None where it is not one of them."""
        if self.at is None:
            return None
        found = bisect_left(self.numbers, self.at)
        return found + 1 if found < len(self.numbers) and self.numbers[found] == self.at else None

    @property
    def previous(self) -> int | None:
        """The number of the one before."""
        found = 0 if self.at is None else bisect_left(self.numbers, self.at)
        return self.numbers[found - 1] if found else None

    @property
    def next(self) -> int | None:
        """The number of the one after."""
        found = len(self.numbers) if self.at is None else bisect_right(self.numbers, self.at)
        return self.numbers[found] if found < len(self.numbers) else None


@dataclass(frozen=True, slots=True)
class Said:
    """What a reviewer says of the variant that a page shows.

    Attributes:
        number: The number of the variant in the file.
        shown: The variant that the page showed, as `print_of` gives it.
        before: What had been said of it when the page was made.
        review: What the reviewer says.
    """

    number: int
    shown: str
    before: Review
    review: Review


class Desk:
    """The bundles that a server was given; a few of them lie open."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Read nothing yet.

        Args:
            paths: The bundles; one that is named twice lies here once.
        """
        named: dict[Path, Path] = {}
        for path in paths:
            named.setdefault(path.resolve(), path)
        self.paths = [*named.values()]
        self._locks = [Lock() for _ in self.paths]
        self._open: OrderedDict[int, Reviewed] = OrderedDict()
        self._tallies: dict[int, tuple[State, Tallies]] = {}
        self._own = Lock()
        self._limiter = CapacityLimiter(AT_ONCE)

    async def run(self, work: Callable[[], Value]) -> Value:
        """Do what may take long in a thread, when it is its turn."""
        return await to_thread.run_sync(work, limiter=self._limiter)

    def look(self, number: int) -> Reviewed:
        """Give a bundle as it is now.

        Args:
            number: Its place among the bundles, from 0.

        Raises:
            BundleError: It can't be read.
        """
        with self._locks[number]:
            return self._current(number)

    def tallies(self, number: int) -> Tallies:
        """Count what was said of the variants of a bundle.

        Raises:
            BundleError: It can't be read.
        """
        with self._locks[number]:
            known = self._tallies.get(number)
            try:
                state = state_of(self.paths[number])
            except OSError:
                state = None
            if known is not None and known[0] == state:
                return known[1]
            found = self._current(number).tallies()
            if state is not None:
                self._tallies[number] = (state, found)
            return found

    def answer(self, number: int, said: Said) -> None:
        """Write down what a reviewer says of a variant.

        Raises:
            BundleError: The bundle can't be read.
            UsageError: The variant is none that is reviewed, or another one now; someone else said something of it
                meanwhile; or the file can't be written. Nothing is saved then.
        """
        with self._locks[number]:
            bundle = self._current(number)
            variants = bundle.file.variants
            if not bundle.has(said.number) or print_of(variants[said.number]) != said.shown:
                raise UsageError(
                    "Nothing was saved: the bundle was written anew meanwhile, and another variant stands in this place"
                )
            now = variants[said.number].review
            if now == said.review:
                return
            if now != said.before:
                raise UsageError(
                    f"Nothing was saved: someone else changed this answer meanwhile, it is {SAID[now]} now; "
                    "answer again if you see it otherwise"
                )
            bundle.file.put(said.number, said.review)

    def _current(self, number: int) -> Reviewed:
        with self._own:
            found = self._open.get(number)
        if found is None or not found.file.is_current:
            found = Reviewed(self.paths[number])
        with self._own:
            self._open[number] = found
            self._open.move_to_end(number)
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
        return found


def print_of(variant: Variant) -> str:
    """What tells a variant from all others, whatever was said of it."""
    return sha256(canonical_json(replace(variant, review="")).encode()).hexdigest()
