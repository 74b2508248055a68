"""A suite is made once: a later run of an equal recipe takes it from the store, and says the same."""

import json
import os
from pathlib import Path

import pytest
import yaml
from prt.runner import recipe
from prt.runner.commands import preparing
from prt.runner.config.loading import load_config
from prt.runner.recipe import recipe_of
from pydantic import JsonValue as Json

from .command_line import CommandLine

PROGRAM = """
def answer(messages):
    with open("calls", "a") as file:
        file.write("x")
    return "A"
"""
BASE: dict[str, Json] = {
    "model": {"provider": "python", "callable": "answering.py:answer"},
    "dataset": "capitals.jsonl",
    "perturbations": ["reorder", "typo", {"paraphrase": {"file": "mine.jsonl"}}],
    "seed": 1,
}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    prt.capitals()
    prt.write("answering.py", PROGRAM)
    prt.write("mine.jsonl", '{"id": "q0", "text": "1: what is the capital city of France?"}\n')
    config(prt)
    return prt


def config(prt: CommandLine, **changes: Json) -> str:
    return prt.write("prt.yaml", yaml.safe_dump({**BASE, **changes}))


def forbid_making(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*_: object, **__: object) -> None:
        pytest.fail("the suite was made again")

    monkeypatch.setattr(preparing, "prepare", made)


def found(folder: Path) -> str | None:
    return recipe_of(load_config(folder / "prt.yaml", env=os.environ))


def test_an_equal_recipe_is_taken_from_the_store_and_gives_the_same(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = prt("run", "prt.yaml", "--json")
    assert first.code == 0
    forbid_making(monkeypatch)
    calls = (prt.folder / "calls").read_bytes()
    again = prt("run", "prt.yaml", "--json")
    assert again.code == 0
    assert (prt.folder / "calls").read_bytes() == calls
    assert again.json["conditions"] == first.json["conditions"]
    assert "`paraphrase.1`" not in again.err
    assert [line for line in first.err.splitlines() if "note" in line] == [
        line for line in again.err.splitlines() if "note" in line
    ]


def test_a_fresh_run_asks_anew_what_is_taken_from_the_store(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prt("run", "prt.yaml", "--json")
    forbid_making(monkeypatch)
    calls = len((prt.folder / "calls").read_bytes())
    fresh = prt("run", "prt.yaml", "--fresh", "--json")
    assert (first.code, fresh.code) == (0, 0)
    assert len((prt.folder / "calls").read_bytes()) == 2 * calls


def test_notes_and_rows_that_were_left_out_are_told_again(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (prt.folder / "capitals.jsonl").read_text(encoding="utf-8").splitlines()
    prt.write("capitals.jsonl", "\n".join([*rows, *(json.dumps({"id": f"bad{at}", "question": "?"}) for at in (1, 2))]))
    dataset: Json = {"path": "capitals.jsonl", "on_bad_item": "skip"}
    config(prt, dataset=dataset, perturbations=["reorder", {"reorder": {"of": "context"}}])
    first = prt("run", "prt.yaml")
    forbid_making(monkeypatch)
    again = prt("run", "prt.yaml")
    assert "rows 13 and 14" in first.err
    assert "applies to none" in first.err
    assert sorted(notes(first.err)) == sorted(notes(again.err))


def notes(said: str) -> list[str]:
    return said.partition("prt-")[0].splitlines()


CHANGES: list[dict[str, Json]] = [
    {"seed": 2},
    {"perturbations": ["reorder"]},
    {"prompt": {"instruction": "Answer."}},
    {"grade": "exact"},
    {"protect": ["capital"]},
    {"repeats": 2},
    {"dataset": {"path": "capitals.jsonl", "limit": 3}},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_another_config_is_another_recipe(prt: CommandLine, changes: dict[str, Json]) -> None:
    before = found(prt.folder)
    assert before is not None
    config(prt, **changes)
    assert found(prt.folder) not in {before, None}


@pytest.mark.parametrize("changes", [{"limits": {"concurrency": 3}}, {"name": "other"}, {"analysis": {"alpha": 0.1}}])
def test_what_decides_no_variant_is_no_part_of_the_recipe(prt: CommandLine, changes: dict[str, Json]) -> None:
    before = found(prt.folder)
    config(prt, **changes)
    assert found(prt.folder) == before


@pytest.mark.parametrize("name", ["capitals.jsonl", "mine.jsonl"])
def test_another_byte_of_a_file_is_another_recipe(prt: CommandLine, name: str) -> None:
    before = found(prt.folder)
    with (prt.folder / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert found(prt.folder) not in {before, None}


def test_another_state_of_the_code_is_another_recipe(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    before = found(prt.folder)
    monkeypatch.setattr(recipe, "own_files", lambda: "other")
    assert found(prt.folder) not in {before, None}


BEYOND: list[dict[str, Json]] = [
    {"grade": {"grader": "python", "callable": "answering.py:answer"}},
    {"perturbations": [{"python": {"callable": "answering.py:answer"}}]},
    {"perturbations": [{"paraphrase": {"kind": "llm", "model": {"provider": "openai", "name": "m"}}}]},
    {"dataset": "hf://someone/something"},
    {"dataset": {"path": "capitals.jsonl", "fields": {"images": "picture"}}},
    {"dataset": "missing.jsonl"},
]


@pytest.mark.parametrize("changes", BEYOND)
def test_what_no_hash_can_tell_has_no_recipe(prt: CommandLine, changes: dict[str, Json]) -> None:
    config(prt, **changes)
    assert found(prt.folder) is None


def test_a_pipe_is_not_read_for_a_recipe(prt: CommandLine) -> None:
    (prt.folder / "capitals.jsonl").unlink()
    os.mkfifo(prt.folder / "capitals.jsonl")
    assert found(prt.folder) is None
