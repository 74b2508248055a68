"""Results made elsewhere, as an array: items × conditions × repeats of pass, fail or missing."""

from dataclasses import dataclass

from ...stats import Outcomes

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
    """

    name: str
    sha256: str
    items: tuple[str, ...]
    conditions: tuple[str, ...]
    repeats: tuple[str, ...]
    passed: tuple[tuple[tuple[bool | None, ...], ...], ...]
    notes: tuple[str, ...] = ()

    def outcomes(self) -> Outcomes:
        """The results as `stats` takes them."""
        cells = [[[CODES[result] for result in cell] for cell in row] for row in self.passed]
        return Outcomes.from_array(cells, items=self.items, conditions=self.conditions)
