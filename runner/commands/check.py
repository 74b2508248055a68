"""`prt check`: everything that can be validated without a call, by the kind of config."""

import os
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.credentials import missing_keys
from ..config.kinds import kind_of_file
from ..errors import ConfigError
from ..idle import idle_notes, refuse_idle
from ..prepare import prepare
from ..problems import counted
from ..store.database import checked_url
from .check_duel import check_duel
from .check_score import check_score
from .freezing import opened_for_paraphrases, unwritten_note
from .gates import print_planned
from .judged import opened_judge
from .night_check import night_notes
from .opening import STORE_VARIABLE, Allowance, opened_model, store_place
from .outcomes import print_outcomes
from .printing import output_console, print_notes, print_rows
from .resolving import settled
from .stdout import reserved_stdout


def check_command(config: Path, *, show: bool) -> None:
    """Validate a config of any kind and all that it names, without a call.

    Args:
        config: The config file.
        show: Print every value and where it is from.

    Raises:
        PrtError: Something can't be used.
    """
    kinds = {"run": check_run, "duel": check_duel, "score": check_score}
    kinds[kind_of_file(config)](config, show=show)


def check_run(config: Path, *, show: bool) -> None:
    """Validate the config of a run, and say what it would do."""
    with reserved_stdout() as out:
        prepared = prepare(config, env=os.environ)
        if problems := missing_keys(prepared.loaded, os.environ):
            raise ConfigError(*problems)
        told = Console(stderr=True, highlight=False)
        model = opened_model(prepared, told)
        opened_for_paraphrases(prepared, told)
        opened_judge(
            prepared.grader,
            base=prepared.loaded.base,
            told=told,
            allowance=Allowance.of(prepared.config),
            under_test=model.identity(),
        )
        place = store_place(prepared, os.environ.get(STORE_VARIABLE) or None)
        checked_url(place.address, base=place.base)
        refuse_idle(prepared, config)
        console = output_console(out)
        if show:
            print_rows(settled(prepared, model, os.environ), console)
        idle = idle_notes(prepared.counts.conditions)
        notes = [*prepared.notes, *idle, *unwritten_note(prepared), *night_notes(prepared, told)]
        print_notes(notes, prepared.skipped, console)
        sizes = f"{counted(len(prepared.items), 'item')}, {counted(prepared.cells, 'call')}"
        if waiting := prepared.config.repeats * sum(prepared.unwritten().values()):
            sizes += f" and up to {waiting} more for what is not written yet"
        console.print(Text(f"{config}: all well. {sizes}, grader {prepared.grader.name}."))
        print_outcomes(prepared, console)
        print_planned(prepared, console)
