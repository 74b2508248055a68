"""What generators did to the items of a run, counted: outcomes and their reasons, severity, and what must be zero."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import JsonValue as Json

from ..perturbations import Subject
from ..perturbations.audit import audit
from ..perturbations.generators.paraphrase_llm import SUCH_AS
from ..perturbations.perturb import BASELINE, DUPLICATE
from ..perturbations.variant import Outcome, Tier, Variant
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
    audited = [look(variant, subjects[variant.item_id]) for variant in variants if variant.condition != BASELINE]
    return PerturbStats(
        items=len(subjects),
        conditions=tallies(audited, lambda variant: variant.condition),
        generators=tallies(audited, lambda variant: variant.generator),
        total=tally("total", "", audited),
    )


def outcome_tallies(variants: Iterable[Variant]) -> tuple[Tally, ...]:
    """Count the variants of each condition, in the order of the config, and look into none of them."""
    return tallies(
        [Audited(variant) for variant in variants if variant.condition != BASELINE], lambda variant: variant.condition
    )


def tallies(audited: Iterable[Audited], named: Callable[[Variant], str]) -> tuple[Tally, ...]:
    """Count the variants of each name, in the order of its first one."""
    groups: dict[str, list[Audited]] = defaultdict(list)
    for each in audited:
        groups[named(each.variant)].append(each)
    return tuple(tally(name, group[0].variant.generator, group) for name, group in groups.items())


def look(variant: Variant, subject: Subject) -> Audited:
    """Look for what must not change in a variant that will be asked."""
    if variant.outcome != "applied":
        return Audited(variant)
    found = audit(subject, variant, words_move=words_move(variant))
    altered, wrong = (
        tuple(Fault(variant.item_id, variant.condition, clause) for clause in clauses)
        for clauses in (found.altered, found.wrong_golds)
    )
    return Audited(variant, found.tokens, found.golds, altered, wrong)


def tally(name: str, generator: str, audited: Sequence[Audited]) -> Tally:
    """Count some variants."""
    variants = [each.variant for each in audited]
    outcomes = Counter(variant.outcome for variant in variants)
    tiers = {variant.tier for variant in variants}
    parameters = {variant.parameters for variant in variants}
    return Tally(
        name=name,
        generator=generator,
        tier=tiers.pop() if len(tiers) == 1 else None,
        n=len(variants),
        outcomes={outcome: outcomes[outcome] for outcome in OUTCOMES},
        duplicates=sum(each.outcome == "rejected" and each.reason.startswith(DUPLICATE) for each in variants),
        reasons=grouped_reasons((each.outcome, each.reason, each.item_id) for each in variants),
        severity=severity_of([each.severity for each in variants if each.outcome == "applied"]),
        protected=checked(sum(each.tokens for each in audited), (each.altered for each in audited)),
        gold=checked(sum(each.golds for each in audited), (each.wrong for each in audited)),
        reviews=reviews_of(variants),
        parameters=parameters_of(parameters.pop()) if len(parameters) == 1 else None,
    )


def checked(n: int, faults: Iterable[Iterable[Fault]]) -> Checked:
    """Put together what was found in some variants."""
    found = tuple(fault for each in faults for fault in each)
    return Checked(n, len(found), found)


def severity_of(severities: Iterable[float | None]) -> Severity | None:
    """Give mean and range of what was realised; None where nothing edits words."""
    known = [severity for severity in severities if severity is not None]
    return Severity(len(known), sum(known) / len(known), min(known), max(known)) if known else None


def reviews_of(variants: Iterable[Variant]) -> Reviews:
    """Count what a person said of the applied variants."""
    said = Counter(variant.review for variant in variants if variant.outcome == "applied")
    return Reviews(said["accept"], said["reject"], said[""])


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
