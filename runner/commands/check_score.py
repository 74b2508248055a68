"""`prt check` and `prt plan` of the config of a score."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.generators import given_params
from ..config.limits import completion_limit
from ..config.models import ModelConfig
from ..config.score_loading import LoadedScore, load_score
from ..config.show import resolved
from ..costs import cost_lines
from ..graders.judge import with_room
from ..paraphrasing.paraphrasers import model_name
from ..problems import counted
from ..reports.text import visible
from ..scoring.planning import FEWEST_ROWS, Asked, ScorePlan, per_row, plan_score
from ..scoring.rows import read_score_rows
from ..store.database import checked_url
from .opening import STORE_VARIABLE, Allowance, place_of
from .printing import output_console, print_rows
from .score_opening import Roles, named_models, open_roles
from .stdout import reserved_stdout


def check_score(config: Path, *, show: bool) -> None:
    """Validate the config of a score and all that it names, without a call.

    Raises:
        PrtError: Something can't be used.
    """
    with reserved_stdout() as out:
        console = output_console(out)
        loaded = load_score(config, (), env=os.environ)
        roles = opened_roles(loaded)
        place = place_of(loaded, os.environ.get(STORE_VARIABLE) or None)
        checked_url(place.address, base=place.base)
        if show:
            print_rows(resolved(loaded), console)
        console.print(Text(visible(f"{config}: all well. {told_of(loaded, roles)}")), soft_wrap=True)


def opened_roles(loaded: LoadedScore) -> Roles | None:
    """The models, opened; None where the config names none, since a stored run needs none."""
    if loaded.config.sut is None and loaded.config.judge is None:
        return None
    return open_roles(loaded, Allowance.of(loaded.config), Console(stderr=True, highlight=False))


def blocks_of(loaded: LoadedScore) -> dict[str, ModelConfig]:
    """The blocks of the models, by their role; none where the config names none.

    Raises:
        UsageError: It names one of both alone.
    """
    config = loaded.config
    if config.sut is None and config.judge is None:
        return {}
    sut, judge, writer = named_models(loaded)
    return {"sut": sut, "judge": with_room(judge), "generator": with_room(writer)}


def told_of(loaded: LoadedScore, roles: Roles | None) -> str:
    """What the config is good for."""
    if roles is None:
        return "It names no models, so it is for `prt score --run`; rows need `sut` and `judge`."
    asked = ", ".join(f"{role.name} {role.model.name}" for role in (roles.sut, roles.judge, roles.generator))
    return f"{asked}; {counted(loaded.config.num_pairs, 'pair')} a row, {calls_of(loaded)}."


def calls_of(loaded: LoadedScore) -> str:
    """`at most 4 calls of the system, 7 of the judge and 4 of the generator a row`."""
    calls = per_row(loaded.config)
    of_sut = counted(calls.sut, "call")
    return f"at most {of_sut} of the system, {calls.judge} of the judge and {calls.generator} of the generator a row"


def plan_score_command(config: Path, *, rows: Path | None, as_json: bool) -> None:
    """Print the plan of a score; no model is called.

    Args:
        config: The config file.
        rows: The rows; None for what one row takes.
        as_json: Print JSON.

    Raises:
        PrtError: Something can't be used.
    """
    with reserved_stdout():
        loaded = load_score(config, (), env=os.environ)
        blocks = blocks_of(loaded)
        if not blocks or rows is None:
            plan = plan_score(loaded.config)
        else:
            models = {role: (model_name(each), completion_limit(given_params(each))) for role, each in blocks.items()}
            plan = plan_score(loaded.config, read_score_rows(rows), models=models)
    if as_json:
        asked = [{**asdict(each), "completion_tokens": each.completion_tokens} for each in plan.asked]
        told = {**asdict(plan), "asked": asked}
        sys.stdout.write(json.dumps(told, indent=2, allow_nan=False) + "\n")
        return
    console = output_console()
    lines = score_plan_lines(plan, calls_of(loaded)) if blocks else settings_lines()
    for line in lines:
        console.print(Text(visible(line)), soft_wrap=True)


def settings_lines() -> Iterator[str]:
    """What is said of a config without models."""
    yield "It names no models: `prt score --run` asks nobody. To score rows, it needs `sut` and `judge`."


def score_plan_lines(plan: ScorePlan, calls: str) -> Iterator[str]:
    """The plan of a score in sentences."""
    yield f"{plan.name}: {counted(plan.num_pairs, 'pair')} a row, {calls}"
    if plan.rows is None:
        yield "  `--rows FILE` reads the rows, and gives calls and tokens for all of them"
        return
    yield f"  {counted(plan.rows, 'row')}" + (
        f", and {plan.unusable} without a score, since they can't be used; the first: {plan.first_unusable}"
        if plan.unusable
        else ""
    )
    yield from (asked_line(each, plan.answer_tokens) for each in plan.asked if each.calls)
    yield from cost_lines(plan.costs, plan.currency)
    yield ""
    yield from score_sight_lines(plan)


def asked_line(asked: Asked, answer_tokens: int | None) -> str:
    """What one model is asked."""
    out = asked.completion_tokens
    limit = "no limit on tokens out in its `params`" if out is None else f"at most {out:,} tokens out"
    seen = ""
    if asked.role == "judge":
        seen = " and the answers" if answer_tokens is None else f" and answers of at most {answer_tokens:,} tokens"
    calls = f"at most {asked.calls:,} calls of {asked.model}"
    return f"  {asked.role}: {calls}, about {asked.prompt_tokens:,} tokens in{seen}, {limit}"


def score_sight_lines(plan: ScorePlan) -> Iterator[str]:
    """How sure so many rows can be."""
    if plan.widest is None or plan.usual is None:
        yield "No row can be scored."
        return
    yield f"What {counted(plan.rows or 0, 'row')} can show: the pooled score, with an interval of about"
    yield f"  ± {plan.usual:.3f} if rows differ by a standard deviation of .2 in their score"
    yield f"  ± {plan.widest:.3f} at the widest, if half of them score 0 and half 1"
    if not plan.enough:
        yield f"  The interval holds the truth as often as it says from {FEWEST_ROWS} rows on; these are fewer."
