"""New orders of options, by kind. A result is a permutation of positions that shows other texts than before, or None.

Each function takes the texts in their present order, two distinct ones at least, and gives `order[new] = old`. Those
that look at no text serve examples and passages too.
"""

import random
from collections import Counter
from collections.abc import Sequence
from math import factorial, prod

Order = tuple[int, ...]


def changes(order: Sequence[int], texts: Sequence[object]) -> bool:
    """Whether an order shows other texts in some place; equal texts may trade places unseen."""
    return any(texts[old] != texts[new] for new, old in enumerate(order))


def none_left(texts: Sequence[object], used: Sequence[Order]) -> bool:
    """Whether all orders that show other texts than the present one are used."""
    all_orders = factorial(len(texts)) // prod(map(factorial, Counter(texts).values()))
    return len({tuple(texts[old] for old in order) for order in used}) >= all_orders - 1


def random_order(texts: Sequence[object], rng: random.Random) -> Order:
    """Draw one of the orders that change something, each set of shown texts equally often."""
    order = list(range(len(texts)))
    while not changes(order, texts):
        rng.shuffle(order)
    return tuple(order)


def with_at(option: int, slot: int, rest: Sequence[int]) -> Order:
    """Put one option into a slot and the rest, in their order, into the others."""
    return (*rest[:slot], option, *rest[slot:])


def balanced_order(texts: Sequence[str], gold: int, rng: random.Random) -> Order:
    """Draw a slot for the right option, each equally often, and the others around it in a random order.

    Where the others are all alike (two options, for one) the right option can't keep its slot, as nothing would change;
    its slot is then drawn among the others.
    """
    rest = [option for option in range(len(texts)) if option != gold]
    others_alike = len({texts[option] for option in rest}) == 1
    slots = [slot for slot in range(len(texts)) if slot != gold or not others_alike]
    slot = rng.choice(slots)
    while True:
        rng.shuffle(rest)
        order = with_at(gold, slot, rest)
        if changes(order, texts):
            return order


def slot_order(texts: Sequence[str], gold: int, slot: int) -> Order | None:
    """Put the right option into a given slot; the others keep their order, or rotate where nothing would change."""
    rest = [option for option in range(len(texts)) if option != gold]
    rotations = (with_at(gold, slot, rest[shift:] + rest[:shift]) for shift in range(max(1, len(rest))))
    return next((order for order in rotations if changes(order, texts)), None)


def rotated_order(texts: Sequence[object], used: Sequence[Order], rng: random.Random) -> Order | None:
    """Draw one of the rotations that change something and are not used yet."""
    positions = tuple(range(len(texts)))
    rotations = (positions[shift:] + positions[:shift] for shift in positions[1:])
    left = [order for order in rotations if order not in used and changes(order, texts)]
    return rng.choice(left) if left else None


def length_order(texts: Sequence[str], *, descending: bool) -> Order:
    """Sort by length in code points, equal lengths as they were."""
    return tuple(sorted(range(len(texts)), key=lambda option: len(texts[option]), reverse=descending))


def alphabet_order(texts: Sequence[str], *, descending: bool) -> Order:
    """Sort by code points after case folding, equal texts as they were."""
    return tuple(sorted(range(len(texts)), key=lambda option: texts[option].casefold(), reverse=descending))
