"""Commands of nightly runs."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .. import completing
from .app import app, logged_command
from .options import (
    ConfigPath,
    ConfigStoreOption,
    JsonOption,
    LogFileOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    examples,
)


@app.command(epilog=examples("prt night prt.yaml", "prt night prt.yaml --json"))
def night(
    config: ConfigPath,
    restart: Annotated[
        bool,
        typer.Option(
            "--restart",
            help="Count anew from this night: once complete, it is pinned as the baseline; with a fresh reference the "
            "evidence so far is left behind.",
        ),
    ] = False,
    store: ConfigStoreOption = None,
    json: JsonOption = False,
    html: Annotated[
        bool | None,
        typer.Option(
            "--html/--no-html",
            envvar="PRT_HTML",
            help="Write pages of the night and its run, too, or don't, whatever `report.html` in the config says.",
            show_default="the config's, which writes them",
        ),
    ] = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Run a config as a night: ask afresh, compare, decide, and tell.

    Tonight is held against the pinned baseline, by a rule under which all nights together raise a false alarm in at
    most alpha, and shown beside last night. Where no baseline is pinned, the first complete night is. Reports go to the
    folder `prt-reports` beside the store, as Markdown, JSON and pages.

    Exit codes: 0 nothing is proven worse; 1 an alarm, or a gate failed; 2 a usage or config error, or another process
    works on this series (nothing was called); 3 incomplete (the same command goes on with this night).
    """
    from ..commands.night import night_command

    asked = partial(night_command, config, restart=restart, store=store, html=html, as_json=json, quiet=quiet)
    logged_command(verbose, log_file, asked)


@app.command(epilog=examples("prt trend ticket-triage", "prt trend ticket-triage --html trend.html"))
def trend(
    series: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The series: the name of the config.",
            show_default="the only one there is",
            autocompletion=completing.series,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write the trend as a page with its chart to this file, too.", show_default=False),
    ] = None,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Show the history of a series of nights.

    That is the rates, the change against the baseline with its interval, each verdict, and which model answered.
    R1, R2 … mark the nights from which on the endpoint named another model or system fingerprint.
    """
    from ..commands.trend import trend_command

    trend_command(series, store=store, as_json=json, html=html)
