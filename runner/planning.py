"""Before anything is spent: calls, tokens, cost, and what this many items can see."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from math import ceil

from ..perturbations.rendering.render import render
from .config.generators import given_params
from .config.limits import CHARACTERS_PER_TOKEN, completion_limit
from .costs import NO_LIMIT, NO_PRICES, CostAtMost, all_together, cost_at_most
from .counting import is_busy, is_judged
from .graders.judge import JudgeGrader, with_room
from .paraphrasing.paraphrasers import model_name
from .plan import BASELINE, answer_key, asked
from .prepare import Prepared
from .records import Reply
from .sight import Sight, sight


@dataclass(frozen=True, slots=True)
class Expense:
    """What a run costs.

    Attributes:
        calls: Calls, if every cell is asked once and none is stored yet; those of paraphrases that are not written yet
            are among them.
        unwritten_calls: How many of these calls are for paraphrases that are not written yet; fewer where no proposal
            passes.
        prompt_tokens: Tokens in, at 4 characters each.
        completion_tokens: Tokens out at the most; None where the config sets no limit.
        cost: Cost at the most, by the config's prices; None without prices or limit.
        currency: What the prices are in.
    """

    calls: int
    unwritten_calls: int
    prompt_tokens: int
    completion_tokens: int | None
    cost: float | None
    currency: str


@dataclass(frozen=True, slots=True)
class Writing:
    """Calls of a model that writes paraphrases before the run, if the store has none of its replies.

    Attributes:
        model: The model's name.
        paraphrases: Paraphrases that it is asked for; as many calls at least.
        calls_at_most: Its calls, if no proposal passes.
        judge: The judge's name; empty without one.
        judge_calls_at_most: The judge's calls, if every proposal passes all other validators.
    """

    model: str
    paraphrases: int
    calls_at_most: int
    judge: str
    judge_calls_at_most: int


@dataclass(frozen=True, slots=True)
class Judging:
    """Calls of the judge of a run's answers, which come after the run's own.

    Attributes:
        model: The judge's name.
        calls_at_most: Its calls, if all answers to an item differ; equal ones are judged once.
        prompt_tokens: Tokens in without the answers, at 4 characters each.
        answer_tokens: Tokens of the answers in them at the most; None where the model under test sets no limit.
        completion_tokens: Tokens out at the most; None where the judge's block sets no limit.
        cost: Cost at the most, by the judge's prices; None without prices or limits.
        no_cost: Why the cost is not known: `no prices`, or `no limit on tokens out`; else empty.
    """

    model: str
    calls_at_most: int
    prompt_tokens: int = 0
    answer_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    no_cost: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would ask, cost and see.

    `writing` is what it asks for paraphrases first, `judging` what it asks a judge at the end; both are beside the
    `expense`. `cost` is that of `expense` and `judging` together, in `currency`; None where either is not known.
    """

    name: str
    items: int
    conditions: tuple[str, ...]
    repeats: int
    writing: tuple[Writing, ...]
    judging: Judging | None
    expense: Expense
    sight: Sight
    cost: float | None = None
    currency: str = ""


def plan_run(prepared: Prepared, *, flip_rate: float, change: float, power: float) -> Plan:
    """Reckon a run.

    Args:
        prepared: The run, prepared.
        flip_rate: Share of items whose result is expected to differ under a variant, either way.
        change: The change that the user cares about, as a rate.
        power: Chance of finding it that is asked for.

    Returns:
        What it asks, costs and sees.
    """
    conditions = (BASELINE, *(tally.name for tally in prepared.counts.conditions))
    expense, judging = expense_of(prepared), judging_of(prepared)
    return Plan(
        name=prepared.config.name,
        items=len(prepared.items),
        conditions=conditions,
        repeats=prepared.config.repeats,
        writing=tuple(writing_of(prepared)),
        judging=judging,
        expense=expense,
        sight=sight_of(prepared, flip_rate=flip_rate, change=change, power=power),
        cost=all_together(costs_of(expense, judging)),
        currency=prepared.config.price_list.currency,
    )


def costs_of(expense: Expense, judging: Judging | None) -> list[CostAtMost]:
    """What the model under test costs, and the judge where there is one."""
    why = "" if expense.cost is not None else NO_LIMIT if expense.currency else NO_PRICES
    costs = [CostAtMost("the model under test", expense.cost, why)]
    return costs if judging is None else [*costs, CostAtMost("the judge", judging.cost, judging.no_cost)]


def writing_of(prepared: Prepared) -> Iterator[Writing]:
    """Reckon the calls for paraphrases that are not written yet."""
    waiting = prepared.unwritten()
    for one in prepared.paraphrasers if waiting else ():
        paraphrases = one.numbers() * len(waiting)
        at_most = paraphrases * one.asked.attempts
        judge = "" if one.judge is None else model_name(one.judge)
        yield Writing(model_name(one.model), paraphrases, at_most, judge, at_most if judge else 0)


def judging_of(prepared: Prepared) -> Judging | None:
    """Reckon the calls of the judge; None where the grader asks none."""
    if not isinstance(prepared.grader, JudgeGrader):
        return None
    grader = replace(prepared.grader, model=with_room(prepared.grader.model))
    config, waiting = prepared.config, prepared.unwritten()
    calls = prepared.cells + config.repeats * sum(waiting.values())
    prompt = config.repeats * sum(judge_tokens_of(prepared, grader, waiting))
    answer, own = completion_limit(getattr(config.model, "params", {})), completion_limit(given_params(grader.model))
    seen = None if answer is None else answer * calls
    completion = None if own is None else own * calls
    prices = config.price_list.price(grader.model)
    asked = None if seen is None else prompt + seen
    found = cost_at_most("the judge", prices, prompt=asked, completion=completion)
    return Judging(model_name(grader.model), calls, prompt, seen, completion, found.cost, found.unknown)


def judge_tokens_of(prepared: Prepared, grader: JudgeGrader, waiting: Mapping[str, int]) -> Iterator[int]:
    """The tokens of each prompt of the judge without an answer in it, roughly; `waiting` as in `prompt_tokens_of`."""
    for item in prepared.items:
        baseline, *others = asked(prepared.variants[item.id])
        for variant in (baseline, *others, *repeat(baseline, waiting.get(item.id, 0))):
            messages = grader.prompt(Reply(), answer_key(item, variant)).messages
            yield ceil(sum(len(message.content) for message in messages) / CHARACTERS_PER_TOKEN)


def expense_of(prepared: Prepared) -> Expense:
    """Reckon calls, tokens and cost; a paraphrase that is not written yet is taken for as long as its original."""
    config, waiting = prepared.config, prepared.unwritten()
    unwritten = config.repeats * sum(waiting.values())
    calls = prepared.cells + unwritten
    prompt_tokens = config.repeats * sum(prompt_tokens_of(prepared, waiting))
    limit = completion_limit(getattr(config.model, "params", {}))
    completion_tokens = None if limit is None else calls * limit
    cost = None
    prices = config.asked_prices
    if prices is not None and completion_tokens is not None:
        cost = prices.cost(prompt_tokens, completion_tokens)
    currency = prices.currency if prices is not None else ""
    return Expense(calls, unwritten, prompt_tokens, completion_tokens, cost, currency)


def prompt_tokens_of(prepared: Prepared, waiting: Mapping[str, int]) -> Iterator[int]:
    """The tokens of each prompt that is asked, roughly; `waiting` counts those of an item that aren't written yet."""
    for item in prepared.items:
        baseline, *others = asked(prepared.variants[item.id])
        for variant in (baseline, *others, *repeat(baseline, waiting.get(item.id, 0))):
            characters = sum(len(message.content) for message in render(variant.question, variant.layout))
            yield ceil(characters / CHARACTERS_PER_TOKEN)


def sight_of(prepared: Prepared, *, flip_rate: float, change: float, power: float) -> Sight:
    """Reckon what the items of a run can see."""
    analysis = prepared.config.analysis
    variants = max(sum(is_judged(tally) and is_busy(tally) for tally in prepared.counts.conditions), 1)
    return sight(
        len(prepared.items),
        variants=variants,
        flip_rate=flip_rate,
        change=change,
        power=power,
        alpha=analysis.alpha,
        margin=analysis.margin,
    )
