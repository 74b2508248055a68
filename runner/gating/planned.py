"""Gates before a run: what they may name, and which of them can never fail or never pass with so many items."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..config.gates import GateConfig, Rule
from ..counting import Planned
from ..errors import ConfigError
from ..plan import BASELINE
from ..prepare import Prepared
from ..problems import counted
from ..tallies import role_of
from .deciding import Could, Terms
from .evidence import Condition, World
from .subjects import Subject, problems_of, subjects_of
from .wording import gate_words


@dataclass(frozen=True, slots=True)
class PlannedGate:
    """One gate before the run.

    Attributes:
        number: Its place, from 1.
        gate: The gate in words.
        subjects: How many subjects it has.
        warning: Why it can never fail, or never pass, with so many items; empty where it can.
    """

    number: int
    gate: str
    subjects: int
    warning: str = ""


def planned_world(prepared: Prepared) -> World:
    """What the gates of a config may name."""
    config, named = prepared.config, any(gate.clusters or gate.must_pass for gate in prepared.config.gates)
    items = prepared.items if named or config.dataset.fields.cluster else ()
    judges = () if config.grade is None else (config.grade.model,)
    return World(
        conditions=(Condition(BASELINE, BASELINE, "perturbation"), *map(condition, prepared.counts.planned)),
        items=tuple(item.id for item in items),
        clusters=tuple(item.cluster or "" for item in items),
        repeats=config.repeats,
        alpha=config.analysis.alpha,
        priced=all(config.price_list.price(each) is not None for each in (config.model, *judges) if each is not None),
    )


def condition(planned: Planned) -> Condition:
    """A planned condition."""
    return Condition(planned.name, planned.generator, role_of(planned.generator, planned.tier), idle=not planned.busy)


def refuse_unknown(prepared: Prepared) -> None:
    """Refuse gates that name what there is not, before any call.

    Raises:
        ConfigError: Each of them, with its place in the config.
    """
    if problems := list(problems_of(prepared.config.gates, planned_world(prepared))):
        with prepared.loaded.placing():
            raise ConfigError(*problems)


def planned_gates(prepared: Prepared) -> list[PlannedGate]:
    """The gates of a config in words, with a warning for each that so many items can't decide.

    Args:
        prepared: A run, whose gates name what there is.
    """
    gates, world = prepared.config.gates, planned_world(prepared)
    applied = {BASELINE: len(prepared.items)} | {each.name: each.applied for each in prepared.counts.planned}
    return [Foresight(gate, world, applied).planned(number) for number, gate in enumerate(gates, 1)]


@dataclass(frozen=True, slots=True)
class Foresight:
    """One gate against what is planned.

    Attributes:
        gate: The gate.
        world: What there is to be.
        applied: How many items each condition applies to.
    """

    gate: GateConfig
    world: World
    applied: Mapping[str, int]

    def planned(self, number: int) -> PlannedGate:
        """The gate in words, with its warning."""
        subjects = subjects_of(self.gate, self.world)
        rule = self.gate.rule
        warned = (
            rule is not None
            and rule.kind.kind in {"difference", "rate"}
            and rule.kind.scope not in {"slots", "control"}
            and rule.kind.alone
        )
        warning = "" if rule is None or not warned else self.warning(rule, subjects)
        return PlannedGate(number, gate_words(self.gate), len(subjects), warning)

    def warning(self, rule: Rule, subjects: Sequence[Subject]) -> str:
        """Why the gate can't decide with so many items."""
        if not subjects:
            return "no condition that counts applies to any item, so there is nothing to decide on"
        hindered = [*self.hindered(rule, subjects)]
        on_proof = rule.reading == "fail_if"
        if not hindered or (on_proof and len(hindered) < len(subjects)):
            return ""
        subject, why, enough = hindered[0]
        can = "fail" if on_proof else "pass"
        of = (
            ""
            if len(subjects) == 1
            else f" for {subject}"
            if len(hindered) == 1
            else f" for {subject} and {len(hindered) - 1} more"
        )
        more = f"; it takes {enough:,}" if enough else ""
        return f"it can never {can}{of}: {why}{more}"

    def hindered(self, rule: Rule, subjects: Sequence[Subject]) -> Iterator[tuple[str, str, int | None]]:
        """The subjects of which no result could decide, why, and how many items it takes."""
        terms = Terms(self.world.alpha, len(subjects), self.gate.min_n)
        could = Could(rule, terms.level(rule))
        for subject in subjects:
            units, unit = self.units(subject)
            have = f"with {counted(units, unit)}"
            if not could.decide(units):
                yield subject.name, f"{have}, {could.why()}", could.enough()
            elif units < terms.min_n and not rule.one_is_proof:
                yield subject.name, f"{have}, and `min_n` is {terms.min_n}", terms.min_n

    def units(self, subject: Subject) -> tuple[int, str]:
        """How many independent units a subject has at the most, and what they are."""
        if subject.cluster is not None:
            return sum(cluster == subject.cluster for cluster in self.world.clusters), "item"
        items = max((self.applied.get(name, 0) for name in subject.conditions), default=0)
        sizes = Counter(filter(None, self.world.clusters))
        if sizes and max(sizes.values()) > 1:
            alone = sum(not cluster for cluster in self.world.clusters)
            return min(items, len(sizes) + alone), "cluster"
        return items, "item"
