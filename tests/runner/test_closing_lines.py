"""What the closing line of a prompt asks for is what the grader reads."""

import json

import pytest
import yaml
from prt.perturbations.rendering.render import user_text
from prt.runner.errors import DatasetError
from prt.runner.prepare import prepare
from pydantic import JsonValue as Json

from .command_line import CommandLine

ROWS: list[dict[str, Json]] = [
    {"question": "Which are cities?", "options": ["Lyon", "Rhine", "Nice"], "answer": ["Lyon", "Nice"]},
    {"question": "Which are rivers?", "options": ["Oslo", "Rhine", "Rome"], "answer": ["Rhine"]},
]
MOODS: list[dict[str, Json]] = [{"question": "How good it was!", "answer": "positive"}]


@pytest.fixture
def prt(tmp_path: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)  # type: ignore[arg-type]  # a path
    return CommandLine(tmp_path, capsys, monkeypatch)  # type: ignore[arg-type]  # a path


def asked(prt: CommandLine, rows: list[dict[str, Json]], **config: Json) -> dict[str, str]:
    """What is asked of the first item under each condition."""
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    rest = {"model": {"provider": "python", "callable": "a.py:a"}, "dataset": "items.jsonl"}
    prt.write("prt.yaml", yaml.safe_dump({**rest, **config}))
    prepared = prepare(prt.folder / "prt.yaml", env={})
    assert all(variant.outcome == "applied" for variant in prepared.all_variants())
    variants = prepared.variants[prepared.items[0].id]
    return {variant.condition: user_text(variant.question, variant.layout) for variant in variants}


def test_several_options_are_asked_for_in_the_labels_shown(prt: CommandLine) -> None:
    shown = asked(prt, ROWS, grade="multi", perturbations=[{"format": {"kind": ["labels"], "variants": 4}}, "reorder"])
    assert shown["baseline"].endswith("Answer with the labels of all correct options (A to C), separated by commas.")
    lines = [prompt.splitlines()[-1] for prompt in shown.values()]
    assert all(line.startswith("Answer with the labels of all correct options (") for line in lines)
    assert any("(a to c)" in line or "(1 to 3)" in line or "(i to iii)" in line.lower() for line in lines)


def test_labels_are_named(prt: CommandLine) -> None:
    labels: list[Json] = ["positive", "negative"]
    shown = asked(prt, MOODS, grade={"grader": "label", "labels": labels}, perturbations=["rerun"])
    assert shown["baseline"].endswith("Answer with one of these labels and nothing else: positive, negative.")


def test_a_right_answer_may_be_an_object_where_json_is_graded(prt: CommandLine) -> None:
    rows: list[dict[str, Json]] = [
        {"question": "Order one a.", "answer": {"items": ["a"], "n": 1}},
        {"question": "Order b or c.", "answer": [{"items": ["b"]}, '{"items": ["c"]}']},
        {"question": "List a and b.", "answer": [["a", "b"]]},
    ]
    shown = asked(prt, rows, grade="json", perturbations=["rerun"])
    assert shown["baseline"] == "Order one a."
    golds = [item.gold.texts for item in prepare(prt.folder / "prt.yaml", env={}).items]
    assert golds == [('{"items": ["a"], "n": 1}',), ('{"items": ["b"]}', '{"items": ["c"]}'), ('["a", "b"]',)]


def test_an_object_is_no_right_answer_for_other_graders(prt: CommandLine) -> None:
    with pytest.raises(DatasetError, match="an answer is an object"):
        asked(prt, [{"question": "Which?", "answer": {"a": 1}}], grade="exact", perturbations=["rerun"])


def test_a_closing_line_of_the_users_own_stands(prt: CommandLine) -> None:
    shown = asked(prt, ROWS, grade="multi", prompt={"answer": "Name all."}, perturbations=["rerun"])
    assert shown["baseline"].endswith("Name all.")
