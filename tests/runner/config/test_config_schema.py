"""The JSON Schema of what a user may write."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from prt.runner.config.json_schema import json_schema
from prt.runner.config.loading import parse_config
from prt.runner.config.schema import GENERATORS, PROVIDERS
from prt.runner.config.starter import starter_config
from prt.runner.errors import ConfigError

ROOT = Path(__file__).parents[3]
SCHEMA = json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
REST = "\ndataset: items.jsonl\nperturbations: [typo]"


def complaints(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(yaml.safe_load(text))]


def test_it_is_a_schema_of_its_dialect() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


GOOD = [
    "model: local" + REST,
    "model: {name: m}" + REST,
    "model: {provider: openai, name: m, params: {temperature: 0, stop: [a]}, retry: }" + REST,
    "model: {provider: local}" + REST,
    "model: {provider: http, url: 'http://a', headers: {A: '${T}'}, body: {q: '{prompt}'}}" + REST,
    "model: {provider: python, callable: 'a:b'}" + REST,
    "model: {provider: replay, path: r.csv}" + REST,
    "model: local\ndataset: d\nperturbations:\n- python: a.py:f\n- [python: {callable: 'a:f', parameters: {x: 1}}]",
    "model: local\ndataset: d\nperturbations: [{python: 'a.py:f', variants: 2, tier: stress, parameters: {x: 1}}]",
    "model: local\ndataset: {path: d, fields: {options: [a, b], answer: x}, sample: 3}\nperturbations: [rerun]",
    "model: local\ndataset: {path: d, fields: {options: {split: a, at: ';'}}}\nperturbations: [rerun]",
    "model: local\ndataset: d\nperturbations:\n- typo\n- reorder:\n- typo: {severity: hard}\n- [paraphrase, typo: ]",
    "model: local\ndataset: d\nperturbations: medium",
    "model: local\ndataset: d\nperturbations: [reorder: {of: context}, format: {severity: hard}]",
    "model: local\ndataset: d\nperturbations: [reorder: {kind: each_slot}, format: {kind: [extreme]}]",
    "model: local\nprompt:\nlimits:\nprotect:\ngrade: {grader: regex, pattern: a}" + REST,
    "model: local\ngrade: [numeric, {grader: exact, ignore_case: false}]" + REST,
    "model: local\ngrade: {grader: any_of, graders: [choice, {grader: json, json_schema: {type: object}}]}" + REST,
    "model: local\nprompt: {examples: [{question: a, options: [b], answer: 0}]}\ngrade: choice" + REST,
]
BAD = [
    "model: locl" + REST,
    "model: {}" + REST,
    "model: {path: x}" + REST,
    "model: {provider: http}" + REST,
    "model: {name: m, nam: x}" + REST,
    "model: local\ndataset: d\nperturbations: typo",
    "model: local\ndataset: d\nperturbations: []",
    "model: local\ndataset: d\nperturbations: strong",
    "model: local\ndataset: d\nperturbations: [medium]",
    "model: local\ndataset: d\nperturbations: [tpyo]",
    "model: local\ndataset: d\nperturbations: [[]]",
    "model: local\ndataset: d\nperturbations: [{typo: {}, reorder: {}}]",
    "model: local\ndataset: d\nperturbations: [typo: hard]",
    "model: local\ndataset: d\nperturbations: [python]",
    "model: local\ndataset: d\nperturbations: [{python: 'a.py:f', varaints: 2}]",
    "model: local\ndataset: d\nperturbations: [python: ]",
    "model: local\ndataset: d\nperturbations: [typo: {rate: 2}]",
    "model: local\ndataset: d\nperturbations: [reorder: {severity: hard}]",
    "model: local\ndataset: {pth: d}\nperturbations: [rerun]",
    "model: local\nsample: 3" + REST,
    "model: local\ngrade: regexp" + REST,
    "model: local\ngrade: [numeric, regexp]" + REST,
    "model: local\ngrade: []" + REST,
    "model: local\ngrade: [{grader: numeric, tolerance: -1}]" + REST,
    "model: local\nseed: one" + REST,
    "model: local\nseed:" + REST,
    "model: local",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_loads_is_valid_short_forms_included(text: str) -> None:
    parse_config(text, Path("config.yaml"), env={"T": "t"})
    assert complaints(text) == []


@pytest.mark.parametrize("text", BAD)
def test_what_does_not_load_is_not_valid(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_config(text, Path("config.yaml"), env={})
    assert complaints(text)


def test_what_is_public_is_valid() -> None:
    for text in GOOD:
        public = parse_config(text, Path("config.yaml"), env={"T": "t"}).public()
        assert [error.message for error in VALIDATOR.iter_errors(public)] == []


@pytest.mark.parametrize("path", [*ROOT.glob("configs/*.yaml")], ids=lambda path: str(path.name))
def test_the_configs_of_the_project_are_valid(path: Path) -> None:
    assert complaints(path.read_text(encoding="utf-8")) == []


def test_the_starter_config_is_valid() -> None:
    assert complaints(starter_config()) == []


def described(schema: Any) -> list[tuple[str, bool]]:
    """Every key of a schema, and whether it says what it means."""
    if isinstance(schema, list):
        return [found for part in schema for found in described(part)]
    if not isinstance(schema, dict):
        return []
    properties = schema.get("properties", {})
    here = [(key, "description" in part or "anyOf" in part or "$ref" in part) for key, part in properties.items()]
    return here + [found for part in schema.values() for found in described(part)]


def test_every_key_says_what_it_means() -> None:
    found = described(SCHEMA)
    assert len(found) > 80
    assert [key for key, told in found if not told] == []


def test_every_provider_and_generator_is_in_it() -> None:
    definitions = SCHEMA["$defs"]
    assert isinstance(definitions, dict)
    for section in (*PROVIDERS.values(), *GENERATORS.values()):
        assert section.__name__ in definitions
