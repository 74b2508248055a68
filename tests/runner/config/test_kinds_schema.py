"""The JSON Schemas of duel and score configs: what a user may write fits, and common slips don't."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from prt.runner.config.duel_loading import parse_duel
from prt.runner.config.json_schema_kinds import duel_schema, score_schema
from prt.runner.config.score_loading import load_score
from prt.runner.errors import ConfigError

DUEL, SCORE = Draft202012Validator(duel_schema()), Draft202012Validator(score_schema())
PROMPTS = "model: {name: m}\ndataset: d.jsonl\nprompts: {baseline: {system: a}, candidate: {system: b}}\n"
SHORT = "dimensions: [{id: s, description: d, grader: rule, rule: {kind: length, max: 9}}]\n"
GOOD_DUELS = [
    PROMPTS + SHORT,
    PROMPTS + SHORT + "limits:\nprices: {input: 1, output: 2}\nalpha: 0.1",
    PROMPTS + "judge: local\ndimensions: [{id: s, description: d, reference: true}]",
    "models: {baseline: local, candidate: {name: m}}\nprompt:\ndataset: {path: d, sample: 9}\n" + SHORT,
    PROMPTS + "dimensions:\n- {id: j, description: d, grader: rule, rule: {kind: json, json_schema: {type: object}}}",
]
BAD_DUELS = [
    PROMPTS,
    "model: local\ndataset: d\n" + SHORT,
    PROMPTS + SHORT + "models: {baseline: local, candidate: {name: m}}",
    PROMPTS + "dimensions: []",
    PROMPTS + "dimensions: [{id: s}]",
    PROMPTS + "dimensions: [{id: s, description: d, grader: rule}]",
    PROMPTS + "dimensions: [{id: s, description: d, rule: {kind: length, max: 9}}]",
    PROMPTS + "dimensions: [{id: s, description: d, grader: rule, rule: {kind: size}}]",
    PROMPTS + SHORT + "judg: local",
    PROMPTS + SHORT + "margin: 0.5",
    PROMPTS.replace("{name: m}", "gpt") + SHORT,
]
GOOD_SCORES = [
    "sut: local\njudge: {name: j, params: {temperature: 0}}\nnum_pairs: 5",
    "sut: {provider: http, url: 'http://a', body: {q: '{prompt}'}, answer: a}\njudge: {name: j}\ngenerator: local",
    "inverted: true\nmin: 0\nmax: 100\nweight: 2\nperturbations: [typo, noise]\nlimits:",
]
BAD_SCORES = ["sut: locl", "num_pairs: 0", "num_pairs: 33", "perturbations: [typos]", "sut: {}", "rows: r.jsonl"]


def complaints(validator: Draft202012Validator, text: str) -> list[str]:
    return [error.message for error in validator.iter_errors(yaml.safe_load(text))]


@pytest.mark.parametrize("make", [duel_schema, score_schema])
def test_each_is_a_schema_of_its_dialect(make: Callable[[], dict[str, Any]]) -> None:
    Draft202012Validator.check_schema(make())


@pytest.mark.parametrize("text", GOOD_DUELS)
def test_a_good_duel_fits_and_loads(text: str) -> None:
    assert complaints(DUEL, text) == []
    parse_duel(text, Path("duel.yaml"), env={})


@pytest.mark.parametrize("text", BAD_DUELS)
def test_a_bad_duel_neither_fits_nor_loads(text: str) -> None:
    assert complaints(DUEL, text)
    with pytest.raises(ConfigError):
        parse_duel(text, Path("duel.yaml"), env={})


@pytest.mark.parametrize("text", GOOD_SCORES)
def test_a_good_score_fits_and_loads(tmp_path: Path, text: str) -> None:
    assert complaints(SCORE, text) == []
    (tmp_path / "score.yaml").write_text(text)
    load_score(tmp_path / "score.yaml", (), env={})


@pytest.mark.parametrize("text", BAD_SCORES)
def test_a_bad_score_neither_fits_nor_loads(tmp_path: Path, text: str) -> None:
    assert complaints(SCORE, text)
    (tmp_path / "score.yaml").write_text(text)
    with pytest.raises(ConfigError):
        load_score(tmp_path / "score.yaml", (), env={})
