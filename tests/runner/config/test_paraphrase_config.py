"""`paraphrase: {kind: llm}`: a model in any form that the top level takes, no secret shown, each mistake with a fix."""

from pathlib import Path

import jsonschema
import pytest
import yaml
from prt.runner.config.generators import given_params
from prt.runner.config.json_schema import json_schema
from prt.runner.config.loading import LoadedConfig, parse_config
from prt.runner.config.schema import HttpModel, LocalModel, OpenAIModel, ParaphraseConfig
from prt.runner.config.show import to_yaml
from prt.runner.errors import ConfigError

SECRET = "geheim-4711-0815"  # noqa: S105  no secret: it stands for one
TOKEN = "sk-abcdefghijklmnopqrstuvwxyz"  # noqa: S105  no token: it looks like one
HTTP = "{provider: http, url: 'http://x.example', headers: {Authorization: 'Bearer ${TOKEN}'}}"


def text(paraphrase: str) -> str:
    return f"model: {{name: m}}\ndataset: d.jsonl\nperturbations:\n  - paraphrase: {paraphrase}\n"


def loaded(paraphrase: str) -> LoadedConfig:
    return parse_config(text(paraphrase), Path("c.yaml"), env={"TOKEN": SECRET})


def section(paraphrase: str) -> ParaphraseConfig:
    config = loaded(paraphrase).config.perturbations[0][0].config
    assert isinstance(config, ParaphraseConfig)
    return config


GOOD = [
    "{kind: llm}",
    "{model: local}",
    "{model: {name: w}, variants: 3, attempts: 2, temperature: 1.2, formality: informal}",
    "{model: {provider: local, path: w.gguf, params: {max_tokens: 200}}, temperature: null}",
    f"{{model: {HTTP}, judge: local}}",
    "{kind: llm, judge: {name: j, params: {temperature: 0}}}",
    "{model: {name: w}, judge: {name: w}, self_judge: true}",
    "{kind: llm, temperature: 0, attempts: 1}",
    "{model: {provider: python, callable: 'w.py:write'}, temperature: null}",
]


@pytest.mark.parametrize("paraphrase", GOOD)
def test_what_is_public_loads_to_the_same_config_and_holds_no_secret(paraphrase: str) -> None:
    config = loaded(paraphrase)
    public = to_yaml(config.public())
    assert SECRET not in public
    assert SECRET not in repr(config.config)
    again = parse_config(public, Path("c.yaml"), env={"TOKEN": SECRET})
    assert again.config == config.config
    assert again.public() == config.public()


@pytest.mark.parametrize("paraphrase", GOOD)
def test_editors_accept_what_loads(paraphrase: str) -> None:
    jsonschema.validate(yaml.safe_load(text(paraphrase)), json_schema())


@pytest.mark.parametrize("paraphrase", ["{model: remote}", "{kind: llm, formality: rude}", "{kind: llm, judge: 3}"])
def test_editors_refuse_what_does_not(paraphrase: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text(paraphrase)), json_schema())
    with pytest.raises(ConfigError):
        loaded(paraphrase)


def test_a_model_says_its_kind_and_takes_the_short_forms_of_the_top_level() -> None:
    assert section("{model: local}").kind == "llm"
    assert isinstance(section("{model: local}").model, LocalModel)
    assert isinstance(section("{model: {name: w}}").model, OpenAIModel)
    assert isinstance(section(f"{{model: {HTTP}}}").model, HttpModel)
    assert isinstance(section("{kind: llm, judge: local}").judge, LocalModel)
    assert section("{model: null}").kind == "frames"


def test_the_parameters_that_every_local_model_has_are_not_taken_for_given() -> None:
    assert given_params(LocalModel()) == {}
    assert given_params(LocalModel(params={"temperature": 0, "max_tokens": 64})) == {}
    assert given_params(LocalModel(params={"seed": 1})) == {"seed": 1}
    assert given_params(OpenAIModel(name="m", params={"seed": 1})) == {"seed": 1}
    assert given_params(HttpModel(url="http://x")) == {}


MISTAKES = [
    ("{formality: formal}", "formality", "this is for `kind: llm`, and the kind is `frames`; say `kind: llm`, or"),
    ("{kind: file, file: f.jsonl, judge: local}", "judge", "this is for `kind: llm`, and the kind is `file`"),
    ("{kind: frames, model: local}", "model", "this is for `kind: llm`, and the kind is `frames`"),
    ("{kind: llm, file: f.jsonl}", "kind", "`kind: llm` reads no file"),
    ("{model: gpt}", "model", "expected `local` or a block, found `gpt`; write `model: {name: gpt}`"),
    ("{kind: llm, judge: gpt}", "judge", "write `judge: {name: gpt}` for a model of an OpenAI-compatible"),
    ("{kind: llm, judge: w.gguf}", "judge", "write `judge: {provider: local, path: w.gguf}`"),
    ("{model: {url: 'http://x'}}", "model", "`url` without a provider; add `provider: http`"),
    ("{model: {provider: htp}}", "model.provider", "found `htp`; did you mean `http`?"),
    ("{model: {provider: replay, path: r.jsonl}}", "model", "a file of replies can't be asked; `file` takes"),
    ("{kind: llm, judge: {provider: replay, path: r}}", "judge", "a file of replies can't be asked"),
    ("{model: {name: w, params: {temperature: 1}}}", "model", "`temperature` stands beside `model`"),
    ("{model: {name: w, temperature: 1}}", "model.temperature", "this key belongs beside `model:`, under"),
    ("{model: {name: w, attempts: 1}}", "model.attempts", "this key belongs beside `model:`, under"),
    ("{model: {name: w, parms: {}}}", "model.parms", "unknown key; did you mean `params`?"),
    ("{kind: llm, judge: {name: j, top_k: 1}}", "judge.top_k", "this key belongs under `model: params:`"),
    ("{kind: llm, judge: {name: j, topk: 1}}", "judge.topk", "which belongs under `judge: params:`"),
    ("{kind: llm, judge: {provider: local, name: j}}", "judge.name", "this key is only for `provider: openai`"),
    ("{kind: llm, judge: {}}", "judge.name", "this key is missing"),
    ("{model: {name: 3}}", "model.name", "expected text, found `3`"),
    ("{model: {name: w, retry: {retries: -1}}}", "model.retry.retries", "expected a whole number from 0 to 100"),
    (f"{{model: {HTTP}, temperature: 0.3}}", "temperature", "an application sets its own temperature"),
    ("{kind: llm, temperature: 0}", "temperature", "every proposal is the same; write `attempts: 1`"),
    ("{kind: llm, temperature: 0, attempts: 1, variants: 2}", "temperature", "write `variants: 1`"),
    ("{kind: llm, temperature: 3}", "temperature", "expected a number from 0 to 2"),
    ("{kind: llm, attempts: 0}", "attempts", "expected a whole number from 1 to 20"),
    ("{kind: llm, self_judge: true}", "self_judge", "there is no `judge`; name it, or leave this out"),
    ("llm", "", "expected a block of parameters, found `llm`; write `paraphrase: {kind: llm}`"),
    (f"{{model: {{name: w, api_key: {TOKEN}}}}}", "model.api_key", "this looks like an API key"),
    (f"{{kind: llm, judge: {{name: j, params: {{x: {TOKEN}}}}}}}", "judge.params.x", "this looks like an API key"),
]


@pytest.mark.parametrize(("paraphrase", "key", "sentence"), MISTAKES)
def test_a_mistake_is_told_with_its_place_and_its_fix(paraphrase: str, key: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(paraphrase)
    (problem,) = caught.value.problems
    assert problem.key == ("perturbations[0].paraphrase" + (f".{key}" if key else ""))
    assert problem.line == 4
    assert sentence in problem.message
    assert TOKEN not in str(problem)
