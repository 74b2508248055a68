"""Several generators one after the other, and the check of protected text after each step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .generator import Draft, Draw, Generator, check_generators
from .protection.proof import unproved
from .question import Gold, Subject
from .variant import Tier

TIERS: tuple[Tier, ...] = ("guaranteed", "checked", "stress", "control")


@dataclass(frozen=True, slots=True)
class Composition:
    """Generators applied in a fixed order, each to what the one before it made; itself a generator.

    A step that is not applicable, or is rejected, makes the whole so: a condition holds all its changes or none. What
    must not change is found anew at each step.

    Attributes:
        steps: The generators, two at least; a step with fewer variants than others starts over.
    """

    steps: tuple[Generator, ...]

    def __post_init__(self) -> None:
        """Refuse what is no composition.

        Raises:
            ValueError: With fewer than two steps, or with a control among them.
        """
        if len(self.steps) < 2:
            raise ValueError(f"a composition has two generators or more; found {len(self.steps)}")
        if any(step.tier == "control" for step in self.steps):
            raise ValueError("a control changes what is right, so it stands alone and is no step of a composition")

    @property
    def name(self) -> str:
        """The steps' names, joined by a plus sign."""
        return "+".join(step.name for step in self.steps)

    @property
    def version(self) -> int:
        """The version of composing; those of the steps are among the parameters."""
        return 1

    @property
    def tier(self) -> Tier:
        """The weakest tier of the steps."""
        return max((step.tier for step in self.steps), key=TIERS.index)

    @property
    def variants(self) -> int | None:
        """As many as the step with the most has; as many as the item has options if one step has so many."""
        counts = [step.variants for step in self.steps]
        return None if None in counts else max(count for count in counts if count is not None)

    def parameters(self) -> dict[str, object]:
        """Give generator, version and parameters of each step."""
        return {
            "steps": [
                {"generator": step.name, "version": step.version, "parameters": step.parameters()}
                for step in self.steps
            ]
        }

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose the outcome of all steps."""
        draft, current = Draft("unchanged", "no step changed anything"), subject
        for step in self.steps:
            number = (draw.number - 1) % (step.variants or draw.number) + 1
            proposal = checked_draft(step, current, Draw(number, draw.rng))
            if proposal.outcome in {"not_applicable", "rejected"}:
                return Draft(proposal.outcome, f"{step.name}: {proposal.reason}")
            if proposal.outcome == "applied":
                draft, current = joined(draft, proposal), advanced(current, proposal)
        return draft


def compose(generators: Sequence[Generator]) -> Generator:
    """Put generators together: one stays what it is, more become a composition in the order given.

    Raises:
        TypeError: For what is no sequence of generators.
        ValueError: Without any generator.
    """
    check_generators("compose", generators)
    return generators[0] if len(generators) == 1 else Composition(tuple(generators))


def checked_draft(generator: Generator, subject: Subject, draw: Draw) -> Draft:
    """Take a generator's proposal, and reject it where it can't be proven to have kept what must not change."""
    draft = generator.draft(subject, draw)
    if draft.outcome != "applied" or draft.validated:
        return draft
    reason = unproved(subject, draft, generator.tier)
    return replace(draft, outcome="rejected", reason=reason) if reason else draft


def joined(done: Draft, step: Draft) -> Draft:
    """Add a step's changes to those of the steps before it; each has been checked against what it was given."""
    return Draft(
        "applied",
        question=step.question or done.question,
        layout=step.layout or done.layout,
        permutation=permuted(done.permutation, step.permutation),
        edits=(*done.edits, *step.edits),
        severity=combined_severity(done.severity, step.severity),
        validated=True,
    )


def permuted(first: tuple[int, ...] | None, second: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Give the one order that two orders, one after the other, amount to."""
    if first is None or second is None:
        return second if first is None else first
    return tuple(first[position] for position in second)


def combined_severity(first: float | None, second: float | None) -> float | None:
    """Give the share of words that either of two steps edited, if each chose its words without regard to the other."""
    if first is None or second is None:
        return second if first is None else first
    return 1 - (1 - first) * (1 - second)


def advanced(subject: Subject, draft: Draft) -> Subject:
    """Give what the next step starts from; right options are where the step before put them."""
    gold = subject.gold
    if draft.permutation is not None:
        slots = (slot for slot, option in enumerate(draft.permutation) if option in subject.gold.options)
        gold = Gold(options=tuple(slots), texts=gold.texts)
    return replace(
        subject, question=draft.question or subject.question, layout=draft.layout or subject.layout, gold=gold
    )
