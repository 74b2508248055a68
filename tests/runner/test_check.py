"""`prt check`: what it calls well can be run, and what it shows is what a run takes."""

import importlib.util
import json
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue as Json

from .command_line import KEY, CommandLine


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def config(prt: CommandLine, model: Json, **rest: Json) -> str:
    whole = {"model": model, "dataset": prt.capitals(), "perturbations": ["typo"], **rest}
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


REPLIES = "".join(json.dumps({"item": "q0", "reply": letter}) + "\n" for letter in "AB")
MODELS: list[tuple[Json, str]] = [
    ({"provider": "replay", "path": "missing.jsonl"}, "missing.jsonl: can't be read"),
    ({"provider": "replay", "path": "twice.jsonl"}, "has a reply on line 1 already"),
    ({"provider": "python", "callable": "missing.py:answer"}, "missing.py"),
    ({"provider": "python", "callable": "answering.py:reply"}, "answering.py has no 'reply'; it defines answer"),
    ({"provider": "python", "callable": "answering.py:answer"}, "it will be called with (messages)"),
    ({"provider": "local", "path": "missing.gguf"}, "model.path: missing.gguf does not exist"),
    ({"provider": "local", "path": "twice.jsonl"}, "model.path: twice.jsonl is no GGUF file"),
    ({"provider": "openai", "name": "m", "params": {"n": 2, "temperature": 0}}, "model.params.n"),
]


@pytest.mark.parametrize(("model", "sentence"), MODELS)
def test_a_model_that_can_not_be_opened_is_told_by_check_as_by_run(
    prt: CommandLine, model: Json, sentence: str
) -> None:
    prt.write("twice.jsonl", REPLIES)
    prt.write("answering.py", "def answer(): return 'A'\n")
    named = config(prt, model)
    checked, ran = prt("check", named), prt("run", named)
    assert sentence in checked.err
    assert (checked.code, checked.out, checked.err) == (2, "", ran.err)


@pytest.mark.sqlite
def test_a_store_that_can_not_be_made_is_told_and_none_is_made(prt: CommandLine) -> None:
    model: Json = {"provider": "openai", "name": "m", "params": {"temperature": 0}}
    named = config(prt, model, store="missing/prt.db")
    checked, ran = prt("check", named), prt("run", named)
    assert (checked.code, checked.err) == (2, ran.err)
    assert "the folder missing does not exist" in checked.err
    assert prt("check", config(prt, model)).code == 0
    assert not (prt.folder / "prt.db").exists()


def test_a_local_model_without_llama_is_told_with_the_command_that_installs_it(prt: CommandLine) -> None:
    find_spec = importlib.util.find_spec

    def without_llama(name: str) -> ModuleSpec | None:
        return None if name == "xllamacpp" else find_spec(name)

    prt.monkeypatch.setattr(importlib.util, "find_spec", without_llama)
    ended = prt("check", config(prt, "local"))
    assert (ended.code, ended.out) == (2, "")
    assert "`pip install xllamacpp`" in ended.err


@pytest.mark.parametrize(
    ("model", "rest", "shown"),
    [
        (
            {"name": "m"},
            {},
            ["grade: choice  # default", "store: prt.db  # default", "limits.concurrency: auto  # default"],
        ),
        ({"name": "m"}, {}, ["model.base_url: https://api.openai.com/v1  # default"]),
        ({"name": "m"}, {"grade": "choice"}, ["grade.grader: choice  # prt.yaml:6"]),
        ({"name": "m"}, {"store": "mine.db"}, ["store: mine.db  # prt.yaml:6"]),
        ("local", {}, ["limits.concurrency: 1  # default", "model.path: null, the embedded SmolLM2-135M-Instruct"]),
    ],
)
def test_what_a_config_leaves_open_is_shown_as_a_run_takes_it(
    prt: CommandLine, model: Json, rest: dict[str, Json], shown: list[str]
) -> None:
    lines = prt("check", "--show", config(prt, model, **rest)).out.splitlines()
    for line in shown:
        assert any(found.startswith(line) for found in lines), (line, lines)


def test_the_threads_of_a_local_model_are_shown_as_a_number(prt: CommandLine) -> None:
    prt.monkeypatch.setattr("prt.runner.models.cores.usable_cores", lambda: 7)
    assert "model.threads: 6  # default" in prt("check", "--show", config(prt, "local")).out


def test_the_store_of_the_environment_is_shown_by_its_variable(prt: CommandLine) -> None:
    prt.monkeypatch.setenv("PRT_STORE", "elsewhere.db")
    shown = prt("check", "--show", config(prt, {"name": "m"}, store="mine.db")).out
    assert "store: ${PRT_STORE}  # the environment" in shown


RAISES = "def right(reply, row):\n    return reply == row['answr']\n"
RAISES_LATE = """
def right(reply, row):
    if reply.startswith("The"):
        raise OSError("no such table")
    return False
"""


@pytest.mark.sqlite
def test_a_grader_that_raises_on_every_row_is_told_by_check_and_by_run_before_a_call(prt: CommandLine) -> None:
    prt.write("checks.py", RAISES)
    prt.write("answering.py", "def answer(messages):\n    raise SystemExit('asked')\n")
    grade: Json = {"grader": "python", "callable": "checks.py:right"}
    named = config(prt, {"provider": "python", "callable": "answering.py:answer"}, grade=grade)
    checked, ran = prt("check", named), prt("run", named)
    assert (checked.code, ran.code, ran.err) == (2, 2, checked.err)
    assert "capitals.jsonl: rows 1, 2, 3 and 9 more: grader: checks.py:right raised KeyError: 'answr'" in checked.err
    assert len(checked.err.splitlines()) == 1


@pytest.mark.sqlite
def test_where_a_grader_raised_on_replies_the_advice_is_to_mend_it(prt: CommandLine) -> None:
    prt.write("late.py", RAISES_LATE)
    prt.write("answering.py", "def answer(messages):\n    return 'The answer is A.'\n")
    grade: Json = {"grader": "python", "callable": "late.py:right"}
    ran = prt("run", config(prt, {"provider": "python", "callable": "answering.py:answer"}, grade=grade))
    assert ran.code == 3
    assert "Resume with" not in ran.err
    assert "The grader could not judge 24 of 24 replies; `prt show` tells why. Mend it, and the same" in ran.err
