"""Options, few-shot examples or passages in another order: does the answer hang on where something stands?"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Literal, get_args

from ..generator import Draft, Draw
from ..given import check_variants, check_word
from ..options.combined import combination_unclear, rewritten
from ..options.dependent import first_pinned, place_bound
from ..options.natural import naturally_ordered
from ..options.orders import (
    Order,
    alphabet_order,
    balanced_order,
    changes,
    length_order,
    none_left,
    random_order,
    rotated_order,
    slot_order,
)
from ..options.speaking import order_bound
from ..question import Layout, Question, Subject
from ..rendering.labels import answer_key_labels
from ..variant import Edit, Tier
from .kinds import REORDER, ReorderKind, ReorderPart
from .reorder_parts import part_kind, reordered_parts

DEFAULT_KINDS: dict[ReorderPart, ReorderKind] = {"options": "balanced", "examples": "random", "context": "random"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reorder:
    """Show the options, the few-shot examples or the passages in another order, never in the original one.

    The right option is tracked by its index in the dataset. Options such as "None of the above" stay last; "Both A and
    B" is rewritten for the new labels where that is unambiguous. A question that names an option by label or place
    ("unlike option B") is not applicable; nor is one that names a passage ("the passage above", "document [1]") or an
    example, where these are to change places.

    Attributes:
        of: What changes places: `options`, `examples` (few-shot) or `context` (passages).
        kind: `balanced` draws the right option's slot, each equally often, and the order of the others; choose it to
            measure with few calls. `each_slot` puts the right option into every slot in turn, variant 1 into the first,
            while the others keep their order (in its own slot they rotate; with two options that variant is
            `unchanged`); choose it to find out whether a model favours a slot. `random` draws any order, `cyclic` a
            rotation; `reverse`, `length` and `alphabet` sort, and have one, two and two variants. Examples and passages
            take `random`, `cyclic` and `reverse`. None is `balanced` for options and `random` for the others.
        variants: How many of each item. Settled by the item for `each_slot`: as many as it has options.
    """

    name: ClassVar[str] = REORDER
    version: ClassVar[int] = 2
    tier: ClassVar[Tier] = "guaranteed"

    of: ReorderPart = "options"
    kind: ReorderKind | None = None
    variants: int | None = 1

    def __post_init__(self) -> None:
        """Settle the kind and the number of variants.

        Raises:
            TypeError: For a number of variants that is none.
            ValueError: For a part or kind that there is not or that does not go with the other, or a number of variants
                that the kind does not have.
        """
        check_word("reorder", "of", self.of, get_args(ReorderPart))
        if self.kind is not None:
            check_word("reorder", "kind", self.kind, get_args(ReorderKind))
        if self.variants is not None:
            check_variants("reorder", self.variants)
        kind = self.settled
        if self.of != "options":
            part_kind(self.of, kind)
        if kind != "each_slot" and self.variants is None:
            raise ValueError(f"reorder: {kind} needs a number of variants")
        if kind == "each_slot" and self.variants not in {None, 1}:
            raise ValueError("reorder: each_slot makes as many variants as an item has options; leave `variants` out")
        object.__setattr__(self, "kind", kind)
        if kind == "each_slot":
            object.__setattr__(self, "variants", None)

    @property
    def settled(self) -> ReorderKind:
        """The kind, by default that of what changes places."""
        return self.kind or DEFAULT_KINDS[self.of]

    def parameters(self) -> dict[str, object]:
        """Give the kind, which decides a draft, and what it is of where that isn't the options."""
        return {"kind": self.settled} if self.of == "options" else {"of": self.of, "kind": self.settled}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose another order."""
        if self.of != "options":
            return reordered_parts(subject, draw, self.of, part_kind(self.of, self.settled))
        if reason := kept_order(subject.question, subject.layout):
            return Draft("not_applicable", reason)
        free = first_pinned(subject.question.options)
        order = self.order(subject, free, draw)
        if isinstance(order, Draft):
            return order
        return reordered(subject, (*order, *range(free, len(subject.question.options))), self.settled)

    def order(self, subject: Subject, free: int, draw: Draw) -> Order | Draft:
        """Find the new order of the first `free` options, or say why there is none."""
        texts = subject.question.options[:free]
        golds = [option for option in subject.gold.options if 0 <= option < free]
        used = [draft.permutation[:free] for draft in draw.earlier if draft.permutation]
        match self.settled:
            case "balanced" | "random" if none_left(texts, used):
                return Draft("not_applicable", f"all orders of {free} options are used")
            case "balanced" if golds:
                return balanced_order(texts, draw.rng.choice(golds), draw.rng)
            case "balanced" | "random":
                return random_order(texts, draw.rng)
            case "cyclic":
                rotation = rotated_order(texts, used, draw.rng)
                return rotation or Draft("not_applicable", f"all rotations of {free} options are used")
            case "each_slot":
                return in_slot(texts, golds, draw.number - 1)
            case "reverse" | "length" | "alphabet" as kind:
                return in_sequence(kind, texts, draw.number)


def in_slot(texts: tuple[str, ...], golds: list[int], slot: int) -> Order | Draft:
    """Put the first right option into a slot, or say why it can't stand there."""
    if not golds:
        return Draft("not_applicable", "no option that may move is known to be right")
    if slot >= len(texts):
        return Draft("not_applicable", f"the right option can't stand in place {slot + 1}")
    order = slot_order(texts, golds[0], slot)
    return order or Draft(
        "unchanged", f"the right option stands in place {slot + 1} and the others have one order only"
    )


def in_sequence(kind: Literal["reverse", "length", "alphabet"], texts: tuple[str, ...], number: int) -> Order | Draft:
    """Sort the options, or say that they are sorted already; the second variant falls where the first rises."""
    if number > (1 if kind == "reverse" else 2):
        return Draft("not_applicable", f"no further order of the kind {kind}")
    match kind:
        case "reverse":
            order: Order = tuple(reversed(range(len(texts))))
        case "length":
            order = length_order(texts, descending=number == 2)
        case "alphabet":
            order = alphabet_order(texts, descending=number == 2)
    return order if changes(order, texts) else Draft("unchanged", f"the options are in this order already ({kind})")


@lru_cache(maxsize=64)
def kept_order(question: Question, layout: Layout) -> str:
    """Say why a question's options must keep their order; empty where they need not."""
    options = question.options
    if len(options) < 2:
        return "no options" if not options else "one option only"
    return (
        order_bound(question, layout)
        or place_bound(options)
        or combination_unclear(question, layout)
        or ("" if len(set(options[: first_pinned(options)])) > 1 else "no two different options that may change places")
    )


def reordered(subject: Subject, permutation: Order, kind: str) -> Draft:
    """Show the options in a new order, those that name others by label in the new labels."""
    question, labels = subject.question, answer_key_labels(subject.question, subject.layout)
    moved = {labels[old]: labels[new] for new, old in enumerate(permutation)}
    texts = [rewritten(option, labels, moved, labels) for option in question.options]
    ordered = naturally_ordered(question.options)
    order = Edit(
        "options", 0, " ".join(labels), " ".join(labels[old] for old in permutation), "ordered" if ordered else kind
    )
    return Draft(
        "applied",
        question=replace(question, options=tuple(texts[old] for old in permutation)),
        permutation=permutation,
        edits=(order, *renamed_options(question.options, texts)),
    )


def renamed_options(before: tuple[str, ...], after: list[str]) -> list[Edit]:
    """Record the options that were rewritten for other labels."""
    pairs = enumerate(zip(before, after, strict=True))
    return [Edit(f"options[{option}]", 0, old, new, "label_reference") for option, (old, new) in pairs if old != new]
