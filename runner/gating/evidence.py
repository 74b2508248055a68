"""What gates decide on: the results of one run in columns, and what is known of its conditions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...stats import ControlResponse, Outcomes
from ..answers import AnswerCodes
from ..findings import PositionsFinding, Role, Usage
from ..plan import BASELINE

Statuses = NDArray[np.int8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition by name.

    Attributes:
        name: Its name.
        generator: Name of its generator.
        role: A perturbation counts in the headline; the baseline has this role too.
        idle: Whether it is known that it applies to no item.
    """

    name: str
    generator: str
    role: Role
    idle: bool = False

    @property
    def counts(self) -> bool:
        """Whether a gate that names no condition is on it."""
        return self.role == "perturbation" and self.name != BASELINE and not self.idle


@dataclass(frozen=True, slots=True)
class World:
    """What gates may name: before a run what is planned, and after it what there is.

    Attributes:
        conditions: Every condition, the baseline among them.
        items: The ids of the items.
        clusters: What each item belongs to; empty where it is by itself.
        repeats: Runs a cell.
        alpha: Significance level.
        priced: Whether the config says what tokens cost.
    """

    conditions: tuple[Condition, ...]
    items: tuple[str, ...]
    clusters: tuple[str, ...]
    repeats: int = 1
    alpha: float = 0.05
    priced: bool = True

    def named(self, names: Iterable[str]) -> tuple[Condition, ...]:
        """Some conditions by name, in the order of the run."""
        wanted = set(names)
        return tuple(each for each in self.conditions if each.name in wanted)


def no_positions(alpha: float) -> PositionsFinding | None:  # noqa: ARG001 - stands for a function that needs it
    """Of results without options nothing is known of slots."""
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The results of one run, all conditions laid out alike.

    Attributes:
        world: What is known of conditions and items.
        outcomes: Results, the baseline first.
        parsed: The same with every result missing that was not read from an answer.
        answers: Items × conditions × repeats: codes of the answers, −1 where none was read; None where none are known.
        statuses: Items × conditions × repeats: the place of each grade's status in `STATUSES`, −1 where there is none;
            None where the results were made elsewhere.
        asked: Items × conditions: whether there was something to ask.
        usage: What the run took; None where that is not known.
        positions: Gives what is known of slots at a significance level.
        control: Gives what became of the answers under a control, at a significance level.
    """

    world: World
    outcomes: Outcomes
    parsed: Outcomes
    answers: AnswerCodes | None = None
    statuses: Statuses | None = None
    asked: Mask | None = None
    usage: Usage | None = None
    positions: Callable[[float], PositionsFinding | None] = no_positions
    control: Mapping[str, Callable[[float], ControlResponse]] = field(default_factory=dict)

    def columns(self, names: Iterable[str]) -> list[int]:
        """The places of some conditions; those that this run does not have are left out."""
        return [self.outcomes.conditions.index(name) for name in names if name in self.outcomes.conditions]
