"""`prt schedule`: files for schedulers, and putting them into this user's cron or systemd."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..errors import UsageError
from ..scheduling import crontab, user_units
from ..scheduling.beginning import state_file, utc_now
from ..scheduling.building import Asked, build, named
from ..scheduling.entry import Entry, read_entry
from ..scheduling.environment_file import read_env_file, unprotected
from ..scheduling.job import Job, unit_name
from ..scheduling.kinds import LOCAL, Kind, Made, crontab_lines, made
from ..scheduling.nights import Known, read_known, write_known
from ..scheduling.times import Times, read_at, read_days, read_timezone
from ..scheduling.writing import config_of, write_files
from ..suggest import listed
from .due import moment, night_lines
from .store import print_lines

Action = Literal["write", "install", "remove", "status"]
WELL, ABSENT = 0, 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says; None where it leaves something open."""

    config: Path
    kind: Kind | None
    at: str | None
    days: str
    timezone: str | None
    out: Path | None
    name: str | None
    retries: int | None
    package: str | None
    image: str | None


def schedule_command(wanted: Wanted, action: Action) -> int:
    """Write, install, remove or describe a schedule; the exit code.

    Raises:
        UsageError: What is wanted can't be scheduled so, or there is no such scheduler here.
    """
    if action != "write" and wanted.kind not in {None, *LOCAL}:
        raise UsageError(f"--{action}: this is for cron and systemd of this user, and --for is {wanted.kind}")
    if action == "remove":
        return _remove(wanted)
    if action == "status":
        return _status(wanted)
    _write(wanted, install=action == "install")
    return WELL


def _write(wanted: Wanted, *, install: bool) -> None:
    if wanted.at is None:
        raise UsageError("--at: say when nights begin, such as --at 02:00")
    zone = None if wanted.timezone is None else read_timezone(wanted.timezone)
    times = Times(read_at(wanted.at), read_days(wanted.days), zone)
    kind = wanted.kind or ("cron" if user_units.answers() else "systemd")
    asked = Asked(wanted.config, kind, times, wanted.out, wanted.name, wanted.retries, wanted.package, wanted.image)
    job, notes = build(asked, folder=Path.cwd(), env=os.environ)
    files = made(kind, job)
    known_times = read_entry(job.entry_file).times if kind == "cron" and job.entry_file.exists() else None
    print_lines([f"{'wrote' if new else 'kept '} {file.path}" for file, new in write_files(files.files)])
    if kind == "cron" and known_times != times:  # what was due before does not count as missed
        write_known(state_file(job.entry_file), Known(times.last(utc_now()), done=True))
    print_lines([f"note: {note}" for note in (*notes, *_about_keys(job, kind))])
    print_lines(_install(kind, job, files) if install else ["next:", *(f"  {step}" for step in files.next_steps)])
    print_lines([*_about(kind, job)])


def _about(kind: Kind, job: Job) -> Iterator[str]:
    if kind in LOCAL:
        yield f"nights: {job.times}; the first is due {moment(job.times.next(utc_now()))}"
        yield f"they work in {job.folder}" + (f", with the results in {job.store}" if job.store else "")
    else:
        yield f"nights: {job.times.at:%H:%M} {job.times.on_days}, {job.times.timezone or 'UTC'}"


def _about_keys(job: Job, kind: Kind) -> Iterator[str]:
    """What the environment file lacks, and which variables are set here alone."""
    if kind not in LOCAL:
        return
    if warning := unprotected(job.env_file):
        yield warning
    given = read_env_file(job.env_file)
    if missing := [each.name for each in job.variables if each.required and not given.get(each.name)]:
        yield f"write {listed(missing, 'and')} into {job.env_file}, which is all that nights know of the environment"
    optional = [each.name for each in job.variables if not each.required]
    if here := [name for name in optional if os.environ.get(name) and name not in given]:
        yield f"what {listed(here, 'and')} says here is not known to nights; write it there too if they need it"


def _install(kind: Kind, job: Job, files: Made) -> list[str]:
    if kind == "systemd":
        user_units.install(job.unit, [file for file in files.files if not file.once])
        told = [f"installed {job.unit}.timer; its log: journalctl --user -u {job.unit}"]
        if not user_units.lingers():
            told.append("note: your systemd ends when you log out; `loginctl enable-linger` lets it go on")
        return told
    table, wanted = crontab.read_crontab(), crontab.block(job.name, crontab_lines(job))
    there = crontab.block_of(table, job.name)
    if there == wanted:
        return ["your crontab has its lines already"]
    other = None if there is None else _entry_of(there)
    if other is not None and other[1].config != job.config:
        raise UsageError(
            f"your crontab has a schedule `{job.name}` of {other[1].config}; give this one another name by --name, or "
            "remove that one"
        )
    crontab.write_crontab(crontab.with_block(table, job.name, wanted))
    return ["put its lines into your crontab" if there is None else "changed its lines in your crontab"]


def _entry_of(block: bytes) -> tuple[Path, Entry] | None:
    """The schedule that a block of a crontab calls; None where its file is gone or the block was changed."""
    try:
        line = block.decode().splitlines()[1]
        path = Path(shlex.split(line.replace("\\%", "%"))[-1])
        return path, read_entry(path)
    except (ValueError, IndexError, UsageError):
        return None


def _remove(wanted: Wanted) -> int:
    name = named(wanted.config, wanted.name, os.environ)
    told: list[str] = []
    if wanted.kind == "cron" or (wanted.kind is None and crontab.is_here()):
        table = crontab.read_crontab()
        block = crontab.block_of(table, name)
        if block is not None:
            found = _entry_of(block)
            _refuse_other(wanted, name, str(found[1].config) if found else "")
            crontab.write_crontab(crontab.without_block(table, name))
            told.append(f"removed the lines of `{name}` from your crontab")
    if wanted.kind != "cron" and (there := user_units.installed(unit_name(name))):
        _refuse_other(wanted, name, config_of(there[0].read_text(encoding="utf-8", errors="replace")))
        user_units.remove(unit_name(name))
        told.append(f"removed {unit_name(name)}.timer and its service from your systemd")
    print_lines([*told, "its files are left, with the keys in the environment file"] if told else [_nothing(name)])
    return WELL


def _refuse_other(wanted: Wanted, name: str, config: str) -> None:
    """Refuse to remove the schedule of another config whose name is the same, unless it is called by that name."""
    mine = os.path.abspath(wanted.config)  # noqa: PTH100 - links stay
    if wanted.name is None and config not in {"", mine}:
        raise UsageError(f"`{name}` is the schedule of {config}; say --name {name} to remove it all the same")


def _nothing(name: str) -> str:
    return f"nothing of `{name}` is installed"


def _status(wanted: Wanted) -> int:
    name = named(wanted.config, wanted.name, os.environ)
    told: list[str] = []
    if wanted.kind == "cron" or (wanted.kind is None and crontab.is_here()):
        block = crontab.block_of(crontab.read_crontab(), name)
        told += [] if block is None else _cron_status(name, block)
    if wanted.kind != "cron" and user_units.installed(unit_name(name)):
        told += _systemd_status(unit_name(name))
    print_lines(told or [_nothing(name)])
    return WELL if told else ABSENT


def _cron_status(name: str, block: bytes) -> list[str]:
    found = _entry_of(block)
    if found is None:
        return [f"cron: the lines of `{name}` call a schedule that can't be read; write and install it anew"]
    path, entry = found
    return [
        f"cron: `{name}` is installed: {entry.times}",
        *(f"  {line}" for line in night_lines(entry, read_known(state_file(path)))),
        f"  log: {entry.log}",
    ]


def _systemd_status(unit: str) -> list[str]:
    state = user_units.state(unit)
    last = "none yet" if state.code is None else f"{state.result}, exit code {state.code}"
    return [
        f"systemd: {unit}.timer is {'waiting' if state.active else 'installed, but not waiting; install it anew'}",
        f"  next night: {state.next or 'not known'}",
        f"  last night: {last}",
        f"  log: journalctl --user -u {unit}",
    ]
