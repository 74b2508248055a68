"""The description of comparisons: its block is a config, its commands and options are there, its caveats are named."""

import re
import shlex
from pathlib import Path

import pytest
import typer
import yaml
from prt.runner.cli import app
from prt.runner.config.impact import ImpactConfig

DOCUMENT = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app)
CALLS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)
    for line in block.splitlines()
]


def test_the_block_is_a_config() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    read = ImpactConfig.model_validate({**yaml.safe_load(block)["impact"], "traffic": 50_000.0})
    assert (read.cost_per_failure, read.weights) == (0.4, {"typo": 0.2, "style.1": 0.1})


@pytest.mark.parametrize("call", CALLS)
def test_each_command_is_there_with_its_options(call: str) -> None:
    program, *words = shlex.split(call)
    assert program == "prt"
    command = COMMANDS
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_each_option_that_is_named_is_one() -> None:
    known = {name for command in ("compare", "run") for each in COMMANDS.commands[command].params for name in each.opts}  # type: ignore[attr-defined]
    assert set(re.findall(r"`(--[a-z-]+)", DOCUMENT)) <= known
