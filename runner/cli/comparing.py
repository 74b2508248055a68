"""Commands that hold runs against one another, and pin runs for it."""

from pathlib import Path
from typing import Annotated

import typer

from .. import completing
from .app import app
from .options import JsonOption, MarkdownOption, NamedRun, StoreOption, examples

BaselineName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The baseline's name.", show_default=False, autocompletion=completing.baselines
    ),
]


@app.command(
    epilog=examples(
        "prt compare main latest", "prt compare v1 v2 v3 --markdown", "prt compare main latest --traffic 50000"
    )
)
def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="BEFORE AFTER...",
            help="Runs: ids or their beginnings, names, baselines, or 'latest'; the first is the reference.",
            show_default=False,
            autocompletion=completing.runs,
        ),
    ],
    store: StoreOption = "prt.db",
    store_b: Annotated[
        str | None,
        typer.Option("--store-b", help="Results database of the later runs.", show_default="the same"),
    ] = None,
    allow: Annotated[
        bool,
        typer.Option("--allow", help="Compare what both hold alike, even where the comparison would not be fair."),
    ] = False,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="End with 1 where anything is proven worse.")
    ] = False,
    alpha: Annotated[
        float | None,
        typer.Option(min=1e-6, max=0.5, help="Significance level.", show_default="the later run's"),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(min=1e-6, max=0.999, help="Largest drop you would call no worse.", show_default="the later run's"),
    ] = None,
    traffic: Annotated[
        float | None,
        typer.Option(
            "--traffic", help="Requests a day: say what the change makes of them.", show_default="the config's"
        ),
    ] = None,
    cost_per_failure: Annotated[
        float | None, typer.Option("--cost-per-failure", help="What one failure costs.", show_default=False)
    ] = None,
    currency: Annotated[str | None, typer.Option("--currency", help="What the cost is in.", show_default="USD")] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            help="Share of requests that is written so, such as 'typo=0.15' or 'style.1=0.3'; may be repeated.",
            show_default=False,
        ),
    ] = None,
    gates: Annotated[
        Path | None,
        typer.Option(
            "--gates",
            help="Decide the gates of this file on the later of two runs.",
            show_default="the later run's that are against 'compared'",
        ),
    ] = None,
    markdown: MarkdownOption = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page that any browser opens, too.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare runs item by item: what changed, and what is proven.

    Three causes are kept apart: the model (the original prompts), the effect of the perturbations, and the
    infrastructure (failed and unreadable replies). Several later runs are each held against the first, with p-values
    adjusted for all of them.

    A comparison that would not be fair (other items, wordings, graders or judges) is refused, by name; --allow
    compares what is alike. Exit codes: 0 compared; 1 a gate fails, or anything is proven worse with --fail-if-worse;
    2 a usage error, or a comparison that is refused.
    """
    from ..commands.compare import Shown, compare_command, impact_of_options
    from ..comparing.versions import Settings

    impact = impact_of_options(traffic, cost_per_failure, currency, weight or ())
    settings = Settings(alpha=alpha, margin=margin, allow=allow, impact=impact)
    shown = Shown(as_json=json, markdown=markdown, html=html)
    code = compare_command(
        runs, store=store, store_b=store_b, settings=settings, shown=shown, fail_if_worse=fail_if_worse, gates=gates
    )
    raise typer.Exit(code)


baseline_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Pin runs under names that others are compared with.",
    epilog=examples("prt baseline set main latest", "prt baseline list"),
)


app.add_typer(baseline_app, name="baseline")


@baseline_app.command("set", epilog=examples("prt baseline set main latest"))
def baseline_set(
    name: BaselineName,
    run: NamedRun,
    store: StoreOption = "prt.db",
) -> None:
    """Pin a run under a name. A name that another run has moves to this one."""
    from ..commands.compare import baseline_set_command

    baseline_set_command(name, run, store=store)


@baseline_app.command("list", epilog=examples("prt baseline list --json"))
def baseline_list(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """List the baselines."""
    from ..commands.compare import baseline_list_command

    baseline_list_command(store=store, as_json=json)


@baseline_app.command("remove", epilog=examples("prt baseline remove main"))
def baseline_remove(name: BaselineName, store: StoreOption = "prt.db") -> None:
    """Take a name from a run; the run stays."""
    from ..commands.compare import baseline_remove_command

    baseline_remove_command(name, store=store)
