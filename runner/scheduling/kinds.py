"""The files of each scheduler, and what is left to do with them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from ..errors import UsageError
from ..suggest import shown
from .entry import Entry
from .environment_file import PRIVATE, env_file_text
from .job import Job, within
from .quoting import MOST_OF_CRON, cron_command
from .templates import filled
from .times import Times
from .writing import UnitFile, head

Kind = Literal["cron", "systemd", "github", "gitlab", "kubernetes"]
LOCAL: tuple[Kind, ...] = ("cron", "systemd")
"""Those of this machine and user, which can be installed from here."""
PIPELINES: tuple[Kind, ...] = ("github", "gitlab")
CHECKED_AFTER = 20
"""Minutes after the hour's time of the night at which each hour is looked for a night that was missed."""
IGNORED = "prt-*.env\nprt-*.state.json\nprt-*.lock\nprt-*.log*\nprt-*.part\n"
EXPRESSION = "${{"


@dataclass(frozen=True, slots=True)
class Made:
    """The files of a schedule, and what is left to do.

    Attributes:
        files: The files.
        next_steps: What is left to do, a line each.
    """

    files: tuple[UnitFile, ...]
    next_steps: tuple[str, ...]


def made(kind: Kind, job: Job) -> Made:
    """Make the files of a scheduler; nothing is written.

    Raises:
        UsageError: It can't hold what is to be scheduled.
    """
    return _MAKERS[kind](job)


def _private(job: Job) -> tuple[UnitFile, ...]:
    """The environment file, and what keeps it out of version control."""
    return (
        UnitFile(job.env_file, env_file_text(job.name, job.variables), mode=PRIVATE, once=True),
        UnitFile(job.out / ".gitignore", IGNORED, once=True),
    )


def crontab_lines(job: Job) -> tuple[str, ...]:
    """The lines of a crontab.

    Raises:
        UsageError: The paths are longer than cron takes.
    """
    command = cron_command(*job.program, "due", "--quiet", str(job.entry_file))
    if len(command) > MOST_OF_CRON:
        raise UsageError(
            f"the command of cron would have {len(command)} characters and may have {MOST_OF_CRON}; "
            "name a folder with a shorter path as --out"
        )
    return tuple(f"{when} {command}" for when in _cron_calls(job.times, datetime.now().astimezone()))


def _cron_calls(times: Times, now: datetime) -> tuple[str, ...]:
    """When cron calls `prt due`: when a night is due, once an hour, and when the machine starts."""
    if times.timezone is None:
        return times.cron, f"{(times.at.minute + CHECKED_AFTER) % 60} * * * *", "@reboot"
    minutes = sorted({(times.at.minute - ahead) % 60 for ahead in _minutes_ahead(times.timezone, now)})
    return f"{','.join(map(str, minutes))} * * * *", "@reboot"


def _minutes_ahead(timezone: str, now: datetime) -> set[int]:
    """How far the clocks of a time zone are ahead of this machine's, in the minutes of an hour, over a year."""
    zone, ahead = ZoneInfo(timezone), set[int]()
    for days in range(0, 366, 30):
        here = (now + timedelta(days=days)).astimezone()
        offsets = (moment.utcoffset() or timedelta() for moment in (here.astimezone(zone), here))
        there, local = (offset // timedelta(minutes=1) for offset in offsets)
        ahead.add((there - local) % 60)
    return ahead


def _cron(job: Job) -> Made:
    entry = Entry(
        name=job.name,
        config=job.config,
        command=job.night,
        folder=job.folder,
        env_file=job.env_file,
        log=job.out / f"{job.unit}.log",
        times=job.times,
        tries=job.retries + 1,
    )
    about = (
        f"# Nights: {job.times}. `prt due` begins one that is due and not done: called each hour and at\n"
        "# a start of the machine, it catches up with one that was missed, and goes on with an incomplete one.\n"
    )
    text = head(job.config) + about + "".join(f"{line}\n" for line in crontab_lines(job))
    files = (UnitFile(job.entry_file, entry.text()), UnitFile(job.out / f"{job.unit}.crontab", text))
    return Made((*files, *_private(job)), ("add --install to put its lines into your crontab",))


def _systemd(job: Job) -> Made:
    if str(job.folder) != str(job.folder).rstrip(" \\"):
        raise UsageError(f"systemd takes no folder whose name ends with a blank or a `\\`: {shown(str(job.folder))}")
    units = (
        UnitFile(job.out / f"{job.unit}.{ending}", filled(ending, job, job.config)) for ending in ("service", "timer")
    )
    return Made((*units, *_private(job)), ("add --install to make it a timer of your systemd",))


def _github(job: Job) -> Made:
    config = job.config_within
    for text in (config, *job.kept, job.package):
        if EXPRESSION in text:
            raise UsageError(f"GitHub would fill in the {EXPRESSION} of {shown(text)}; rename it")
    kept = (*job.kept, *(["~/.cache/prt"] if job.local_model else []))
    file = UnitFile(job.out / f"{job.unit}.yml", filled("github", job, config, kept=kept))
    return Made(
        (file,),
        (
            *_secrets(job, "secrets of the repository"),
            "commit the file to the default branch, where GitHub looks for schedules",
        ),
    )


def _gitlab(job: Job) -> Made:
    config = job.config_within
    path = job.out / f"{job.unit}.gitlab-ci.yml"
    include = f"/{within(job.root, path, 'the file')}" if path.is_relative_to(job.root) else f"/{path.name}"
    text = filled("gitlab", job, config, kept=job.kept, include=include)
    zone = job.times.timezone or "UTC"
    return Made(
        (UnitFile(path, text),),
        (
            f"include it in .gitlab-ci.yml: `include: [{{local: {include}}}]`",
            f"make a pipeline schedule: {job.times.cron}, time zone {zone}, variable PRT_NIGHT={job.name}",
            *_secrets(job, "CI/CD variables of the project"),
        ),
    )


def _secrets(job: Job, where: str) -> list[str]:
    names = ", ".join(each.name for each in job.variables if each.required)
    return [f"make these {where}: {names}"] if names else []


def _kubernetes(job: Job) -> Made:
    config = job.config_within
    dockerfile = job.out / f"{job.unit}.Dockerfile"
    text = filled("kubernetes", job, config, dockerfile=dockerfile)
    files = (
        UnitFile(job.out / f"{job.unit}.cronjob.yaml", text),
        UnitFile(dockerfile, filled("dockerfile", job, config)),
        UnitFile(job.out / f"{dockerfile.name}.dockerignore", filled("dockerignore", job, config)),
    )
    return Made(
        (*files, *_private(job)), ("the first lines of the CronJob say how to build its image and make its secret",)
    )


_MAKERS: dict[Kind, Callable[[Job], Made]] = {
    "cron": _cron,
    "systemd": _systemd,
    "github": _github,
    "gitlab": _gitlab,
    "kubernetes": _kubernetes,
}
