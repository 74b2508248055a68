"""The units of this user's systemd."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from .writing import UnitFile, write_files

OFFLINE = (
    "there is no systemd for this user here ({said}); log in as the user itself, or take another scheduler, such as "
    "--for cron"
)


@dataclass(frozen=True, slots=True)
class TimerState:
    """What systemd says of a timer.

    Attributes:
        active: Whether it is waiting for its next time.
        next: When that is, as systemd writes it; empty where it is not known.
        result: How the last night ended, as systemd calls it, such as `success` or `exit-code`.
        code: Exit code of the last night; None where there was none.
    """

    active: bool
    next: str
    result: str
    code: int | None


def folder() -> Path:
    """Where the user's own units are."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".config") / "systemd" / "user"


def installed(unit: str) -> list[Path]:
    """The unit files of a schedule that are there."""
    return [path for ending in ("service", "timer") if (path := folder() / f"{unit}.{ending}").exists()]


def answers() -> str:
    """Why this user's systemd can't be asked; empty where it can."""
    program = shutil.which("systemctl")
    if program is None:
        return "the program `systemctl` is not found"
    done = _run(program, "show-environment")
    return "" if done.returncode == 0 else _said(done)


def install(unit: str, files: Sequence[UnitFile]) -> None:
    """Put unit files where systemd looks for them, and let the timer wait, now and after each start.

    Raises:
        UsageError: There is no systemd for this user, or it refuses them.
    """
    _need()
    write_files([UnitFile(folder() / file.path.name, file.text) for file in files])
    _systemctl("daemon-reload")
    _systemctl("enable", f"{unit}.timer")
    _systemctl("restart", f"{unit}.timer")  # so that one whose times have changed waits for the new ones


def remove(unit: str) -> None:
    """Stop the timer of a schedule and remove its unit files.

    Raises:
        UsageError: There is no systemd for this user, or it refuses.
    """
    _need()
    _systemctl("disable", "--now", f"{unit}.timer")
    for path in installed(unit):
        path.unlink(missing_ok=True)
    _systemctl("daemon-reload")


def state(unit: str) -> TimerState:
    """What systemd says of the timer of a schedule.

    Raises:
        UsageError: There is no systemd for this user.
    """
    _need()
    timer = _shown(f"{unit}.timer", "ActiveState", "NextElapseUSecRealtime")
    service = _shown(f"{unit}.service", "Result", "ExecMainStatus", "ExecMainExitTimestamp")
    ran = bool(service["ExecMainExitTimestamp"])
    code = int(service["ExecMainStatus"] or 0) if ran else None
    return TimerState(
        timer["ActiveState"] == "active", timer["NextElapseUSecRealtime"], service["Result"] if ran else "", code
    )


def lingers() -> bool:
    """Whether this user's systemd goes on while nobody is logged in; taken to be so where that can't be asked."""
    program = shutil.which("loginctl")
    if program is None:
        return True
    who = str(os.getuid()) if hasattr(os, "getuid") else ""
    done = subprocess.run(  # noqa: S603 - systemd's own
        [program, "show-user", "--property=Linger", "--value", who], capture_output=True, check=False
    )
    return done.stdout.strip() != b"no"


def _shown(unit: str, *properties: str) -> dict[str, str]:
    lines = _systemctl("show", unit, f"--property={','.join(properties)}").splitlines()
    return dict.fromkeys(properties, "") | dict(line.partition("=")[::2] for line in lines)


def _need() -> None:
    if said := answers():
        raise UsageError(OFFLINE.format(said=said))


def _systemctl(*arguments: str) -> str:
    done = _run(shutil.which("systemctl") or "systemctl", *arguments)
    if done.returncode != 0:
        raise UsageError(f"systemd refuses `systemctl --user {' '.join(arguments)}`: {_said(done)}")
    return done.stdout.decode(errors="replace")


def _run(program: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([program, "--user", *arguments], capture_output=True, check=False)  # noqa: S603 - systemd's own


def _said(done: "subprocess.CompletedProcess[bytes]") -> str:
    return " ".join(done.stderr.decode(errors="replace").split()) or f"`systemctl` ended with {done.returncode}"
