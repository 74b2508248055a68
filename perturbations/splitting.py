"""What a variant changes, split into atomic changes of which each makes sense without the others.

A text falls into its edits, a layout into its dials, another order into trades of places. Options that name others by
label, the labels, the order, and a text that names labels otherwise than before contradict one another alone: they are
one change.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields

from .changes import LAYOUT, Change, Split, Step, Taken, Trade, permutation_of, traded
from .difference import marked_difference
from .options.references import label_references
from .protection.parts import PART_NAMES, edited_text, text_parts
from .question import Layout, Question
from .rendering.closing import LABELS_FIELD, RANGE_FIELD, closing_line
from .rendering.labels import answer_key_labels
from .variant import Edit, Variant

CLOSING = ("answer_form", "answer_instruction")
SEVERAL = ("options", "context", "examples", "history")
"""Parts of which there may be several, in an order."""
UNSPLIT = (*SEVERAL, *(each.name for each in fields(Question) if each.name not in {*PART_NAMES, *CLOSING, *SEVERAL}))
"""Parts that are taken as a whole where they hold something else than before."""
TASK = ("instruction", "system", "answer_instruction", "template")
"""Parts that tell how to answer."""


def split(baseline: Variant, variant: Variant) -> Split:
    """Split a variant into atomic changes.

    Edits that its generator recorded are taken as they are, where they make its text of the original's. A text that
    was replaced as a whole, or by several generators, falls into the runs of words that differ.

    Args:
        baseline: The original.
        variant: A variant of it.

    Returns:
        The changes, those of the texts first.
    """
    before, after = baseline.question, variant.question
    orders = {part: order for part in SEVERAL if (order := new_order(part, baseline, variant))}
    replaced = [part for part in UNSPLIT if part not in orders and is_replaced(part, baseline, variant)]
    recorded, reworded = text_edits(before, variant, passages="context" not in {*orders, *replaced})
    changes = [Change((edit,), (edit,)) for edits in (*recorded.values(), *reworded.values()) for edit in edits]
    changes += closing_change(baseline, variant)
    changes += [trade_change(trade) for part, order in orders.items() for trade in trades(part, order)]
    changes += [replacement(part, before, after) for part in replaced]
    changes += dial_changes(baseline.layout, variant)
    several = frozenset(part for part, edits in reworded.items() if len(edits) > 1)
    return Split(baseline, variant, joined(changes, bound_parts(baseline, variant)), several)


def text_edits(
    before: Question, variant: Variant, *, passages: bool
) -> tuple[dict[str, tuple[Edit, ...]], dict[str, tuple[Edit, ...]]]:
    """Give the edits of each changed text part: as the generator recorded them, and as runs of words.

    Args:
        before: The original.
        variant: The variant.
        passages: Whether passages are compared one by one.
    """
    recorded, reworded = {}, {}
    new = text_parts(variant.question)
    for part, old in text_parts(before).items():
        if (part.startswith("context") and not passages) or old == new[part]:
            continue
        own = tuple(edit for edit in variant.edits if edit.part == part and edit.before != edit.after)
        if replays(old, own, new[part]):
            recorded[part] = own
        else:
            kinds = {edit.kind for edit in own}
            reworded[part] = word_edits(part, old, new[part], kinds.pop() if len(kinds) == 1 else "words")
    return recorded, reworded


def replays(old: str, edits: Sequence[Edit], new: str) -> bool:
    """Say whether edits make one text of another, none of them by replacing it as a whole."""
    if not edits or any(edit.before == old for edit in edits):
        return False
    try:
        return edited_text(old, edits) == new
    except ValueError:
        return False


def word_edits(part: str, old: str, new: str, kind: str) -> tuple[Edit, ...]:
    """Give the runs of words in which two texts differ; one run where they share nothing but white space."""
    edits: list[Edit] = []
    marks = marked_difference(old, new)
    position, open_edit = 0, False
    for mark, words in marks:
        if mark == "insert" and open_edit:
            edits[-1] = Edit(part, edits[-1].start, edits[-1].before, words, kind)
        elif mark != "equal":
            removed, added = (words, "") if mark == "delete" else ("", words)
            edits.append(Edit(part, position, removed, added, kind))
        open_edit = mark == "delete"
        position += 0 if mark == "insert" else len(words)
    if not any(mark == "equal" and words.strip() for mark, words in marks):
        return (Edit(part, 0, old, new, kind),)
    return tuple(edits)


def closing_change(baseline: Variant, variant: Variant) -> Iterator[Change]:
    """Give the change of the closing line, if it is asked for in other words or another form."""
    changed = [name for name in CLOSING if getattr(baseline.question, name) != getattr(variant.question, name)]
    if changed:
        before = closing_line(baseline.question, baseline.layout)
        after = closing_line(variant.question, variant.layout)
        edit = Edit("answer_instruction", 0, before, after, "closing line")
        yield Change((edit,), tuple(map(Taken, changed)))


def new_order(part: str, baseline: Variant, variant: Variant) -> tuple[int, ...]:
    """Give the order in which a variant shows the same parts; empty where it is the same order, or other parts.

    Options are told by the permutation, since equal ones may trade places.
    """
    before, after = getattr(baseline.question, part), getattr(variant.question, part)
    order = permutation_of(variant) if part == "options" else order_of(before, after)
    same = len(order) == len(before) == len(after) and all(
        before[old] == now for old, now in zip(order, after, strict=True)
    )
    return order if same and order != tuple(range(len(order))) else ()


def order_of(before: Sequence[object], after: Sequence[object]) -> tuple[int, ...]:
    """Find where each element stood before, in its own place if it may have; empty where one is new."""
    left, order = list(range(len(before))), []
    for place, element in enumerate(after):
        found = [index for index in left if before[index] == element]
        if not found:
            return ()
        order.append(place if place in found else found[0])
        left.remove(order[-1])
    return tuple(order)


def trades(part: str, order: Sequence[int]) -> Iterator[Trade]:
    """Give the trades of places that make an order, from the first place on; the last one left over needs none."""
    present = list(range(len(order)))
    for place, element in enumerate(order):
        if present[place] != element:
            trade = Trade(part, element, place)
            traded(present, trade)
            yield trade


def trade_change(trade: Trade) -> Change:
    """Say a trade as an edit: from which place to which, counted from 1."""
    part = f"{trade.part}[{trade.element}]"
    return Change((Edit(part, 0, f"place {trade.element + 1}", f"place {trade.place + 1}", "order"),), (trade,))


def is_replaced(part: str, baseline: Variant, variant: Variant) -> bool:
    """Say whether a part is another one as a whole; passages of equal number are compared one by one."""
    old, new = getattr(baseline.question, part), getattr(variant.question, part)
    if part == "options":
        return bool(old != new or permutation_of(baseline) != permutation_of(variant))
    return bool(old != new and not (part == "context" and len(old) == len(new)))


def replacement(part: str, before: Question, after: Question) -> Change:
    """Give the change of a part that is taken as a whole."""
    return Change((Edit(part, 0, as_text(part, before), as_text(part, after), "replaced"),), (Taken(part),))


def as_text(part: str, question: Question) -> str:
    """Write a part of a question for people, one element a line."""
    match part:
        case "examples":
            return "\n".join(line for each in question.examples for line in (each.text, *each.options))
        case "history":
            return "\n".join(turn.content for turn in question.history)
        case "options" | "context":
            return "\n".join(getattr(question, part))
    texts = text_parts(question)
    return texts[part] if part in texts else str(getattr(question, part) or "")


def dial_changes(before: Layout, variant: Variant) -> Iterator[Change]:
    """Give the change of each dial that stands otherwise."""
    kinds = {edit.part: edit.kind for edit in variant.edits}
    for dial in fields(Layout):
        old, new = getattr(before, dial.name), getattr(variant.layout, dial.name)
        if old != new:
            part = LAYOUT + dial.name
            yield Change((Edit(part, 0, old, new, kinds.get(part, "layout")),), (Taken(part),))


def bound_parts(baseline: Variant, variant: Variant) -> frozenset[str]:
    """Give the parts that contradict one another unless all of them change; empty where none do."""
    before, after = baseline.question, variant.question
    labels = [answer_key_labels(each.question, each.layout) for each in (baseline, variant)]
    order = permutation_of(variant)
    if labels[0] == labels[1] and order == permutation_of(baseline) and before.options == after.options:
        return frozenset()
    bound = {part for part in spoken_parts(before, after) if speaks_otherwise(part, before, after, labels)}
    if len(before.options) != len(after.options):
        bound |= set(CLOSING)
    elif any(before.options[index] != text for index, text in zip(order, after.options, strict=True)):
        bound.add("options")
    return frozenset({*bound, "options", LAYOUT + "labels"} if bound else ())


def spoken_parts(before: Question, after: Question) -> Iterator[str]:
    """Give the parts around the options that are changed, and so may name labels otherwise."""
    texts = [text_parts(question) for question in (before, after)]
    yield from (part for part in texts[0] if texts[0][part] != texts[1].get(part, texts[0][part]))
    for part in ("answer_instruction", "template", "examples", "history", "context"):
        if getattr(before, part) != getattr(after, part):
            yield part


def speaks_otherwise(part: str, before: Question, after: Question, labels: Sequence[Sequence[str]]) -> bool:
    """Say whether a part names other labels than before."""
    return any(named(part, before, each) != named(part, after, each) for each in labels)


def named(part: str, question: Question, labels: Sequence[str]) -> set[frozenset[str]]:
    """Give the sets of labels that a part names."""
    text = as_text(part, question).replace(LABELS_FIELD, "").replace(RANGE_FIELD, "")
    return {reference.labels for reference in label_references(text, labels, task=part in TASK)}


def joined(changes: Sequence[Change], bound: frozenset[str]) -> tuple[Change, ...]:
    """Make one change of those that touch bound parts, in the place of the first of them."""
    together = [change for change in changes if any(step.part in bound for step in change.steps)]
    if len(together) < 2:
        return tuple(changes)
    edits = tuple(edit for change in together for edit in change.edits)
    steps: tuple[Step, ...] = tuple(step for change in together for step in change.steps)
    one = {id(together[0]): Change(edits, steps)}
    left = {id(change) for change in together[1:]}
    return tuple(one.get(id(change), change) for change in changes if id(change) not in left)
