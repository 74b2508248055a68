"""Beginning the night that is due, with real processes and a clock that is told."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prt.runner.errors import UsageError
from prt.runner.scheduling.beginning import Begun, begin_due, state_file
from prt.runner.scheduling.entry import Entry, read_entry
from prt.runner.scheduling.nights import Known, read_known, write_known
from prt.runner.scheduling.times import Times, read_at

DUE = datetime(2026, 3, 4, 2, tzinfo=UTC)
KEY = "sk-canary-5f1d2c3b4a59687f"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


class Nights:
    """A schedule whose night is a program of ours, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "prt-x.json"
        self.env_file = folder / "prt-x.env"
        self.env_file.write_text(f"# the key\nA_KEY={KEY}\n", encoding="utf-8")
        self.env_file.chmod(0o600)
        self.write("print('hello')")
        write_known(state_file(self.path), Known(DUE - timedelta(days=1), 1, done=True, code=0))

    def write(self, program: str, **other: object) -> None:
        entry = Entry(
            name="x",
            config=self.folder / "prt.yaml",
            command=(sys.executable, "-c", program),
            folder=self.folder,
            env_file=self.env_file,
            log=self.folder / "prt-x.log",
            times=Times(read_at("02:00"), timezone="UTC"),
            tries=3,
        )
        self.path.write_text(entry.model_copy(update=other).text(), encoding="utf-8")

    def begin(self, hours: float = 0) -> Begun:
        """What a call so many hours after the night is due does."""
        return begin_due(self.path, now=lambda: DUE + timedelta(hours=hours))

    @property
    def log(self) -> str:
        return (self.folder / "prt-x.log").read_text(encoding="utf-8")

    @property
    def known(self) -> Known | None:
        return read_known(state_file(self.path))


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path)


COUNT = """
from pathlib import Path
with Path("count").open("a") as file: file.write(".")
"""


def test_a_night_runs_in_its_folder_and_environment_and_says_so_in_its_log(nights: Nights) -> None:
    nights.write("import os, sys; print(os.getcwd()); print(len(os.environ['A_KEY'])); print('wrong', file=sys.stderr)")
    begun = nights.begin()
    assert begun.code == 0
    lines = nights.log.splitlines()
    assert lines[1:4] == [str(nights.folder), str(len(KEY)), "wrong"]
    assert "night due" in lines[0]
    assert "try 1 of 3" in lines[0]
    assert "ended with 0" in lines[-1]


def test_the_key_is_in_the_environment_file_alone(nights: Nights) -> None:
    nights.begin()
    holding = [path.name for path in nights.folder.iterdir() if KEY in path.read_text(encoding="utf-8")]
    assert holding == ["prt-x.env"]


def test_a_night_is_begun_once_however_often_it_is_called(nights: Nights) -> None:
    nights.write(COUNT)
    codes = [nights.begin(hours).code for hours in (0, 0.01, 0.3, 1, 23.9)]
    assert codes == [0, None, None, None, None]
    assert (nights.folder / "count").read_text() == "."


def test_a_night_that_was_missed_is_caught_up_once(nights: Nights) -> None:
    nights.write(COUNT)
    assert [nights.begin(hours).code for hours in (3 * 24 + 9.5, 3 * 24 + 10)] == [0, None]
    assert nights.known == Known(
        DUE + timedelta(days=3), 1, done=True, code=0, ended=DUE + timedelta(days=3, hours=9.5)
    )


def test_an_incomplete_night_goes_on_a_bounded_number_of_times(nights: Nights) -> None:
    nights.write(COUNT + "raise SystemExit(3)")
    assert [nights.begin(hours).code for hours in (0, 0.3, 1.3, 2.3, 9)] == [3, 3, 3, None, None]
    assert nights.begin(24).code == 3, "the next night is begun all the same"


@pytest.mark.parametrize("code", [1, 2])
def test_an_alarm_and_an_error_in_the_config_are_not_tried_again(nights: Nights, code: int) -> None:
    nights.write(COUNT + f"raise SystemExit({code})")
    assert [nights.begin(hours).code for hours in (0, 1)] == [code, None]


@POSIX
def test_a_night_that_a_signal_ended_is_begun_again(nights: Nights) -> None:
    nights.write("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert [nights.begin(hours).code for hours in (0, 1, 2, 3)] == [137, 137, 137, None]


def test_a_log_is_bounded_by_its_size_also_within_a_night(nights: Nights) -> None:
    nights.write("for number in range(5000): print('x' * 99)", log_bytes=20_000, logs_kept=2)
    nights.begin()
    logs = sorted(nights.folder.glob("prt-x.log*"))
    assert [path.name for path in logs] == ["prt-x.log", "prt-x.log.1", "prt-x.log.2"]
    assert all(path.stat().st_size <= 20_000 for path in logs)
    assert "ended with 0" in nights.log


def test_what_a_night_says_can_be_any_bytes(nights: Nights) -> None:
    nights.write(r"import sys; sys.stdout.buffer.write(b'a\xff\x1b[31m\n'); print('\u00e4')")
    assert nights.begin().code == 0
    assert r"a\xff" in nights.log


def test_a_program_that_is_gone_is_said_in_a_sentence(nights: Nights) -> None:
    nights.write("", command=(str(nights.folder / "gone" / "prt"), "night"))
    with pytest.raises(UsageError, match=r"gone/prt: it can't be used \(No such file or directory\)"):
        nights.begin()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A_KEY = x\n", r"prt-x.env:1: expected NAME=value, without `export` and without spaces"),
        ("\nexport A_KEY=sk-secret\n", r"prt-x.env:2: expected NAME=value"),
    ],
)
def test_an_environment_file_that_is_none_is_refused_without_showing_it(nights: Nights, text: str, told: str) -> None:
    nights.env_file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told) as refused:
        nights.begin()
    assert "sk-secret" not in str(refused.value)


@POSIX
def test_an_environment_file_that_others_may_read_is_told(nights: Nights) -> None:
    nights.env_file.chmod(0o644)
    assert "others than you may read this file of keys" in nights.begin().warning


@pytest.mark.parametrize("text", ["", "[]", '{"made_by": "someone"}', "\xff"])
def test_what_is_no_schedule_is_refused_in_a_sentence(nights: Nights, text: str) -> None:
    nights.path.write_text(text, encoding="latin-1")
    with pytest.raises(
        UsageError, match=r"this is no schedule of this version of prt .*`prt schedule CONFIG"
    ) as refused:
        read_entry(nights.path)
    assert "\n" not in str(refused.value)


WAITING = (
    "import pathlib, time; pathlib.Path('begun').touch()\nwhile not pathlib.Path('go').exists(): time.sleep(0.01)\n"
)
CALLER = """
import sys
from datetime import datetime
from pathlib import Path
from prt.runner.scheduling.beginning import begin_due
sys.exit(begin_due(Path(sys.argv[1]), now=lambda: datetime.fromisoformat(sys.argv[2])).code)
"""


def called(nights: Nights) -> "subprocess.Popen[bytes]":
    """A call in a process of its own whose night is under way."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", CALLER, str(nights.path), DUE.isoformat()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    until((nights.folder / "begun").exists)
    return process


def until(reached: Callable[[], bool]) -> None:
    """Wait for another process, a minute at most."""
    deadline = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_no_second_night_begins_while_one_is_under_way(nights: Nights) -> None:
    nights.write(WAITING)
    first = called(nights)
    assert nights.begin(1).busy
    assert nights.begin(24).busy, "also the next night waits"
    (nights.folder / "go").touch()
    assert first.wait() == 0
    assert nights.begin(24).code == 0, "and is caught up"


@POSIX
def test_the_lock_outlives_the_caller_that_is_killed_as_long_as_the_night_goes_on(nights: Nights) -> None:
    nights.write(WAITING)
    first = called(nights)
    first.kill()
    first.wait()
    assert nights.begin(1).busy
    (nights.folder / "go").touch()
    until(lambda: not nights.begin(-1).busy)  # before the night is due nothing is begun


@POSIX
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_reaches_the_night_as_it_came_and_the_night_ends_as_it_likes_and_goes_on_later(
    nights: Nights, signum: signal.Signals
) -> None:
    nights.write(
        "import signal, sys\n"
        "for each in (signal.SIGINT, signal.SIGTERM):\n"
        "    signal.signal(each, lambda number, _: (print('stored', number), sys.exit(3)))\n" + WAITING
    )
    first = called(nights)
    first.send_signal(signum)
    assert first.wait() == 3
    assert f"stored {signum:d}" in nights.log
    (nights.folder / "go").touch()
    assert nights.begin(1).code == 0


def test_a_schedule_is_data_that_another_program_can_read(nights: Nights) -> None:
    told = json.loads(nights.path.read_text(encoding="utf-8"))
    assert (told["made_by"], told["schema_version"], told["times"]["timezone"]) == ("prt schedule", 1, "UTC")
