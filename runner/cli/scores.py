"""The command that scores how far answers survive other wordings."""

from pathlib import Path
from typing import Annotated

import typer

from .. import completing
from .app import app, logged_command
from .options import ConfigStoreOption, FreshOption, JsonOption, LogFileOption, VerboseOption, examples


@app.command(epilog=examples("prt score rows.jsonl --config score.yaml --out scores.jsonl", "prt score --run latest"))
def score(
    rows: Annotated[
        Path | None,
        typer.Argument(
            metavar="[ROWS]",
            help="The rows, JSONL or CSV, with the columns input_id, prompt and sut_response. Not with --run.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="The YAML config: sut, judge, generator and settings.", show_default=False),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="A setting in place of the config's, as num_pairs=5; may be repeated.", show_default=False
        ),
    ] = None,
    run_id: Annotated[
        str | None,
        typer.Option(
            "--run",
            help="Score this stored run by its pass/fail grades instead; no model is asked.",
            show_default=False,
            autocompletion=completing.runs,
        ),
    ] = None,
    manifest: Annotated[
        bool,
        typer.Option("--manifest", help="Print a description of the score as JSON, with its settings; nothing else."),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            help="Write a line of JSON for each row to this file: its score and parts, or the reason why it has none; "
            "'-' for standard output.",
            show_default=False,
        ),
    ] = None,
    fresh: FreshOption = False,
    store: ConfigStoreOption = None,
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the summary.")] = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Score how far answers survive other wordings, row by row.

    The score runs from 0 to 1 and is pooled with an interval. Each prompt is perturbed, the system under test answers
    the variants, and a judge scores how right the answers are and how far they say the same: half the mean robustness,
    half what the mean drop in correctness leaves. A row that can't be scored has a reason, and stops no other. The same
    command goes on where it was stopped; replies are stored.

    Exit codes: 0 every row has a score (with --run: always); 2 a usage or config error (nothing was called); 3 stopped,
    or some rows have no score.
    """
    from ..commands.score import Wanted, manifest_command, score_command

    if manifest:
        manifest_command(config, settings or ())
        return
    wanted = Wanted(rows, config, tuple(settings or ()), run_id, out, store, fresh, json, quiet)
    logged_command(verbose, log_file, lambda: score_command(wanted))
