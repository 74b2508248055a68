"""All variants of one item: each generator's proposals, drawn by the seed, checked, named, without duplicates."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from .canonical import canonical_json
from .compose import checked_draft
from .generator import Draft, Draw, Generator, check_generators
from .generators.rerun import Rerun
from .question import Message, Subject, check_subject
from .rendering.render import render
from .seeds import rng_for
from .variant import Variant

BASELINE = "baseline"
REDRAWS = 20
"""How often a draft that repeats an earlier one of the same generator is drawn again."""

DUPLICATE = "duplicate of "
"""How the reason begins of a variant whose prompt another one of its item has already."""

Prompt = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A generator as it is listed in a run.

    Attributes:
        generator: The generator.
        parameters: Its parameters as canonical JSON.
        conditions_before: Conditions of its name before its own, so that each name stands once.
        draws_before: Draws of the same generator with the same parameters before its own.
    """

    generator: Generator
    parameters: str
    conditions_before: int
    draws_before: int

    def condition(self, number: int) -> str:
        """Name the condition of its variant of this number."""
        return f"{self.generator.name}.{self.conditions_before + number}"


@dataclass(slots=True)
class Seen:
    """What was drawn for one item so far.

    Attributes:
        prompts: Each prompt as it is sent, and the condition that it was first seen under.
        drafts: The applied drafts of each generator with its parameters.
        drawn: The prompts among them.
    """

    prompts: dict[Prompt, str]
    drafts: dict[tuple[str, str], list[Draft]] = field(default_factory=dict)
    drawn: dict[tuple[str, str], set[Prompt]] = field(default_factory=dict)


def perturb(subject: Subject, generators: Sequence[Generator], *, seed: int) -> list[Variant]:
    """Make all variants of one item, the baseline not among them.

    The result depends on the arguments alone: neither other items nor their order change a byte of it. A generator
    listed later changes nothing before it, and more variants of a generator leave its first ones as they were.

    Args:
        subject: The item.
        generators: What to make variants with; `compose` puts several together. A generator may be listed again with
            other parameters, and its conditions are then numbered on.
        seed: The run's seed.

    Returns:
        One variant for each generator and number, in that order, whatever its outcome.

    Raises:
        TypeError: For a subject that is none, or generators that are no sequence of generators.
        ValueError: Where two generators of a name have as many variants as an item has options, which no numbering
            keeps apart; where the right option is none of the question's.
    """
    check_subject(subject)
    return perturber(generators, seed=seed)(subject)


def perturber(generators: Sequence[Generator], *, seed: int) -> Callable[[Subject], list[Variant]]:
    """Give what makes all variants of one item after another: `perturb` with what all items share done once.

    Raises:
        TypeError: For generators that are no sequence of generators.
        ValueError: Where no numbering keeps two generators apart.
    """
    check_generators("perturb", generators)
    listed_once = listing(generators)

    def made(subject: Subject) -> list[Variant]:
        check_subject(subject)
        seen = Seen({render(subject.question, subject.layout): BASELINE})
        drawn = drawn_numbers(subject, listed_once)
        return [one_variant(subject, listed, number, seed, seen) for listed, number in drawn]

    return made


def condition_names(subject: Subject, listed_once: Sequence[Listed]) -> list[str]:
    """Name the conditions of all variants of one item, in order, the baseline not among them; nothing is drawn."""
    return [listed.condition(number) for listed, number in drawn_numbers(subject, listed_once)]


def baseline_variant(subject: Subject) -> Variant:
    """Give the original as a variant, the condition that all others are compared with."""
    return Variant(
        item_id=subject.item_id,
        condition=BASELINE,
        generator=BASELINE,
        version=1,
        parameters=canonical_json({}),
        tier="guaranteed",
        outcome="applied",
        reason="",
        question=subject.question,
        layout=subject.layout,
        permutation=tuple(range(len(subject.question.options))),
    )


def drawn_numbers(subject: Subject, listed_once: Sequence[Listed]) -> Iterator[tuple[Listed, int]]:
    """Give each generator with the numbers of its variants of an item."""
    for listed in listed_once:
        for number in range(1, count(listed.generator, subject) + 1):
            yield listed, number


def count(generator: Generator, subject: Subject) -> int:
    """Count the variants of an item; one at least, so that the outcome of an item without options is told."""
    return max(1, len(subject.question.options)) if generator.variants is None else generator.variants


def listing(generators: Sequence[Generator]) -> list[Listed]:
    """Number the conditions alike for all items: what an item's options decide comes after what they don't.

    Raises:
        ValueError: Where two generators of a name would both come last.
    """
    open_ended = [generator.name for generator in generators if generator.variants is None]
    if twice := [name for name, times in Counter(open_ended).items() if times > 1]:
        raise ValueError(f"{twice[0]} is listed twice with as many variants as an item has options; keep one of them")
    settled: Counter[str] = Counter()
    drawn: Counter[tuple[str, str]] = Counter()
    result = []
    for generator in generators:
        parameters = canonical_json(generator.parameters())
        result.append(Listed(generator, parameters, settled[generator.name], drawn[generator.name, parameters]))
        settled[generator.name] += generator.variants or 0
        drawn[generator.name, parameters] += generator.variants or 0
    return [
        replace(listed, conditions_before=settled[listed.generator.name])
        if listed.generator.variants is None
        else listed
        for listed in result
    ]


def one_variant(subject: Subject, listed: Listed, number: int, seed: int, seen: Seen) -> Variant:
    """Draw one variant, and say where it repeats the original or another."""
    draft, sent = fresh_draft(subject, listed, number, seed, seen)
    condition = listed.condition(number)
    if draft.outcome == "applied" and listed.generator.name != Rerun.name:
        first = seen.prompts.setdefault(sent, condition)
        if first == BASELINE:
            draft = Draft("unchanged", "the prompt is the same as the original")
        elif first != condition:
            draft = replace(draft, outcome="rejected", reason=f"{DUPLICATE}{first}")
    return as_variant(subject, listed, condition, draft)


def fresh_draft(subject: Subject, listed: Listed, number: int, seed: int, seen: Seen) -> tuple[Draft, Prompt]:
    """Draw until a draft differs from the generator's earlier ones, as long as chance has a part in it.

    Returns:
        The draft, and its prompt; no prompt where there is nothing to ask.
    """
    generator, key = listed.generator, (listed.generator.name, listed.parameters)
    earlier, drawn = seen.drafts.setdefault(key, []), seen.drawn.setdefault(key, set())
    number += listed.draws_before
    source = partial(
        rng_for,
        seed=seed,
        generator=generator.name,
        version=generator.version,
        parameters=listed.parameters,
        item_id=subject.item_id,
        number=number,
    )
    rng, before = source(), None
    for _ in range(REDRAWS):
        draft = checked_draft(generator, subject, Draw(number, rng, tuple(earlier)))
        if draft.outcome != "applied":
            return draft, ()
        sent = prompt(subject, draft)
        if sent not in drawn or (after := rng.getstate()) == (before or source().getstate()):
            break
        before = after
    earlier.append(draft)
    drawn.add(sent)
    return draft, sent


def prompt(subject: Subject, draft: Draft) -> Prompt:
    """Write out the prompt of a draft as it would be sent."""
    return render(draft.question or subject.question, draft.layout or subject.layout)


def as_variant(subject: Subject, listed: Listed, condition: str, draft: Draft) -> Variant:
    """Put a draft under its condition; what was rejected stays readable, what is not asked is the original."""
    kept = draft if draft.outcome in {"applied", "rejected"} else Draft(draft.outcome, draft.reason)
    original = tuple(range(len(subject.question.options)))
    return Variant(
        item_id=subject.item_id,
        condition=condition,
        generator=listed.generator.name,
        version=listed.generator.version,
        parameters=listed.parameters,
        tier=listed.generator.tier,
        outcome=kept.outcome,
        reason=kept.reason,
        question=kept.question or subject.question,
        layout=kept.layout or subject.layout,
        permutation=original if kept.permutation is None else kept.permutation,
        edits=kept.edits,
        severity=kept.severity,
        gold=kept.gold,
    )
