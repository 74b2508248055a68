"""The `gates` section: what a run must show for its command to end well, and how sure that has to be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Discriminator, Field, Tag, model_validator

from ..suggest import did_you_mean, listed, shown
from .figures import FIGURES, FigureKind, FigureName, Scope
from .section import Name, Names, Section, mistake

Reading = Literal["fail_if", "fail_unless"]
Side = Literal["worse", "below", "above"]


class RuleKey(NamedTuple):
    """What a key of a gate asks: how sure it has to be, and on which side of the bound the bad values lie."""

    reading: Reading
    side: Side


RULES: Mapping[str, RuleKey] = {
    "fail_if_worse_than": RuleKey("fail_if", "worse"),
    "fail_unless_no_worse_than": RuleKey("fail_unless", "worse"),
    "fail_if_below": RuleKey("fail_if", "below"),
    "fail_if_above": RuleKey("fail_if", "above"),
    "fail_unless_at_least": RuleKey("fail_unless", "below"),
    "fail_unless_at_most": RuleKey("fail_unless", "above"),
}
COMPARED = "compared"
"""What a gate calls the run that its command compares with."""
SHORT = {"max_unparsed": "unread", "max_errors": "errors"}
"""Gates of one key, each with its figure."""
ALONE = (*SHORT, "must_pass")
OF_K = ("pass_at_k", "pass_hat_k")
OF_ITEMS = frozenset({"conditions"})
TAKEN: Mapping[Scope, frozenset[str]] = {
    "condition": frozenset({"conditions", "generators", "clusters", "together"}),
    "together": frozenset({"conditions", "generators", "clusters"}),
    "replies": frozenset({"conditions", "generators", "clusters", "together"}),
    "baseline": frozenset({"clusters"}),
    "slots": frozenset(),
    "control": frozenset({"conditions"}),
    "usage": frozenset({"conditions"}),
}
"""What a figure can be taken of, by its scope."""
READINGS = {
    "at_least": ("fail_if_below", "fail_unless_at_least", 0.8),
    "min": ("fail_if_below", "fail_unless_at_least", 0.8),
    "at_most": ("fail_if_above", "fail_unless_at_most", 0.1),
    "max": ("fail_if_above", "fail_unless_at_most", 0.1),
    "margin": ("fail_if_worse_than", "fail_unless_no_worse_than", 0.05),
    "worse_than": ("fail_if_worse_than", "fail_unless_no_worse_than", 0.05),
}
"""What people write that can be meant in two ways."""
FEWEST_ITEMS = 10
"""As few items as a verdict needs; see `prt.stats.decide_verdict`."""


def _shape(value: object) -> str:
    """The one reading of what may be a name or a list, so that its errors are about that."""
    return {list: "<list>", type(None): "<null>"}.get(type(value), "<name>")


NamesOrOne = Annotated[
    Annotated[Name, Tag("<name>")] | Annotated[Names, Tag("<list>")] | Annotated[None, Tag("<null>")],
    Discriminator(_shape),
]
Bound = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a gate asks of a figure.

    Attributes:
        figure: The figure's name.
        reading: `fail_if` fails on proof of the bad, `fail_unless` without proof of the good.
        side: Where the bad values lie: `worse` than the margin, `below` or `above` the bound.
        bound: The margin or the bound.
    """

    figure: str
    reading: Reading
    side: Side
    bound: float

    @property
    def kind(self) -> FigureKind:
        """What is known of its figure."""
        return FIGURES[self.figure]

    @property
    def one_is_proof(self) -> bool:
        """Whether a single case proves the bad, however few there are: more than none, or less than all."""
        return self.reading == "fail_if" and (self.side, self.bound) in {("above", 0), ("below", 1)}


class GateConfig(Section):
    """One gate: a figure, what it is taken of, and one rule. A gate that fails ends its command with exit code 1.

    A rule that begins with `fail_if` fails on proof of the bad alone; one that begins with `fail_unless` fails without
    proof of the good. Proof is an interval, never an estimate.
    """

    name: Name | None = None
    """What reports call the gate; the gate in words where not given."""
    figure: FigureName | None = None
    """The figure; docs/gates.md has them all."""
    conditions: NamesOrOne = None
    """A condition, a pattern such as `typo.*`, or a list; each condition is decided by itself. Those of the headline
    where not given."""
    generators: NamesOrOne = None
    """The same for generators: all conditions of one are taken together, item by item."""
    clusters: NamesOrOne = None
    """The same for clusters: the items of each are decided by themselves."""
    together: bool = False
    """Take all chosen conditions together, item by item, and decide once."""
    k: int | None = Field(default=None, ge=1, le=1000)
    """pass_at_k, pass_hat_k: how many runs."""
    fail_if_worse_than: float | None = Field(default=None, ge=0, lt=1)
    """Differences: fail if it is proven worse than this margin; .05 is five points."""
    fail_unless_no_worse_than: float | None = Field(default=None, gt=0, lt=1)
    """Differences: fail unless it is proven no worse than this margin."""
    fail_if_below: float | None = Field(default=None, ge=0)
    """Rates: fail if it is proven below. Facts, such as `cost`: fail if it is below."""
    fail_if_above: float | None = Field(default=None, ge=0)
    """Rates: fail if it is proven above. Facts: fail if it is above."""
    fail_unless_at_least: Bound | None = None
    """Rates: fail unless it is proven to be at least this."""
    fail_unless_at_most: Bound | None = None
    """Rates: fail unless it is proven to be at most this."""
    max_unparsed: Bound | None = None
    """A gate of its own: fail if more than this share of the replies is proven to hold no readable answer (unparsed,
    truncated or refused)."""
    max_errors: Bound | None = None
    """A gate of its own: fail if more than this share of the cells is proven to stay without a result. With 0 the first
    one fails it."""
    must_pass: Names | None = None
    """A gate of its own: items, or patterns of their ids, that must pass under the baseline and every condition."""
    decide: Literal["interval", "point"] = "interval"
    """What decides. `point` is for figures without an interval (`spread`, `pooled_flip_rate`, `robustness_score`), and
    has to be said: chance alone may decide then."""
    min_n: int = Field(default=FEWEST_ITEMS, ge=1)
    """Fewest items, or clusters of them, that may decide."""
    undecided: Literal["pass", "warn", "fail"] | None = None
    """What a gate does that has too few items to decide. Where not given, `fail_if` warns and `fail_unless` fails."""
    against: Name | None = None
    """Another run, by its id or the name of a pinned baseline: the gate is on the change of the figure from that run to
    this one. `compared` is the run that the command compares with."""

    @model_validator(mode="before")
    @classmethod
    def _says_what_is_meant(cls, data: object) -> object:
        if isinstance(data, dict):
            for key, (proof_of_bad, proof_of_good, example) in READINGS.items():
                if key in data:
                    raise mistake(
                        f"this can mean two things: write `{proof_of_bad}: {example}` to fail on proof alone, or "
                        f"`{proof_of_good}: {example}` to fail without proof that it holds",
                        key=key,
                    )
            figure = data.get("figure")
            if isinstance(figure, str) and figure not in FIGURES:
                near = did_you_mean(figure, FIGURES) or f"; there are {listed(FIGURES, 'and')}"
                raise mistake(f"there is no figure {shown(figure)}{near}", key="figure")
        return data

    @model_validator(mode="after")
    def _can_be_decided(self) -> Self:
        for check in (_one_rule, _fits_its_figure, _is_of_what_it_can_be):
            check(self)
        return self

    @property
    def rule(self) -> Rule | None:
        """The rule on a figure; None for `must_pass`."""
        for key, figure in SHORT.items():
            if (bound := getattr(self, key)) is not None:
                return Rule(figure, "fail_if", "above", bound)
        for key, (reading, side) in RULES.items():
            if self.figure is not None and (bound := getattr(self, key)) is not None:
                return Rule(self.figure, reading, side, bound)
        return None

    @property
    def when_undecided(self) -> Literal["pass", "warn", "fail"]:
        """What the gate does that has too few items to decide."""
        if self.undecided is not None:
            return self.undecided
        return "fail" if self.rule is None or self.rule.reading == "fail_unless" else "warn"


def rules_of(kind: FigureKind, *, between: bool) -> list[str]:
    """The rules that a figure takes; on its change between two runs every one has a margin."""
    if kind.kind == "difference" or between:
        return ["fail_if_worse_than", "fail_unless_no_worse_than"]
    if kind.kind in {"point", "fact"}:
        return ["fail_if_below", "fail_if_above"]
    return [key for key, rule in RULES.items() if rule.side != "worse"]


def _one_rule(gate: GateConfig) -> None:
    """Refuse what is no gate, or several."""
    alone = [key for key in ALONE if getattr(gate, key) is not None]
    rules = [key for key in RULES if getattr(gate, key) is not None]
    if gate.figure is None and not alone:
        raise mistake(f"a gate needs `figure`, or is one of {listed(ALONE)}", key=rules[0] if rules else "")
    if len(alone) > 1 or (alone and (gate.figure is not None or rules)):
        raise mistake("this is a gate of its own; give it an entry without another figure or rule", key=alone[0])
    if gate.figure is not None and len(rules) != 1:
        found = listed(rules, "and") if rules else "none"
        choice = listed(rules_of(FIGURES[gate.figure], between=gate.against is not None))
        raise mistake(f"a gate has one rule, here {choice}; found {found}", key=rules[1] if rules else "figure")


def _fits_its_figure(gate: GateConfig) -> None:
    """Refuse a rule, or another key, that says nothing of the figure."""
    if gate.figure is None:
        return
    kind, between = FIGURES[gate.figure], gate.against is not None
    if between and not kind.between:
        those = listed([name for name, each in FIGURES.items() if each.between])
        text = f"`{gate.figure}` of two runs can't be compared item by item; these can: {those}"
        raise mistake(text, key="against")
    if not between and not kind.alone:
        raise mistake(f"`{gate.figure}` is of two runs; say with `against` which the other one is", key="figure")
    key = next(key for key in RULES if getattr(gate, key) is not None)
    allowed = rules_of(kind, between=between)
    if key not in allowed:
        is_a = "a difference" if "fail_if_worse_than" in allowed else "no difference"
        change = f"the change of `{gate.figure}` between two runs" if between else f"`{gate.figure}`"
        raise mistake(f"{change} is {is_a}, and its rules are {listed(allowed)}", key=key)
    if kind.kind != "fact" and getattr(gate, key) > 1:
        raise mistake(f"`{gate.figure}` lies between 0 and 1 (0.05 means 5%)", key=key, show=True)
    if kind.kind == "point" and gate.decide != "point":
        text = f"`{gate.figure}` carries no interval, so that chance may decide; write `decide: point` if it shall"
        raise mistake(text, key="figure")
    if kind.kind != "point" and gate.decide == "point":
        raise mistake(
            f"this is for figures without an interval, and `{gate.figure}` is none; leave it out", key="decide"
        )
    if gate.figure in OF_K and gate.k is None:
        raise mistake(f"`{gate.figure}` needs `k`, the number of runs", key="figure")
    if gate.figure not in OF_K and gate.k is not None:
        raise mistake(f"this is for {listed(OF_K, 'and')}; leave it out", key="k")


def _is_of_what_it_can_be(gate: GateConfig) -> None:
    """Refuse to take a figure of what it is not taken of."""
    if gate.conditions is not None and gate.generators is not None:
        text = "give `conditions` or `generators`; each generator takes its conditions together"
        raise mistake(text, key="generators")
    takes = OF_ITEMS if gate.rule is None else TAKEN[gate.rule.kind.scope]
    if gate.figure in {*OF_K, "robustness_change"} or (
        gate.figure is not None and FIGURES[gate.figure].kind == "point"
    ):
        takes = takes - {"clusters", "together"} - ({"generators"} if gate.figure in OF_K else set())
    for key in ("conditions", "generators", "clusters", "together"):
        if getattr(gate, key) and key not in takes:
            figure = gate.figure or "must_pass"
            also = f"; it takes {listed(sorted(takes), 'and')}" if takes else "; leave it out"
            raise mistake(f"`{figure}` is not taken of this{also}", key=key)
    if gate.figure is None and gate.against is not None:
        raise mistake("a gate of one key is of one run; write `figure` and a rule to compare two", key="against")


def names_of(given: str | list[str] | None) -> tuple[str, ...]:
    """The patterns of a key that takes one or several; none where it is not given."""
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
