"""The atomic changes of a variant, and the question that any of them make of the original.

Each change is made as a whole or not at all. No change is the original, and all of them are the variant, byte for byte;
`splitting` finds them.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from .generators.validators import VALIDATORS, differs
from .protection.parts import apply_edits, text_parts
from .question import Layout, Question, Subject
from .rendering.render import misread
from .variant import Edit, Variant

LAYOUT = "layout."
"""What the path of a dial begins with."""
NO_LETTER = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class Trade:
    """One of several options, passages, examples or turns brought to its place.

    What stands there takes the place that it leaves, so that any trades, in order, make a permutation.

    Attributes:
        part: `options`, `context`, `examples` or `history`.
        element: Its index in the original.
        place: Where it goes, from 0.
    """

    part: str
    element: int
    place: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A part as the variant has it: `template`, `layout.labels`, or `options` with their permutation."""

    part: str


Step = Edit | Trade | Taken


@dataclass(frozen=True, slots=True)
class Change:
    """One atomic change.

    Attributes:
        edits: What it changes; offsets are those of the original.
        steps: How it is made.
    """

    edits: tuple[Edit, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A variant in its atomic changes.

    Attributes:
        baseline: The original.
        variant: The variant.
        changes: The changes; none where the variant is the original.
        reworded: Text parts that are changed in several runs of words, which hang together by their sense.
    """

    baseline: Variant
    variant: Variant
    changes: tuple[Change, ...]
    reworded: frozenset[str] = field(default_factory=frozenset)


def rebuilt(parts: Split, chosen: Collection[int]) -> Variant:
    """Make some of the changes of a variant.

    Args:
        parts: The variant in its changes.
        chosen: The numbers of the changes to make, from 0.

    Returns:
        The variant as far as these changes make it.
    """
    baseline, variant = parts.baseline, parts.variant
    made = [parts.changes[number] for number in sorted(chosen)]
    steps = [step for change in made for step in change.steps]
    taken = {step.part for step in steps if isinstance(step, Taken)}
    question = apply_edits(baseline.question, [step for step in steps if isinstance(step, Edit)])
    question = replace(question, **{name: getattr(variant.question, name) for name in names_of(Question) & taken})
    orders = orders_of(baseline.question, [step for step in steps if isinstance(step, Trade)])
    reordered = {part: shown(getattr(question, part), order) for part, order in orders.items()}
    dials = {name: getattr(variant.layout, name) for name in names_of(Layout) if LAYOUT + name in taken}
    return replace(
        variant,
        question=replace(question, **reordered),
        layout=replace(baseline.layout, **dials),
        permutation=orders.get("options") or permutation_of(variant if "options" in taken else baseline),
        edits=tuple(edit for change in made for edit in change.edits),
        severity=None,
    )


def names_of(kind: type[Question] | type[Layout]) -> set[str]:
    """Give the names of a dataclass's fields."""
    return {each.name for each in fields(kind)}


def permutation_of(variant: Variant) -> tuple[int, ...]:
    """Give a variant's permutation, also where it says nothing of one."""
    return variant.permutation or tuple(range(len(variant.question.options)))


def orders_of(question: Question, trades: Sequence[Trade]) -> dict[str, tuple[int, ...]]:
    """Give the order that trades make of each part that they touch: `order[place]` is an index in the original."""
    orders: dict[str, list[int]] = {}
    for trade in trades:
        order = orders.setdefault(trade.part, list(range(len(getattr(question, trade.part)))))
        traded(order, trade)
    return {part: tuple(order) for part, order in orders.items()}


def traded(order: list[int], trade: Trade) -> None:
    """Make one trade in an order."""
    left = order.index(trade.element)
    order[left], order[trade.place] = order[trade.place], order[left]


def shown(elements: Sequence[Any], order: Sequence[int]) -> Any:
    """Put elements into an order."""
    return tuple(elements[index] for index in order)


def unfit(parts: Split, made: Variant, subject: Subject) -> str:
    """Say why a part of the changes asks something else than all of them do, or can't be read as it is meant.

    A text that was reworded in several places must pass each validator that the whole variant passes: a "not" that is
    taken out here and put in there may not be lost in between.

    Args:
        parts: The variant in its changes.
        made: What `rebuilt` made of some of them.
        subject: The original, with gold answer and protected patterns.

    Returns:
        The reason as a clause; empty where there is none.
    """
    before, whole, after = (text_parts(each.question) for each in (parts.baseline, parts.variant, made))
    for part in sorted(parts.reworded):
        if after[part] not in {before[part], whole[part]} and (
            reason := lost_sense(subject, before[part], whole[part], after[part])
        ):
            return f"{part}: {reason}"
    if any(misread(each.question, each.layout) for each in (parts.baseline, parts.variant)):
        return ""
    return misread(made.question, made.layout)


def lost_sense(subject: Subject, before: str, whole: str, after: str) -> str:
    """Say what a text lost or gained against the original that its whole rewording did not."""
    for validator in VALIDATORS:
        if validator is not differs and validator(subject, before, whole) is None:
            reason = validator(subject, before, after)
            if reason is not None:
                return reason
    return ""


def in_words(edit: Edit, text: str) -> Edit:
    """Widen an edit inside a word to the whole word, for people to read.

    Args:
        edit: An edit of a text.
        text: The text that its offset refers to.
    """
    start, end = edit.start, edit.start + len(edit.before)
    left = NO_LETTER.split(text[:start])[-1] if joins(edit.before[:1], edit.after[:1]) else ""
    right = NO_LETTER.split(text[end:], maxsplit=1)[0] if joins(edit.before[-1:], edit.after[-1:]) else ""
    return replace(edit, start=start - len(left), before=left + edit.before + right, after=left + edit.after + right)


def joins(before: str, after: str) -> bool:
    """Say whether what is taken out or put in is part of a word at this end."""
    return any(end and not NO_LETTER.match(end) for end in (before, after))
