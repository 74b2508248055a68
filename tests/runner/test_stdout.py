"""Standard output holds the report and nothing else, and a reader that leaves early changes no exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue as Json

from .command_line import KEY, CommandLine
from .fault_server import FaultServer, fails

TALKATIVE = """
import threading
print("I-import")
def chatter():
    print("from a thread")
def answer(messages):
    print("I-ask")
    thread = threading.Thread(target=chatter)
    thread.start()
    thread.join()
    return "A"
async def answer_later(messages):
    print("I-ask")
    return "A"
def judge(reply, row):
    print("I-judge")
    return reply == row["answer"]
"""


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return CommandLine(tmp_path, capsys, monkeypatch)


def talkative_config(prt: CommandLine, function: str = "answer") -> str:
    prt.write("talking.py", TALKATIVE)
    prt.write("items.jsonl", json.dumps({"question": "What is the first letter?", "answer": "A"}) + "\n")
    config: dict[str, Json] = {
        "model": {"provider": "python", "callable": f"talking.py:{function}"},
        "dataset": "items.jsonl",
        "perturbations": ["rerun"],
        "grade": {"grader": "python", "callable": "talking.py:judge"},
    }
    return prt.write("prt.yaml", yaml.safe_dump(config))


@pytest.mark.parametrize("function", ["answer", "answer_later"])
def test_what_user_code_prints_does_not_break_a_json_report(prt: CommandLine, function: str) -> None:
    ended = prt("run", "--json", talkative_config(prt, function))
    assert ended.code == 0
    assert ended.json["baseline_statuses"]["graded"] == 1
    assert {"I-import", "I-ask", "I-judge"} <= set(ended.err.split())


@pytest.mark.parametrize("command", [("plan", "--json"), ("plan",), ("check",), ("perturb",), ("run",)])
def test_no_command_that_runs_user_code_lets_it_print_among_its_own_output(
    prt: CommandLine, command: tuple[str, ...]
) -> None:
    ended = prt(*command, talkative_config(prt))
    assert ended.code == 0
    assert not {"I-import", "I-ask", "I-judge"} & set(ended.out.split())
    assert "I-import" in ended.err


def into_a_closed_pipe(folder: Path, *args: str) -> tuple[int, str]:
    """Exit code and standard error of a command whose standard output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "prt.runner", *args],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    return done.returncode, done.stderr


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_an_incomplete_run_says_so_by_its_exit_code_though_nobody_reads_its_report(
    prt: CommandLine, as_json: tuple[str, ...]
) -> None:
    with FaultServer(fails(500)) as server:
        code, err = into_a_closed_pipe(prt.folder, "run", *as_json, prt.config(server.base_url))
    assert (code, "Traceback" in err) == (3, False)
    assert "Resume with: prt run prt.yaml" in err


@pytest.mark.parametrize("command", [("report",), ("report", "--json"), ("runs",), ("--help",)])
def test_a_reader_that_leaves_is_no_failure_of_other_commands(prt: CommandLine, command: tuple[str, ...]) -> None:
    assert prt("run", talkative_config(prt)).code == 0
    assert into_a_closed_pipe(prt.folder, *command) == (0, "")


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_a_terminal_that_knows_no_such_character_is_shown_its_escape(tmp_path: Path, form: list[str]) -> None:
    (tmp_path / "results.csv").write_text("item,baseline,typo→\na,1,0\nb,1,1\n", encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "prt.runner", "analyze", "results.csv", *form],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert rb"typo\u2192" in done.stdout
