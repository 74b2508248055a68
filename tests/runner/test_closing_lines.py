"""What the closing line of a prompt asks for is what the grader reads."""

import json

import pytest
import yaml
from prt.perturbations.rendering.render import user_text
from prt.runner.errors import ConfigError, DatasetError
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


def noted(prt: CommandLine, rows: list[dict[str, Json]], prompt: Json, **config: Json) -> tuple[str, ...]:
    """What is noted where the prompt is this one."""
    asked(
        prt, rows, model={"provider": "python", "callable": "a.py:a"}, prompt=prompt, perturbations=["rerun"], **config
    )
    return prepare(prt.folder / "prt.yaml", env={}).notes


def test_a_template_that_leaves_the_closing_line_out_is_noted(prt: CommandLine) -> None:
    rows: list[dict[str, Json]] = [{**ROWS[1], "answer": "Rhine"}]
    (note,) = noted(prt, rows, {"template": "{question}\n{options}"})
    assert note == (
        'prompt.template has no field {answer}, so the line "Answer with the letter of the correct option, A to C." is '
        "not asked; put {answer} in, or set `prompt.answer: ''` where the template says itself how to answer"
    )
    assert noted(prt, rows, {"template": "{question}\n{options}\n{answer}"}) == ()
    assert noted(prt, rows, {"template": "{question}\n{options}\nOne letter.", "answer": ""}) == ()


def test_a_line_that_the_grader_does_not_have_is_not_missed(prt: CommandLine) -> None:
    rows: list[dict[str, Json]] = [{"question": "Which number?", "answer": "7"}]
    assert noted(prt, rows, {"template": "{question}"}, grade={"grader": "regex", "pattern": r"(\d)"}) == ()
    assert "<number>" in noted(prt, rows, {"template": "{question}"}, grade="numeric")[0]


def test_a_template_that_leaves_a_part_out_is_named_with_its_line(prt: CommandLine) -> None:
    prt.write("items.jsonl", json.dumps(ROWS[1]) + "\n")
    prt.write(
        "prt.yaml",
        'model: {provider: python, callable: "a.py:a"}\ndataset: items.jsonl\n'
        'prompt:\n  template: "{question} {answer}"\n'
        "grade: multi\nperturbations: [rerun]\n",
    )
    with pytest.raises(ConfigError, match=r"prt\.yaml:4: prompt\.template: The template has no field \{options\}"):
        prepare(prt.folder / "prt.yaml", env={})
