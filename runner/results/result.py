"""One result: an item under a condition, and whether it passed."""

from dataclasses import dataclass

Outcome = bool | None
"""True for a pass, False for a fail, None where the result is missing."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result as it stands in an input.

    Attributes:
        number: Number of the line or row that it stands in, for messages.
        item: Id of the item.
        condition: Name of the condition.
        repeat: Name of the repeat; empty where there are none.
        passed: Whether it passed.
        cluster: What the item belongs to; None where that is not known.
    """

    number: int
    item: str
    condition: str
    repeat: str
    passed: Outcome
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What was given: its name, its text, and the SHA-256 of its bytes."""

    name: str
    text: str
    sha256: str
