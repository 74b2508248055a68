"""The program: its commands are called from here, and every expected failure ends in one sentence."""

import atexit
import gc
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, NoReturn

import typer
import typer.main

from ..errors import PrtError

app = typer.Typer(
    name="prt",
    help="Does your LLM eval score survive a change of wording? Asks a model every item under its original prompt and "
    "under meaning-preserving variants of it, and compares the results item by item.",
    epilog="Start with: prt init, then prt run prt.yaml",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # what would draw boxes around the help takes as long to load as all else together
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


# Next to nothing here is part of a cycle; looking for cycles as often as Python does takes a tenth of a run.
FEW_COLLECTIONS = (50_000, 20, 100)


def main() -> None:
    """Run the command line; every expected failure ends in one sentence and its exit code."""
    gc.set_threshold(*FEW_COLLECTIONS)
    atexit.register(gc.freeze)  # or Python looks through all that is left for cycles, and the process ends anyway
    from ..commands.stdout import bear_any_text, reader_may_leave

    bear_any_text()
    with reader_may_leave():
        try:
            _command()(prog_name="prt")  # however it is called: completion is for the command of this name
        except PrtError as error:
            _complain(error)
            sys.exit(error.exit_code)
        except Exception:  # noqa: BLE001 - a traceback is for whoever mends the program, and must not hold a secret
            _crash()
            sys.exit(1)


@cache
def _command() -> Callable[..., object]:
    """All commands, put together once in a process."""
    return typer.main.get_command(app)


def _complain(error: PrtError) -> None:
    from ..masking import masked
    from ..reports.text import visible

    text = visible(masked(str(error)))
    typer.echo(text if "\n" in text else f"prt: {text}", err=True)


def _crash() -> None:
    import traceback

    from ..masking import masked

    typer.echo(masked(traceback.format_exc()), err=True)


def logged_command(verbose: int, log_file: Path | None, command: Callable[[], int | None]) -> NoReturn:
    """Run a command that logs, and end with its exit code; one without an exit code is all well."""
    from ..logs import logged

    with logged(verbose, log_file):
        code = command()
    raise typer.Exit(code or 0)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"prt {version('prompt-robustness')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...
