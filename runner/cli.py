"""The commands: parse, call one function, print, exit code. Each imports what it needs, so that `--help` is instant."""

import gc
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer

from .errors import PrtError

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

ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG", help="The YAML config.", show_default=False)]
StoreOption = Annotated[
    str, typer.Option("--store", envvar="PRT_STORE", help="Results database: a file, or an SQLAlchemy URL.")
]
RunArgument = Annotated[
    str, typer.Argument(metavar="[RUN]", help="A run's id or its beginning, its name, or 'latest'.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
VerboseOption = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        help="Log the events of the work on standard error; twice: also its details.",
        show_default=False,
    ),
]
LogFileOption = Annotated[
    Path | None,
    typer.Option(
        "--log-file",
        help="Append the events to this file, each as a line of JSON; secrets are hidden.",
        show_default=False,
    ),
]

# Next to nothing here is part of a cycle; looking for cycles as often as Python does takes a tenth of a run.
FEW_COLLECTIONS = (50_000, 20, 100)


def main() -> None:
    """Run the command line; every expected failure ends in one sentence and its exit code."""
    gc.set_threshold(*FEW_COLLECTIONS)
    from .commands.stdout import reader_may_leave

    with reader_may_leave():
        try:
            app()
        except PrtError as error:
            _complain(error)
            sys.exit(error.exit_code)
        except Exception:  # noqa: BLE001 - a traceback is for whoever mends the program, and must not hold a secret
            _crash()
            sys.exit(1)


def _complain(error: PrtError) -> None:
    from .masking import masked
    from .reports.text import visible

    text = visible(masked(str(error)))
    typer.echo(text if "\n" in text else f"prt: {text}", err=True)


def _crash() -> None:
    import traceback

    from .masking import masked

    typer.echo(masked(traceback.format_exc()), err=True)


def _logged(verbose: int, log_file: Path | None, command: Callable[[], int | None]) -> NoReturn:
    """Run a command that logs, and end with its exit code; one without an exit code is all well."""
    from .logs import logged

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


@app.command()
def run(
    config: ConfigPath,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin a new run that asks everything again, using no stored reply.")
    ] = False,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", envvar="PRT_STORE", help="Results database, instead of the config's.", show_default=False
        ),
    ] = None,
    cancel: Annotated[
        bool,
        typer.Option("--cancel", help="Cancel the batches under way, keep what they answered, and ask nothing."),
    ] = False,
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")] = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Ask, grade, store and report. The same command again does only what is missing.

    Exit codes: 0 complete; 2 a usage or config error (nothing was called); 3 stopped or incomplete (the same command
    resumes). While it asks, the first interrupt (Ctrl-C) cancels the calls in flight, stores what came, prints the
    report and exits with 3; a second one before that is done, or one while nothing is asked, leaves at once with 130.
    What is stored is kept either way. Batches (`model.mode: batch`) go on at the endpoint, and the same command
    collects them.
    """
    from .commands.run import run_command

    asked = partial(run_command, config, fresh=fresh, store=store, as_json=json, quiet=quiet, cancel=cancel)
    _logged(verbose, log_file, asked)


@app.command()
def check(
    config: ConfigPath,
    show: Annotated[
        bool, typer.Option("--show", help="Print the config as a run takes it, and where each value is from.")
    ] = False,
) -> None:
    """Validate a config and all that it names, without a call.

    That is its dataset, generators, grader, model, keys and store. Nothing is downloaded.
    """
    from .commands.check import check_command

    check_command(config, show=show)


@app.command()
def plan(
    config: ConfigPath,
    flip_rate: Annotated[
        float, typer.Option(min=0.001, max=0.999, help="Share of items expected to change their result, either way.")
    ] = 0.1,
    change: Annotated[
        float | None,
        typer.Option(min=0.001, max=0.999, help="The change you care about, as a rate.", show_default="the margin"),
    ] = None,
    power: Annotated[float, typer.Option(min=0.5, max=0.999, help="Chance of finding it that is asked for.")] = 0.8,
    json: JsonOption = False,
) -> None:
    """Say what a run asks, costs and can see, before anything is spent.

    Tokens in are reckoned at four characters each; `prices` in the config give the cost.
    """
    from .commands.plan import plan_command

    plan_command(config, flip_rate=flip_rate, change=change, power=power, as_json=json)


@app.command()
def init(
    path: Annotated[Path, typer.Argument(help="Where to write the config.")] = Path("prt.yaml"),
) -> None:
    """Write a commented starter config, and a few items to run it on."""
    from .commands.setup import init_command

    init_command(path)


@app.command()
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
    from .commands.perturb import perturb_command, perturb_review_command

    if review:
        if stats or json or out or items is not None:
            raise typer.BadParameter(
                "it goes with --item, --condition, --store and --fresh alone", param_hint="--review"
            )
        review_command = partial(
            perturb_review_command, config, item_id=item, conditions=condition or (), store=store, fresh=fresh
        )
        _logged(verbose, log_file, review_command)
    if condition:
        raise typer.BadParameter("it says what --review asks about; give both", param_hint="--condition")
    _logged(
        verbose,
        log_file,
        lambda: perturb_command(
            config, out=out, shown=items, item_id=item, store=store, fresh=fresh, stats=stats, as_json=json
        ),
    )


@app.command()
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
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Report on a stored run."""
    from .commands.stored import report_command

    report_command(run, calibration=calibration, store=store, as_json=json)


@app.command()
def runs(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """List the stored runs, the newest first.

    A run is complete, incomplete, stopped, running, or cut off: its process ended before it could say how. Those that
    are not complete are shown with how many of their cells have a result.
    """
    from .commands.runs import runs_command

    runs_command(store=store, as_json=json)


@app.command()
def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The item's id.")],
    condition: Annotated[
        str | None,
        typer.Option("--condition", "-c", help="Only this condition, beside the baseline.", show_default=False),
    ] = None,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Show one item of a run: prompts, replies, what was read in them."""
    from .commands.stored import show_command

    show_command(run, item, condition=condition, store=store, as_json=json)


@app.command()
def shrink(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The item's id.")],
    condition: Annotated[str, typer.Argument(metavar="CONDITION", help="The condition that flips it, as typo.1.")],
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            min=1,
            max=1000,
            help="How often each prompt is asked at most; most of the replies decide.",
            show_default="1 at temperature 0, else 5",
        ),
    ] = None,
    max_calls: Annotated[int, typer.Option("--max-calls", min=1, help="Calls that may be made in all.")] = 200,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")] = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Find the fewest changes of a variant that still flip an item.

    The model is asked again (delta debugging). Both ends are asked first: the original, and the variant whole. The
    model and the grader are those of the run's config; keys come from the environment, as for the run. Replies are
    stored, apart from the run's results, so that the same command goes on where it was stopped.

    Exit codes: 0 found; 1 the item does not flip any more, or what was found flips by chance only; 2 a usage error
    (nothing was called); 3 stopped by --max-calls, an interrupt or a failing endpoint (the best so far is printed).
    """
    from .commands.shrink import shrink_command

    _logged(
        verbose,
        log_file,
        lambda: shrink_command(
            run, item, condition, store=store, repeats=repeats, max_calls=max_calls, as_json=json, quiet=quiet
        ),
    )


@app.command()
def grade(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    grader: Annotated[
        str | None,
        typer.Option(
            "--grader",
            "-g",
            help="The grader as a config's `grade` takes it: numeric, '{grader: numeric, tolerance: 0.1}', '[choice, "
            "exact]'; or a YAML file with that, such as judge.yaml.",
            show_default="the run's own, as it is now",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="Take the grader of this config.", show_default=False)
    ] = None,
    use: Annotated[
        bool, typer.Option("--use", help="Let the new grades count from now on, in reports and everywhere.")
    ] = False,
    shown: Annotated[int, typer.Option("--show", "-n", min=0, help="How many changed replies to show.")] = 10,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")] = False,
) -> None:
    """Grade stored replies by another grader; their model is not asked.

    A judge is asked about the replies that it has not judged yet, within the limits of the run's config. It shows what
    changes and why. The new grades are stored beside the run's own, which still count unless --use is
    given; both stay. Before it grades, the grader is proved on every variant: where it fails a right answer or passes a
    wrong one, its grade is missing.

    Relative paths in --grader start at the working directory, in --config at the config's folder.

    Exit code: 0 graded; 2 something can't be used; 3 the judge was stopped, or more replies have no verdict than
    limits.max_error_rate allows.
    """
    from .commands.grade import grade_command

    raise typer.Exit(
        grade_command(run, grader=grader, config=config, use=use, store=store, shown=shown, as_json=json, quiet=quiet)
    )


@app.command()
def audit(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    n: Annotated[int, typer.Option("--n", "-n", min=1, max=100_000, help="How many replies to draw.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="Decides which replies are drawn.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the sample to this CSV file, and ask nobody.", show_default=False),
    ] = None,
    read: Annotated[
        Path | None,
        typer.Option("--from", help="Read the verdicts that were filled in there, and ask nobody.", show_default=False),
    ] = None,
    report: Annotated[bool, typer.Option("--report", help="Ask nobody; tell what was judged so far.")] = False,
    store: StoreOption = "prt.db",
    json: Annotated[bool, typer.Option("--json", help="Ask nobody; print what was judged so far as JSON.")] = False,
) -> None:
    """Estimate how often grades are wrong: a person judges a sample.

    The sample is random. Half of it looks suspicious, such as replies in which no answer was read, or that failed
    though the right answer stands in them; the others are ordinary ones. Each reply is shown with the answer that was
    read marked. Answer p (it answers right), f (it answers wrong), u (it gives no answer); s skips, b goes back, q
    leaves.

    Each answer is stored at once, apart from the grades, which stay as they are. The same command goes on where it was
    left; a larger --n draws more. The estimate weighs each kind by how many replies of the run are of it.
    """
    if sum(map(bool, (out, read, report or json))) > 1:
        raise typer.BadParameter("give one of --out, --from and --report (or --json)", param_hint="--out")
    from .commands.audit import audit_command

    audit_command(run, n=n, seed=seed, out=out, read=read, report=report, store=store, as_json=json)


@app.command()
def duel(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CONFIG]",
            help="The YAML config of a duel: two prompts or two models, a dataset, dimensions. Not with --comparisons.",
            show_default=False,
        ),
    ] = None,
    comparisons: Annotated[
        Path | None,
        typer.Option(
            "--comparisons",
            help="Rows {id, model_a, model_b, score, dimension?} that a judge made elsewhere, as CSV or JSONL; model_a "
            "was shown first, and score is 1 where it won, 0 where model_b did, 0.5 for a tie.",
            show_default=False,
        ),
    ] = None,
    candidate: Annotated[
        str | None,
        typer.Option(
            "--candidate",
            help="Whom the verdicts are about, as the rows name it; with --suggest, a file with its prompt.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            help="Its opponent, as the rows name it; with --suggest, a file with the prompt as it is.",
            show_default=False,
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            min=1e-6,
            max=0.5,
            help="Significance level, over all dimensions together.",
            show_default="the config's, or 0.05",
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            min=1e-6,
            max=0.499,
            help="How far a win rate may lie from one half and still be TIED.",
            show_default="the config's, or 0.05",
        ),
    ] = None,
    suggest: Annotated[
        bool,
        typer.Option(
            "--suggest", help="Draft the dimensions from task and prompts, and print a whole config; nothing is asked."
        ),
    ] = False,
    task: Annotated[
        Literal["chatbot", "rag", "code-review", "agent", "translation", "summarisation"] | None,
        typer.Option("--task", help="With --suggest: what the prompts are for.", show_default="by the prompts' words"),
    ] = None,
    test: Annotated[
        bool, typer.Option("--self-test", help="Check the analysis on built-in cases, and do nothing else.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask everything again, using no stored reply.")] = False,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", envvar="PRT_STORE", help="Results database, instead of the config's.", show_default=False
        ),
    ] = None,
    json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, as for a pull request.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")] = False,
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Judge two prompts or models head to head, on the same items.

    Every query counts once, and only if it was judged in both orders: it is won where both orders say so, lost
    likewise, else tied. Each dimension has a verdict of its own: BETTER, WORSE, TIED, INCONCLUSIVE or
    INSUFFICIENT_EVIDENCE (fewer than 10 complete queries). There is no overall winner.

    Exit codes: 0 some dimension is BETTER and none WORSE; 1 what was given can't be used; 2 otherwise; 3 stopped or
    incomplete (the same command resumes). --suggest and --self-test end with 0 where all is well, else 1.
    """
    from .commands.duel import Bars, chosen_way, comparisons_command, self_test_command, suggest_command

    way = chosen_way(
        config=config, comparisons=comparisons, suggest=suggest, test=test, task=task, as_json=json, markdown=markdown
    )
    if way == "test":
        raise typer.Exit(self_test_command())
    if way == "suggest":
        suggest_command(config, baseline=baseline, candidate=candidate, task=task)
        raise typer.Exit
    form: Literal["text", "json", "markdown"] = "json" if json else "markdown" if markdown else "text"
    bars = Bars(alpha, margin)
    if comparisons is not None:
        raise typer.Exit(comparisons_command(comparisons, candidate=candidate, baseline=baseline, bars=bars, form=form))
    from .commands.duel_run import duel_command

    asked = partial(duel_command, config or Path(), fresh=fresh, store=store, bars=bars, form=form, quiet=quiet)
    _logged(verbose, log_file, asked)


judge_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Measure a judge: against people, and against itself.",
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
JudgeStore = Annotated[
    str | None,
    typer.Option("--store", envvar="PRT_STORE", help="Results database, instead of the config's.", show_default=False),
]
AnswersShown = Annotated[int, typer.Option("--show", "-n", min=0, help="How many of these answers to show.")]
AllShown = Annotated[bool, typer.Option("--all", help="Show all of them.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]


@judge_app.command("sample")
def judge_sample(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The CSV file to write.", show_default=False)],
    n: Annotated[int, typer.Option("--n", "-n", min=1, max=100_000, help="How many answers to draw.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Decides which answers are drawn.")] = 0,
    store: StoreOption = "prt.db",
) -> None:
    """Write a random sample of a run's answers to be labelled.

    People fill in the column 'label', pass or fail; what the judge said is not shown to them. It is one answer an item
    at most, of any condition, so that the labels are independent. 'prt judge calibrate FILE --run RUN' reads it back.
    """
    from .commands.judge import sample_command

    sample_command(run, out=out, n=n, seed=seed, store=store)


@judge_app.command("calibrate")
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
        typer.Option("--run", help="Compare the grades that this run has; rows name item and condition."),
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
    store: JudgeStore = None,
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
    from .commands.judge import Printed, calibrate_command

    printed = Printed(as_json=json, shown=None if all_shown else shown, quiet=quiet)
    command = partial(calibrate_command, labels, config=config, run=run, threshold=threshold, out=out)
    _logged(verbose, log_file, partial(command, fresh=fresh, store=store, printed=printed))


@judge_app.command("drift")
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
    alpha: Annotated[
        float, typer.Option(min=1e-6, max=0.5, help="Significance level; intervals are 1 − alpha.")
    ] = 0.05,
    shown: AnswersShown = 10,
    all_shown: AllShown = False,
    store: JudgeStore = None,
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
    from .commands.judge import Printed, drift_command

    printed = Printed(as_json=json, shown=None if all_shown else shown, quiet=quiet)
    command = partial(drift_command, anchors, since=since, config=config, threshold=threshold, alpha=alpha)
    _logged(verbose, log_file, partial(command, store=store, printed=printed))


@app.command()
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
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask everything again, using no stored reply.")] = False,
    store: Annotated[
        str | None,
        typer.Option(
            "--store", envvar="PRT_STORE", help="Results database, instead of the config's.", show_default=False
        ),
    ] = None,
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
    from .commands.score import Wanted, manifest_command, score_command

    if manifest:
        manifest_command(config, settings or ())
        return
    wanted = Wanted(rows, config, tuple(settings or ()), run_id, out, store, fresh, json, quiet)
    _logged(verbose, log_file, lambda: score_command(wanted))


store_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look after a results database: check, vacuum, export, merge.",
)
app.add_typer(store_app, name="store")


@store_app.command("check")
def store_check(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """Say whether a results database is whole: the file itself, and what its rows refer to. Nothing is changed.

    Exit codes: 0 whole; 1 not whole; 2 it can't be opened.
    """
    from .commands.store import check_command

    raise typer.Exit(check_command(store=store, as_json=json))


@store_app.command("vacuum")
def store_vacuum(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """Write a results database anew, without unused room. It needs as much free disk as the database takes."""
    from .commands.store import vacuum_command

    vacuum_command(store=store, as_json=json)


@store_app.command("export")
def store_export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning, its name, or 'latest'.")],
    target: Annotated[
        str, typer.Argument(metavar="FILE", help="The file: .csv, .jsonl or .parquet; '-' for standard output.")
    ],
    form: Annotated[
        Literal["csv", "jsonl", "parquet"] | None,
        typer.Option("--format", help="The format, whatever the file's ending.", show_default=False),
    ] = None,
    store: StoreOption = "prt.db",
) -> None:
    """Write a run's results as a table with a row for each reply, which 'prt analyze' reads back from CSV and JSONL."""
    from .commands.store import export_command

    export_command(run, target, form=form, store=store)


@store_app.command("merge")
def store_merge(
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The database to read: a file, or an SQLAlchemy URL.")],
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Add the runs of another results database, with their replies, grades and verdicts; runs that are here stay."""
    from .commands.store import merge_command

    merge_command(other, store=store, as_json=json)


@app.command()
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
    alpha: Annotated[
        float, typer.Option(min=1e-6, max=0.5, help="Significance level; intervals are 1 − alpha.")
    ] = 0.05,
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
    json: JsonOption = False,
) -> None:
    """Analyse results made elsewhere: tables, or other tools' logs.

    A table is item × condition, or has rows item,condition,passed. Cells are 0/1, true/false or pass/fail; empty cells
    are missing. A malformed line rejects the whole input. Several files are several conditions, and items are paired by
    their ids.

    Logs that are read: Inspect (.eval, .json), samples of lm-evaluation-harness, output of promptfoo (JSON, JSONL) and
    OpenAI evals; what is in a file decides, not its name.
    """
    from .commands.analyze import analyze_command

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
        as_json=json,
    )


@app.command()
def schema(
    of: Annotated[Literal["config", "report"], typer.Argument(help="Of the config, or of the JSON report.")] = "config",
) -> None:
    """Print a JSON Schema of the config, or of `--json` reports.

    Editors complete a config by it.
    """
    from .commands.setup import schema_command

    schema_command(of)
