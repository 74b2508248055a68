"""Frozen bundles of variants: reading one for a run, and proving that it belongs to this config and these items."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue as Json

from ..perturbations import Generator, Subject, records
from ..perturbations.bundle import Bundle, BundleFile, BundleFormatError, GeneratorRecord
from ..perturbations.canonical import canonical_json
from ..perturbations.perturb import Listed, condition_names, listing
from ..perturbations.question import Question
from ..perturbations.variant import Variant
from .config.loading import LoadedConfig
from .encoding import VariantSpool, variant_groups
from .errors import BundleError, Problem
from .generators import wants_rerun
from .paraphrasing.paraphrasers import asks_a_model
from .plan import BASELINE
from .problems import SHOWN, counted, listed, quoted
from .records import Item
from .reviewing import judged, needing

ANEW = "write the bundle anew by `prt perturb`"
CONFIG_OR_BUNDLE = f"{ANEW}, or remove `bundle:` from the config"


class Made(NamedTuple):
    """The variants of a run: the generators that make them, and what gives those of an item, the baseline first."""

    generators: tuple[GeneratorRecord, ...]
    variants: Callable[[Item], Sequence[Variant]]


def bundle_file(loaded: LoadedConfig) -> Path | None:
    """The file of the bundle that a config names; None where it names none."""
    return None if loaded.config.bundle is None else loaded.base / loaded.config.bundle


def bundle_target(loaded: LoadedConfig) -> Path:
    """Where a config's bundle is written: the file that it names, else one beside the config."""
    return bundle_file(loaded) or loaded.path.with_name(f"{loaded.path.stem}.bundle.jsonl")


def frozen_file(loaded: LoadedConfig) -> Path | None:
    """The file of the bundle that a run takes its variants from; None where it makes them anew.

    It is the one that the config names. What a model writes is always frozen, so there it is the target, once written.
    """
    if not asks_a_model(loaded.config):
        return bundle_file(loaded)
    target = bundle_target(loaded)
    return target if target.exists() else None


def frozen_variants(loaded: LoadedConfig, items: Iterable[Item], generators: Sequence[Generator], file: Path) -> Made:
    """Read a bundle of a config.

    Args:
        loaded: The config.
        items: The items of the run; the bundle may hold more.
        generators: The generators of the config.
        file: The bundle's file.

    Returns:
        The variants as they were frozen; those that a person rejected, or has not accepted though the config demands
        it, are `rejected`.

    Raises:
        BundleError: It can't be read, was made by another seed, other generators or other protected patterns than the
            config's, lacks an item, or was made from another wording of one.
    """
    shown = str(file if loaded.config.bundle is None else Path(loaded.config.bundle))
    bundle = opened(file, shown)
    refuse(other_origin(bundle, loaded, generators), shown)
    by_item = grouped(bundle.variants)
    refuse(mismatches(by_item, items), shown)
    listed_once = listing(generators)
    refuse(other_conditions(by_item, items, listed_once, mending(loaded)), shown)
    required = needing(loaded.config, listed_once)

    def variants(item: Item) -> Sequence[Variant]:
        needed = frozenset(condition_names(Subject(item.id, item.question), required))
        return tuple(judged(variant, needed) for variant in by_item[item.id])

    return Made(bundle.generators, variants)


def mending(loaded: LoadedConfig) -> str:
    """What to do about a bundle that the config would not make; there is always one where a model writes."""
    return ANEW if asks_a_model(loaded.config) else CONFIG_OR_BUNDLE


def protected_patterns(loaded: LoadedConfig) -> tuple[str, ...]:
    """The user's patterns as a bundle records them: as the file has them, without the value of a `${NAME}`."""
    patterns = loaded.public()["protect"]
    return tuple(str(pattern) for pattern in patterns) if isinstance(patterns, list) else ()


def refuse(sentences: Iterator[str], path: str) -> None:
    """Raise what is wrong with a bundle, if anything is: the first ones, and how many more there are."""
    problems = [Problem(sentence, path=path) for sentence in sentences]
    if problems:
        rest = len(problems) - SHOWN
        more = [Problem(f"and {counted(rest, 'more item')} that do not fit")] if rest > 0 else []
        raise BundleError(*problems[:SHOWN], *more)


def opened(path: Path, shown: str) -> Bundle:
    """Read a bundle's file; its variants lie on the disk."""
    try:
        file = BundleFile(path)
        return file.whole(VariantSpool(file.variants()))
    except BundleFormatError as error:
        raise BundleError(Problem(error.message, path=shown, line=error.line)) from None
    except OSError as error:
        advice = "`prt perturb` writes one"
        raise BundleError(Problem(f"can't be read ({error.strerror}); {advice}", path=shown, key="bundle")) from None


def other_origin(bundle: Bundle, loaded: LoadedConfig, generators: Sequence[Generator]) -> Iterator[str]:
    """Say in what the seed, the protected patterns and the generators of a bundle are not those of the config."""
    seed, wanted, mend = loaded.config.seed, settled(records(generators)), mending(loaded)
    protect = protected_patterns(loaded)
    if bundle.protect is not None and set(bundle.protect) != set(protect):
        had, has = protecting(bundle.protect), protecting(protect)
        yield f"the bundle was made with {had}, and the config has {has}; {mend}"
    if bundle.seed != seed:
        yield f"the bundle was made with `seed: {bundle.seed}`, and the config says {seed}; {mend}"
    frozen, made = names(bundle.generators), names(wanted)
    if frozen != made:
        added = " (`rerun` is added since replies may vary)" if wants_rerun(loaded.config) else ""
        yield (
            f"the bundle was made by {listed(frozen)}, and the config's perturbations are {listed(made)}{added}; {mend}"
        )
        return
    for old, new in zip(settled(bundle.generators), wanted, strict=True):
        if old != new:
            yield f"the bundle has {differing_records(old, new)}; {mend}"


def settled(made: Iterable[GeneratorRecord]) -> tuple[GeneratorRecord, ...]:
    """The records of generators without what no config says: which texts a model wrote, and what it called itself."""
    return tuple(replace(one, parameters=canonical_json(unwritten(json.loads(one.parameters)))) for one in made)


def unwritten(parameters: Json) -> Json:
    """Parameters without what is known only once a model was asked, in the steps of a composition too."""
    if isinstance(parameters, list):
        return [unwritten(part) for part in parameters]
    if not isinstance(parameters, dict):
        return parameters
    written = {"written"} if parameters.get("kind") == "llm" else set()
    return {key: unwritten(value) for key, value in parameters.items() if key not in written}


def protecting(patterns: Sequence[str]) -> str:
    """The user's patterns, as the config has them."""
    return f"`protect: [{', '.join(quoted(pattern) for pattern in patterns)}]`" if patterns else "no `protect`"


def names(generators: Sequence[GeneratorRecord]) -> list[str]:
    """The names of generators."""
    return [generator.name for generator in generators]


def differing_records(old: GeneratorRecord, new: GeneratorRecord) -> str:
    """In what two records of one generator differ: its version, or else its parameters."""
    if old.version != new.version:
        return f"`{old.name}` of version {old.version}, and this prt makes version {new.version}"
    before, now = json.loads(old.parameters), json.loads(new.parameters)
    keys = [key for key in sorted(before.keys() | now.keys()) if before.get(key) != now.get(key)]
    changes = (f"{key} {quoted(before.get(key))}, and the config says {quoted(now.get(key))}" for key in keys)
    return f"`{old.name}` with {'; '.join(changes)}"


def grouped(variants: Iterable[Variant]) -> Mapping[str, Sequence[Variant]]:
    """The variants by item, the baseline first."""
    groups = variant_groups()
    scattered: dict[str, list[Variant]] = {}
    for item_id, each in groupby(variants, attrgetter("item_id")):
        if item_id in groups:
            scattered.setdefault(item_id, []).extend(each)
        else:
            groups.append(item_id, baseline_first(each))
    mended = {item_id: baseline_first((*groups[item_id], *more)) for item_id, more in scattered.items()}
    return {**groups, **mended} if mended else groups


def baseline_first(variants: Iterable[Variant]) -> list[Variant]:
    """Variants with the baseline before the others, which keep their order."""
    return sorted(variants, key=lambda variant: variant.condition != BASELINE)


def mismatches(by_item: Mapping[str, Sequence[Variant]], items: Iterable[Item]) -> Iterator[str]:
    """Say which items the bundle was not made from."""
    for item in items:
        variants = by_item.get(item.id, ())
        baseline = variants[0].question if variants and variants[0].condition == BASELINE else None
        if baseline is None:
            yield f"the bundle has no variants of the item {item.id!r}; `prt perturb` writes it anew"
        elif baseline != item.question:
            parts = ", ".join(differing(baseline, item.question))
            yield f"the item {item.id!r} was frozen with another {parts}; `prt perturb` writes the bundle anew"


def other_conditions(
    by_item: Mapping[str, Sequence[Variant]], items: Iterable[Item], generators: Sequence[Listed], mend: str
) -> Iterator[str]:
    """Say of the first item with another number of variants how many there are; a header does not tell."""
    for item in items:
        frozen = [variant.condition for variant in by_item[item.id][1:]]
        wanted = condition_names(Subject(item.id, item.question), generators)
        if sorted(frozen) != sorted(wanted):
            yield (
                f"the bundle has the conditions {listed(frozen)}, and the config's perturbations make {listed(wanted)} "
                f"(item {item.id!r}); {mend}"
            )
            return


def differing(one: Question, other: Question) -> list[str]:
    """The parts in which two questions differ."""
    return [part for part in Question.__slots__ if getattr(one, part) != getattr(other, part)]
