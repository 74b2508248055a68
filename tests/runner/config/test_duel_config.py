"""The config of a duel: what it takes, and what it says of mistakes, each with its place."""

from pathlib import Path

import pytest
from prt.runner.config.duel import DuelConfig
from prt.runner.config.duel_loading import LoadedDuel, parse_duel
from prt.runner.config.models import LocalModel, OpenAIModel
from prt.runner.config.show import to_yaml
from prt.runner.errors import ConfigError

HEAD = """\
model: {name: m}
dataset: items.jsonl
prompts:
  baseline: {system: You help.}
  candidate: {system: You help briefly.}
"""
RULE = "dimensions:\n  - {id: brief, description: It is short., grader: rule, rule: {kind: length, wins: shorter}}\n"
JUDGED = "dimensions:\n  - {id: good, description: It helps.}\n"


def load(text: str, **env: str) -> LoadedDuel:
    return parse_duel(text, Path("duel.yaml"), env=env)


def refused(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(text)
    return str(caught.value).split("\n")


def rule(text: str) -> str:
    return HEAD + f"dimensions:\n  - {{id: x, description: d, grader: rule, rule: {text}}}\n"


def test_short_forms_and_defaults() -> None:
    config = load(HEAD + "judge: local\n" + JUDGED).config
    assert isinstance(config.model, OpenAIModel)
    assert isinstance(config.judge, LocalModel)
    assert (config.name, config.dataset.path) == ("duel", "items.jsonl")
    assert (config.alpha, config.margin, config.dimensions[0].grader) == (0.05, 0.05, "pairwise")


def test_models_may_be_compared_instead_of_prompts() -> None:
    config = load(
        "models: {baseline: local, candidate: {name: m}}\ndataset: {path: d.csv}\nprompt: {system: Hi.}\n" + RULE
    ).config
    assert config.models is not None
    assert isinstance(config.models.baseline, LocalModel)
    assert isinstance(config.models.candidate, OpenAIModel)


def test_what_is_shown_loads_to_the_same_and_holds_no_value_of_the_environment() -> None:
    text = HEAD.replace("{name: m}", '{name: "${MODEL}"}') + "judge: {name: j}\n" + JUDGED
    loaded = load(text, MODEL="secret-model")
    shown = to_yaml(loaded.public())
    assert "secret-model" not in shown
    assert load(shown, MODEL="secret-model").config == loaded.config
    assert "secret" not in repr(loaded)


MISTAKES = [
    (HEAD + JUDGED, "duel.yaml:7:3: dimensions: the dimension `good` needs `judge`, the model that judges"),
    (
        HEAD + "judge: {name: j}\n" + RULE,
        "duel.yaml:6:8: judge: every dimension has a rule, so no judge is asked; leave",
    ),
    (HEAD + "judge: {name: m}\n" + JUDGED, "duel.yaml:6:8: judge: the judge is the model whose answers it judges"),
    (
        "dataset: d.csv\nmodel: local\n" + RULE,
        "duel.yaml:1:1: a duel compares either two `prompts` of one `model`, or two `models`; give one of both",
    ),
    (HEAD.replace("model: {name: m}\n", "") + RULE, "duel.yaml:3:3: prompts: `prompts` need the one `model`"),
    (HEAD.replace(" briefly", "") + RULE, "duel.yaml:4:3: prompts: both prompts are the same, so there is nothing"),
    (HEAD + "prompt: {system: x}\n" + RULE, "duel.yaml:6:9: prompt: `prompts` holds both prompts; leave `prompt` out"),
    (
        "models: {baseline: local, candidate: local}\ndataset: d.csv\n" + RULE,
        "duel.yaml:1:9: models: both models are the same",
    ),
    (HEAD + RULE + RULE.split("\n")[1] + "\n", "duel.yaml:7:3: dimensions: two dimensions have the id `brief`"),
    (HEAD + "dimensions: []\n", "duel.yaml:6:13: dimensions: expected a list of"),
    (HEAD + "perturbations: [typo]\n" + RULE, "duel.yaml:6:1: perturbations: unknown key; allowed here: `name`"),
    (HEAD + "api_key: sk-abcdefghijklmnopqrstuv\n" + RULE, "duel.yaml:6:10: api_key: this looks like an API key"),
    (
        "models: {baseline: {provider: opnai}, candidate: local}\ndataset: d.csv\n" + RULE,
        "duel.yaml:1:31: models.baseline.provider: expected `openai`, `local`",
    ),
    (
        "models: {baseline: {name: m, temperature: 0}, candidate: local}\ndataset: d.csv\n" + RULE,
        "duel.yaml:1:30: models.baseline.temperature: this key belongs under `model: params:`",
    ),
    ("- a\n", "duel.yaml:1:1: expected `key: value` lines at the top level, found a list; the config of a duel has"),
    ("", "`prt duel --suggest` writes one"),
    (rule("{kind: length}"), "duel.yaml:7:56: dimensions[0].rule.kind: the rule `length` needs either `min` or `max`"),
    (rule("{kind: length, min: 2, wins: longer}"), "needs either `min` or `max`, or `wins: shorter`"),
    (rule("{kind: length, min: 9, max: 2}"), "no answer has at least 9 and at most 2"),
    (rule("{kind: keyword}"), "the rule `keyword` needs `present` or `absent`"),
    (rule("{kind: regex}"), "the rule `regex` needs `pattern`"),
    (rule("{kind: regex, pattern: '('}"), "expected a regular expression"),
    (rule("{kind: json, unit: words, max: 3}"), "this is for `length`, and the rule is `json`; leave it out"),
    (HEAD + "dimensions: [{id: x, description: d, grader: rule}]\n", "`rule` and `grader: rule` belong together"),
    (
        HEAD + "dimensions: [{id: x, description: d, grader: rule, rubric: r, rule: {kind: json}}]\n",
        "this is for `pairwise` or `judge`, and the grader is `rule`; leave it out",
    ),
    (
        HEAD + "judge: local\ndimensions: [{id: x, description: d, verdict: pass_fail}]\n",
        "this is for `judge`, and the grader is `pairwise`; leave it out",
    ),
]


@pytest.mark.parametrize(("text", "told"), MISTAKES)
def test_every_mistake_is_one_sentence_with_its_place(text: str, told: str) -> None:
    (line,) = refused(text)
    assert told in line


def test_a_judge_may_judge_itself_where_that_is_asked_for() -> None:
    assert load(HEAD + "judge: {name: m}\nsame_model: true\n" + JUDGED).config.same_model


def test_prompts_may_speak_of_keys() -> None:
    text = HEAD.replace("You help.", "Never say sk-abcdefghijklmnopqrstuvwx.")
    assert load(text + RULE).config.prompts is not None


def test_every_key_has_a_meaning() -> None:
    schema = DuelConfig.model_json_schema()
    blocks = [schema, *schema["$defs"].values()]
    assert all(key.get("description") for block in blocks for key in block.get("properties", {}).values())
