"""Results made elsewhere, as an array: items × conditions × repeats of pass, fail or missing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """What a results file holds.

    Attributes:
        name: What it is called in reports.
        items: Item ids, in the order of the file.
        conditions: Names of the conditions, the baseline first, else in the order of the file.
        repeats: Names of the repeats; one, unnamed, where the file has none.
        outcomes: `outcomes[item][condition][repeat]` is True for a pass, False for a fail, None where it is missing.
        notes: Sentences that the user should read: what was chosen, and what was not read.
    """

    name: str
    items: tuple[str, ...]
    conditions: tuple[str, ...]
    repeats: tuple[str, ...]
    outcomes: tuple[tuple[tuple[bool | None, ...], ...], ...]
    notes: tuple[str, ...] = ()
