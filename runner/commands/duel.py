"""`prt duel`: two prompts or models head to head."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

from ..duel.comparisons import Contestants, read_comparisons
from ..duel.draft import draft_of_config, draft_of_prompts
from ..duel.elsewhere import duel_of
from ..duel.findings import Duel
from ..duel.self_test import self_test
from ..duel.templates import Task
from ..errors import DuelError, PrtError, UsageError
from ..reports.duel import print_duel
from ..reports.duel_json import duel_json
from ..reports.duel_markdown import duel_markdown
from ..reports.duel_self_test import print_self_test
from .printing import output_console

Form = Literal["text", "json", "markdown"]
ALPHA, MARGIN = 0.05, 0.05


class Bars(NamedTuple):
    """What decides a verdict; None for the config's, or the usual."""

    alpha: float | None
    margin: float | None


@contextmanager
def unusable_ends_with_1() -> Iterator[None]:
    """What can't be used ends with 1, since 2 says here that the candidate is not better.

    Raises:
        DuelError: In place of any error that would end with 2.
    """
    try:
        yield
    except PrtError as error:
        if error.exit_code != UsageError.exit_code:
            raise
        raise DuelError(str(error)) from error


def comparisons_command(
    file: Path, *, candidate: str | None, baseline: str | None, bars: Bars, form: Form, out: TextIO | None = None
) -> int:
    """Analyse comparisons made elsewhere, and print what they come to.

    Args:
        file: The comparisons.
        candidate: Whom the verdicts are about.
        baseline: Its opponent.
        bars: What decides a verdict.
        form: What is printed.
        out: Standard output, where it is reserved.

    Returns:
        The exit code: 0 where some dimension is BETTER and none WORSE, else 2.

    Raises:
        DuelError: The comparisons can't be used.
    """
    with unusable_ends_with_1():
        if candidate is None or baseline is None:
            raise UsageError("--comparisons needs --candidate and --baseline: the two names in model_a and model_b")
        if candidate == baseline:
            raise UsageError("--candidate and --baseline name the same model; a duel has two")
        comparisons = read_comparisons(file, Contestants(candidate, baseline))
    duel = duel_of(
        comparisons,
        alpha=ALPHA if bars.alpha is None else bars.alpha,
        margin=MARGIN if bars.margin is None else bars.margin,
    )
    print_duel_as(duel, form, out)
    return duel.exit_code


def print_duel_as(duel: Duel, form: Form, out: TextIO | None = None) -> None:
    """Print a duel for a person, a program or a pull request."""
    if form == "text":
        print_duel(duel, output_console(out))
    else:
        (out or sys.stdout).write(duel_markdown(duel) if form == "markdown" else duel_json(duel) + "\n")


def suggest_command(config: Path | None, *, baseline: str | None, candidate: str | None, task: Task | None) -> None:
    """Print the draft of a config with suggested dimensions.

    Args:
        config: A config with prompts and no dimensions, to be completed; None for a new one.
        baseline: A file with the prompt as it is.
        candidate: A file with the prompt that may take its place.
        task: The task; None to go by the prompts.

    Raises:
        DuelError: What is given can't be used.
    """
    with unusable_ends_with_1():
        if config is None:
            old, new = (None if name is None else Path(name) for name in (baseline, candidate))
            text = draft_of_prompts(old, new, task)
        elif baseline is None and candidate is None:
            text = draft_of_config(config, task, env=os.environ)
        else:
            raise UsageError(f"{config} names the prompts; leave --baseline and --candidate out")
    sys.stdout.write(text)


def self_test_command() -> int:
    """Check the analysis on built-in cases, and print them.

    Returns:
        The exit code: 0 where each comes to what it has to, else 1.
    """
    checked = self_test()
    print_self_test(checked, output_console())
    return int(any(each.wrong for each in checked))
