"""The reference of the command line, made from the commands: `python -m prt.runner.cli_docs > docs/cli.md`."""

import inspect
import sys
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from .cli import app

HEAD = """# The command line

<!-- Made by `python -m prt.runner.cli_docs`; a test compares the two. -->

Reports go to standard output, all else to standard error. `NO_COLOR` is honoured. Stored runs are read from `prt.db` in
the working directory unless `--store` or the environment variable `PRT_STORE` names another database.

Exit codes: 0 all well · 1 a gate fails, a run is worse, or a night is an alarm · 2 usage or config error, nothing was
called · 3 stopped or incomplete, and the same command resumes · 130 on a third interrupt. Where a command's own differ,
they stand below it: those of `prt duel` say who won.

Every command that asks models is interrupted alike: the first Ctrl-C waits some seconds for the calls in flight, the
second one drops them, and both end with 3; the third one leaves at once ([running.md](running.md#interrupts)).
"""


def command_reference() -> str:
    """The whole page, as Markdown."""
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]  # a group, as there are several
    return "\n".join([HEAD, *(line for name, command in commands.items() for line in _command(name, command))])


def _command(name: str, command: Any) -> Iterator[str]:
    if hasattr(command, "commands"):
        yield from (f"## `prt {name}`", "", inspect.cleandoc(command.help or ""), "")
        for inner, one in command.commands.items():
            yield from _command(f"{name} {inner}", one)
        return
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    usage = " ".join(["prt", name, *(_usage(each) for each in arguments), *(["[OPTIONS]"] if options else [])])
    yield from (f"## `{usage}`", "", inspect.cleandoc(command.help or ""), "")
    if calls := [line.strip() for line in (command.epilog or "").splitlines() if line.startswith("  ")]:
        yield from ("```console", *(f"$ {call}" for call in calls), "```", "")
    if arguments or options:
        yield from ("| | |", "| --- | --- |")
        yield from (f"| {_names(each)} | {each.help} |" for each in (*arguments, *options))
        yield ""


def _usage(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()).strip("[]")
    return str(name if argument.required else f"[{name}]")


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_usage(parameter).strip('[]')}`"
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
    return ", ".join(f"`{option}{value}`" for option in parameter.opts)


if __name__ == "__main__":
    sys.stdout.write(command_reference())
