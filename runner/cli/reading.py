"""Commands that read results, stored or made elsewhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from .. import completing
from .app import app
from .options import (
    AlphaOption,
    ChartsOption,
    CsvOption,
    HtmlOption,
    ItemArgument,
    JsonOption,
    JunitOption,
    MarkdownOption,
    NamedRun,
    RunArgument,
    StoreOption,
    examples,
)


@app.command(
    epilog=examples(
        "prt report",
        "prt report latest --json",
        "prt report latest --html report.html",
        "prt report latest --markdown > comment.md",
        "prt report latest --junit prt.xml --csv conditions.csv --charts charts",
    )
)
def report(
    run: RunArgument = "latest",
    calibration: Annotated[
        Path | None,
        typer.Option(
            "--calibration",
            help="Correct the pass rates for the judge's error, by a file that 'prt judge calibrate' saved.",
            show_default=False,
        ),
    ] = None,
    gates: Annotated[
        Path | None,
        typer.Option(
            "--gates",
            help="Decide the gates of this file (a config, or a list `gates:` alone) instead of the run's own.",
            show_default=False,
        ),
    ] = None,
    html: HtmlOption = None,
    markdown: MarkdownOption = False,
    junit: JunitOption = None,
    csv: CsvOption = None,
    charts: ChartsOption = None,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Report on a stored run: as text, or in another form.

    Exit codes: 0; 1 a gate fails; 2 a usage error.
    """
    from ..commands.report_forms import Forms
    from ..commands.stored import report_command

    forms = Forms(as_json=json, markdown=markdown, junit=junit, csv=csv, charts=charts, html=html)
    raise typer.Exit(report_command(run, calibration=calibration, gates=gates, store=store, forms=forms))


@app.command(epilog=examples("prt runs", "prt runs --store nightly.db --json"))
def runs(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """List the stored runs, the newest first.

    A run is complete, incomplete, stopped, running, or cut off: its process ended before it could say how. Those that
    are not complete are shown with how many of their cells have a result.
    """
    from ..commands.runs import runs_command

    runs_command(store=store, as_json=json)


@app.command(epilog=examples("prt show latest review-02", "prt show latest review-02 --condition typo.1"))
def show(
    run: NamedRun,
    item: ItemArgument,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition",
            "-c",
            help="Only this condition, beside the baseline.",
            show_default=False,
            autocompletion=completing.conditions,
        ),
    ] = None,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Show one item of a run: prompts, replies, what was read in them."""
    from ..commands.stored import show_command

    show_command(run, item, condition=condition, store=store, as_json=json)


@app.command(
    epilog=examples(
        "prt analyze results.csv --baseline original --html report.html",
        "prt analyze logs/*.eval --by model --metric accuracy",
    )
)
def analyze(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Results: tables (CSV, TSV, JSONL, JSON, Markdown) or logs of other tools; '-' reads standard input.",
            show_default=False,
        ),
    ],
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", "-b", help="The baseline: name of a condition, or a file.", show_default="the first"
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Label of logs that makes the conditions, such as model, task or prompt; the others go into item ids.",
            show_default="each file",
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Which metric of a log to read.", show_default="the first")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            help="A score passes from this number on, where scores are not just 0 and 1.",
            show_default=False,
        ),
    ] = None,
    alpha: AlphaOption = 0.05,
    margin: Annotated[float, typer.Option(min=1e-6, max=0.999, help="Largest drop you would call no worse.")] = 0.05,
    clusters: Annotated[
        str | None,
        typer.Option(
            help="Pattern that finds an item's cluster in its id, such as '^[^/]+'; items of one are not independent.",
            show_default=False,
        ),
    ] = None,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="The conditions are repeated runs of one system: pass@k and pass^k.")
    ] = False,
    html: HtmlOption = None,
    markdown: MarkdownOption = False,
    junit: JunitOption = None,
    csv: CsvOption = None,
    charts: ChartsOption = None,
    json: JsonOption = False,
) -> None:
    """Analyse results made elsewhere: tables, or other tools' logs.

    A table is item × condition, or has rows item,condition,passed. Cells are 0/1, true/false or pass/fail; empty cells
    are missing. A malformed line rejects the whole input. Several files are several conditions, and items are paired by
    their ids.

    Logs that are read: Inspect (.eval, .json), samples of lm-evaluation-harness, output of promptfoo (JSON, JSONL) and
    OpenAI evals; what is in a file decides, not its name.
    """
    from ..commands.analyze import analyze_command
    from ..commands.report_forms import Forms

    analyze_command(
        files,
        baseline=baseline,
        by=by,
        metric=metric,
        threshold=threshold,
        alpha=alpha,
        margin=margin,
        clusters=clusters,
        repeats=repeats,
        forms=Forms(as_json=json, markdown=markdown, junit=junit, csv=csv, charts=charts, html=html),
    )


@app.command(epilog=examples("prt schema > prt.schema.json", "prt schema duel > duel.schema.json", "prt schema report"))
def schema(
    of: Annotated[
        Literal["config", "duel", "score", "report", "comparison"],
        typer.Argument(
            help="Of the config of a run, of a duel or of a score, or of the JSON report of a run or a comparison."
        ),
    ] = "config",
) -> None:
    """Print a JSON Schema of a config, or of `--json` reports.

    Editors complete and check a config by it.
    """
    from ..commands.setup import schema_command

    schema_command(of)
