"""Each command's help ends with how it is called, and what it says there can be called."""

import inspect
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from prt.runner.cli import app
from prt.runner.cli_docs import command_reference
from typer.main import get_command

WIDTH = 80
MOST = 5


@dataclass(frozen=True, slots=True)
class Called:
    """A command, by the words that call it."""

    words: tuple[str, ...]
    command: Any

    @property
    def examples(self) -> list[str]:
        lines = inspect.cleandoc(self.command.epilog or "").splitlines()
        return [line.strip() for line in lines if line.startswith("  ")]


def commands(group: Any, words: tuple[str, ...] = ("prt",)) -> Iterator[Called]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
        else:
            yield Called((*words, name), command)


EVERY = list(commands(get_command(app)))


def parsed(called: Called, example: str) -> dict[str, Any]:
    """What a command is given by an example, as its shell gives it; a usage error is raised."""
    words = shlex.split(example.partition(" > ")[0])
    assert tuple(words[: len(called.words)]) == called.words
    context = called.command.make_context(called.words[-1], words[len(called.words) :])
    given: dict[str, Any] = context.params
    return given


@pytest.mark.parametrize("called", EVERY, ids=lambda called: " ".join(called.words))
def test_the_help_of_every_command_ends_with_examples_that_can_be_called(
    called: Called, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert 1 <= len(called.examples) <= MOST
    for example in called.examples:
        assert parsed(called, example)
        assert len(example) + len("    ") <= WIDTH, "it would be wrapped where it is read"


def test_an_example_with_an_option_that_is_not_there_would_be_seen() -> None:
    run = next(called for called in EVERY if called.words == ("prt", "run"))
    with pytest.raises(Exception, match="No such option: --nonsense"):
        parsed(run, "prt run prt.yaml --nonsense")


def test_the_reference_shows_each_example() -> None:
    shown = command_reference().splitlines()
    assert all(f"$ {example}" in shown for called in EVERY for example in called.examples)
