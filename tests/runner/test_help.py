"""`--help` is instant and whole: nothing heavy is loaded for it, and no summary is cut short."""

import json
import subprocess
import sys

import pytest
from prt.runner.cli import app, main

HEAVY = ("aiohttp", "numpy", "openai", "prt.perturbations", "prt.stats", "pydantic", "rich", "scipy", "sqlalchemy")
PROGRAM = """
import contextlib, io, json, sys
from prt.runner.cli import main
loaded = {}
for command in json.loads(sys.argv[1]):
    sys.argv = ["prt", *command]
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
        main()
    assert "Usage: prt" in printed.getvalue()
    loaded[" ".join(command)] = sorted(set(sys.modules) & set(HEAVY))
print(json.dumps(loaded))
"""


def loaded_for(commands: list[list[str]], before: str = "") -> dict[str, list[str]]:
    """What is loaded in a process of its own once each command's help is printed, one after the other."""
    program = f"HEAVY = {HEAVY!r}\n{before}\n{PROGRAM}"
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program, json.dumps(commands)], capture_output=True, text=True, check=True
    )
    loaded: dict[str, list[str]] = json.loads(done.stdout)
    return loaded


def names() -> list[str]:
    """The commands, as the command line calls them."""
    return [each.name or each.callback.__name__ for each in app.registered_commands if each.callback]


@pytest.mark.sqlite
def test_no_help_loads_anything_heavy() -> None:
    assert loaded_for([["--help"]]) == {"--help": []}


@pytest.mark.sqlite
def test_no_commands_help_loads_anything_heavy_but_what_typer_reads_parameters_with() -> None:
    commands = [[name, "--help"] for name in names()]
    assert len(commands) > 10
    loaded = loaded_for(commands)
    assert len(loaded) == len(commands)
    assert {each for found in loaded.values() for each in found} <= {"pydantic"}


@pytest.mark.sqlite
def test_what_is_loaded_would_be_seen() -> None:
    assert loaded_for([["--help"]], before="import pydantic") == {"--help": ["pydantic"]}


def test_the_list_of_commands_has_each_summary_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["prt", "--help"])
    with pytest.raises(SystemExit):
        main()
    listed = capsys.readouterr().out.partition("Commands:")[2]
    assert all(f"\n  {name} " in listed for name in names())
    assert "..." not in listed


def loaded_by(module: str) -> set[str]:
    """What the import of a module loads, in a process of its own."""
    program = f"import sys, {module}; print('\\n'.join(sys.modules))"
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.sqlite
def test_commands_load_what_they_need() -> None:
    common = {"openai", "scipy.special", "scipy.optimize", "scipy.stats", "rich.markdown"}
    assert not loaded_by("prt.runner.commands.run") & common
    runs = loaded_by("prt.runner.commands.runs")
    assert not runs & {*common, "prt.runner.graders.base", "prt.runner.config.schema"}
    assert "sqlalchemy" in runs
    analyze = loaded_by("prt.runner.commands.analyze")
    assert not analyze & {*common, "sqlalchemy", "yaml", "prt.runner.graders.base", "prt.runner.config.schema"}
    assert "numpy" in analyze
