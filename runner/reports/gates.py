"""The gates of a run at the end of its report: each with its verdict, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from ..config.figures import FIGURES
from ..findings import GateResult, GateVerdict
from ..problems import counted
from .text import visible

SHOWN = 6
STYLES = {"failed": "bold red", "passed": "green", "undecided": "yellow"}
EFFECTS = {"fail": "fails the command", "warn": "a warning", "pass": "does not matter"}


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate with all its results.

    Attributes:
        number: Its place in the config, from 1.
        gate: The gate in words.
        results: One a subject.
    """

    number: int
    gate: str
    results: tuple[GateResult, ...]

    @property
    def verdict(self) -> GateVerdict:
        """The verdict of the gate: the worst of its subjects'."""
        found = {each.verdict for each in self.results}
        return "failed" if "failed" in found else "undecided" if "undecided" in found else "passed"

    @property
    def fails(self) -> bool:
        """Whether it makes the exit code 1: it failed, or is undecided where the config takes that for failed."""
        return any(each.effect == "fail" for each in self.results)

    @property
    def telling(self) -> tuple[GateResult, ...]:
        """The results that make its verdict, those of the worst figures first."""
        return tuple(sorted((each for each in self.results if each.verdict == self.verdict), key=badness, reverse=True))


def by_gate(results: Sequence[GateResult]) -> tuple[Gate, ...]:
    """The results of each gate together, in the order of the config."""
    together = (tuple(each) for _, each in groupby(results, lambda result: result.number))
    return tuple(Gate(own[0].number, own[0].gate, own) for own in together)


def badness(result: GateResult) -> float:
    """The figure, turned so that more of it is worse; what has none stands last."""
    if result.estimate is None:
        return float("-inf")
    figure = FIGURES.get(result.figure)
    return -result.estimate if figure is None or figure.higher else result.estimate


def summary_of(gates: Sequence[Gate]) -> str:
    """`Gates: 1 of 3 failed, 1 undecided`."""
    failed, undecided = (sum(each.verdict == verdict for each in gates) for verdict in ("failed", "undecided"))
    if not failed and not undecided:
        return f"Gates: {'1 of 1' if len(gates) == 1 else f'all {len(gates)}'} passed"
    parts = [f"{failed} of {len(gates)} failed"] if failed else []
    if undecided:
        fatal = sum(each.verdict == "undecided" and each.fails for each in gates)
        note = f", {fatal} of which {'fails' if fatal == 1 else 'fail'} the command" if fatal else ""
        parts.append(f"{undecided}{'' if failed else f' of {len(gates)}'} undecided{note}")
    return f"Gates: {', '.join(parts)}"


def gates(results: Sequence[GateResult]) -> Iterator[RenderableType]:
    """The section of a report; nothing without gates."""
    every = by_gate(results)
    if not every:
        return
    yield Text(f"\n{summary_of(every)}", style="bold")
    for gate in every:
        line = Text(f"{gate.verdict:9}  ", style=STYLES[gate.verdict])
        yield line.append(f"{gate.number}. {visible(gate.gate)}", style="default")
        for text in gate_lines(gate):
            yield Padding(Text(text), (0, 0, 0, 11))


def gate_lines(gate: Gate) -> Iterator[str]:
    """Why a gate has its verdict: the subjects that make it, the worst first; of those that passed the worst alone."""
    telling = gate.telling
    kept = telling[: 1 if gate.verdict == "passed" else SHOWN]
    for result in kept:
        subject = f"{visible(result.subject)}: " if result.subject else ""
        effect = f" ({EFFECTS[result.effect]})" if result.verdict == "undecided" else ""
        yield f"{subject}{visible(result.reason)}{effect}"
    if rest := len(telling) - len(kept):
        yield f"and {rest} more {gate.verdict}, with better figures"
    if len(gate.results) > len(telling):
        passed = sum(each.verdict == "passed" for each in gate.results)
        yield f"{passed} of {counted(len(gate.results), 'subject')} passed"
