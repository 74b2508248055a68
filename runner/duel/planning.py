"""Before anything is spent on a duel: calls, tokens, cost, and what this many items can show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from ...perturbations.question import Message
from ...perturbations.rendering.render import render
from ...stats import detectable_change, fewest_flips, mcnemar_sample_size, win_rate
from ..config.duel import DimensionConfig, DuelConfig
from ..config.generators import given_params
from ..config.limits import CHARACTERS_PER_TOKEN, completion_limit
from ..config.models import ModelConfig
from ..costs import CostAtMost, all_together, cost_at_most
from ..judging.prompts import JudgePrompt
from ..paraphrasing.paraphrasers import model_name
from ..records import Item
from .asking import prompt_of
from .judging import Question
from .sides import Side, shared_items

FEWEST_ITEMS = 10
"""With fewer complete queries no verdict is given."""
MOST_ITEMS = 10_000_000


@dataclass(frozen=True, slots=True)
class Answers:
    """What asking one side takes, if no reply is stored yet.

    Attributes:
        side: Which side.
        model: Its model's name.
        calls: Calls.
        prompt_tokens: Tokens in, at 4 characters each.
        completion_tokens: Tokens out at the most; None where its block sets no limit.
    """

    side: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int | None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the judge takes, if all answers differ and none is stored yet.

    Attributes:
        model: The judge's name.
        dimensions: Dimensions that it judges.
        calls_at_most: Its calls.
        prompt_tokens: Tokens in without the answers, at 4 characters each.
        answer_tokens: Tokens of the answers in them at the most; None where a side sets no limit.
        completion_tokens: Tokens out at the most; None where its block sets no limit.
    """

    model: str
    dimensions: int
    calls_at_most: int
    prompt_tokens: int
    answer_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True)
class DuelSight:
    """What a number of items can show in one dimension.

    Attributes:
        items: Items that both sides are asked.
        dimensions: Dimensions that are judged together.
        decided: Share of items that is assumed to be won or lost, not tied.
        alpha: Significance level over all dimensions.
        power: Chance of finding a difference that is asked for.
        enough: Whether there are as many items as a verdict needs.
        fewest_decided: Fewest decided items, all one way, that can be BETTER or WORSE.
        detectable: The smallest distance of the win rate from one half that is found; None where none of this share is.
        change: The distance that the user cares about.
        items_needed: Items that find it; None where so few decided items can't make it.
        margin: How far a win rate may lie from one half and still be TIED.
        items_for_tie: Items that show a tie where as many are won as lost.
    """

    items: int
    dimensions: int
    decided: float
    alpha: float
    power: float
    enough: bool
    fewest_decided: int
    detectable: float | None
    change: float
    items_needed: int | None
    margin: float
    items_for_tie: int


@dataclass(frozen=True, slots=True)
class DuelPlan:
    """What a duel would ask, cost and show.

    Attributes:
        name: The duel's.
        items: Items that both sides are asked.
        rules: Dimensions that a rule decides, without a call.
        answers: What either side takes.
        judging: What the judge takes; None without one.
        costs: What either side costs at the most, and the judge, each by its own prices.
        cost: All of them together; None where any is not known, without prices or a limit on tokens.
        currency: What the prices are in.
        sight: What the items can show.
    """

    name: str
    items: int
    rules: int
    answers: tuple[Answers, ...]
    judging: Verdicts | None
    costs: tuple[CostAtMost, ...]
    cost: float | None
    currency: str
    sight: DuelSight


def plan_duel(
    config: DuelConfig,
    sides: tuple[Side, Side],
    *,
    judge: ModelConfig | None,
    decided: float,
    change: float,
    power: float,
) -> DuelPlan:
    """Reckon a duel.

    Args:
        config: Its config.
        sides: Both sides.
        judge: The judge's block; None where all dimensions have rules.
        decided: Share of items that is expected to be won or lost.
        change: The distance of the win rate from one half that the user cares about.
        power: Chance of finding it that is asked for.
    """
    items = [*shared_items(sides)]
    answers = tuple(answers_of(side) for side in sides)
    judging = None if judge is None else verdicts_of(config.dimensions, items, sides, judge)
    costs = costs_of(config, sides, answers, judging)
    return DuelPlan(
        name=config.name,
        items=len(items),
        rules=sum(each.grader == "rule" for each in config.dimensions),
        answers=answers,
        judging=judging,
        costs=costs,
        cost=all_together(costs),
        currency=config.price_list.currency,
        sight=sight_of(config, len(items), decided=decided, change=change, power=power),
    )


def answers_of(side: Side) -> Answers:
    """Reckon one side."""
    asked = [*side.variants.in_order]
    tokens = sum(tokens_of(render(variant.question, variant.layout)) for variant in asked)
    limit = limit_of(side)
    return Answers(side.name, model_name(side.model), len(asked), tokens, None if limit is None else limit * len(asked))


def limit_of(side: Side) -> int | None:
    """The most tokens of one answer; None where the side's model sets no limit."""
    return completion_limit(getattr(side.model, "params", {}))


def tokens_of(messages: Sequence[Message]) -> int:
    """The tokens of a prompt, roughly."""
    return ceil(sum(len(message.content) for message in messages) / CHARACTERS_PER_TOKEN)


def verdicts_of(
    dimensions: Sequence[DimensionConfig], items: Sequence[Item], sides: tuple[Side, Side], judge: ModelConfig
) -> Verdicts:
    """Reckon the judge: two calls an item in each of its dimensions."""
    judged = [each for each in dimensions if each.grader != "rule"]
    calls = 2 * len(judged) * len(items)
    tokens = 2 * sum(tokens_of(prompt.messages) for prompt in _without_answers(judged, items))
    both = [limit_of(side) for side in sides]
    most = None if None in both else sum(limit or 0 for limit in both)
    seen = sum(2 if each.grader == "pairwise" else 1 for each in judged) * len(items)
    limit = completion_limit(given_params(judge))
    return Verdicts(
        model=model_name(judge),
        dimensions=len(judged),
        calls_at_most=calls,
        prompt_tokens=tokens,
        answer_tokens=None if most is None else most * seen,
        completion_tokens=None if limit is None else limit * calls,
    )


def _without_answers(judged: Sequence[DimensionConfig], items: Sequence[Item]) -> Iterator[JudgePrompt]:
    for dimension in judged:
        blank = ("", "") if dimension.grader == "pairwise" else ("",)
        yield from (prompt_of(Question(dimension, item, blank)) for item in items)


def costs_of(
    config: DuelConfig, sides: Sequence[Side], answers: Sequence[Answers], judging: Verdicts | None
) -> tuple[CostAtMost, ...]:
    """What each model costs at the most, by its own prices."""
    prices = config.price_list
    costs = [
        cost_at_most(
            f"the {side.name}", prices.price(side.model), prompt=each.prompt_tokens, completion=each.completion_tokens
        )
        for side, each in zip(sides, answers, strict=True)
    ]
    if judging is not None and config.judge is not None:
        seen = None if judging.answer_tokens is None else judging.prompt_tokens + judging.answer_tokens
        own = prices.price(config.judge)
        costs.append(cost_at_most("the judge", own, prompt=seen, completion=judging.completion_tokens))
    return tuple(costs)


def sight_of(config: DuelConfig, items: int, *, decided: float, change: float, power: float) -> DuelSight:
    """Reckon what so many items can show.

    Won and lost queries are what flips are to a run: the exact test is the same. The win rate lies half as far from one
    half as won − lost from nothing.
    """
    several, alpha = len(config.dimensions), config.alpha
    found = detectable_change(items, decided, alpha=alpha, power=power, variants=several) if items else None
    needed = None
    if 2.0 * change <= decided:
        more, less = (decided + 2.0 * change) / 2.0, (decided - 2.0 * change) / 2.0
        needed = max(mcnemar_sample_size(more, less, alpha=alpha / several, power=power), FEWEST_ITEMS)
    return DuelSight(
        items=items,
        dimensions=several,
        decided=decided,
        alpha=alpha,
        power=power,
        enough=items >= FEWEST_ITEMS,
        fewest_decided=fewest_flips(alpha, several),
        detectable=None if found is None else found / 2.0,
        change=change,
        items_needed=needed,
        margin=config.margin,
        items_for_tie=items_for_tie(decided, config.margin, alpha=alpha),
    )


def items_for_tie(decided: float, margin: float, *, alpha: float) -> int:
    """Fewest items whose interval lies inside one half ± margin, where as many are won as lost.

    Args:
        decided: Share of items that is won or lost.
        margin: The margin.
        alpha: The interval has level 1 − alpha.
    """

    def is_tied(items: int) -> bool:
        each = min(round(items * decided / 2.0), items // 2)
        low = win_rate(each, each, items, level=1.0 - alpha).low
        return low is not None and low > 0.5 - margin

    high = FEWEST_ITEMS
    while not is_tied(high) and high < MOST_ITEMS:
        high *= 2
    low = high // 2 if high > FEWEST_ITEMS else FEWEST_ITEMS - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_tied(middle) else (middle, high)
    return high
