"""What a gate is decided of: conditions, generators and clusters by their names, and what is wrong with the names."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..config.figures import Scope
from ..config.gates import OF_K, GateConfig, names_of
from ..errors import Problem
from ..plan import BASELINE
from ..problems import counted, listed
from ..suggest import did_you_mean, shown
from .evidence import Condition, World

EVERY = "all conditions"
AGAINST_THE_BASELINE = frozenset({"change", "parsed_change", "flip_rate", "excess_flips", "answer_agreement"})


@dataclass(frozen=True, slots=True)
class Subject:
    """What one result of a gate is of.

    Attributes:
        name: What it is called.
        conditions: The conditions, taken together where there are several.
        cluster: The cluster whose items count; None for all items.
    """

    name: str
    conditions: tuple[str, ...]
    cluster: str | None = None


class NamesError(Exception):
    """A gate names what is not there.

    Attributes:
        key: The key of the gate.
    """

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


def subjects_of(gate: GateConfig, world: World) -> list[Subject]:
    """What a gate is decided of, in the order of the run.

    Args:
        gate: The gate.
        world: What there is.

    Returns:
        The subjects; none where nothing that counts is there.

    Raises:
        NamesError: The gate names what is not there, or needs what the run does not have.
    """
    columns = columns_of(gate, world)
    clusters = clusters_of(gate, world)
    if not clusters:
        return columns
    scope = None if gate.rule is None else gate.rule.kind.scope
    alone = scope == "baseline" or [each.name for each in columns] == [EVERY]
    return [
        Subject(f"cluster {cluster}" if alone else f"{each.name} in cluster {cluster}", each.conditions, cluster)
        for each in columns
        for cluster in clusters
    ]


def columns_of(gate: GateConfig, world: World) -> list[Subject]:
    """The conditions of each subject."""
    scope = None if gate.rule is None else gate.rule.kind.scope
    needs(gate, world)
    if scope is None:
        chosen = chosen_conditions(gate, world) or originals_and(world)
        return [Subject(listed_items(gate, world), names_in(chosen))]
    if scope == "baseline":
        return [Subject(BASELINE, (BASELINE,))]
    if scope == "slots":
        return [Subject("the slots", names_in(counting(world)))]
    if scope == "control":
        return [Subject(each.name, (each.name,)) for each in controls(gate, world)]
    return of_generators(gate, world) if gate.generators is not None else of_conditions(gate, world, scope)


def of_conditions(gate: GateConfig, world: World, scope: Scope) -> list[Subject]:
    """One subject a condition, or all of them together."""
    chosen = chosen_conditions(gate, world)
    if not chosen and scope in {"replies", "usage"}:
        return [Subject(EVERY, names_in(originals_and(world)))]
    each = chosen or by_default(gate, world)
    if scope == "together" or gate.together or (gate.clusters is not None and not chosen):
        name = ", ".join(names_of(gate.conditions)) if chosen else EVERY
        return [Subject(name, names_in(each))] if each else []
    return [Subject(one.name, (one.name,)) for one in each]


def originals_and(world: World) -> tuple[Condition, ...]:
    """The baseline and the conditions of the headline."""
    return (*world.conditions[:1], *counting(world))


def names_in(conditions: Iterable[Condition]) -> tuple[str, ...]:
    """The names of some conditions."""
    return tuple(each.name for each in conditions)


def by_default(gate: GateConfig, world: World) -> tuple[Condition, ...]:
    """The conditions of a gate that names none: the headline's, and the baseline where it changes between two runs."""
    with_baseline = gate.against is not None and gate.figure in {"change", "pass_rate"}
    return originals_and(world) if with_baseline else counting(world)


def counting(world: World) -> tuple[Condition, ...]:
    """The conditions of the headline that apply to an item."""
    return tuple(each for each in world.conditions if each.counts)


def chosen_conditions(gate: GateConfig, world: World) -> tuple[Condition, ...]:
    """The conditions that a gate names; none where it names none.

    A pattern is of the headline's conditions, and only where none of these fits of the others, so that `*` is what the
    headline is over.
    """
    names: list[str] = []
    others = [each.name for each in world.conditions if not (each.counts or each.idle or each.role == "control")]
    for pattern in names_of(gate.conditions):
        fitting = fits(pattern, [each.name for each in counting(world)]) or fits(pattern, others)
        if not fitting:
            raise NamesError(unknown("condition", pattern, world, also=others), "conditions")
        names += fitting
    if BASELINE in names and gate.against is None and gate.figure in AGAINST_THE_BASELINE:
        raise NamesError(f"`{gate.figure}` is taken against the baseline, so not of the baseline itself", "conditions")
    return world.named(names)


def controls(gate: GateConfig, world: World) -> tuple[Condition, ...]:
    """The controls that a gate is on."""
    every = [each.name for each in world.conditions if each.role == "control" and not each.idle]
    if not every:
        idle = any(each.role == "control" for each in world.conditions)
        why = "its control applies to no item" if idle else "this run has no control; add `control` to `perturbations`"
        raise NamesError(why, "figure")
    names: list[str] = []
    for pattern in names_of(gate.conditions) or ("*",):
        fitting = fits(pattern, every)
        if not fitting:
            raise NamesError(f"no control fits {shown(pattern)}; there are: {listed(every)}", "conditions")
        names += fitting
    return world.named(names)


def of_generators(gate: GateConfig, world: World) -> list[Subject]:
    """One subject a generator, with its conditions."""
    by_name: dict[str, list[str]] = {}
    for each in counting(world):
        by_name.setdefault(each.generator, []).append(each.name)
    names: list[str] = []
    for pattern in names_of(gate.generators):
        fitting = fits(pattern, by_name)
        if not fitting:
            hint = did_you_mean(pattern, by_name) or f"; there are: {listed(by_name)}"
            raise NamesError(f"no generator of the headline fits {shown(pattern)}{hint}", "generators")
        names += fitting
    return [Subject(generator_name(name, by_name[name]), tuple(by_name[name])) for name in dict.fromkeys(names)]


def generator_name(name: str, conditions: Sequence[str]) -> str:
    """`typo (2 conditions)`; the name alone where it has one."""
    return name if len(conditions) == 1 else f"{name} ({counted(len(conditions), 'condition')})"


def clusters_of(gate: GateConfig, world: World) -> list[str]:
    """The clusters that a gate is on, in the order of the dataset; none where it is on all items."""
    if gate.clusters is None:
        return []
    every = list(dict.fromkeys(filter(None, world.clusters)))
    if not every:
        text = "no item belongs to a cluster; `dataset.fields.cluster` says where a row names its cluster"
        raise NamesError(text, "clusters")
    names: list[str] = []
    for pattern in names_of(gate.clusters):
        fitting = fits(pattern, every)
        if not fitting:
            hint = did_you_mean(pattern, every) or f"; there are: {listed(every)}"
            raise NamesError(f"no cluster fits {shown(pattern)}{hint}", "clusters")
        names += fitting
    return [name for name in every if name in set(names)]


def items_of(gate: GateConfig, world: World) -> list[str]:
    """The items that must pass, in the order of the dataset."""
    names: set[str] = set()
    for pattern in gate.must_pass or ():
        fitting = [pattern] if pattern in world.items else fits(pattern, world.items)
        if not fitting:
            raise NamesError(f"no item fits {shown(pattern)}{did_you_mean(pattern, world.items)}", "must_pass")
        names.update(fitting)
    return [name for name in world.items if name in names]


def listed_items(gate: GateConfig, world: World) -> str:
    """The items that must pass, as a subject is called."""
    names = items_of(gate, world)
    return names[0] if len(names) == 1 else counted(len(names), "item")


def needs(gate: GateConfig, world: World) -> None:
    """Refuse a figure for which the run lacks what it takes."""
    if gate.figure == "excess_flips" and not any(each.role == "rerun" for each in world.conditions):
        text = "`excess_flips` needs a condition that asks the original again; add `rerun` to `perturbations`"
        raise NamesError(text, "figure")
    if gate.figure in OF_K and gate.k is not None and gate.k > world.repeats:
        raise NamesError(f"this needs as many runs of each cell, and `repeats` is {world.repeats}", "k")
    if gate.figure == "cost" and not world.priced:
        raise NamesError("`cost` needs `prices`: what a million tokens cost, of the model and of its judge", "figure")


def fits(pattern: str, names: Iterable[str]) -> list[str]:
    """The names that are a pattern's, which may be a name itself."""
    return [name for name in names if name == pattern or fnmatchcase(name, pattern)]


def unknown(kind: str, pattern: str, world: World, *, also: Sequence[str]) -> str:
    """What to say of a name that nothing has."""
    idle = [each.name for each in world.conditions if each.idle]
    if any(fits(pattern, [name]) for name in idle):
        return f"{shown(pattern)} applies to no item, so nothing is asked under it"
    names = [*(each.name for each in counting(world)), *also]
    if any(fits(pattern, [each.name]) for each in world.conditions if each.role == "control"):
        return f"{shown(pattern)} is a control, whose figure is `follows`"
    return f"no {kind} fits {shown(pattern)}{did_you_mean(pattern, names) or f'; there are: {listed(names)}'}"


def problems_of(gates: Sequence[GateConfig], world: World) -> Iterator[Problem]:
    """What gates name that is not there, a sentence each with its key."""
    for number, gate in enumerate(gates):
        try:
            subjects_of(gate, world)
        except NamesError as error:
            yield Problem(str(error), key=f"gates[{number}].{error.key}")
