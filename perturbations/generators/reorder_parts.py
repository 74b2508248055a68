"""Few-shot examples or context passages in another order: does the answer hang on which of them comes first or last?"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from ..generator import Draft, Draw
from ..options.orders import Order, changes, none_left, random_order, rotated_order
from ..options.part_references import Part, part_order_bound
from ..question import Question, Subject
from ..variant import Edit
from .kinds import PART_KINDS, PartKind

NAMES: dict[Part, str] = {"examples": "example", "context": "passage"}


def part_kind(part: Part, kind: str) -> PartKind:
    """Give the kind of order that examples or passages take.

    Raises:
        ValueError: For a kind that only options have.
    """
    for known in PART_KINDS:
        if kind == known:
            return known
    raise ValueError(f"reorder: {kind} is an order of options; for {part} choose random, reverse or cyclic")


def reordered_parts(subject: Subject, draw: Draw, part: Part, kind: PartKind) -> Draft:
    """Propose the examples or passages in another order, or say why they keep theirs.

    Args:
        subject: The item.
        draw: The draw.
        part: What changes places.
        kind: How: `random` draws any other order, `cyclic` a rotation that was not used yet, `reverse` is one order.
    """
    question = subject.question
    if reason := kept_parts(question, part):
        return Draft("not_applicable", reason)
    shown = question.examples if part == "examples" else question.context
    order = part_order(shown, part, kind, draw)
    if isinstance(order, Draft):
        return order
    edit = Edit(part, 0, numbered(range(len(shown))), numbered(order), kind)
    if part == "examples":
        moved = replace(question, examples=tuple(question.examples[place] for place in order))
        return Draft("applied", question=moved, example_order=order, edits=(edit,))
    moved = replace(question, context=tuple(question.context[place] for place in order))
    return Draft("applied", question=moved, context_order=order, edits=(edit,))


@lru_cache(maxsize=64)
def kept_parts(question: Question, part: Part) -> str:
    """Say why examples or passages must keep their order; empty where they need not."""
    parts = question.examples if part == "examples" else question.context
    name = NAMES[part]
    if len(parts) < 2:
        return f"one {name} only" if parts else f"no {name}s"
    alike = len(set(parts)) == 1
    return part_order_bound(question, part) or (f"no two different {name}s that may change places" if alike else "")


def part_order(parts: Sequence[object], part: Part, kind: PartKind, draw: Draw) -> Order | Draft:
    """Find a new order, or say why there is none."""
    orders = (draft.example_order if part == "examples" else draft.context_order for draft in draw.earlier)
    used = [order for order in orders if order]
    match kind:
        case "random" if none_left(parts, used):
            return Draft("not_applicable", f"all orders of {len(parts)} {NAMES[part]}s are used")
        case "random":
            return random_order(parts, draw.rng)
        case "cyclic":
            rotation = rotated_order(parts, used, draw.rng)
            return rotation or Draft("not_applicable", f"all rotations of {len(parts)} {NAMES[part]}s are used")
        case "reverse":
            order = tuple(reversed(range(len(parts))))
            if draw.number > 1:
                return Draft("not_applicable", "no further order of the kind reverse")
            same = f"the {NAMES[part]}s are in this order already (reverse)"
            return order if changes(order, parts) else Draft("unchanged", same)


def numbered(order: Iterable[int]) -> str:
    """Write places as people count them."""
    return " ".join(str(place + 1) for place in order)
