"""`prt check` and `prt plan` of the config of a duel."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.show import resolved
from ..costs import cost_lines
from ..duel.planning import FEWEST_ITEMS, Answers, DuelPlan, DuelSight, Verdicts, plan_duel
from ..duel.sides import shared_items
from ..graders.judge import with_room
from ..problems import counted
from ..reports.text import visible
from ..store.database import checked_url
from ..suggest import listed
from .duel_opening import Prepared, prepare, read_duel
from .opening import STORE_VARIABLE, place_of
from .printing import output_console, print_rows
from .stdout import reserved_stdout

DECIDED = 0.3
"""Share of items that is assumed to be won or lost, where the user says nothing."""


def check_duel(config: Path, *, show: bool) -> None:
    """Validate a duel and all that it names, without a call.

    Raises:
        PrtError: Something can't be used.
    """
    with reserved_stdout() as out:
        console = output_console(out)
        prepared = prepare(config, told=console, alarming=Console(stderr=True, highlight=False))
        place = place_of(prepared.loaded, os.environ.get(STORE_VARIABLE) or None)
        checked_url(place.address, base=place.base)
        if show:
            print_rows(resolved(prepared.loaded), console)
        console.print(Text(f"{config}: all well. {sizes_of(prepared)}."), soft_wrap=True)


def sizes_of(prepared: Prepared) -> str:
    """`12 items a side, 24 calls; judge j in helpful; rules for short`."""
    dimensions = prepared.loaded.config.dimensions
    items = len([*shared_items(prepared.sides)])
    told = [f"{counted(items, 'item')} a side, {counted(sum(len(side.items) for side in prepared.sides), 'call')}"]
    if prepared.judge is not None:
        judged = listed([each.id for each in dimensions if each.grader != "rule"], "and")
        told.append(f"judge {prepared.judge.model.name} for {judged}")
    if ruled := [each.id for each in dimensions if each.grader == "rule"]:
        told.append(f"{'a rule' if len(ruled) == 1 else 'rules'} for {listed(ruled, 'and')}")
    return visible("; ".join(told))


def plan_duel_command(
    config: Path, *, flip_rate: float | None, change: float | None, power: float, as_json: bool
) -> None:
    """Print the plan of a duel; no model is called.

    Args:
        config: The config file.
        flip_rate: Share of items that is expected to be won or lost; None for the usual.
        change: The distance of the win rate from one half that the user cares about; None for the margin.
        power: Chance of finding it that is asked for.
        as_json: Print JSON.

    Raises:
        PrtError: Something can't be used.
    """
    quiet = Console(stderr=True, highlight=False, quiet=as_json)
    with reserved_stdout():
        loaded, sides, _ = read_duel(config, quiet)
    settings = loaded.config
    plan = plan_duel(
        settings,
        sides,
        judge=None if settings.judge is None else with_room(settings.judge),
        decided=DECIDED if flip_rate is None else flip_rate,
        change=settings.margin if change is None else change,
        power=power,
    )
    if as_json:
        sys.stdout.write(json.dumps(asdict(plan), indent=2, allow_nan=False) + "\n")
        return
    console = output_console()
    for line in duel_plan_lines(plan):
        console.print(Text(visible(line)), soft_wrap=True)


def duel_plan_lines(plan: DuelPlan) -> Iterator[str]:
    """The plan of a duel in sentences."""
    yield f"{plan.name}: {plan.items} items × 2 sides, {counted(plan.sight.dimensions, 'dimension')}"
    yield from map(answers_line, plan.answers)
    if plan.judging is not None:
        yield from verdict_lines(plan.judging)
    if plan.rules:
        yield f"  rules: {counted(plan.rules, 'dimension')}, without a call"
    yield from cost_lines(plan.costs, plan.currency)
    yield ""
    yield from duel_sight_lines(plan.sight)


def answers_line(asked: Answers) -> str:
    """What one side takes."""
    out = (
        "no limit on tokens out in its `params`"
        if asked.completion_tokens is None
        else f"at most {asked.completion_tokens:,} tokens out"
    )
    return f"  {asked.side}: {asked.calls:,} calls of {asked.model}, about {asked.prompt_tokens:,} tokens in, {out}"


def verdict_lines(judging: Verdicts) -> Iterator[str]:
    """What the judge takes."""
    answers = (
        "and the answers"
        if judging.answer_tokens is None
        else f"and answers of at most {judging.answer_tokens:,} tokens"
    )
    out = (
        "no limit on tokens out in its `params`"
        if judging.completion_tokens is None
        else f"at most {judging.completion_tokens:,} tokens out"
    )
    yield (
        f"  judge: up to {judging.calls_at_most:,} calls of {judging.model} in "
        f"{counted(judging.dimensions, 'dimension')} (two an item; equal answers cost fewer), about "
        f"{judging.prompt_tokens:,} tokens in {answers}, {out}"
    )


def duel_sight_lines(sight: DuelSight) -> Iterator[str]:
    """What the items can show."""
    together = "1 dimension" if sight.dimensions == 1 else f"{sight.dimensions} dimensions judged together"
    yield (
        f"What {counted(sight.items, 'item')} can show if {sight.decided:.0%} are won or lost and the others tied, "
        f"{together} at {sight.alpha:g}:"
    )
    if not sight.enough:
        yield f"  nothing: a verdict needs {FEWEST_ITEMS} items that are judged in both orders"
    if sight.detectable is None:
        yield f"  no win rate is found with {sight.power:.0%} power: even if all go one way, they are too few"
    else:
        yield (
            f"  found with {sight.power:.0%} power: a win rate of {0.5 + sight.detectable:.1%} or more, or of "
            f"{0.5 - sight.detectable:.1%} or less (exact test of won against lost, Bonferroni)"
        )
    yield f"  fewest decided items, all one way, that can be BETTER or WORSE: {sight.fewest_decided}"
    wanted = f"a win rate of {0.5 + sight.change:.1%}"
    if sight.items_needed is None:
        yield f"  {wanted} can't come from {sight.decided:.0%} decided items; give a larger --flip-rate"
    else:
        yield f"  items needed for {wanted} with {sight.power:.0%} power: {sight.items_needed:,}"
    within = f"TIED within ± {100 * sight.margin:g} points"
    yield f"  items that show {within} if as many are won as lost: {sight.items_for_tie:,}"
