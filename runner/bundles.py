"""Frozen bundles of variants: reading one for a run, and proving that it belongs to this config and these items."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
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
from .encoding import VariantSpool
from .errors import BundleError, Problem
from .frozen import Frozen, read_frozen
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
    with told_in_full(shown):
        frozen = read_frozen(file)
    refuse(other_origin(frozen.whole, loaded, generators), shown)
    listed_once = listing(generators)
    refuse_unfit(frozen, items, listed_once, shown, mending(loaded))
    required = needing(loaded.config, listed_once)

    def variants(item: Item) -> Sequence[Variant]:
        needed = frozenset(condition_names(Subject(item.id, item.question), required))
        return tuple(judged(variant, needed) for variant in frozen.groups[item.id])

    return Made(frozen.whole.generators, variants)


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
    with told_in_full(shown):
        file = BundleFile(path)
        return file.whole(VariantSpool(file.variants()))


@contextmanager
def told_in_full(shown: str) -> Iterator[None]:
    """Say what is wrong with a bundle's file as a user can act on it."""
    try:
        yield
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


def refuse_unfit(frozen: Frozen, items: Iterable[Item], generators: Sequence[Listed], shown: str, mend: str) -> None:
    """Refuse a bundle that was not made from these items, or has other conditions than its generators would make.

    Raises:
        BundleError: All items that it was not made from; else the first one with other conditions.
    """
    unlike: list[str] = []
    other = ""
    for item in items:
        found = frozen.groups.first(item.id)
        if found is None or found[1].condition != BASELINE:
            unlike.append(f"the bundle has no variants of the item {item.id!r}; `prt perturb` writes it anew")
        elif found[1].question != item.question:
            parts = ", ".join(differing(found[1].question, item.question))
            unlike.append(f"the item {item.id!r} was frozen with another {parts}; `prt perturb` writes the bundle anew")
        elif not other and not unlike:
            other = other_conditions(frozen, found[0], item, generators, mend)
    refuse(iter(unlike), shown)
    refuse(iter([other] if other else []), shown)


def other_conditions(frozen: Frozen, place: int, item: Item, generators: Sequence[Listed], mend: str) -> str:
    """Say which other conditions an item has in a bundle, since a header does not tell; empty where it has none."""
    wanted = condition_names(Subject(item.id, item.question), generators)
    if frozen.conditions(place) == tuple(sorted(wanted)):
        return ""
    had = [variant.condition for variant in frozen.groups[item.id][1:]]
    return (
        f"the bundle has the conditions {listed(had)}, and the config's perturbations make {listed(wanted)} "
        f"(item {item.id!r}); {mend}"
    )


def differing(one: Question, other: Question) -> list[str]:
    """The parts in which two questions differ."""
    return [part for part in Question.__slots__ if getattr(one, part) != getattr(other, part)]
