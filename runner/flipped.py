"""The items that flip most: what was asked in both wordings, what came back, how it was read."""

import numpy as np

from ..perturbations.rendering.render import user_text
from ..perturbations.variant import Variant
from ..stats import Outcomes
from .findings import Answer, FlippedItem
from .plan import BASELINE
from .records import Item
from .store.read import Result, StoredRun

SHOWN = 5


def most_flipped(run: StoredRun, outcomes: Outcomes, *, shown: int = SHOWN) -> tuple[FlippedItem, ...]:
    """Find the items whose results differ from the baseline under the most conditions.

    Args:
        run: The run, for prompts and replies.
        outcomes: The results of the conditions that count, the baseline first.
        shown: How many items at most.

    Returns:
        Items that flip at least once, those first that the baseline passes and the variants fail; ties in the order of
        the dataset. Each with the first condition under which it flips.
    """
    cells = outcomes.matrix()
    paired = (cells[:, 1:] >= 0) & (cells[:, :1] >= 0)
    flips = paired & (cells[:, 1:] != cells[:, :1])
    counts = flips.sum(axis=1)
    order = np.lexsort((np.arange(len(counts)), -cells[:, 0], -counts))
    worst = [int(row) for row in order[:shown] if counts[row]]
    items = {item.id: item for item in run.items() if item.id in {outcomes.items[row] for row in worst}}
    return tuple(
        flipped_item(
            run,
            items[outcomes.items[row]],
            outcomes.variants[int(np.argmax(flips[row]))],
            flips=int(counts[row]),
            compared=int(paired[row].sum()),
        )
        for row in worst
    )


def flipped_item(run: StoredRun, item: Item, condition: str, *, flips: int, compared: int) -> FlippedItem:
    """Show one item under the baseline and under one condition."""
    variants = {variant.condition: variant for variant in run.variants(item.id)}
    results = {result.condition: result for result in run.results(item.id)}
    return FlippedItem(
        item_id=item.id,
        flips=flips,
        compared=compared,
        gold=gold_words(item),
        condition=condition,
        prompt=prompt_of(variants[BASELINE]),
        variant_prompt=prompt_of(variants[condition]),
        baseline=answer_of(results[BASELINE]),
        variant=answer_of(results[condition]),
    )


def prompt_of(variant: Variant) -> str:
    """The user message that a variant asks."""
    return user_text(variant.question, variant.layout)


def answer_of(result: Result) -> Answer:
    """A reply as it was read."""
    grade = result.grade
    return Answer(
        text=result.reply.text,
        passed=grade.passed if grade else None,
        status=grade.status if grade else "not_graded",
        extracted=grade.extracted if grade else None,
    )


def gold_words(item: Item) -> str:
    """What counts as right, in words: the texts of the right options, or the accepted texts."""
    options = [item.question.options[index] for index in item.gold.options]
    return " | ".join((*options, *item.gold.texts))
