"""What a person said of variants: which need it, what follows from it, and how it outlives a bundle written anew."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ..perturbations import Bundle, Generator, Subject
from ..perturbations.perturb import Listed, condition_names, listing
from ..perturbations.variant import Review, Variant
from .config.schema import Config, PerturbationConfig
from .encoding import VariantSpool
from .problems import counted

REJECTED = "rejected by a reviewer"
NOT_REVIEWED = "not reviewed yet"
SAID: dict[Review, str] = {"accept": "accepted", "reject": "rejected", "": "not reviewed"}


def requires_review(config: Config) -> bool:
    """Whether a config asks some variants only where a person accepted them."""
    return any(is_required(step) for entry in config.perturbations for step in entry)


def is_required(step: PerturbationConfig) -> bool:
    """Whether a generator's entry says `review: required`."""
    return getattr(step.config, "review", "") == "required"


def needing_review(config: Config, generators: Sequence[Generator], subject: Subject) -> frozenset[str]:
    """The conditions of an item that are asked only where a person accepted them.

    Args:
        config: The config; its `perturbations` say `review: required` of a generator, or of a step of a composition.
        generators: Its generators.
        subject: The item.
    """
    return frozenset(condition_names(subject, needing(config, listing(generators))))


def needing(config: Config, listed_once: Sequence[Listed]) -> list[Listed]:
    """The generators of a config whose variants are asked only where a person accepted them."""
    listed = zip(listed_once, config.perturbations, strict=False)
    return [each for each, entry in listed if any(is_required(step) for step in entry)]


def words_move(variant: Variant) -> bool:
    """Whether a variant may say something in other words, so that only a reader can tell whether it asks the same."""
    parameters = json.loads(variant.parameters)
    alone = [{"generator": variant.generator, "parameters": parameters}]
    return any(
        step["generator"] == "paraphrase" or step["parameters"].get("moves_words") is True
        for step in parameters.get("steps", alone)
    )


def can_be_asked(variant: Variant) -> bool:
    """Whether nothing but a review keeps a variant from being asked."""
    return variant.outcome == "applied" or (
        variant.outcome == "rejected" and variant.reason in {REJECTED, NOT_REVIEWED}
    )


def is_meant(variant: Variant, conditions: Sequence[str]) -> bool:
    """Whether a person is to look at a variant: one of a condition named; else any in other words, or in need of it.

    Args:
        variant: The variant, as a run or as its bundle has it.
        conditions: Patterns of conditions; none for what needs a look most.
    """
    if conditions:
        return any(fnmatchcase(variant.condition, pattern) for pattern in conditions)
    return (variant.tier == "checked" and words_move(variant)) or variant.reason == NOT_REVIEWED


def judged(variant: Variant, required: frozenset[str]) -> Variant:
    """A variant as its review has it: rejected where a person did, or where one has to accept it and did not yet."""
    if variant.outcome != "applied":
        return variant
    if variant.review == "reject":
        return replace(variant, outcome="rejected", reason=REJECTED)
    if variant.condition in required and variant.review != "accept":
        return replace(variant, outcome="rejected", reason=NOT_REVIEWED)
    return variant


def review_notes(waiting: int, config: Path) -> tuple[str, ...]:
    """Say how many variants are not asked since nobody reviewed them, and how to do so; nothing where none is."""
    if not waiting:
        return ()
    they_wait = "waits for a review and is" if waiting == 1 else "wait for a review and are"
    return (f"{counted(waiting, 'variant')} {they_wait} not asked: `prt perturb --review {config}`",)


@dataclass(frozen=True, slots=True)
class Carried:
    """A bundle with the reviews of an earlier one.

    Attributes:
        bundle: The bundle.
        kept: How many reviews it took over.
        dropped: The reviewed variants that it does not hold, or not as they were.
    """

    bundle: Bundle
    kept: int
    dropped: tuple[Variant, ...]


def carried(earlier: Iterable[Variant], bundle: Bundle) -> Carried:
    """Take over the reviews of the variants that show the same, byte for byte, under the same item and condition."""
    reviews = {(variant.item_id, variant.condition): variant for variant in earlier if variant.review}
    if not reviews:
        return Carried(bundle, 0, ())
    variants = VariantSpool(with_review(variant, reviews) for variant in bundle.variants)
    kept = {(variant.item_id, variant.condition) for variant in variants if variant.review}
    dropped = tuple(variant for place, variant in reviews.items() if place not in kept)
    return Carried(replace(bundle, variants=variants), len(kept), dropped)


def with_review(variant: Variant, reviews: Mapping[tuple[str, str], Variant]) -> Variant:
    """A variant with the review of the same one, if there is one."""
    reviewed = reviews.get((variant.item_id, variant.condition))
    if reviewed is None or what_is_judged(reviewed) != what_is_judged(variant):
        return variant
    return replace(variant, review=reviewed.review)


def what_is_judged(variant: Variant) -> Variant:
    """A variant without what a reviewer does not see: how it was made, and the review itself.

    The parameters of paraphrases name all of them by their hash, so that one that is mended would take the reviews of
    all others away.
    """
    return replace(variant, version=0, parameters="", review="")
