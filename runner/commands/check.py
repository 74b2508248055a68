"""`prt check`: everything that can be validated without a call."""

import os
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.credentials import missing_keys
from ..config.loading import resolved
from ..errors import ConfigError
from ..plan import count_cells
from ..prepare import prepare
from .opening import opened_model
from .outcomes import print_outcomes
from .printing import output_console, print_notes
from .stdout import reserved_stdout


def check_command(config: Path, *, show: bool) -> None:
    """Validate everything that can be validated without a call, and say what a run would do."""
    with reserved_stdout() as out:
        prepared = prepare(config, env=os.environ)
        if problems := missing_keys(prepared.loaded, os.environ):
            raise ConfigError(*problems)
        opened_model(prepared, Console(stderr=True, highlight=False))
        console = output_console(out)
        if show:
            for key, value, origin in resolved(prepared.loaded):
                console.print(Text(f"{key}: {value}").append(f"  # {origin}", style="dim"), soft_wrap=True)
            console.print()
        print_notes(prepared.notes, prepared.skipped, console)
        calls = count_cells(prepared.items, prepared.variants, repeats=prepared.config.repeats)
        console.print(
            Text(f"{config}: all well. {len(prepared.items)} items, {calls} calls, grader {prepared.grader.name}.")
        )
        print_outcomes(prepared, console)
