"""Commands that measure a judge."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .. import completing
from .app import app, logged_command
from .options import (
    AlphaOption,
    ConfigStoreOption,
    JsonOption,
    LogFileOption,
    NamedRun,
    QuietOption,
    StoreOption,
    VerboseOption,
    examples,
)

judge_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Measure a judge: against people, and against itself.",
    epilog=examples("prt judge sample latest --out labels.csv", "prt judge calibrate labels.csv --config prt.yaml"),
)


app.add_typer(judge_app, name="judge")


JudgeConfig = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", help="A config with 'grade: judge', whose judge is asked about each row.", show_default=False
    ),
]


ScoreThreshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        min=0,
        max=1,
        help="The column 'judge' holds scores from 0 to 1, which pass from this one on.",
        show_default=False,
    ),
]


AnswersShown = Annotated[int, typer.Option("--show", "-n", min=0, help="How many of these answers to show.")]


AllShown = Annotated[bool, typer.Option("--all", help="Show all of them.")]


@judge_app.command("sample", epilog=examples("prt judge sample latest --out labels.csv"))
def judge_sample(
    run: NamedRun,
    out: Annotated[Path, typer.Option("--out", "-o", help="The CSV file to write.", show_default=False)],
    n: Annotated[int, typer.Option("--n", "-n", min=1, max=100_000, help="How many answers to draw.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Decides which answers are drawn.")] = 0,
    store: StoreOption = "prt.db",
) -> None:
    """Write a random sample of a run's answers to be labelled.

    People fill in the column 'label', pass or fail; what the judge said is not shown to them. It is one answer an item
    at most, of any condition, so that the labels are independent. 'prt judge calibrate FILE --run RUN' reads it back.
    """
    from ..commands.judge import sample_command

    sample_command(run, out=out, n=n, seed=seed, store=store)


@judge_app.command(
    "calibrate",
    epilog=examples(
        "prt judge calibrate labels.csv --run latest --out calibration.json",
        "prt judge calibrate labels.csv --config prt.yaml",
    ),
)
def judge_calibrate(
    labels: Annotated[
        Path,
        typer.Argument(
            metavar="LABELS",
            help="A table, CSV or JSONL, with a column 'label': what people say, pass or fail.",
            show_default=False,
        ),
    ],
    config: JudgeConfig = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            help="Compare the grades that this run has; rows name item and condition.",
            autocompletion=completing.runs,
        ),
    ] = None,
    threshold: ScoreThreshold = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Save the calibration here, for 'prt report --calibration'.", show_default=False
        ),
    ] = None,
    shown: AnswersShown = 10,
    all_shown: AllShown = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask the judge anew, using no stored reply.")] = False,
    store: ConfigStoreOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Measure a judge against people, on the same answers.

    It prints agreement, Cohen's kappa, sensitivity and specificity with their intervals, the counts, and the answers to
    read: those on which judge and people differ.

    The judge's verdicts come from one of three places: a column 'judge' of the table, without a call; a stored run
    (--run), without a call; or the judge of a config (--config), which is asked about the columns 'question', 'reply'
    (or 'answer') and 'reference'. An answer is known by 'item', 'condition' and 'repeat' (from 0), where these are
    there.

    Exit codes: 0 compared; 2 a usage error (nothing was called); 3 stopped (the same command resumes).
    """
    from ..commands.judge import Printed, calibrate_command

    printed = Printed(as_json=json, shown=None if all_shown else shown, quiet=quiet)
    command = partial(calibrate_command, labels, config=config, run=run, threshold=threshold, out=out)
    logged_command(verbose, log_file, partial(command, fresh=fresh, store=store, printed=printed))


@judge_app.command("drift", epilog=examples("prt judge drift labels.csv --since calibration.json --config prt.yaml"))
def judge_drift(
    anchors: Annotated[
        Path,
        typer.Argument(
            metavar="ANCHORS", help="The answers of the calibration, as they were: its table.", show_default=False
        ),
    ],
    since: Annotated[
        Path,
        typer.Option("--since", help="The calibration to compare with, saved by 'prt judge calibrate --out'."),
    ],
    config: JudgeConfig = None,
    threshold: ScoreThreshold = None,
    alpha: AlphaOption = 0.05,
    shown: AnswersShown = 10,
    all_shown: AllShown = False,
    store: ConfigStoreOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Say whether a judge has become stricter or more lenient.

    Its verdicts now are compared with those of a calibration, on the same answers. It is asked anew, whatever is
    stored, unless the table has its verdicts of now in a column 'judge'. Exact McNemar test on the changed verdicts,
    which are listed.

    Exit codes: 0 no drift found; 1 drift found (p at most alpha); 2 a usage error (nothing was called); 3 stopped
    (nothing is compared).
    """
    from ..commands.judge import Printed, drift_command

    printed = Printed(as_json=json, shown=None if all_shown else shown, quiet=quiet)
    command = partial(drift_command, anchors, since=since, config=config, threshold=threshold, alpha=alpha)
    logged_command(verbose, log_file, partial(command, store=store, printed=printed))
