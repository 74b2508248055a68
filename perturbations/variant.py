"""What a generator returns: one Variant per item and condition, with its outcome and the record of what it changed."""

from dataclasses import dataclass
from typing import Literal

from .question import Gold, Layout, Question

Outcome = Literal["applied", "unchanged", "not_applicable", "rejected"]
Tier = Literal["guaranteed", "checked", "stress", "control"]
"""How far the same meaning is warranted; a `control` changes the meaning on purpose, and names the new right answer."""
Review = Literal["", "accept", "reject"]
"""What a person said of a variant after reading it; empty where nobody did."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one part of a Question.

    Attributes:
        part: The part, as a path: `text`, `instruction`, `context[0]`, `system`, `layout.labels`, `options`.
        start: Offset in the original part, in code points; 0 where the part is structure.
        before: The original text from `start`; empty for an insertion.
        after: What stands there now; empty for a deletion.
        kind: The generator's word for it, such as `transpose` or `labels`.
    """

    part: str
    start: int
    before: str
    after: str
    kind: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One item under one condition.

    Attributes:
        item_id: The item.
        condition: `baseline`, or generator and number: `typo.1`, `paraphrase+typo.2`.
        generator: Name of the generator, `baseline` for the original.
        version: The generator's version; a change of its output changes this number.
        parameters: The generator's resolved parameters as canonical JSON.
        tier: How far the same meaning is warranted.
        outcome: Whether there is something to ask under this condition.
        reason: Why it is not applicable or was rejected; empty otherwise.
        question: The question to ask; its options are in the order shown.
        layout: The layout to ask it in.
        permutation: `permutation[shown position]` is the canonical option index.
        edits: What was changed, in order.
        severity: Words edited / eligible words, as realised; None where the generator edits no words.
        gold: What counts as right under this condition where it isn't what does in the dataset; None everywhere but in
            a control. Its option indices are the dataset's, as the item's are.
        review: What a person said of it.
    """

    item_id: str
    condition: str
    generator: str
    version: int
    parameters: str
    tier: Tier
    outcome: Outcome
    reason: str
    question: Question
    layout: Layout
    permutation: tuple[int, ...] = ()
    edits: tuple[Edit, ...] = ()
    severity: float | None = None
    gold: Gold | None = None
    review: Review = ""
