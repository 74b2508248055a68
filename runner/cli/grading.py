"""Commands that look into the grades of a stored run."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from .. import completing
from .app import app, logged_command
from .options import ItemArgument, JsonOption, LogFileOption, NamedRun, StoreOption, VerboseOption, examples


@app.command(
    epilog=examples(
        "prt shrink latest review-02 typo.1", "prt shrink latest review-02 typo.1 --repeats 9 --max-calls 500"
    )
)
def shrink(
    run: NamedRun,
    item: ItemArgument,
    condition: Annotated[
        str,
        typer.Argument(
            metavar="CONDITION",
            help="The condition that flips it, as typo.1.",
            autocompletion=completing.conditions,
        ),
    ],
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
    from ..commands.shrink import shrink_command

    logged_command(
        verbose,
        log_file,
        lambda: shrink_command(
            run, item, condition, store=store, repeats=repeats, max_calls=max_calls, as_json=json, quiet=quiet
        ),
    )


@app.command(
    epilog=examples(
        "prt grade latest --grader numeric", "prt grade latest --grader '{grader: numeric, tolerance: 0.1}' --use"
    )
)
def grade(
    run: NamedRun,
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
    verbose: VerboseOption = 0,
    log_file: LogFileOption = None,
) -> None:
    """Grade stored replies by another grader, without their model.

    A judge is asked about the replies that it has not judged yet, within the limits of the run's config. It shows what
    changes and why. The new grades are stored beside the run's own, which still count unless --use is
    given; both stay. Before it grades, the grader is proved on every variant: where it fails a right answer or passes a
    wrong one, its grade is missing.

    Relative paths in --grader start at the working directory, in --config at the config's folder.

    Exit code: 0 graded; 2 something can't be used; 3 the judge was stopped, or more replies have no verdict than
    limits.max_error_rate allows.
    """
    from ..commands.grade import grade_command

    command = partial(grade_command, run, grader=grader, config=config, use=use, store=store, shown=shown)
    logged_command(verbose, log_file, partial(command, as_json=json, quiet=quiet))


@app.command(epilog=examples("prt audit latest", "prt audit latest --n 100 --out audit.csv"))
def audit(
    run: NamedRun,
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
    from ..commands.audit import audit_command

    audit_command(run, n=n, seed=seed, out=out, read=read, report=report, store=store, as_json=json)
