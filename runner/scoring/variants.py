"""The perturbed variants of a row: kinds taken in turn, by the generators of prt; paraphrases as a model wrote them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from ... import perturbations
from ...perturbations.canonical import canonical_hash
from ...perturbations.generator import Generator
from ...perturbations.generators.paraphrase_llm import Proposal
from ...perturbations.perturb import perturb
from ...perturbations.question import Message, Subject
from ...perturbations.rendering.render import render
from ..config.score import VariantKind
from .rows import ScoreRow

BUILT: Mapping[VariantKind, Callable[[int], Generator]] = {
    "typo": lambda variants: perturbations.Typo(variants=variants),
    "style": lambda variants: perturbations.Style(variants=variants),
    "format": lambda variants: perturbations.Format(variants=variants),
    "noise": lambda variants: perturbations.Noise(variants=variants),
}
SEED_BYTES = 4


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One variant.

    Attributes:
        condition: Its kind and number: `typo.1`.
        messages: What is sent.
    """

    condition: str
    messages: tuple[Message, ...]


def original(row: ScoreRow) -> tuple[Message, ...]:
    """What is sent of a row as it is."""
    return render(row.question, subject_of(row).layout)


def subject_of(row: ScoreRow) -> Subject:
    """A row as the generators are given it."""
    return Subject(row.id, row.question)


def paraphrases_wanted(kinds: Sequence[VariantKind], num_pairs: int) -> int:
    """How many variants are paraphrases where all kinds apply."""
    return sum(kind == "paraphrase" for kind in islice(cycle(kinds), num_pairs))


def perturbed(
    row: ScoreRow,
    kinds: Sequence[VariantKind],
    num_pairs: int,
    *,
    seed: int,
    proposals: Sequence[Sequence[Proposal]] = (),
) -> list[Perturbed]:
    """Make the variants of a row; a pure function of its arguments.

    Args:
        row: The row.
        kinds: The kinds, in turn.
        num_pairs: How many variants.
        seed: The seed.
        proposals: What a model proposed for each paraphrase.

    Returns:
        So many variants, all different, or fewer where no more of any kind can be made.
    """
    wanted = Counter(islice(cycle(kinds), num_pairs))
    found = _in_turn(row, kinds, wanted, num_pairs, seed=seed, proposals=proposals)
    if len(found) == num_pairs:
        return found
    every = Counter(dict.fromkeys(kinds, num_pairs))
    return _in_turn(row, kinds, every, num_pairs, seed=seed, proposals=proposals)


def _in_turn(
    row: ScoreRow,
    kinds: Sequence[VariantKind],
    drawn: Mapping[VariantKind, int],
    num_pairs: int,
    *,
    seed: int,
    proposals: Sequence[Sequence[Proposal]],
) -> list[Perturbed]:
    """Take variants in turn, of so many that are drawn of each kind."""
    generators: list[Generator] = []
    for name, variants in drawn.items():
        if name in BUILT:
            generators.append(BUILT[name](variants))
        elif proposals:
            written = perturbations.Written(proposals={row.id: proposals}, model={})
            asked = perturbations.Paraphrasing(model={})
            generators.append(perturbations.ParaphraseProposals(asked=asked, written=written, variants=len(proposals)))
    made = perturb(subject_of(row), generators, seed=seed)
    left = {name: [each for each in made if each.generator == name and each.outcome == "applied"] for name in drawn}
    found: list[Perturbed] = []
    for kind in cycle(kinds):
        if len(found) == num_pairs or not any(left.values()):
            break
        if left.get(kind):
            variant = left[kind].pop(0)
            found.append(Perturbed(variant.condition, render(variant.question, variant.layout)))
    return found


def proposal_seed(seed: int, number: int, attempt: int) -> int:
    """A seed for each attempt at each paraphrase, so that a model at temperature 0 writes another one."""
    return int.from_bytes(canonical_hash("prt.score", [seed, number, attempt])[:SEED_BYTES])
