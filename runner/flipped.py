"""The items that flip most: what was asked in both wordings, what came back, how it was read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..perturbations.question import Gold
from ..perturbations.rendering.render import user_text
from ..perturbations.variant import Variant
from ..stats import Outcomes
from .findings import Answer, FlippedItem
from .plan import BASELINE
from .records import Item
from .store.read import Result, StoredRun

SHOWN = 5
FLIP = 0.5
"""With repeats an item flips where its pass rate moves by at least this much."""


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
    before = pass_rates(outcomes, 0)
    flips = np.zeros((before.size, len(outcomes.variants)), dtype=np.bool_)
    compared = np.zeros(before.size, dtype=np.intp)
    for at in range(len(outcomes.variants)):
        moved = np.abs(pass_rates(outcomes, at + 1) - before)
        flips[:, at] = moved >= FLIP  # never where there is no rate
        compared += ~np.isnan(moved)
    counts = np.count_nonzero(flips, axis=1)
    order = np.lexsort((np.arange(len(counts)), -np.nan_to_num(before), -counts))
    worst = [int(row) for row in order[:shown] if counts[row]]
    return tuple(
        flipped_item(
            run,
            outcomes.items[row],
            outcomes.variants[int(np.argmax(flips[row]))],
            flips=int(counts[row]),
            compared=int(compared[row]),
        )
        for row in worst
    )


def pass_rates(outcomes: Outcomes, column: int) -> NDArray[np.float64]:
    """Each item's pass rate over its repeats under one condition; NaN, outside of `stats` alone, where there is none.

    Args:
        outcomes: The results.
        column: The place of the condition.
    """
    passes, runs = outcomes.counts(column)
    return np.asarray(np.divide(passes, runs, out=np.full(runs.shape, np.nan), where=runs > 0))


def flipped_item(run: StoredRun, item_id: str, condition: str, *, flips: int, compared: int) -> FlippedItem:
    """Show one item under the baseline and under one condition, by two replies of different results."""
    variants = {variant.condition: variant for variant in run.variants(item_id)}
    results = list(run.results(item_id))
    before, after = differing(
        [each for each in results if each.condition == BASELINE],
        [each for each in results if each.condition == condition],
    )
    return FlippedItem(
        item_id=item_id,
        flips=flips,
        compared=compared,
        gold=gold_words(run.item(item_id)),
        condition=condition,
        prompt=prompt_of(variants[BASELINE]),
        variant_prompt=prompt_of(variants[condition]),
        baseline=answer_of(before),
        variant=answer_of(after),
    )


def differing(baseline: Sequence[Result], variant: Sequence[Result]) -> tuple[Result, Result]:
    """The first two repeats of which one passes and the other fails."""
    return next(
        (before, after)
        for before in baseline
        for after in variant
        if {passed_of(before), passed_of(after)} == {True, False}
    )


def passed_of(result: Result) -> bool | None:
    """Whether a result passed; None where it has no grade that says."""
    return result.grade.passed if result.grade else None


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
        reason=grade.reason if grade else "",
        span=grade.span if grade else None,
    )


def own_gold_words(variant: Variant, gold: Gold) -> str:
    """What counts as right under a control, in words; as `gold_words`."""
    options = dict(zip(variant.permutation, variant.question.options, strict=False))
    return " | ".join((*(options.get(index, f"option {index + 1}") for index in gold.options), *gold.texts))


def gold_words(item: Item) -> str:
    """What counts as right, in words: the texts of the right options, or the accepted texts."""
    options = [item.question.options[index] for index in item.gold.options]
    return " | ".join((*options, *item.gold.texts))
