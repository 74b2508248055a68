"""What a control proposes: edits of the text, and the right answer that they make."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..question import Gold
from ..variant import Edit


@dataclass(frozen=True, slots=True)
class Change:
    """One change of what an item asks.

    Attributes:
        edits: Edits of its text parts.
        gold: What is right after them; option indices are those of the subject's question.
    """

    edits: tuple[Edit, ...]
    gold: Gold


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why no change of a kind has a right answer that is sure, as a clause."""

    reason: str


Changes = Iterator[Change] | Obstacle
