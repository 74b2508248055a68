"""What shells are offered while a command is typed: runs, baselines, series, items and conditions of its store."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer.main
from prt.runner import completing
from prt.runner.cli import app
from prt.runner.completing import Offer, fitting, is_plain
from prt.runner.store.database import open_store
from prt.runner.store.find import find_run
from prt.runner.store.nights import put_night
from typer._completion_classes import BashComplete, ZshComplete

from .command_line import CommandLine

pytestmark = pytest.mark.sqlite
Complete = Callable[[str], list[str]]
ROWS = [{"id": f"q{at}", "question": "Is seven more than three, please?", "answer": "yes"} for at in range(3)]
HEAVY = ("numpy", "scipy", "openai", "sqlalchemy", "yaml", "httpx")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A folder with a store in it that has two runs, a baseline and a series."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_STORE", raising=False)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    prt.write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in [*ROWS, {**ROWS[0], "id": "has space"}]))
    prt.write("answering.py", "def answer(messages): return 'yes'\n")
    prt.write(
        "prt.yaml",
        "name: triage\nmodel: {provider: python, callable: 'answering.py:answer'}\ndataset: rows.jsonl\n"
        "perturbations: [typo: {variants: 2}, [noise, typo], typo]\ngrade: exact\nstore: sub/own.db\n",
    )
    for _ in range(2):
        assert prt("run", "prt.yaml", "--store", "prt.db", "--fresh", "--quiet").code == 0
    prt("baseline", "set", "main", "latest")
    with open_store("prt.db") as store:
        put_night(store, "triage", find_run(store, "latest").number, {})
    return prt


@pytest.fixture
def bash(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """What bash is offered for the last word of a line."""

    def offered(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        told = BashComplete(typer.main.get_command(app), {}, "prt", "_PRT_COMPLETE").complete()
        printed = prt.capsys.readouterr()
        assert (printed.out, printed.err) == ("", "")
        return told.splitlines()

    return offered


@pytest.fixture
def zsh(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What zsh is told to do for the last word of a line."""

    def offered(line: str) -> str:
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        told = ZshComplete(typer.main.get_command(app), {}, "prt", "_PRT_COMPLETE").complete()
        assert prt.capsys.readouterr().out == ""
        return told

    return offered


def ids(prt: CommandLine) -> list[str]:
    return [run["id"] for run in prt("runs", "--store", "prt.db", "--json").json]


@pytest.mark.parametrize(
    "line",
    [
        "prt report ",
        "prt show ",
        "prt compare ",
        "prt compare main ",
        "prt grade ",
        "prt audit ",
        "prt shrink ",
        "prt store export ",
        "prt baseline set main ",
        "prt judge sample ",
        "prt judge calibrate labels.csv --run ",
        "prt score --run ",
        "prt run prt.yaml --store prt.db --against ",
    ],
)
def test_runs_are_offered_wherever_a_run_is_named_the_newest_first(bash: Complete, prt: CommandLine, line: str) -> None:
    assert bash(line) == [*ids(prt), "latest", "main"]


def test_words_begin_with_what_was_typed(bash: Complete, prt: CommandLine) -> None:
    newest, oldest = ids(prt)
    assert bash("prt report l") == ["latest"]
    assert bash(f"prt report {newest[:-1]}") == [newest]
    assert bash("prt report triage-") == [newest, oldest]
    assert bash("prt report x") == []


def test_zsh_is_told_what_a_run_is(zsh: Callable[[str], str], prt: CommandLine) -> None:
    (newest, _) = ids(prt)
    told = zsh("prt report ")
    assert f'"{newest}":"triage, complete, 20' in told
    assert f'"latest":"the newest run, {newest}"' in told
    assert f'"main":"the baseline main, {newest}"' in told
    assert zsh("prt report x") == "_files"


def test_names_of_baselines_and_series_are_offered_where_they_are_named(bash: Complete) -> None:
    assert bash("prt baseline remove ") == bash("prt baseline set ") == ["main"]
    assert bash("prt trend ") == bash("prt store prune --series ") == ["triage"]


def test_items_and_conditions_are_those_of_the_run_that_was_typed(bash: Complete, prt: CommandLine) -> None:
    conditions = ["typo.1", "typo.2", "noise+typo.1", "typo.3"]
    assert bash("prt show latest ") == ["q0", "q1", "q2"], "a name with a space would be two words"
    assert bash("prt show latest q0 --condition ") == conditions
    assert bash(f"prt shrink {ids(prt)[1]} q0 ") == conditions
    assert bash("prt shrink none q0 ") == []


def test_conditions_of_a_config_are_offered_before_it_is_run(bash: Complete) -> None:
    assert bash("prt perturb prt.yaml --review -c ") == ["typo.1", "typo.2", "noise+typo.1", "typo.3"]
    assert bash("prt perturb none.yaml --review -c ") == []


def test_the_store_is_found_as_the_command_finds_it(
    bash: Complete, prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = ids(prt)[0]
    assert bash("prt report --store none.db ") == []
    assert newest in bash("prt report --store prt.db ")
    assert newest in bash(f"prt report --store sqlite:///{prt.folder}/prt.db ")
    assert bash("prt compare main --store-b none.db ") == []
    assert bash("prt run prt.yaml --against ") == [], "the config names another store, which is not there"
    (prt.folder / "sub").mkdir()
    shutil.copy("prt.db", "sub/own.db")
    assert newest in bash("prt run prt.yaml --against ")
    monkeypatch.setenv("STORES", "sub")
    Path("prt.yaml").write_text(Path("prt.yaml").read_text().replace("sub/own.db", '"${STORES}/own.db"'))
    assert newest in bash("prt run prt.yaml --against ")
    monkeypatch.setenv("PRT_STORE", "none.db")
    assert bash("prt report ") == bash("prt run prt.yaml --against ") == []
    monkeypatch.setenv("PRT_STORE", "prt.db")
    assert newest in bash("prt run prt.yaml --against ")


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_whatever_goes_wrong_nothing_is_offered_nothing_said_and_nothing_made(
    bash: Complete, prt: CommandLine, content: bytes | None
) -> None:
    broken = prt.folder / "broken.db"
    if content is not None:
        broken.write_bytes(content)
    else:
        with sqlite3.connect(broken) as other:
            other.execute("CREATE TABLE runs (x)")
        other.close()
    before = {file: file.stat().st_size for file in prt.folder.iterdir()}
    for line in ("prt report --store broken.db ", "prt trend --store broken.db ", "prt report --store none.db "):
        assert bash(line) == []
    assert {file: file.stat().st_size for file in prt.folder.iterdir()} == before


def test_an_address_that_no_one_answers_offers_nothing(bash: Complete) -> None:
    assert bash("prt report --store postgresql://127.0.0.1:9/none ") == []
    assert bash("prt report --store mysql://127.0.0.1/none ") == []


def test_only_words_that_mean_themselves_in_a_shell_are_offered() -> None:
    fit = ["typo.1", "noise+typo.1", "q_1", "a@b", "50%", "é-9".replace("é", "e")]
    unfit = ["a b", "$(id)", "`id`", "it's", 'a"b', "a;b", "*", "a:b", "a=b", "-x", "", "a\\b", "a\nb"]
    assert [word for word in [*fit, *unfit] if is_plain(word)] == fit
    assert fitting(iter([Offer(word) for word in [*unfit, *fit]]), "") == [(word, "") for word in fit]


def test_help_holds_nothing_that_a_shell_evaluates() -> None:
    ((_, told),) = fitting(iter([Offer("x", "triage \\$(id) `id` ' \" [0] {a} \x1b[31m \n end")]), "")
    assert not {*told} & {*"\\$`'\"[](){}\x1b\n"}
    assert told.startswith("triage")
    assert told.endswith("end")


def test_a_store_with_very_many_runs_offers_the_newest() -> None:
    many = fitting((Offer(f"r{at}") for at in range(1000)), "r")
    assert [value for value, _ in many] == [f"r{at}" for at in range(completing.MOST)]
    assert fitting((Offer(f"r{at}") for at in range(1000)), "r99") == [
        ("r99", ""),
        *((f"r99{at}", "") for at in range(10)),
    ]


def test_a_fault_of_ours_is_no_output_either() -> None:
    assert completing.runs(SimpleNamespace(), "") == []
    assert completing.planned_conditions(SimpleNamespace(), "") == []


def environment(folder: Path, **more: str) -> dict[str, str]:
    told = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "HOME": str(folder), **more}
    return {**{name: value for name, value in os.environ.items() if name != "PRT_STORE"}, **told}


def test_a_completion_loads_nothing_that_is_slow(prt: CommandLine) -> None:
    asked = environment(
        prt.folder, _PRT_COMPLETE="complete_bash", COMP_WORDS="prt report ", COMP_CWORD="2", PYTHONSAFEPATH="1"
    )
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "prt.runner"],
        env=asked,
        cwd=prt.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [*ids(prt), "latest", "main"]
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & {*HEAVY}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_real_bash_completes_runs_and_leaves_files_to_itself(prt: CommandLine, tmp_path: Path) -> None:
    binaries = tmp_path / "bin"
    binaries.mkdir()
    program = binaries / "prt"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m prt.runner "$@"\n')
    program.chmod(0o755)
    script = (
        "set -e\nprt --show-completion > completion.sh\n. ./completion.sh\n"
        'COMP_WORDS=(prt report ""); COMP_CWORD=2; _prt_completion prt; echo "${COMPREPLY[@]}"\n'
        'COMP_WORDS=(prt report l); COMP_CWORD=2; _prt_completion prt; echo "${COMPREPLY[@]}"\n'
        'COMP_WORDS=(prt run pr); COMP_CWORD=2; _prt_completion prt; echo "[${COMPREPLY[@]}]"\n'
        "complete -p prt\n"
    )
    done = subprocess.run(  # noqa: S603 - our own script
        ["bash", "-c", script],  # noqa: S607 - of this machine
        cwd=prt.folder,
        env=environment(tmp_path, PATH=f"{binaries}:{os.environ['PATH']}"),
        capture_output=True,
        text=True,
        check=True,
    )
    every, latest, files, how = done.stdout.splitlines()
    assert every.split() == [*ids(prt), "latest", "main"]
    assert (latest, files) == ("latest", "[]")
    assert "-o default" in how, "where we offer nothing bash offers files"
    assert done.stderr == ""
