"""Preparing a run, or finding in the store what was prepared by an earlier one; and noting it there for later ones."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import JsonValue as Json

from ...perturbations.bundle import Bundle, GeneratorRecord
from ..bundles import protected_patterns
from ..config.loading import LoadedConfig, load_config
from ..config.schema import GradeConfig
from ..counting import Counts, Planned
from ..errors import Problem, StoreError
from ..graders.base import make_grader
from ..idle import idle_notes
from ..prepare import KnownHashes, Prepared, prepare
from ..recipe import recipe_of
from ..spool import Late, LateMapping
from ..store.database import Store, open_store
from ..store.recipes import KnownSuite, StoredSuite, find_recipe, put_recipe
from ..store.runs import RunRecord
from .opening import StorePlace, place_of


def prepared_or_known(config: Path, *, store: str | None) -> Prepared:
    """Prepare a run; where the store holds the suite of an equal recipe, nothing is made, and nothing proved again.

    Args:
        config: The config file.
        store: Results database, instead of the config's.

    Raises:
        UsageError: As `prepare`.
    """
    loaded = load_config(config, env=os.environ)
    place = place_of(loaded, store)
    recipe = recipe_of(loaded)
    known = None if recipe is None else known_suite(place, recipe)
    return prepare(config, env=os.environ) if known is None else from_store(loaded, known, place)


def known_suite(place: StorePlace, recipe: str) -> KnownSuite | None:
    """The suite of a recipe; None where the store has none, or can't be asked, which is told when it is used."""
    try:
        with open_store(place.address, base=place.base, may_create=False) as opened:
            return find_recipe(opened, recipe)
    except StoreError:
        return None


def from_store(loaded: LoadedConfig, known: KnownSuite, place: StorePlace) -> Prepared:
    """A run whose items and variants lie in the store; they are read when they are asked for."""
    summary, config = known.summary, loaded.config
    suite = StoredSuite(place.address, place.base, known.number)
    generators = tuple(GeneratorRecord(**each) for each in summary["generators"])
    variants = Late(summary["variants"], lambda: suite.groups.in_order)
    return Prepared(
        loaded=loaded,
        items=Late(summary["items"], lambda: suite.items),
        skipped=tuple(problem(each) for each in summary["skipped"]),
        variants=LateMapping(lambda: suite.groups),
        bundle=Bundle(config.seed, generators, variants, protected_patterns(loaded)),
        grader=make_grader(config.grade or GradeConfig(grader="choice"), base=loaded.base),
        dataset_sha256=summary["dataset_sha256"],
        notes=tuple(summary["notes"]),
        counts=Counts(summary["asked"], (), {}, tuple(Planned(*each) for each in summary["conditions"])),
        known=KnownHashes(known.hash, summary["bundle_hash"]),
    )


def problem(values: dict[str, Json]) -> Problem:
    """A problem from its JSON."""
    also = values["also"]
    return Problem(**{**values, "also": tuple(also) if isinstance(also, list) else ()})  # type: ignore[arg-type]


def note_recipe(prepared: Prepared, store: Store, run: RunRecord) -> None:
    """Note in the store which suite came of a config's recipe, with all that a later run has to say of it."""
    recipe = None if prepared.known is not None else recipe_of(prepared.loaded)
    if recipe is not None:
        put_recipe(store, recipe, run.suite, summary_of(prepared, run))


def summary_of(prepared: Prepared, run: RunRecord) -> dict[str, Json]:
    """What preparing a run said, and counted."""
    notes = [*prepared.notes, *idle_notes(prepared.counts.conditions)]
    return {
        "items": len(prepared.items),
        "variants": len(prepared.all_variants()),
        "asked": prepared.counts.asked,
        "conditions": [list(each) for each in prepared.counts.planned],
        "notes": [*notes],
        "skipped": listed(prepared.skipped),
        "generators": listed(prepared.bundle.generators),
        "dataset_sha256": prepared.dataset_sha256,
        "bundle_hash": run.bundle_hash,
    }


def listed(values: Sequence[Problem] | Sequence[GeneratorRecord]) -> list[Json]:
    """Values as JSON."""
    return [asdict(value) for value in values]
