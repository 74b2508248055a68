"""Style and noise from a config: built as it says, proved on the grader, stress kept out of what is judged."""

import json
from pathlib import Path

import pytest
import yaml
from prt.perturbations import Noise, Style
from prt.perturbations.generator import Generator
from prt.runner.config.loading import load_config
from prt.runner.counting import is_judged
from prt.runner.generators import build_generators
from prt.runner.prepare import Prepared, prepare
from pydantic import JsonValue as Json

ROWS: list[dict[str, Json]] = [
    {"id": "a", "question": "Which of the following is a mammal?", "options": ["bat", "trout"], "answer": "bat"},
    {"id": "b", "question": "What is the color of the sky?", "options": ["blue", "red"], "answer": "blue"},
]


def written(folder: Path, *perturbations: Json) -> Path:
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    config: Json = {"model": "local", "dataset": "items.jsonl", "perturbations": list(perturbations), "repeats": 2}
    (folder / "prt.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return folder / "prt.yaml"


def built(folder: Path, *perturbations: Json) -> tuple[Generator, ...]:
    path = written(folder, *perturbations)
    return build_generators(load_config(path, env={}).config, base=folder)


def prepared(folder: Path, *perturbations: Json) -> Prepared:
    return prepare(written(folder, *perturbations), env={})


@pytest.mark.parametrize(
    ("entry", "generator"),
    [
        ("style", Style()),
        ({"style": {"kind": ["terse", "casual"], "variants": 3}}, Style(kind=("casual", "terse"), variants=3)),
        ({"style": {"kind": ["spelling"], "parts": ["context"]}}, Style(kind=("spelling",), parts=("context",))),
        ("noise", Noise()),
        ({"noise": {"severity": "hard"}}, Noise(rate=0.2)),
        (
            {"noise": {"rate": 0.5, "kind": ["ocr"], "parts": ["system"]}},
            Noise(rate=0.5, kind=("ocr",), parts=("system",)),
        ),
        ({"noise": {"kind": ["distractor", "quotes"]}}, Noise(kind=("quotes", "distractor"))),
    ],
)
def test_a_config_builds_what_it_says(tmp_path: Path, entry: Json, generator: Generator) -> None:
    assert built(tmp_path, entry) == (generator,)


def test_defaults_of_a_config_are_those_of_the_generators(tmp_path: Path) -> None:
    assert built(tmp_path, "style", "noise") == (Style(), Noise())


def test_stress_is_numbered_on_and_stays_out_of_what_is_judged(tmp_path: Path) -> None:
    found = prepared(tmp_path, "style", "noise", {"noise": {"kind": ["distractor"]}})
    variants = list(found.all_variants())
    assert [(each.condition, each.tier) for each in variants if each.item_id == "a"] == [
        ("baseline", "guaranteed"),
        ("style.1", "checked"),
        ("noise.1", "checked"),
        ("noise.2", "stress"),
    ]
    assert {each.outcome for each in variants} == {"applied"}
    assert [each.name for each in found.counts.conditions if is_judged(each)] == ["style.1", "noise.1"]


def test_every_kind_passes_the_grader_with_its_right_answer(tmp_path: Path) -> None:
    kinds = ["spacing", "line_ends", "punctuation", "quotes", "case", "caps", "ocr", "homoglyphs", "distractor"]
    styles = ["polite", "terse", "casual", "imperative", "question", "contractions", "spelling"]
    entries = [*({"noise": {"kind": [kind]}} for kind in kinds), *({"style": {"kind": [kind]}} for kind in styles)]
    found = prepared(tmp_path, *entries)  # type: ignore[arg-type] # blocks, as JSON has them
    assert not found.skipped
    assert {each.outcome for each in found.all_variants()} == {"applied", "not_applicable"}
