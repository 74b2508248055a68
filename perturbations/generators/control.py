"""Small changes of what is asked, with the new right answer: a model that ignores its input can't follow them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from ..generator import Draft, Draw
from ..given import check_variants, words_given
from ..protection.parts import apply_edits, text_parts
from ..protection.protect import user_spans
from ..protection.spans import Mask, merged
from ..question import Gold, Question, Subject
from ..variant import Edit, Tier
from .control_change import Change, Changes, Obstacle
from .control_negation import negations
from .control_numbers import logic_changes, logical_answer, number_changes, numeric_answer
from .control_restored import opposite_answer

ControlKind = Literal["numbers", "logic", "negate"]
KINDS: tuple[ControlKind, ...] = ("numbers", "logic", "negate")


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of change.

    Attributes:
        changes: Proposes changes of an item, or says why there are none.
        proof: Works out what is right from a changed question, by another way than it was made; None where not sure.
    """

    changes: Callable[[Subject, Random], Changes]
    proof: Callable[[Subject, Question], Gold | None]


SOURCES: Mapping[ControlKind, Source] = {
    "numbers": Source(number_changes, numeric_answer),
    "logic": Source(logic_changes, logical_answer),
    "negate": Source(negations, opposite_answer),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """Changes what is asked, where the new right answer can be proved, and names it.

    It is no perturbation: its results tell whether the model reads the question at all, and enter no figure of
    robustness. An item to which no kind applies is `not_applicable`, as most items of most datasets are. The first kind
    that applies is taken.

    Attributes:
        kinds: `numbers` changes a number of an arithmetic item, `logic` a value or operator of a boolean expression,
            `negate` asks for the opposite of a yes/no question, of a statement, or of "Which of these is …?".
        variants: How many variants of each item.

    Raises:
        TypeError: For kinds that are no tuple, or a number of variants that is none.
        ValueError: Without a kind, with one that there is not, or without any variant.
    """

    name: ClassVar[str] = "control"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "control"

    kinds: tuple[ControlKind, ...] = KINDS
    variants: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no kind, or no number of variants."""
        words_given("control", "kinds", self.kinds, KINDS)
        object.__setattr__(self, "kinds", tuple(self.kinds))
        check_variants("control", self.variants)

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft."""
        return {"kinds": list(self.kinds)}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose the first change, not used before, whose new right answer is proved."""
        used = {draft.question for draft in draw.earlier}
        reasons = []
        for kind in self.kinds:
            changes = SOURCES[kind].changes(subject, draw.rng)
            if isinstance(changes, Obstacle):
                reasons.append(f"{kind}: {changes.reason}")
                continue
            for change in changes:
                question = apply_edits(subject.question, change.edits)
                if question not in used and is_sure(kind, subject, change, question):
                    return Draft("applied", question=question, edits=change.edits, validated=True, gold=change.gold)
            reasons.append(f"{kind}: no change has an answer that is sure")
        if used:
            return Draft("not_applicable", f"no further change fits this item; {len(used)} were used")
        return Draft("not_applicable", "; ".join(reasons))


def is_sure(kind: ControlKind, subject: Subject, change: Change, question: Question) -> bool:
    """Whether a change keeps what the user protects, and its right answer is found again from the new text alone."""
    return not touches_protected(subject, change.edits) and SOURCES[kind].proof(subject, question) == change.gold


def touches_protected(subject: Subject, edits: tuple[Edit, ...]) -> bool:
    """Whether an edit lies in text that the user's own patterns protect."""
    parts = text_parts(subject.question)
    masks = {part: Mask(merged(user_spans(parts[part], subject.protect))) for part in {edit.part for edit in edits}}
    return any(masks[edit.part].touches(edit.start, edit.start + len(edit.before)) for edit in edits)
