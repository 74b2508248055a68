"""Before anything is spent: calls, tokens, cost, and what this many items can see."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from math import ceil

from ..perturbations.rendering.render import render
from .config.limits import CHARACTERS_PER_TOKEN, completion_limit
from .counting import is_busy, is_judged
from .graders.judge import JudgeGrader
from .paraphrasing.paraphrasers import model_name
from .plan import BASELINE, asked
from .prepare import Prepared
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
    """

    model: str
    calls_at_most: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would ask, cost and see.

    `writing` is what it asks for paraphrases first, `judging` what it asks a judge at the end; both are beside the
    `expense`.
    """

    name: str
    items: int
    conditions: tuple[str, ...]
    repeats: int
    writing: tuple[Writing, ...]
    judging: Judging | None
    expense: Expense
    sight: Sight


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
    return Plan(
        name=prepared.config.name,
        items=len(prepared.items),
        conditions=conditions,
        repeats=prepared.config.repeats,
        writing=tuple(writing_of(prepared)),
        judging=judging_of(prepared),
        expense=expense_of(prepared),
        sight=sight_of(prepared, flip_rate=flip_rate, change=change, power=power),
    )


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
    grader = prepared.grader
    if not isinstance(grader, JudgeGrader):
        return None
    unwritten = prepared.config.repeats * sum(prepared.unwritten().values())
    return Judging(model_name(grader.model), prepared.cells + unwritten)


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
