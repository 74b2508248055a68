"""The command line in a shell: completion, colours on a terminal and none elsewhere, and `python -m prt.runner`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])[0-9;]*m")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
pytestmark = pytest.mark.sqlite


def environment(**more: str) -> dict[str, str]:
    told = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm-256color", "COLUMNS": "100"}
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "PRT_STORE"}}
    return {**kept, **told, **more}


def completed(shell: str, words: str, **more: str) -> str:
    """What a shell is offered after these words."""
    asked = {
        "_PRT_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": words,
        "COMP_WORDS": words,
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "prt.runner"],
        env=environment(**asked, **more),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_bash_zsh_and_fish_are_offered_the_commands() -> None:
    assert completed("bash", "prt sch").split() == ["schema", "schedule"]
    assert '"schedule":"Let a scheduler run' in completed("zsh", "prt sch")
    fish = completed("fish", "prt sch", _TYPER_COMPLETE_FISH_ACTION="get-args")
    assert [line.partition("\t")[0] for line in fish.splitlines()] == ["schema", "schedule"]


def test_options_and_their_values_are_offered_too() -> None:
    assert "--for" in completed("fish", "prt schedule --f", _TYPER_COMPLETE_FISH_ACTION="get-args")
    values = completed("zsh", "prt schedule prt.yaml --for ")
    assert all(kind in values for kind in ("cron", "systemd", "github", "gitlab", "kubernetes"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_by_the_script_that_prt_shows(tmp_path: Path) -> None:
    program = tmp_path / "prt"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m prt.runner "$@"\n')
    program.chmod(0o755)
    script = (
        "set -e\nprt --show-completion > completion.sh\n. ./completion.sh\n"
        "COMP_WORDS=(prt sch); COMP_CWORD=1; _prt_completion prt; echo ${COMPREPLY[@]}\n"
        "prt --install-completion; cat .bashrc"
    )
    there = environment(PATH=f"{tmp_path}:{os.environ['PATH']}", HOME=str(tmp_path))
    done = subprocess.run(  # noqa: S603 - our own script
        ["bash", "-c", script],  # noqa: S607 - of this machine
        cwd=tmp_path,
        env=there,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0] == "schema schedule"
    assert ".bash_completions/prt.sh" in done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in its store."""
    made = tmp_path_factory.mktemp("shell")
    rows = [
        {"id": f"q{at}", "question": f"Is {at} more than 1?", "answer": "no" if at < 2 else "yes"} for at in range(4)
    ]
    (made / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (made / "answering.py").write_text("def answer(messages): return 'yes'")
    (made / "prt.yaml").write_text(
        "model: {provider: python, callable: 'answering.py:answer'}\n"
        "dataset: rows.jsonl\nperturbations: [rerun]\ngrade: exact\n"
    )
    called(made, "run", "--quiet", "prt.yaml")
    return made


def called(folder: Path, *args: str, **more: str) -> "subprocess.CompletedProcess[bytes]":
    """A command whose output is piped."""
    command, there = [sys.executable, "-m", "prt.runner", *args], environment(**more)
    return subprocess.run(command, cwd=folder, env=there, capture_output=True, check=True)  # noqa: S603 - ours


def on_a_terminal(folder: Path, *args: str, **more: str) -> bytes:
    """What a command writes to a terminal."""
    import pty  # noqa: PLC0415 - not on Windows

    master, slave = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "prt.runner", *args],
        cwd=folder,
        env=environment(**more),
        stdin=slave,
        stdout=slave,
        stderr=slave,
    ) as process:
        os.close(slave)
        written = b""
        while chunk := _read(master):
            written += chunk
        os.close(master)
        assert process.wait() in {0, 1}
    return written


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # what Linux says once the other side is closed
        return b""


READING = pytest.mark.parametrize("command", [("report",), ("show", "latest", "q1")], ids=["report", "show"])


@POSIX
def test_a_terminal_gets_colours_or_weights(folder: Path) -> None:
    assert b"\x1b[" in on_a_terminal(folder, "report")


@POSIX
@READING
def test_no_color_is_honoured_on_a_terminal(folder: Path, command: tuple[str, ...]) -> None:
    assert not COLOUR.search(on_a_terminal(folder, *command, NO_COLOR="1"))


@POSIX
@READING
def test_a_dumb_terminal_gets_plain_text(folder: Path, command: tuple[str, ...]) -> None:
    assert b"\x1b" not in on_a_terminal(folder, *command, TERM="dumb")


@POSIX
def test_a_run_on_a_dumb_terminal_moves_no_cursor(folder: Path) -> None:
    written = on_a_terminal(folder, "run", "--fresh", "prt.yaml", TERM="dumb")
    assert b"\x1b" not in written
    assert b"Baseline" in written


@READING
def test_a_pipe_gets_plain_text(folder: Path, command: tuple[str, ...]) -> None:
    assert b"\x1b" not in called(folder, *command).stdout


def test_the_module_is_the_command(folder: Path) -> None:
    assert called(folder, "--version").stdout.startswith(b"prt ")
    assert called(folder, "runs", "--help").stdout.startswith(b"Usage: prt runs [OPTIONS]")


def test_json_goes_through_a_pipe_whole(folder: Path) -> None:
    done = called(folder, "report", "--json")
    assert json.loads(done.stdout)["baseline_statuses"]
    assert done.stderr == b""
