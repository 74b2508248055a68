"""Options in an order of the seed's choosing, for data that keeps the right one in a column of its own."""

from collections.abc import Sequence
from dataclasses import replace

from ...perturbations.canonical import canonical_hash
from ...perturbations.generators.reorder import kept_order, reordered
from ...perturbations.options.dependent import first_pinned, speaks_of_all
from ...perturbations.question import Gold, Layout, Question, Subject
from ..records import Item


def shuffled(item: Item, seed: int) -> Item:
    """Shuffle an item's options, with its gold.

    The order hangs on the seed and the item alone. "None of the above" and the like go last; options that name each
    other by label are rewritten; where order matters in a way that can't be mended, it stays (`fixed_order` says why).
    """
    start = _pinned_last(item.question.options)
    question = replace(item.question, options=tuple(item.question.options[index] for index in start))
    if kept_order(question, Layout()):
        return item
    ranks = [canonical_hash("prt.shuffle_options", [seed, item.id, index]) for index in start]
    free = first_pinned(question.options)
    permutation = (*sorted(range(free), key=ranks.__getitem__), *range(free, len(start)))
    moved = reordered(Subject(item.id, question), permutation, "random").question or question
    order = [start[position] for position in permutation]
    golds = tuple(shown for shown, index in enumerate(order) if index in item.gold.options)
    return replace(item, question=moved, gold=Gold(options=golds))


def fixed_order(question: Question) -> str:
    """Say why the options of a question can't be shuffled; empty where they can, or where there are none to shuffle."""
    if len(question.options) < 2:
        return ""
    start = _pinned_last(question.options)
    return kept_order(replace(question, options=tuple(question.options[index] for index in start)), Layout())


def _pinned_last(options: Sequence[str]) -> list[int]:
    return sorted(range(len(options)), key=lambda index: speaks_of_all(options[index]))
