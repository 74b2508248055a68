"""What generators did to the items of a run, counted: outcomes and their reasons, severity, and what must be zero."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import get_args

from pydantic import JsonValue as Json

from ..perturbations import Subject
from ..perturbations.generators.kinds import SUCH_AS
from ..perturbations.perturb import BASELINE, DUPLICATE
from ..perturbations.variant import Outcome, Review, Tier, Variant
from .legend import parameters_of
from .reviewing import words_move

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
QUOTED = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?!\w)""")
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[.,]\d+)*(?!\w)")
ELIDED = "…"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason, word for word.

    Attributes:
        reason: The reason; empty where none was given.
        n: How many variants have it.
        items: Their items, in the order of the dataset.
    """

    reason: str
    n: int
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """Reasons that differ only in the words and numbers that they quote.

    Attributes:
        outcome: What these variants are instead of `applied`.
        reason: The reason that all have, or what their reasons share.
        n: How many variants.
        reasons: The reasons word for word, the most frequent first.
    """

    outcome: Outcome
    reason: str
    n: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Severity:
    """Realised severity, words edited / eligible words, over the applied variants that edit words.

    Attributes:
        n: How many those are.
        mean: Their mean severity.
        low: The smallest.
        high: The largest.
    """

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that must not be, found in an applied variant: where, and what."""

    item_id: str
    condition: str
    found: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked for in every applied variant, and how much of it was not as it must be.

    Attributes:
        n: How many things were looked for.
        wrong: How many of them are not as they must be.
        faults: Those.
    """

    n: int
    wrong: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Reviews:
    """How many applied variants a person accepted, rejected, or said nothing of."""

    accepted: int
    rejected: int
    none: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The variants of one condition, of one generator, or all.

    Attributes:
        name: The condition or the generator; `total` for all.
        generator: The generator.
        tier: How far the same meaning is warranted; None where tiers differ.
        n: How many variants there are, one an item and condition.
        outcomes: How many have each outcome.
        duplicates: How many of the rejected ones repeat the prompt of another variant.
        reasons: Why the others are not applied, the most frequent first.
        severity: Realised severity; None where no variant edits words.
        protected: Protected tokens in the applied variants, and those that were altered.
        gold: Right options of the applied variants, and those whose label stands before something else.
        reviews: What a person said of the applied ones.
        parameters: The generator's resolved parameters; None where they differ.
    """

    name: str
    generator: str
    tier: Tier | None
    n: int
    outcomes: Mapping[Outcome, int]
    duplicates: int
    reasons: tuple[ReasonGroup, ...]
    severity: Severity | None
    protected: Checked
    gold: Checked
    reviews: Reviews
    parameters: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class PerturbStats:
    """The variants of a run, counted three ways.

    Attributes:
        items: How many items there are.
        conditions: Each condition, in the order of the config.
        generators: Each generator over all its conditions.
        total: All variants.
    """

    items: int
    conditions: tuple[Tally, ...]
    generators: tuple[Tally, ...]
    total: Tally

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that must not be."""
        return (*self.total.protected.faults, *self.total.gold.faults)


@dataclass(frozen=True, slots=True)
class Audited:
    """A variant with what was looked for in it: how much, and what was not as it must be."""

    variant: Variant
    tokens: int = 0
    golds: int = 0
    altered: tuple[Fault, ...] = ()
    wrong: tuple[Fault, ...] = ()


def perturb_stats(variants: Iterable[Variant], subjects: Mapping[str, Subject]) -> PerturbStats:
    """Count variants, and look for all that must not change in every applied one.

    Args:
        variants: The variants, the baselines among them or not.
        subjects: The item of each, by its id.
    """
    conditions, generators, total = Tallying(), Tallying(), Count("total", "")
    for variant in variants:
        if variant.condition != BASELINE:
            audited = look(variant, subjects)
            conditions.note(variant.condition, audited)
            generators.note(variant.generator, audited)
            total.note(audited)
    return PerturbStats(len(subjects), conditions.tallies(), generators.tallies(), total.tally())


def outcome_tallies(variants: Iterable[Variant]) -> tuple[Tally, ...]:
    """Count the variants of each condition, in the order of the config, and look into none of them."""
    conditions = Tallying()
    for variant in variants:
        if variant.condition != BASELINE:
            conditions.note(variant.condition, Audited(variant))
    return conditions.tallies()


def look(variant: Variant, subjects: Mapping[str, Subject]) -> Audited:
    """Look for what must not change in a variant that will be asked."""
    if variant.outcome != "applied":
        return Audited(variant)
    from ..perturbations.audit import audit  # noqa: PLC0415 - a run counts its variants and looks into none

    found = audit(subjects[variant.item_id], variant, words_move=words_move(variant))
    altered, wrong = (
        tuple(Fault(variant.item_id, variant.condition, clause) for clause in clauses)
        for clauses in (found.altered, found.wrong_golds)
    )
    return Audited(variant, found.tokens, found.golds, altered, wrong)


class Tallying:
    """Counts variants under names as they come; of none is more kept than what it counts for."""

    def __init__(self, *, with_items: bool = True) -> None:
        """Begin with no variant.

        Args:
            with_items: Whether reasons name their items, which takes memory for each variant that is not applied.
        """
        self._counts: dict[str, Count] = {}
        self._with_items = with_items

    def note(self, name: str, audited: Audited) -> None:
        """Count a variant."""
        if name not in self._counts:
            self._counts[name] = Count(name, audited.variant.generator, with_items=self._with_items)
        self._counts[name].note(audited)

    def tallies(self) -> tuple[Tally, ...]:
        """What was counted, in the order of the first variant of each name."""
        return tuple(count.tally() for count in self._counts.values())


class Count:
    """What was counted under one name."""

    def __init__(self, name: str, generator: str, *, with_items: bool = True) -> None:
        """Begin with no variant."""
        self._name, self._generator, self._with_items = name, generator, with_items
        self._outcomes: Counter[Outcome] = Counter()
        self._tiers: set[Tier] = set()
        self._parameters: set[str] = set()
        self._reviews: Counter[Review] = Counter()
        self._items: dict[tuple[Outcome, str], list[str]] = defaultdict(list)
        self._reasons: Counter[tuple[Outcome, str]] = Counter()
        self._severities = array("d")
        self._duplicates = self._tokens = self._golds = 0
        self._altered: list[Fault] = []
        self._wrong: list[Fault] = []

    def note(self, audited: Audited) -> None:
        """Count a variant."""
        variant = audited.variant
        self._outcomes[variant.outcome] += 1
        self._tiers.add(variant.tier)
        self._parameters.add(variant.parameters)
        if variant.outcome != "applied":
            self._reasons[variant.outcome, variant.reason] += 1
            if self._with_items:
                self._items[variant.outcome, variant.reason].append(variant.item_id)
            self._duplicates += variant.outcome == "rejected" and variant.reason.startswith(DUPLICATE)
            return
        self._reviews[variant.review] += 1
        if variant.severity is not None:
            self._severities.append(variant.severity)
        self._tokens += audited.tokens
        self._golds += audited.golds
        self._altered += audited.altered
        self._wrong += audited.wrong

    def tally(self) -> Tally:
        """What was counted."""
        return Tally(
            name=self._name,
            generator=self._generator,
            tier=next(iter(self._tiers)) if len(self._tiers) == 1 else None,
            n=self._outcomes.total(),
            outcomes={outcome: self._outcomes[outcome] for outcome in OUTCOMES},
            duplicates=self._duplicates,
            reasons=grouped_reasons(self._places()),
            severity=severity_of(self._severities),
            protected=Checked(self._tokens, len(self._altered), tuple(self._altered)),
            gold=Checked(self._golds, len(self._wrong), tuple(self._wrong)),
            reviews=Reviews(self._reviews["accept"], self._reviews["reject"], self._reviews[""]),
            parameters=parameters_of(next(iter(self._parameters))) if len(self._parameters) == 1 else None,
        )

    def _places(self) -> Iterator[tuple[Outcome, str, str]]:
        for (outcome, reason), n in self._reasons.items():
            for item_id in self._items.get((outcome, reason), repeat("", n)):
                yield outcome, reason, item_id


def severity_of(known: Sequence[float]) -> Severity | None:
    """Give mean and range of what was realised; None where nothing edits words."""
    return Severity(len(known), sum(known) / len(known), min(known), max(known)) if known else None


def grouped_reasons(found: Iterable[tuple[Outcome, str, str]]) -> tuple[ReasonGroup, ...]:
    """Put reasons together that differ only in what they quote.

    Args:
        found: Outcome, reason and item of each variant.

    Returns:
        The groups of what is not applied, the largest first.
    """
    items: dict[tuple[Outcome, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for outcome, reason, item_id in found:
        if outcome != "applied":
            items[outcome, shared_words(reason)][reason].append(item_id)
    groups = [group_of(outcome, shared, reasons) for (outcome, shared), reasons in items.items()]
    return tuple(sorted(groups, key=lambda group: (-group.n, OUTCOMES.index(group.outcome), group.reason)))


def group_of(outcome: Outcome, shared: str, reasons: Mapping[str, Sequence[str]]) -> ReasonGroup:
    """Make a group of some reasons; one that all have is given word for word."""
    exact = sorted(reasons_of(reasons), key=lambda reason: (-reason.n, reason.reason))
    named = exact[0].reason if len(exact) == 1 else shared
    return ReasonGroup(outcome, named, sum(reason.n for reason in exact), tuple(exact))


def reasons_of(items: Mapping[str, Sequence[str]]) -> Iterator[Reason]:
    """Make each reason with its items; an item with several conditions stands once."""
    return (Reason(reason, len(ids), tuple(dict.fromkeys(ids))) for reason, ids in items.items())


def shared_words(reason: str) -> str:
    """Give a reason without what it quotes, counts or lists: `names differ` of `names differ: 'Ann' is missing`."""
    words = NUMBER.sub(ELIDED, QUOTED.sub(ELIDED, reason.partition(SUCH_AS)[0]))
    return words.partition(f": {ELIDED}")[0]
