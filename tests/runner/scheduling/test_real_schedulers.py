"""The real cron and the real systemd of a user begin nights, in namespaces of their own, away from this machine's."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from ..command_line import CAPITALS
from .test_files import NASTY

WAIT_S = 60
pytestmark = pytest.mark.sqlite

CRON = """
set -e
mount -t tmpfs tmpfs /var/spool/cron
mkdir -p /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs
chgrp crontab /var/spool/cron/crontabs
mount -t tmpfs tmpfs /run
printf '# mine\\nPYTHONPATH=%s\\n' "$PYTHONPATH" | crontab -
$PRT schedule prt.yaml --at 02:00 --for cron --install
# The last night that is known was long ago, as after a time in which the machine was off.
sed -i 's/"due": "....-/"due": "2001-/' prt-schedule/prt-capitals.state.json
cron -f &
daemon=$!
for _ in $(seq $WAIT); do
  if grep -q '"code": [0-9]' prt-schedule/prt-capitals.state.json; then break; fi
  sleep 1
done
kill $daemon
$PRT schedule prt.yaml --status
$PRT schedule prt.yaml --remove
echo "--- left"
crontab -l
"""

SYSTEMD = """
set -e
mount -t tmpfs tmpfs /run/systemd
mkdir /run/systemd/system
export XDG_RUNTIME_DIR="$(mktemp -d)" HOME="$PWD/home"
unset XDG_CONFIG_HOME
started() {
  /lib/systemd/systemd --user --log-target=null &
  manager=$!
  for _ in $(seq 60); do
    if systemctl --user show-environment >/dev/null 2>&1; then return 0; fi
    sleep 0.5
  done
  echo "--- no user instance"
  exit 0
}
started
$PRT schedule prt.yaml --at 02:00 --for systemd >/dev/null
echo "PYTHONPATH=$PYTHONPATH" >> prt-schedule/prt-capitals.env
$PRT schedule prt.yaml --at 02:00 --for systemd --install
$PRT schedule prt.yaml --at 02:00 --for systemd --install
$PRT schedule prt.yaml --status
kill $manager
wait $manager || true
# Three days pass while the machine is off.
touch -d '3 days ago' home/.local/share/systemd/timers/stamp-prt-capitals.timer
started
echo "--- on again"
# Two more that want to begin it join the one that is under way.
systemctl --user start --no-block prt-capitals.service
systemctl --user start --no-block prt-capitals.service
for _ in $(seq $WAIT); do
  if systemctl --user show -p ExecMainExitTimestamp prt-capitals.service | grep -q =.; then break; fi
  sleep 1
done
$PRT schedule prt.yaml --status
$PRT schedule prt.yaml --remove
ls home/.config/systemd/user
kill $manager
"""


def isolated(folder: Path, script: str, *programs: str) -> str:
    """What a script prints in namespaces of its own; the test is skipped where these can't be had."""
    missing = [each for each in ("unshare", *programs) if shutil.which(each) is None]
    if missing:
        pytest.skip(f"there is no {' and no '.join(missing)} here")
    if os.geteuid() != 0:
        pytest.skip("only root may keep a scheduler away from the machine's own")
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    tried = subprocess.run([*unshare, "true"], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if tried.returncode != 0:
        pytest.skip(f"no namespaces here: {tried.stderr}")
    done = subprocess.run(  # noqa: S603 - ours
        [*unshare, "sh", "-c", script],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PRT": f"{sys.executable} -m prt.runner",
            "WAIT": str(WAIT_S),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S * 8,  # each call of prt takes its time on a machine that is busy
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a config of a model that answers at once, whose name is hard to quote."""
    made = tmp_path / NASTY
    (made / "home" / ".config" / "systemd" / "user").mkdir(parents=True)
    rows = [{"id": name, "question": f"Capital of {name}?", "answer": city} for name, city in CAPITALS]
    (made / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (made / "answering.py").write_text(
        f"CITIES = {dict(CAPITALS)!r}\n\n\ndef answer(messages):\n"
        "    return next(city for name, city in CITIES.items() if name in messages[-1]['content'])\n"
    )
    config = {
        "name": "capitals",
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": "rows.jsonl",
        "perturbations": ["format"],
        "grade": "contains",
    }
    (made / "prt.yaml").write_text(yaml.safe_dump(config))
    return made


def runs_in(folder: Path) -> list[str]:
    """How the runs of the store ended."""
    with closing(sqlite3.connect(folder / "prt.db")) as connection:
        return [state for (state,) in connection.execute("SELECT state FROM runs")]


def test_cron_begins_a_night_that_was_missed_once_it_starts(folder: Path) -> None:
    printed = isolated(folder, CRON, "cron", "crontab")
    told, left = printed.split("--- left\n")
    assert "cron: `capitals` is installed" in told
    assert "ended with 0" in told
    assert runs_in(folder) == ["complete"]
    assert [line.partition("=")[0] for line in left.splitlines()] == ["# mine", "PYTHONPATH"]
    assert "ended with 0" in (folder / "prt-schedule" / "prt-capitals.log").read_text()


def test_systemd_begins_a_night_that_was_missed_once_it_starts(folder: Path) -> None:
    printed = isolated(folder, SYSTEMD, "/lib/systemd/systemd", "systemctl")
    if "--- no user instance" in printed:
        pytest.skip("systemd starts no user instance here")
    before, after = printed.split("--- on again\n")
    assert before.count("installed prt-capitals.timer") == 2
    assert before.count("wrote") == 0
    assert "prt-capitals.timer is waiting" in before
    assert "last night: none yet" in before
    assert "last night: success, exit code 0" in after
    assert "removed prt-capitals.timer and its service" in after
    assert after.endswith("its files are left, with the keys in the environment file\n")
    assert runs_in(folder) == ["complete"]
