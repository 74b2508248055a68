"""What commands do about gates: refuse unknown names before a call, say which failed, and end with exit code 1."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ..analysis import analyse_run
from ..config.gates import COMPARED, GateConfig
from ..errors import ConfigError, Problem, UsageError
from ..findings import GateResult, Report
from ..prepare import Prepared
from ..problems import counted
from ..reports.gates import by_gate, summary_of
from ..reports.text import visible
from ..store.database import Store
from ..store.find import find_run
from ..store.read import StoredRun

if TYPE_CHECKING:
    from ..config.gate_file import LoadedGates
    from ..judging.calibration import Saved

FAILED = 1
NAMED = 3


def refuse_unknown_gates(prepared: Prepared) -> None:
    """Refuse gates that name what there is not, before any call.

    Raises:
        ConfigError: Each of them, with its place in the config.
    """
    if prepared.config.gates:
        from ..gating.planned import refuse_unknown  # noqa: PLC0415 - most runs have no gates

        refuse_unknown(prepared)


def exit_code(gates: Sequence[GateResult], otherwise: int = 0) -> int:
    """The exit code of a command with gates: what it ended with otherwise, and 1 where that is 0 and a gate fails."""
    return otherwise or (FAILED if any(each.effect == "fail" for each in gates) else 0)


def tell_failed(gates: Sequence[GateResult], told: Console) -> None:
    """Say on standard error that gates fail, and which; nothing where none does."""
    every = by_gate(gates)
    if failing := [each for each in every if each.fails]:
        names = "; ".join(f"{each.number}. {visible(each.gate)}" for each in failing[:NAMED])
        if len(failing) > NAMED:
            names += f" and {len(failing) - NAMED} more"
        told.print(Text(f"\n{summary_of(every)}: {names}"), soft_wrap=True)


def gated_report(run: StoredRun, saved: "Saved | None", file: Path | None) -> Report:
    """The report of a stored run with its own gates decided, or those of a file.

    Raises:
        ConfigError: The file has none, or they name what the run does not have.
    """
    if file is None:
        return analyse_run(run, saved)
    loaded = gates_in(file)
    try:
        refuse_lacking(loaded.gates, run.store)
        return analyse_run(run, saved, gates=loaded.gates)
    except ConfigError as error:
        raise loaded.placed(error) from error


def gates_in(file: Path) -> "LoadedGates":
    """The gates of a file.

    Raises:
        ConfigError: It has none, or mistakes in them.
    """
    from ..config.gate_file import load_gates  # noqa: PLC0415 - seldom given

    return load_gates(file, env=os.environ)


def pair_gates(before: StoredRun, after: StoredRun, file: Path | None) -> tuple[GateResult, ...]:
    """Decide gates on the change from one run to another: the later run's that are against `compared`, or a file's.

    Raises:
        ConfigError: The file has none, or they name what the later run does not have.
    """
    if file is None and not after.record.config.get("gates"):
        return ()
    from ..comparing import gated  # noqa: PLC0415 - most runs have no gates

    if file is None:
        return gated.pair_gates(before, after)
    loaded = gates_in(file)
    try:
        refuse_lacking(loaded.gates, after.store)
        return gated.pair_gates(before, after, loaded.gates)
    except ConfigError as error:
        raise loaded.placed(error) from error


def refuse_unknown_runs(prepared: Prepared, store: Store) -> None:
    """Refuse gates against runs that the store does not have, before any call.

    Raises:
        ConfigError: Each of them, with its place in the config.
    """
    with prepared.loaded.placing():
        refuse_lacking(prepared.config.gates, store)


def refuse_lacking(gates: Sequence[GateConfig], store: Store) -> None:
    """Refuse gates against runs that a store does not have.

    Raises:
        ConfigError: Each of them.
    """
    problems = []
    for number, gate in enumerate(gates):
        if gate.against is not None and gate.against != COMPARED:
            try:
                find_run(store, gate.against)
            except UsageError as error:
                problems.append(Problem(str(error), key=f"gates[{number}].against"))
    if problems:
        raise ConfigError(*problems)


def print_planned(prepared: Prepared, console: Console) -> None:
    """Print the gates of a config in words, and warn of those that so many items can't decide."""
    if not prepared.config.gates:
        return
    from ..gating.planned import planned_gates  # noqa: PLC0415 - most runs have no gates

    refuse_unknown_gates(prepared)
    console.print(Text("\nGates", style="bold"))
    for gate in planned_gates(prepared):
        of = f" ({counted(gate.subjects, 'subject')})" if gate.subjects > 1 else ""
        console.print(Text(f"{gate.number}. {visible(gate.gate)}{of}"))
        if gate.warning:
            console.print(Text(f"   warning: {visible(gate.warning)}", style="yellow"))
