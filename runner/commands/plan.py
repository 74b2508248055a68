"""`prt plan`: what a run, a duel or a score asks, costs and can see, before anything is spent."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.text import Text

from ..config.kinds import kind_of_file
from ..costs import cost_lines
from ..errors import UsageError
from ..idle import idle_notes
from ..planning import Expense, Judging, Plan, Writing, costs_of, plan_run
from ..prepare import prepare
from ..reports.sight import sight_lines
from ..reports.text import visible
from .check_duel import plan_duel_command
from .check_score import plan_score_command
from .freezing import unwritten_note
from .printing import output_console, print_notes
from .stdout import reserved_stdout

FLIP_RATE = 0.1
"""Share of items that is assumed to change its result, where the user says nothing."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What a plan assumes.

    Attributes:
        flip_rate: Share of items whose result differs, or in a duel that are won or lost; None for the usual.
        change: The change that the user cares about; None for the margin.
        power: Chance of finding it that is asked for.
        rows: The rows of a score; None where none are given.
    """

    flip_rate: float | None
    change: float | None
    power: float
    rows: Path | None


def plan_command(config: Path, assumed: Assumed, *, as_json: bool) -> None:
    """Print the plan of a config of any kind; no model is called.

    Args:
        config: The config file.
        assumed: What is assumed.
        as_json: Print JSON.

    Raises:
        PrtError: Something can't be used.
    """
    kind = kind_of_file(config)
    if assumed.rows is not None and kind != "score":
        raise UsageError(f"--rows are for the config of `prt score`, and {config} is that of a {kind}; leave them out")
    flip_rate, change, power = assumed.flip_rate, assumed.change, assumed.power
    if kind == "score":
        plan_score_command(config, rows=assumed.rows, as_json=as_json)
    elif kind == "duel":
        plan_duel_command(config, flip_rate=flip_rate, change=change, power=power, as_json=as_json)
    else:
        expected = FLIP_RATE if flip_rate is None else flip_rate
        plan_run_command(config, flip_rate=expected, change=change, power=power, as_json=as_json)


def plan_run_command(config: Path, *, flip_rate: float, change: float | None, power: float, as_json: bool) -> None:
    """Print the plan of a run."""
    with reserved_stdout():
        prepared = prepare(config, env=os.environ)
    wanted = prepared.config.analysis.margin if change is None else change
    plan = plan_run(prepared, flip_rate=flip_rate, change=wanted, power=power)
    if as_json:
        sys.stdout.write(json.dumps(asdict(plan), indent=2, allow_nan=False) + "\n")
        return
    console = output_console()
    notes = [*prepared.notes, *idle_notes(prepared.counts.conditions), *unwritten_note(prepared)]
    print_notes(notes, prepared.skipped, console)
    for line in plan_lines(plan):
        console.print(Text(line))


def plan_lines(plan: Plan) -> Iterator[str]:
    """The plan in sentences."""
    repeats = f" × {plan.repeats} repeats" if plan.repeats > 1 else ""
    yield f"{plan.name}: {plan.items} items × {len(plan.conditions)} conditions{repeats}, where they apply"
    yield f"  conditions: {', '.join(plan.conditions)}"
    for writing in plan.writing:
        yield from writing_lines(writing)
    yield from expense_lines(plan.expense)
    if plan.judging is not None:
        yield judging_line(plan.judging)
    yield from cost_lines(costs_of(plan.expense, plan.judging), plan.currency)
    yield ""
    yield from sight_lines(plan.sight)
    if plan.repeats > 1:
        yield "  Repeats shrink the model's own noise, so these figures, for one run a cell, are on the safe side."


def writing_lines(writing: Writing) -> Iterator[str]:
    """The calls for paraphrases, which come before the run's own and are counted apart from them."""
    yield (
        f"  before: {writing.paraphrases:,} to {writing.calls_at_most:,} calls of {visible(writing.model)}, which "
        "writes paraphrases (one each at least, one for each attempt at most)"
    )
    if writing.judge:
        yield f"  before: 0 to {writing.judge_calls_at_most:,} calls of {visible(writing.judge)}, which judges them"


def expense_lines(expense: Expense) -> Iterator[str]:
    """Calls and tokens of the model under test."""
    out = (
        "no limit on tokens out is set in `model.params`"
        if expense.completion_tokens is None
        else f"at most {expense.completion_tokens:,} tokens out"
    )
    yield f"  {expense.calls:,} calls, about {expense.prompt_tokens:,} tokens in (4 characters each), {out}"
    if expense.unwritten_calls:
        yield f"  {expense.unwritten_calls:,} of these calls, at most, are for paraphrases that are not written yet"


def judging_line(judging: Judging) -> str:
    """Calls and tokens of the judge, which come after the run's own and are counted apart from them."""
    seen = judging.answer_tokens
    answers = "and the answers" if seen is None else f"and answers of at most {seen:,} tokens"
    out = (
        "no limit on tokens out in its `params`"
        if judging.completion_tokens is None
        else f"at most {judging.completion_tokens:,} tokens out"
    )
    return (
        f"  after: up to {judging.calls_at_most:,} calls of {visible(judging.model)}, which judges the answers (equal "
        f"answers to one item once), beside the calls above: about {judging.prompt_tokens:,} tokens in {answers}, {out}"
    )
