"""Controls from a config: made, proved on the grader, shown with their right answer, kept out of what is judged."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from prt.perturbations.question import Gold, Question
from prt.perturbations.variant import Variant
from prt.runner.config.schema import GradeConfig
from prt.runner.counting import is_judged
from prt.runner.errors import ConfigError
from prt.runner.graders.base import make_grader, prove_changed
from prt.runner.prepare import Prepared, prepare
from prt.runner.records import AnswerKey, Item
from pydantic import JsonValue as Json

from .command_line import CommandLine

SUMS: Sequence[dict[str, Json]] = [
    {"id": f"s{at}", "question": f"What is {at + 12} + 7?", "answer": str(at + 19)} for at in range(12)
]
CHOICES: Sequence[dict[str, Json]] = [
    {"id": "c", "question": "Is the sea salty?", "options": ["Yes", "No"], "answer": "Yes"}
]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def written(folder: Path, rows: Sequence[dict[str, Json]], **config: Json) -> Path:
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    whole = {"model": "local", "dataset": "items.jsonl", "perturbations": ["control"], **config}
    (folder / "prt.yaml").write_text(yaml.safe_dump(whole), encoding="utf-8")
    return folder / "prt.yaml"


def controls(prepared: Prepared) -> list[Variant]:
    return [each for each in prepared.all_variants() if each.generator == "control"]


def test_kinds_and_variants_are_those_of_the_config(tmp_path: Path) -> None:
    path = written(tmp_path, SUMS, grade="numeric", perturbations=[{"control": {"kind": ["numbers"], "variants": 2}}])
    found = controls(prepare(path, env={}))
    assert {each.condition for each in found} == {"control.1", "control.2"}
    assert {each.outcome for each in found} == {"applied"}
    assert json.loads(found[0].parameters) == {"kinds": ["numbers"]}


def test_controls_are_not_among_the_conditions_that_are_judged(tmp_path: Path) -> None:
    path = written(tmp_path, SUMS, grade="numeric", perturbations=["typo", "control", "rerun"])
    assert [each.name for each in prepare(path, env={}).counts.conditions if is_judged(each)] == ["typo.1"]


@pytest.mark.parametrize("steps", [["control", "typo"], ["typo", {"control": {"kind": ["negate"]}}]])
def test_a_composition_with_a_control_is_one_sentence_with_its_place(tmp_path: Path, steps: Json) -> None:
    path = written(tmp_path, SUMS, grade="numeric", perturbations=["typo", steps])
    with pytest.raises(
        ConfigError, match=r"prt\.yaml:\d+:\d+: perturbations\[1\]: `control` changes what is right"
    ) as caught:
        prepare(path, env={})
    assert len(str(caught.value).splitlines()) == 1


def test_a_kind_that_there_is_not_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    path = written(tmp_path, SUMS, grade="numeric", perturbations=[{"control": {"kind": ["numbers", "negation"]}}])
    with pytest.raises(ConfigError, match="expected `numbers`, `logic` or `negate`, found `negation`"):
        prepare(path, env={})


def test_a_grader_that_knows_the_old_answer_alone_gets_no_controls(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def check(reply, row):\n    return row['answer'] in reply\n", encoding="utf-8")
    path = written(tmp_path, SUMS, grade={"grader": "python", "callable": "own.py:check"})
    assert {(each.outcome, each.reason) for each in controls(prepare(path, env={}))} == {
        ("rejected", "grader: 'python' can't be tried on another right answer than the dataset's")
    }


def test_a_tolerance_that_still_passes_the_old_answer_rejects_the_control(tmp_path: Path) -> None:
    path = written(tmp_path, SUMS, grade={"grader": "numeric", "tolerance": 30})
    assert {each.reason for each in controls(prepare(path, env={}))} == {
        f'grader: the old right answer "Answer: {at + 19}" is not graded as failed' for at in range(12)
    }


@pytest.mark.parametrize("grader", ["exact", "contains", "numeric"])
def test_a_grader_takes_the_right_answer_from_the_control(tmp_path: Path, grader: str) -> None:
    assert {each.outcome for each in controls(prepare(written(tmp_path, SUMS, grade=grader), env={}))} == {"applied"}


def test_the_right_option_of_a_control_is_the_other_one(tmp_path: Path) -> None:
    (found,) = controls(prepare(written(tmp_path, CHOICES), env={}))
    assert (found.outcome, found.gold) == ("applied", Gold(options=(1,)))


def test_a_proof_with_the_old_answer_alone_would_pass_what_the_grader_gets_wrong() -> None:
    """The twin: under the same right answer before and after, nothing was changed, and the proof says so."""
    grader = make_grader(GradeConfig.model_validate({"grader": "exact"}), base=Path())
    question = sum_item("What is 2 + 2?", "4")
    key = AnswerKey(item=question)
    assert prove_changed(grader, key, key) == 'the old right answer "4" is not graded as failed'
    assert prove_changed(grader, AnswerKey(item=sum_item("What is 2 + 3?", "5")), key) is None


def sum_item(text: str, gold: str) -> Item:
    return Item(id="1", question=Question(text), gold=Gold(texts=(gold,)))


def test_prt_perturb_and_show_say_what_is_right_under_a_control(run: CommandLine) -> None:
    run.write("answering.py", "def answer(prompt):\n    return '19'\n")
    model: Json = {"provider": "python", "callable": "answering.py:answer"}
    path = written(run.folder, SUMS, grade="numeric", model=model, perturbations=["typo", "control"])
    shown = run("perturb", str(path), "--item", "s0")
    assert shown.code == 0
    assert "control.1 · applied · right: " in shown.out
    asked = run("run", str(path))
    assert asked.code == 0, asked.err
    assert "control.1: of 1 item answered rightly before" in " ".join(asked.out.split())
    assert "gives the old answer to questions whose right answer changed in 12 of 12" in " ".join(asked.out.split())
    assert " · right: " in run("show", "latest", "s0").out
    found = run("report", "latest", "--json").json
    assert [each["response"]["verdict"] for each in found["controls"]] == ["stays"]
    assert [each["summary"]["condition"] for each in found["conditions"]] == ["typo.1"]
