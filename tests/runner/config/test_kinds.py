"""Which kind of config a file is: its keys decide, and the command for another kind says so in one sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest
from prt.runner.config.duel_loading import load_duel
from prt.runner.config.kinds import Kind, kind_of, kind_of_file
from prt.runner.config.loading import load_config
from prt.runner.config.score_loading import load_score
from prt.runner.errors import ConfigError

RUN = "model: local\ndataset: items.jsonl\nperturbations: [typo]\n"
DUEL = (
    "model: local\ndataset: items.jsonl\nprompts: {baseline: {system: a}, candidate: {system: b}}\n"
    "dimensions: [{id: short, description: d, grader: rule, rule: {kind: length, max: 9}}]\n"
)
SCORE = "sut: local\njudge: {name: m}\nnum_pairs: 2\n"
LOADS: dict[Kind, Callable[[Path], object]] = {
    "run": lambda file: load_config(file, env={}),
    "duel": lambda file: load_duel(file, env={}),
    "score": lambda file: load_score(file, (), env={}),
}


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ("model dataset perturbations", "run"),
        ("model dataset prompts dimensions judge", "duel"),
        ("models dataset dimensions", "duel"),
        ("sut judge", "score"),
        ("num_pairs inverted", "score"),
        ("model dataset judge", "run"),  # a judge alone makes no duel
        ("model dataset perturbations grade prompts", "run"),  # a slip for `prompt`
        ("", "run"),
        ("whatever", "run"),
    ],
)
def test_the_keys_decide(keys: str, kind: Kind) -> None:
    assert kind_of(keys.split()) == kind


@pytest.mark.parametrize("text", ["a: [", "- a\n- b\n", "", "plain text"])
def test_what_is_no_config_is_left_to_the_reader_of_runs(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.yaml").write_text(text)
    assert kind_of_file(tmp_path / "c.yaml") == "run"


@pytest.mark.parametrize(
    ("text", "loads", "told"),
    [
        (DUEL, "run", "by `dimensions` and `prompts` this is the config of a duel; the command for it is `prt duel"),
        (SCORE, "run", "by `num_pairs` and `sut` this is the config of `prt score`; the command for it is `prt score"),
        (RUN, "duel", "by `perturbations` this is the config of a run; the command for it is `prt run"),
        (SCORE, "duel", "this is the config of `prt score`"),
        (DUEL, "score", "this is the config of a duel"),
        (RUN, "score", "by `perturbations` this is the config of a run"),
    ],
)
def test_the_config_of_another_command_is_refused_in_one_sentence(
    tmp_path: Path, text: str, loads: Kind, told: str
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        LOADS[loads](file)
    (problem,) = refused.value.problems
    assert told in problem.message
    assert (problem.line, problem.column) == (1, 1)
