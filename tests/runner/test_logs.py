"""What `-v` and `--log-file` tell: events as lines, failures by kind with counts, no secret; and silence without."""

import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from prt.runner.errors import UsageError
from prt.runner.logs import logged
from prt.runner.masking import keep_secrets

from .command_line import CommandLine
from .fault_server import Behaviour, Call, FaultServer, answers, fails

CANARY = "sk-of-the-log-1a2b3c"
OURS = logging.getLogger("prt.runner.somewhere")
OTHERS = logging.getLogger("elsewhere.client")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that the environment has under a telling name."""
    monkeypatch.setenv("SOME_TOKEN", CANARY)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def speak() -> None:
    OURS.debug("a detail")
    OURS.info("an event", extra={"fields": {"count": 3}})
    OTHERS.info("chatter")
    OTHERS.warning("a warning")


@pytest.mark.parametrize(
    ("verbosity", "told"),
    [
        (0, []),
        (1, ["prt: an event, count 3"]),
        (2, ["prt: a detail", "prt: an event, count 3", "elsewhere.client: chatter", "elsewhere.client: a warning"]),
    ],
)
def test_other_libraries_are_quiet_until_v_is_given_twice(
    verbosity: int, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with logged(verbosity, None):
        speak()
    printed = capsys.readouterr()
    assert (printed.out, printed.err.splitlines()) == ("", told)


def test_a_log_file_has_time_level_logger_event_and_fields_whatever_the_verbosity(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with logged(0, path):
        speak()
    event, warning = lines(path)
    assert event.pop("time").endswith("+00:00")
    assert event == {"level": "info", "logger": "prt.runner.somewhere", "event": "an event", "fields": {"count": 3}}
    assert (warning["level"], warning["logger"], warning["event"]) == ("warning", "elsewhere.client", "a warning")


def test_a_log_file_is_added_to(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for _ in range(2):
        with logged(0, path):
            OURS.info("again")
    assert [line["event"] for line in lines(path)] == ["again", "again"]


def test_nothing_is_left_set_up_afterwards(tmp_path: Path) -> None:
    root, ours = logging.getLogger(), logging.getLogger("prt")
    before = (list(root.handlers), root.level, list(ours.handlers), ours.level)
    with logged(2, tmp_path / "log.jsonl"):
        assert list(root.handlers) != before[0]
    assert (list(root.handlers), root.level, list(ours.handlers), ours.level) == before


def test_importing_the_program_sets_up_no_handler() -> None:
    program = (
        "import logging, prt.runner.cli, prt.runner.logs, prt.runner.commands.run, prt.runner.models.openai\n"
        "names = [name for name in logging.root.manager.loggerDict if name.startswith('prt')]\n"
        "assert not logging.getLogger().handlers, logging.getLogger().handlers\n"
        "assert not [name for name in names if logging.getLogger(name).handlers], names\n"
    )
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], check=True, env=dict(os.environ)
    )


@pytest.mark.usefixtures("telling")
def test_a_secret_is_hidden_in_words_arguments_fields_and_tracebacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "log.jsonl"
    with logged(2, path):
        OURS.warning("key %s", CANARY, extra={"fields": {"a": f"<{CANARY}>", CANARY: [{"b": CANARY}]}})
        OTHERS.info("header %(key)s", {"key": CANARY}, stack_info=True)
        try:
            int(CANARY)
        except ValueError:
            OURS.exception("failed")
    words, header, failed = lines(path)
    assert words["event"] == "key [hidden]"
    assert words["fields"] == {"a": "<[hidden]>", "[hidden]": [{"b": "[hidden]"}]}
    assert header["event"] == "header [hidden]"
    assert failed["traceback"].endswith("with base 10: '[hidden]'")
    told = capsys.readouterr().err
    assert "with base 10: '[hidden]'" in told
    assert CANARY not in told + path.read_text(encoding="utf-8")


@pytest.mark.usefixtures("telling")
def test_the_traceback_of_a_thread_is_shown_and_logged_without_a_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "log.jsonl"
    with logged(0, path):
        thread = threading.Thread(target=lambda: int(CANARY))
        thread.start()
        thread.join()
    (line,) = lines(path)
    assert line["traceback"].endswith("with base 10: '[hidden]'")
    assert capsys.readouterr().err.endswith("with base 10: '[hidden]'\n")


def test_a_secret_that_becomes_known_later_is_hidden_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with logged(0, path):
        OURS.info("late-known-7f6e5d")
        keep_secrets(["late-known-7f6e5d"])
        OURS.info("late-known-7f6e5d")
    assert [line["event"] for line in lines(path)] == ["late-known-7f6e5d", "[hidden]"]


def test_an_event_stays_on_its_line_and_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with logged(1, None):
        OURS.info("two\nlines", extra={"fields": {"said": "\x1b[31mred\nand more"}})
    assert capsys.readouterr().err == "prt: two\\nlines, said \\x1b[31mred\\nand more\n"


def test_a_log_file_that_can_t_be_written_is_refused_before_anything_is_done(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        ended = prt("run", prt.config(server.base_url), "--log-file", "nowhere/log.jsonl")
        assert server.calls == []
    assert ended.code == 2
    assert ended.err == (
        "prt: --log-file: nowhere/log.jsonl can't be written (No such file or directory); name a file in a folder that "
        "is there and may be written to.\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_log_file_that_fails_later_is_told_once_and_ends_nothing(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        ended = prt("run", prt.config(server.base_url), "--log-file", "/dev/full")
    assert ended.code == 0
    assert ended.err.count("the log ends here") == 1


def fails_in_two_ways(call: Call) -> Behaviour:
    if call.number % 3 == 0:
        return fails(500, message="out of order")
    return fails(400, message="no such thing") if call.number % 3 == 1 else answers("A")


@pytest.mark.sqlite
def test_a_run_logs_its_begin_each_kind_of_failure_with_its_count_and_its_end(prt: CommandLine) -> None:
    with FaultServer(by=fails_in_two_ways) as server:
        config = prt.config(server.base_url, items=8, limits={"give_up_after": None, "max_error_rate": 1.0})
        ended = prt("run", config, "-v", "--log-file", "log.jsonl")
    found = lines(prt.folder / "log.jsonl")
    assert [line["event"] for line in found] == [
        "run begins",
        "first failure of its kind",
        "first failure of its kind",
        "failures",
        "failures",
        "run ended",
    ]
    begun, *firsts, one, other, end = (line["fields"] for line in found)
    assert (begun["cells"], begun["model"], begun["store"]) == (24, "m", "prt.db")
    assert {first["kind"] for first in firsts} == {"server", "bad_request"}
    assert {one["kind"]: one["cells"], other["kind"]: other["cells"]} == {"server": 8, "bad_request": 8}
    assert (end["state"], end["done"], end["failed"], end["calls"]) == ("complete", 24, 16, 24)
    assert "prt: run begins, run " in ended.err
    assert ended.err.count("no such thing") == 2, "shown by the run itself, once at first and once at the end"


@pytest.mark.sqlite
def test_without_options_a_run_logs_nothing(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        ended = prt("run", prt.config(server.base_url))
    assert ended.code == 0
    assert "run begins" not in ended.err
    assert sorted(path.suffix for path in prt.folder.iterdir()) == [".db", ".jsonl", ".yaml"]


@pytest.mark.parametrize("command", ["run", "perturb", "shrink"])
def test_each_command_that_calls_models_takes_the_options(prt: CommandLine, command: str) -> None:
    shown = prt(command, "--help").out
    assert "--verbose" in shown
    assert "--log-file" in shown


def test_an_error_that_ends_a_command_is_the_log_s_last_line(prt: CommandLine) -> None:
    ended = prt("run", "nothing.yaml", "--log-file", "log.jsonl")
    (line,) = lines(prt.folder / "log.jsonl")
    assert ended.code == line["fields"]["exit_code"] == 2
    assert line["fields"]["error"] in ended.err


def test_a_log_is_refused_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be written"), logged(0, tmp_path):
        pass
