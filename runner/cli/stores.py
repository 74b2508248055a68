"""Commands that look after a results database."""

from typing import Annotated, Literal

import typer

from .. import completing
from .app import app
from .options import JsonOption, NamedRun, StoreOption, examples

store_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look after a results database: check, export, merge, prune.",
    epilog=examples("prt store check", "prt store export latest results.csv", "prt store prune --keep-nights 30"),
)


app.add_typer(store_app, name="store")


@store_app.command("check", epilog=examples("prt store check"))
def store_check(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """Say whether a results database is whole: the file itself, and what its rows refer to. Nothing is changed.

    Exit codes: 0 whole; 1 not whole; 2 it can't be opened.
    """
    from ..commands.store import check_command

    raise typer.Exit(check_command(store=store, as_json=json))


@store_app.command("vacuum", epilog=examples("prt store vacuum --store nightly.db"))
def store_vacuum(store: StoreOption = "prt.db", json: JsonOption = False) -> None:
    """Write a results database anew, without unused room. It needs as much free disk as the database takes."""
    from ..commands.store import vacuum_command

    vacuum_command(store=store, as_json=json)


@store_app.command(
    "export", epilog=examples("prt store export latest results.csv", "prt store export latest - --format jsonl")
)
def store_export(
    run: NamedRun,
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
    from ..commands.store import export_command

    export_command(run, target, form=form, store=store)


@store_app.command("merge", epilog=examples("prt store merge other.db --store prt.db"))
def store_merge(
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The database to read: a file, or an SQLAlchemy URL.")],
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Add the runs of another results database, with their replies, grades and verdicts; runs that are here stay."""
    from ..commands.store import merge_command

    merge_command(other, store=store, as_json=json)


@store_app.command(
    "prune", epilog=examples("prt store prune --keep-nights 30 --dry-run", "prt store prune --older-than 90d")
)
def store_prune(
    keep_nights: Annotated[
        int | None,
        typer.Option(
            "--keep-nights", min=1, help="Keep the results of the last so many complete nights.", show_default=False
        ),
    ] = None,
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", metavar="AGE", help="Remove what is older: 36h, 90d or 12w.", show_default=False),
    ] = None,
    series: Annotated[
        str | None,
        typer.Option(
            "--series",
            help="Only the nights of this series.",
            show_default="those of all",
            autocompletion=completing.series,
        ),
    ] = None,
    all_runs: Annotated[
        bool, typer.Option("--all-runs", help="With --older-than: runs that no night made, too.")
    ] = False,
    replies_only: Annotated[
        bool,
        typer.Option("--replies-only", help="Remove the texts of replies alone; grades and reports stay."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    store: StoreOption = "prt.db",
    json: JsonOption = False,
) -> None:
    """Remove the replies and grades of old nights. Pinned baselines stay, and the history keeps every figure.

    Runs of `prt run` are only touched with --all-runs. What is removed can't be brought back; --dry-run says what that
    would be.
    """
    from ..commands.prune import prune_command

    prune_command(
        keep_nights=keep_nights,
        older_than=older_than,
        series=series,
        all_runs=all_runs,
        replies_only=replies_only,
        dry_run=dry_run,
        store=store,
        as_json=json,
    )
