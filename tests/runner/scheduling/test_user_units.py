"""The units of a user's systemd are put where it looks for them, and what it refuses is said in a sentence."""

from pathlib import Path

import pytest

from ..command_line import CommandLine
from .test_files import CONFIG

SYSTEMCTL = """#!/bin/sh
echo "$@" >> {calls}
case "$2" in
  show) case "$3" in
    *.timer) printf 'ActiveState=active\\nNextElapseUSecRealtime=Tue 2026-12-01 02:00:00 UTC\\n' ;;
    *) printf 'Result=exit-code\\nExecMainStatus=1\\nExecMainExitTimestamp=Mon 2026-11-30 02:10:00 UTC\\n' ;;
  esac ;;
esac
"""
CALL = ("schedule", "prt.yaml", "--at", "02:00", "--for", "systemd", "--install")


def program(prt: CommandLine, name: str, text: str) -> None:
    path = prt.folder / "programs" / name
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def units(prt: CommandLine) -> Path:
    """Where a systemd of our own looks for the user's units."""
    program(prt, "systemctl", SYSTEMCTL.format(calls=prt.folder / "calls"))
    prt.write("prt.yaml", CONFIG)
    return prt.folder / "home" / ".config" / "systemd" / "user"


def calls(prt: CommandLine) -> list[str]:
    return [line.removeprefix("--user ") for line in (prt.folder / "calls").read_text().splitlines()]


def test_units_are_installed_and_removed(prt: CommandLine, units: Path) -> None:
    ended = prt(*CALL)
    assert ended.code == 0
    assert sorted(path.name for path in units.iterdir()) == ["prt-ticket-triage.service", "prt-ticket-triage.timer"]
    assert [call for call in calls(prt) if call != "show-environment"] == [
        "daemon-reload",
        "enable prt-ticket-triage.timer",
        "restart prt-ticket-triage.timer",
    ]
    assert prt("schedule", "prt.yaml", "--remove").code == 0
    assert list(units.iterdir()) == []
    assert "disable --now prt-ticket-triage.timer" in calls(prt)
    assert (prt.folder / "prt-schedule" / "prt-ticket-triage.env").exists()


def test_a_schedule_of_another_config_is_only_removed_by_its_name(prt: CommandLine, units: Path) -> None:
    prt(*CALL)
    (prt.folder / "other").mkdir()
    ended = prt("schedule", prt.write("other/prt.yaml", CONFIG), "--remove")
    assert ended.code == 2
    assert "say --name ticket-triage to remove it all the same" in ended.err
    assert len(list(units.iterdir())) == 2
    assert prt("schedule", "gone.yaml", "--remove", "--name", "ticket-triage").code == 0
    assert list(units.iterdir()) == []


def test_its_status_tells_an_alarm_by_its_exit_code(prt: CommandLine, units: Path) -> None:
    prt(*CALL)
    ended = prt("schedule", "prt.yaml", "--status")
    assert ended.code == 0
    assert "prt-ticket-triage.timer is waiting" in ended.out
    assert "next night: Tue 2026-12-01 02:00:00 UTC" in ended.out
    assert "last night: exit-code, exit code 1" in ended.out
    assert units.is_dir()


def test_a_systemd_that_ends_at_logout_is_told(prt: CommandLine, units: Path) -> None:
    program(prt, "loginctl", "#!/bin/sh\necho no\n")
    assert "`loginctl enable-linger` lets it go on" in prt(*CALL).out
    program(prt, "loginctl", "#!/bin/sh\necho yes\n")
    assert "linger" not in prt(*CALL).out
    assert units.is_dir()


def test_a_unit_that_someone_else_wrote_stays(prt: CommandLine, units: Path) -> None:
    units.mkdir(parents=True)
    (units / "prt-ticket-triage.timer").write_text("mine\n")
    ended = prt(*CALL)
    assert ended.code == 2
    assert "`prt schedule` did not make it" in ended.err
    assert (units / "prt-ticket-triage.timer").read_text() == "mine\n"
    assert not (units / "prt-ticket-triage.service").exists()


@pytest.mark.parametrize("action", ["--install", "--remove"])
def test_without_a_systemd_of_the_user_that_is_refused(prt: CommandLine, units: Path, action: str) -> None:
    prt(*CALL)
    program(prt, "systemctl", "#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n")
    ended = prt(*CALL[:-1], action)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "no systemd for this user here (Failed to connect to bus: No medium found)" in ended.err
    assert "such as --for cron" in ended.err
    assert (units / "prt-ticket-triage.timer").exists()


def test_a_machine_without_systemd_says_so_and_takes_cron_by_itself(prt: CommandLine) -> None:
    prt.write("prt.yaml", CONFIG)
    ended = prt(*CALL)
    assert "the program `systemctl` is not found" in ended.err
    ended = prt("schedule", "prt.yaml", "--at", "02:00")
    assert "prt-ticket-triage.crontab" in ended.out


def test_where_there_is_one_the_users_systemd_is_taken_by_itself(prt: CommandLine, units: Path) -> None:
    assert "prt-ticket-triage.timer" in prt("schedule", "prt.yaml", "--at", "02:00").out
    assert not units.exists()


def test_what_systemd_refuses_is_said(prt: CommandLine, units: Path) -> None:
    refusing = SYSTEMCTL + '[ "$2" != enable ] || {{ echo "Unit is masked." >&2; exit 1; }}\n'
    program(prt, "systemctl", refusing.format(calls=prt.folder / "calls"))
    ended = prt(*CALL)
    assert ended.code == 2
    assert "systemd refuses `systemctl --user enable prt-ticket-triage.timer`: Unit is masked." in ended.err
    assert units.is_dir()
