"""Paraphrases of items that there are not, and passages in a column that no field names."""

import json
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue as Json

from .command_line import CommandLine


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def config(prt: CommandLine, perturbations: list[Json], dataset: Json) -> str:
    prt.write("answering.py", "def answer(question):\n    return 'A'\n")
    whole = {
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": dataset,
        "perturbations": perturbations,
    }
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


def paraphrased(prt: CommandLine, *ids: str, limit: int | None = None, composed: bool = False) -> str:
    rows = [{"id": each, "text": "1: name the city that is the capital of France?"} for each in ids]
    prt.write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    step: Json = {"paraphrase": {"file": "mine.jsonl"}}
    entry: Json = [step, "typo"] if composed else step
    return config(prt, ["reorder", entry], {"path": prt.capitals(5), **({"limit": limit} if limit else {})})


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("command", ["check", "plan", "perturb", "run"])
@pytest.mark.parametrize("composed", [False, True])
def test_a_file_of_other_items_is_refused_with_an_id_of_each(prt: CommandLine, command: str, *, composed: bool) -> None:
    ended = prt(command, paraphrased(prt, "a1", "a2", composed=composed))
    assert (ended.code, ended.out) == (2, "")
    expected = 'mine.jsonl: none of its 2 ids is in the dataset capitals.jsonl: it has "a1", and the dataset "q0"'
    assert expected in flat(ended.err)


def test_some_ids_that_there_are_not_are_counted(prt: CommandLine) -> None:
    out = flat(prt("check", paraphrased(prt, "q0", "a1", "a2")).out)
    assert 'note: mine.jsonl: 2 of 3 ids are in no row of the dataset ("a1" is one)' in out


def test_ids_of_rows_that_a_limit_leaves_out_are_known(prt: CommandLine) -> None:
    ended = prt("check", paraphrased(prt, "q3", "q4", limit=2))
    assert ended.code == 0
    assert "in no row" not in ended.out
    assert "`paraphrase.1` applies to none of 2 items" in flat(ended.out)


def passages(prt: CommandLine, column: str, fields: dict[str, Json]) -> str:
    rows = [
        {"id": f"q{at}", "question": f"Who wrote book {at}?", "answer": "Ann", column: ["Ann wrote it.", "Bo read it."]}
        for at in range(3)
    ]
    prt.write("books.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    dataset: Json = {"path": "books.jsonl", "fields": {"question": "question", "answer": "answer", **fields}}
    named = config(prt, ["typo", {"reorder": {"of": "context"}}], dataset)
    with (prt.folder / named).open("a", encoding="utf-8") as file:
        file.write("grade: contains\n")
    return named


@pytest.mark.parametrize("column", ["documents", "Passage", "context"])
def test_a_column_that_may_hold_passages_is_named_where_there_are_none(prt: CommandLine, column: str) -> None:
    out = flat(prt("check", passages(prt, column, {})).out)
    assert f"`reorder: {{of: context}}` finds no passages, and the rows have `{column}`" in out
    assert f"`dataset: {{fields: {{context: {column}}}}}`" in out


@pytest.mark.parametrize(("column", "fields"), [("documents", {"context": "documents"}), ("notes", {})])
def test_passages_that_are_read_and_other_columns_are_not_told(
    prt: CommandLine, column: str, fields: dict[str, Json]
) -> None:
    ended = prt("check", passages(prt, column, fields))
    assert ended.code == 0
    assert "finds no passages" not in ended.out
