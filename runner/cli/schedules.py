"""Commands by which nights begin by themselves."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from .app import app
from .options import ConfigPath, examples


@app.command(
    epilog=examples(
        "prt schedule prt.yaml --at 02:00 --days mon-fri --for systemd --install",
        "prt schedule prt.yaml --at 02:00 --timezone Europe/Berlin --for github",
        "prt schedule prt.yaml --status",
    )
)
def schedule(
    config: ConfigPath,
    at: Annotated[
        str | None, typer.Option("--at", metavar="HH:MM", help="When nights begin.", show_default=False)
    ] = None,
    kind: Annotated[
        Literal["cron", "systemd", "github", "gitlab", "kubernetes"] | None,
        typer.Option(
            "--for", help="Which scheduler begins them.", show_default="your systemd, or cron where there is none"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The folder to write to.",
            show_default="prt-schedule; .github/workflows and .gitlab of the repository",
        ),
    ] = None,
    days: Annotated[str, typer.Option("--days", help="On which days, as mon-fri or mon,wed,fri.")] = "daily",
    timezone: Annotated[
        str | None,
        typer.Option(
            "--timezone",
            help="In which time zone, as Europe/Berlin.",
            show_default="the machine's; UTC for pipelines and Kubernetes",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the schedule.", show_default="the config's")
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            "--retries",
            min=0,
            max=10,
            help="How often a night that is incomplete (exit code 3) is begun again.",
            show_default="2, or 0 where the config sets a budget",
        ),
    ] = None,
    package: Annotated[
        str | None,
        typer.Option(
            "--package", help="What pipelines and images install by pip.", show_default="this version, with its extras"
        ),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option("--image", help="The image that Kubernetes runs.", show_default="prt-NAME, to be built"),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Also put it into the crontab, or the systemd, of this user.")
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take it out of crontab and systemd again; its files stay.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Say what is installed, the next night, and how the last one ended.")
    ] = False,
) -> None:
    """Let a scheduler run 'prt night' on a config: write its files.

    They hold absolute paths, catch up with a night that was missed where the scheduler can, and let no night begin
    while one is under way. Keys stand in an environment file that only you may read; it is made once, with none in it.
    Files that 'prt schedule' did not make are never changed, nor are other lines of a crontab.

    Exit codes: 0 all well; 1 --status found nothing installed; 2 it can't be done.
    """
    if sum((install, remove, status)) > 1:
        raise typer.BadParameter("give one of --install, --remove and --status", param_hint="--install")
    from ..commands.schedule import Wanted, schedule_command

    wanted = Wanted(config, kind, at, days, timezone, out, name, retries, package, image)
    action: Literal["write", "install", "remove", "status"] = (
        "install" if install else "remove" if remove else "status" if status else "write"
    )
    raise typer.Exit(schedule_command(wanted, action))


@app.command(epilog=examples("prt due prt-schedule/prt-triage.json"))
def due(
    schedule: Annotated[
        Path,
        typer.Argument(metavar="SCHEDULE", help="The file that 'prt schedule --for cron' wrote.", show_default=False),
    ],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only what is wrong.")] = False,
) -> None:
    """Begin the night of a schedule that is due and not done.

    This is what cron calls, once an hour; it does nothing most of the time. Any other scheduler may call it as well.
    It begins a night late that was missed, the newest of several, and one again that was incomplete or cut off. A log
    takes what the night says, and is put aside once it is long.

    Exit codes: the night's; 0 where none is due; 3 where one is under way; 2 where the schedule can't be used.
    """
    from ..commands.due import due_command

    raise typer.Exit(due_command(schedule, quiet=quiet))
