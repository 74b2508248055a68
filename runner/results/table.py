"""Results made elsewhere, as an array: items × conditions × repeats of pass, fail or missing."""

import re
from dataclasses import dataclass, replace
from typing import Self

from ...stats import Outcomes
from ..errors import UsageError
from ..problems import listed, quoted

RERUN = re.compile(r"rerun(?:\.\d+)?", re.IGNORECASE)
"""What a condition is called under which the baseline was asked again as it stands."""
CODES = {True: 1, False: 0, None: -1}


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """What a results file holds.

    Attributes:
        name: What it is called in reports.
        sha256: Of the file's bytes, in hexadecimal.
        items: Item ids, in the order of the file.
        conditions: Names of the conditions, the baseline first, else in the order of the file.
        repeats: Names of the repeats; one, unnamed, where the file has none.
        passed: `passed[item][condition][repeat]` is True for a pass, False for a fail, None where it is missing.
        notes: Sentences that the user should read: what was chosen, and what was not read.
        clusters: What each item belongs to; None where that is not known.
    """

    name: str
    sha256: str
    items: tuple[str, ...]
    conditions: tuple[str, ...]
    repeats: tuple[str, ...]
    passed: tuple[tuple[tuple[bool | None, ...], ...], ...]
    notes: tuple[str, ...] = ()
    clusters: tuple[str, ...] | None = None

    @property
    def reruns(self) -> tuple[str, ...]:
        """The conditions, none of them the baseline, that ask the baseline again: the noise floor, no variants."""
        return tuple(name for name in self.conditions[1:] if RERUN.fullmatch(name))

    def outcomes(self) -> Outcomes:
        """The results as `stats` takes them."""
        cells = [[[CODES[result] for result in cell] for cell in row] for row in self.passed]
        return Outcomes.from_array(cells, items=self.items, conditions=self.conditions, clusters=self.clusters)

    def clustered(self, pattern: str) -> Self:
        """Take what a pattern finds in an item's id for its cluster: `^[^/]+` for what stands before a slash.

        Raises:
            UsageError: The pattern is no regular expression, or finds nothing in some id.
        """
        try:
            found = [re.search(pattern, item) for item in self.items]
        except re.error as error:
            raise UsageError(f"--clusters: {quoted(pattern)} is no regular expression: {error}") from None
        without = next((item for item, match in zip(self.items, found, strict=True) if match is None), None)
        if without is not None:
            raise UsageError(f"--clusters: {quoted(pattern)} finds nothing in the item id {quoted(without)}")
        return replace(self, clusters=tuple(match[0] for match in found if match))

    def as_repeats(self) -> Self:
        """Take the conditions for repeated runs of one system.

        Raises:
            UsageError: The results have repeats already.
        """
        if len(self.repeats) > 1:
            raise UsageError(f"{self.name} has a column of repeats already; --repeats is for files without one")
        passed = tuple((tuple(result for (result,) in row),) for row in self.passed)
        note = f"the conditions {listed(self.conditions)} are taken for repeats of one system"
        return replace(self, conditions=("baseline",), repeats=self.conditions, passed=passed, notes=(note,))
