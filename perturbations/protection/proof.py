"""The proof of a draft: what it says it moved is put back, and must be what stood there; what is left is checked.

It looks at the original, at what the draft made of it, and at the orders that the draft claims; at nothing that the
generator worked with.
"""

from collections.abc import Mapping
from dataclasses import fields, replace

from ..generator import Draft
from ..options.combined import combination
from ..question import Layout, Question, Subject
from ..rendering.labels import answer_key_labels
from ..rendering.render import misread
from ..variant import Tier
from .check import altered_protected, shown

Orders = Mapping[str, tuple[int, ...] | None]
"""By part of a question: `order[shown position]` is the place in the original; None where nothing was moved."""


def unproved(subject: Subject, draft: Draft, tier: Tier) -> str:
    """Say why a draft can't be asked.

    Its orders must be permutations, and options, examples and passages, put back, those of the original: byte for byte,
    but for options such as "Both A and B", which must name the same options as before. A new layout must read back. A
    generator of the tier `guaranteed` may change no text at all, others none that is protected.

    Args:
        subject: What the generator was given.
        draft: What it made of that.
        tier: What it promises.

    Returns:
        The reason as a clause; empty where all is well.
    """
    original, layout = subject.question, draft.layout or subject.layout
    variant = draft.question or original
    orders = {"options": draft.permutation, "examples": draft.example_order, "context": draft.context_order}
    if reason := no_permutation(original, variant, orders) or changed_option(subject, variant, orders, layout):
        return reason
    restored = put_back(variant, orders)
    if restored.options is not original.options:
        restored = replace(restored, options=original.options)
    reason = changed_text(subject, restored, tier)
    return reason or ("" if layout == subject.layout else misread(variant, layout))


def no_permutation(original: Question, variant: Question, orders: Orders) -> str:
    """Say which order does not give each place of its part once; empty where all do."""
    for part, order in orders.items():
        count = len(getattr(original, part))
        if order is not None and not sorted(order) == [*range(count)] == [*range(len(getattr(variant, part)))]:
            return f"the order {list(order)} is no permutation of the {part}"
    return ""


def put_back(variant: Question, orders: Orders) -> Question:
    """Give the variant with each part where it stood in the original."""
    found: dict[str, tuple[object, ...]] = {}
    for part, order in orders.items():
        if order is not None:
            moved = getattr(variant, part)
            found[part] = tuple(moved[order.index(place)] for place in range(len(order)))
    return replace(variant, **found) if found else variant  # type: ignore[arg-type]  # parts by name


def changed_option(subject: Subject, variant: Question, orders: Orders, layout: Layout) -> str:
    """Say which option is not the one that stood in its place, nor names the same options in the new labels."""
    original = subject.question
    if len(variant.options) != len(original.options):
        return "an option was added or taken away"
    order = orders["options"] or tuple(range(len(original.options)))
    before, after = answer_key_labels(original, subject.layout), answer_key_labels(variant, layout)
    for slot, place in enumerate(order):
        old, new = original.options[place], variant.options[slot]
        if not reads_alike(old, new, before, after, order):
            return f"option {place + 1} changed: {shown(old)} to {shown(new)}"
    return ""


def reads_alike(old: str, new: str, before: tuple[str, ...], after: tuple[str, ...], order: tuple[int, ...]) -> bool:
    """Whether an option is the same text, or names the same options in new labels and a new order."""
    named, renamed = combination(old, before), combination(new, after)
    if named is None or renamed is None:
        return named is renamed and old == new
    return renamed.words == named.words and {order[place] for place in renamed.places} == named.places


def changed_text(subject: Subject, restored: Question, tier: Tier) -> str:
    """Say which text changed that may not, with all that was moved put back."""
    original = subject.question
    changed = [
        field.name for field in fields(Question) if getattr(original, field.name) != getattr(restored, field.name)
    ]
    if not changed:
        return ""
    if tier == "guaranteed":
        return f"the {changed[0].replace('_', ' ')} changed, where order and layout alone may"
    return altered_protected(subject, original, restored) or ""
