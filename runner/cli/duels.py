"""The command that judges two prompts or models head to head."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from .app import app, logged_command
from .options import (
    ConfigStoreOption,
    FreshOption,
    JsonOption,
    LogFileOption,
    QuietReportOption,
    VerboseOption,
    examples,
)

DuelConfig = Annotated[
    Path | None,
    typer.Argument(
        metavar="[CONFIG]",
        help="The YAML config of a duel: two prompts or two models, a dataset, dimensions. Not with --comparisons.",
        show_default=False,
    ),
]


Comparisons = Annotated[
    Path | None,
    typer.Option(
        "--comparisons",
        help="Rows {id, model_a, model_b, score, dimension?} that a judge made elsewhere, as CSV or JSONL; model_a "
        "was shown first, and score is 1 where it won, 0 where model_b did, 0.5 for a tie.",
        show_default=False,
    ),
]


Candidate = Annotated[
    str | None,
    typer.Option(
        "--candidate",
        help="Whom the verdicts are about, as the rows name it; with --suggest, a file with its prompt.",
        show_default=False,
    ),
]


Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        help="Its opponent, as the rows name it; with --suggest, a file with the prompt as it is.",
        show_default=False,
    ),
]


Alpha = Annotated[
    float | None,
    typer.Option(
        min=1e-6,
        max=0.5,
        help="Significance level, over all dimensions together.",
        show_default="the config's, or 0.05",
    ),
]


Margin = Annotated[
    float | None,
    typer.Option(
        min=1e-6,
        max=0.499,
        help="How far a win rate may lie from one half and still be TIED.",
        show_default="the config's, or 0.05",
    ),
]


Suggest = Annotated[
    bool,
    typer.Option(
        "--suggest", help="Draft the dimensions from task and prompts, and print a whole config; nothing is asked."
    ),
]


TaskOption = Annotated[
    Literal["chatbot", "rag", "code-review", "agent", "translation", "summarisation"] | None,
    typer.Option("--task", help="With --suggest: what the prompts are for.", show_default="by the prompts' words"),
]


SelfTest = Annotated[
    bool, typer.Option("--self-test", help="Check the analysis on built-in cases, and do nothing else.")
]


Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown, as for a pull request.")]


@app.command(
    epilog=examples("prt duel duel.yaml", "prt duel --suggest --baseline old.txt --candidate new.txt > duel.yaml")
)
def duel(
    config: DuelConfig = None,
    comparisons: Comparisons = None,
    candidate: Candidate = None,
    baseline: Baseline = None,
    alpha: Alpha = None,
    margin: Margin = None,
    suggest: Suggest = False,
    task: TaskOption = None,
    test: SelfTest = False,
    fresh: FreshOption = False,
    store: ConfigStoreOption = None,
    json: JsonOption = False,
    markdown: Markdown = False,
    quiet: QuietReportOption = False,
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
    from ..commands.duel import Bars
    from ..commands.duel_ways import Wanted, wanted_command

    wanted = Wanted(
        config=config,
        comparisons=comparisons,
        candidate=candidate,
        baseline=baseline,
        bars=Bars(alpha, margin),
        suggest=suggest,
        task=task,
        test=test,
        fresh=fresh,
        store=store,
        as_json=json,
        as_markdown=markdown,
        quiet=quiet,
    )
    logged_command(verbose, log_file, partial(wanted_command, wanted))
