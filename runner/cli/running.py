"""Commands that prepare and run a config."""

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
    QuietReportOption,
    VerboseOption,
    examples,
)


@app.command(epilog=examples("prt run prt.yaml", "prt run prt.yaml --fresh --against main"))
def run(
    config: ConfigPath,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin a new run that asks everything again, using no stored reply.")
    ] = False,
    store: ConfigStoreOption = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Compare with this run at the end: an id or its beginning, a name, a baseline, or 'latest'.",
            show_default=False,
            autocompletion=completing.runs,
        ),
    ] = None,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="With --against: end with 1 where anything is proven worse.")
    ] = False,
    cancel: Annotated[
        bool,
        typer.Option("--cancel", help="Cancel the batches under way, keep what they answered, and ask nothing."),
    ] = False,
    json: JsonOption = False,
    html: Annotated[
        bool | None,
        typer.Option(
            "--html/--no-html",
            envvar="PRT_HTML",
            help="Write the report as a page, too, or don't, whatever `report.html` in the config says.",
            show_default="the config's, which writes it",
        ),
    ] = None,
    quiet: QuietReportOption = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Ask, grade, store and report. The same command again does only what is missing.

    Exit codes: 0 complete; 1 complete, but a gate of the config fails, or --fail-if-worse finds it worse; 2 a usage or
    config error (nothing was called), or a run that can't be compared with that of --against (it is stored);
    3 stopped or incomplete (the same command resumes), whatever the gates say. While it asks, the first interrupt
    (Ctrl-C) lets no further call be made, waits up to ten seconds for the calls in flight, stores and grades what came,
    prints the report and exits with 3; the second one drops these calls and does the rest; the third one, or one while
    nothing is asked, leaves at once with 130. What is stored is kept in each case. Batches (`model.mode: batch`) go on
    at the endpoint, and the same command collects them.

    The report is also written as a page that any browser opens, `prt-reports/RUN-ID.html` beside the store: its charts,
    a map of all items, and an explorer of prompts and replies.
    """
    from ..commands.run import run_command

    asked = partial(run_command, config, fresh=fresh, store=store, as_json=json, quiet=quiet, cancel=cancel, html=html)
    if against is not None:
        from ..commands.against import Against

        asked = partial(asked, against=Against(against, fail_if_worse))
    elif fail_if_worse:
        raise typer.BadParameter("it goes with --against", param_hint="--fail-if-worse")
    logged_command(verbose, log_file, asked)


@app.command(epilog=examples("prt check prt.yaml", "prt check prt.yaml --show", "prt check duel.yaml"))
def check(
    config: ConfigPath,
    show: Annotated[
        bool, typer.Option("--show", help="Print the config as a run takes it, and where each value is from.")
    ] = False,
) -> None:
    """Validate a config and all that it names, without a call.

    That is its dataset, generators, grader, model, keys and store; of a duel both sides, judge and dimensions, of a
    score its models. Nothing is downloaded.
    """
    from ..commands.check import check_command

    check_command(config, show=show)


@app.command(epilog=examples("prt plan prt.yaml", "prt plan prt.yaml --change 0.03 --power 0.9"))
def plan(
    config: ConfigPath,
    flip_rate: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            help="Share of items expected to change their result, either way; in a duel, to be won or lost.",
            show_default="0.1, in a duel 0.3",
        ),
    ] = None,
    change: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.999,
            help="The change you care about, as a rate; in a duel, how far the win rate is from one half.",
            show_default="the margin",
        ),
    ] = None,
    power: Annotated[float, typer.Option(min=0.5, max=0.999, help="Chance of finding it that is asked for.")] = 0.8,
    rows: Annotated[
        Path | None,
        typer.Option("--rows", help="The rows that a config of 'prt score' is for.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say beforehand what a run, duel or score asks, costs and sees.

    Tokens in are reckoned at four characters each; `prices` in the config give the cost, those of a judge in its block.
    """
    from ..commands.plan import Assumed, plan_command

    plan_command(config, Assumed(flip_rate, change, power, rows), as_json=json)


@app.command(epilog=examples("prt init", "prt init evals/triage.yaml"))
def init(
    path: Annotated[Path, typer.Argument(help="Where to write the config.")] = Path("prt.yaml"),
) -> None:
    """Write a commented starter config, and a few items to run it on."""
    from ..commands.setup import init_command

    init_command(path)


@app.command(
    epilog=examples("prt perturb prt.yaml --items 5", "prt perturb prt.yaml --review --condition 'paraphrase.*'")
)
def perturb(
    config: ConfigPath,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write the bundle of variants here.",
            show_default="the config's bundle, or CONFIG.bundle.jsonl beside it",
        ),
    ] = None,
    items: Annotated[
        int | None,
        typer.Option("--items", "-n", min=0, help="How many items to show.", show_default="3, or 0 with --stats"),
    ] = None,
    item: Annotated[str | None, typer.Option("--item", help="Show, or review, this item only.")] = None,
    stats: Annotated[
        bool,
        typer.Option(
            "--stats",
            help="Count everything: each reason, the severity, and what must not change, looked for in every variant.",
        ),
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Accept or reject the bundle's paraphrases at the terminal, one at a time.")
    ] = False,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition",
            "-c",
            help="With --review: ask about these conditions, such as 'typo.*', or '*' for all; may be repeated.",
            show_default="those in other words",
            autocompletion=completing.planned_conditions,
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            envvar="PRT_STORE",
            help="Results database that keeps a paraphraser's replies, instead of the config's.",
            show_default=False,
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask a paraphraser anew, using no stored reply.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print what --stats counts as JSON for programs.")] = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Show variants beside their originals; freeze them into a bundle.

    Their outcomes are counted; the bundle is JSONL. Variants are made anew from `perturbations`; of the bundle that is
    there, only reviews are read. A model that writes paraphrases (`paraphrase: {kind: llm}`) is asked for those of
    which the store has no reply.

    A bundle that is written anew keeps the reviews of the variants that come out the same. --review asks about the
    bundle that is there, and saves each answer at once; what is rejected is never asked. `review` in a line of the
    bundle may also be edited by hand: `accept`, `reject` or empty.

    Exit codes: 0 written; 1 written, but --stats found protected text altered or a wrong right answer; 2 a usage or
    config error; 3 paraphrases are missing, and nothing is written.
    """
    from ..commands.perturb import perturb_command, perturb_review_command

    if review:
        if stats or json or out or items is not None:
            raise typer.BadParameter(
                "it goes with --item, --condition, --store and --fresh alone", param_hint="--review"
            )
        review_command = partial(
            perturb_review_command, config, item_id=item, conditions=condition or (), store=store, fresh=fresh
        )
        logged_command(verbose, log_file, review_command)
    if condition:
        raise typer.BadParameter("it says what --review asks about; give both", param_hint="--condition")
    logged_command(
        verbose,
        log_file,
        lambda: perturb_command(
            config, out=out, shown=items, item_id=item, store=store, fresh=fresh, stats=stats, as_json=json
        ),
    )
