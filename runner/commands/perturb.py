"""`prt perturb`: variants to look at, what was counted, and the bundle that freezes them."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ...perturbations import Subject
from ..bundles import bundle_file, bundle_target
from ..errors import UsageError
from ..generators import build_generators
from ..idle import idle_notes
from ..paraphrasing.paraphrasers import begun
from ..perturb_stats import PerturbStats, perturb_stats
from ..prepare import Prepared, prepare, subject_of, with_bundle
from ..problems import counted, did_you_mean, quoted
from ..records import Item
from ..reports.text import visible
from ..reports.variants import print_variants
from ..review_file import Written, earlier_variants, write_carried
from ..reviewing import Carried, carried, needing_review, requires_review
from ..spool import Named
from .freezing import with_written_paraphrases
from .outcomes import fault_lines, print_outcomes, print_stats
from .printing import output_console, print_notes
from .review import refuse_without_terminal, review_command, reviewed_bundle
from .stdout import reserved_stdout

WELL, FAULTY = 0, 1
SHOWN = 3
DROPPED_SHOWN = 5


def perturb_command(
    config: Path,
    *,
    out: Path | None,
    shown: int | None = None,
    item_id: str | None = None,
    store: str | None = None,
    fresh: bool = False,
    stats: bool = False,
    as_json: bool = False,
) -> int:
    """Show variants, count outcomes, freeze the bundle; a model that writes paraphrases is asked for them first.

    Args:
        config: The config file.
        out: Where to write the bundle, instead of the config's.
        shown: How many items to show; None for a few, or none where everything is counted.
        item_id: The one item to show.
        store: Results database that keeps a paraphraser's replies, instead of the config's.
        fresh: Ask a paraphraser anew.
        stats: Count everything, and look for what must not change in every applied variant.
        as_json: The same as JSON, and nothing else.

    Returns:
        The exit code: 0, or 1 where something was altered that must not be.

    Raises:
        PrtError: What the user can act on.
    """
    told = Console(stderr=True, highlight=False)
    with reserved_stdout() as out_stream:
        prepared = prepare(config, env=os.environ, use_bundle=False)
        target = out or bundle_target(prepared.loaded)
        earlier = earlier_variants(target)
        prepared = with_written_paraphrases(prepared, told, store=store, fresh=fresh)
        reviews = carried(earlier, prepared.bundle)
        prepared = with_reviews(prepared, reviews)
        found = counted_anew(prepared) if stats or as_json else None
        console = told if as_json else output_console(out_stream)
        notes = [*prepared.notes, *idle_notes(prepared.counts.conditions), *bundle_notes(prepared)]
        print_notes(notes, prepared.skipped, console)
        if found is not None and as_json:
            written = write_carried(target, reviews)
            out_stream.write(stats_json(prepared, target, written, found) + "\n")
        else:
            show_all(prepared, found, console, shown=shown, item_id=item_id)
            written = write_carried(target, reviews)
        for line in (*frozen_lines(target, written), *required_lines(prepared)):
            console.print(Text(line), soft_wrap=True)
    faults = [] if found is None else [*fault_lines(found)]
    for line in faults:
        told.print(Text(line, style="bold red"), soft_wrap=True)
    return FAULTY if faults else WELL


def perturb_review_command(
    config: Path, *, item_id: str | None, conditions: Sequence[str], store: str | None, fresh: bool
) -> None:
    """Let a person review the config's bundle; where it is not there yet it is written first.

    Raises:
        UsageError: There is no terminal, or a run of the config would know of no review.
    """
    refuse_without_terminal()
    target = reviewed_bundle(config)
    if not target.exists():
        perturb_command(config, out=None, shown=0, store=store, fresh=fresh)
    review_command(config, target, item_id=item_id, conditions=conditions)


def with_reviews(prepared: Prepared, reviews: Carried) -> Prepared:
    """The same with the reviews that were taken over; nothing is rejected by them yet, as they can be changed."""
    return prepared if reviews.bundle is prepared.bundle else with_bundle(prepared, reviews.bundle)


def counted_anew(prepared: Prepared) -> PerturbStats:
    """Count everything of what was prepared."""
    return perturb_stats(prepared.all_variants(), Subjects(prepared))


class Subjects(Mapping[str, Subject]):
    """What generators may know of each item of a run, by its id."""

    def __init__(self, prepared: Prepared) -> None:
        """Note where each item stands."""
        self._items = Named(prepared.items, lambda item: item.id)
        self._config = prepared.config

    def __getitem__(self, item_id: str) -> Subject:
        """The one of an item."""
        return subject_of(self._items[item_id], self._config)

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        return iter(self._items)

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._items)


def show_all(
    prepared: Prepared, found: PerturbStats | None, console: Console, *, shown: int | None, item_id: str | None
) -> None:
    """Print variants of some items, and what was counted of all."""
    few = (SHOWN if found is None else 0) if shown is None else shown
    for item in chosen_items(prepared, few, item_id):
        print_variants(item, prepared.variants[item.id], console)
    if found is None:
        print_outcomes(prepared, console)
    else:
        print_stats(found, console)


def stats_json(prepared: Prepared, target: Path, written: Written, found: PerturbStats) -> str:
    """Everything that was counted, as JSON."""
    dropped = [{"item_id": each.item_id, "condition": each.condition} for each in written.reviews.dropped]
    bundle = {
        "path": str(target),
        "hash": written.hash,
        "variants": len(written.reviews.bundle.variants),
        "reviews_kept": written.reviews.kept,
        "reviews_dropped": dropped,
    }
    whole = {"name": prepared.config.name, "seed": prepared.config.seed, "bundle": bundle, **asdict(found)}
    return json.dumps(whole, indent=2, allow_nan=False)


def frozen_lines(target: Path, written: Written) -> Iterator[str]:
    """What was written where, and what became of the reviews that stood there."""
    reviews = written.reviews
    if reviews.kept:
        yield f"{counted(reviews.kept, 'review')} kept, of variants that came out the same"
    if reviews.dropped:
        names = [f"{visible(each.item_id)} {visible(each.condition)}" for each in reviews.dropped[:DROPPED_SHOWN]]
        more = len(reviews.dropped) - len(names)
        rest = f" and {more} more" if more else ""
        others = "the variant is another one" if len(reviews.dropped) == 1 else "the variants are others"
        yield (
            f"{counted(len(reviews.dropped), 'review')} dropped, since {others} now: {', '.join(names)}{rest}; "
            f"{written.copy} keeps the earlier bundle"
        )
    yield f"{target}: {counted(len(reviews.bundle.variants), 'variant')} frozen, hash {written.hash[:16]}"


def required_lines(prepared: Prepared) -> list[str]:
    """Say that a review is needed before a run, where it is."""
    if not requires_review(prepared.config):
        return []
    generators = build_generators(
        prepared.config, base=prepared.loaded.base, paraphrases=begun(prepared.paraphrasers, {})
    )
    waiting = applied = 0
    for item in prepared.items:
        needed = needing_review(prepared.config, generators, subject_of(item, prepared.config))
        made = [each for each in prepared.variants[item.id] if each.outcome == "applied" and each.condition in needed]
        applied += len(made)
        waiting += sum(not each.review for each in made)
    how = f"`prt perturb --review {prepared.loaded.path}` asks about it"
    wait = f"{waiting} of {counted(applied, 'applied variant')} that need a review wait for it"
    return [f"`review: required` is set: what nobody accepted is not asked ({wait}); {how}"]


def bundle_notes(prepared: Prepared) -> list[str]:
    """Say that the bundle that the config names is not what is shown."""
    named = bundle_file(prepared.loaded)
    return (
        [f"the variants are made anew from `perturbations`; of {named}, the config's `bundle`, only reviews are read."]
        if named and named.exists()
        else []
    )


def chosen_items(prepared: Prepared, shown: int, item_id: str | None) -> Sequence[Item]:
    """The items to show: the first ones, or the one that is named."""
    if item_id is None:
        return prepared.items[:shown]
    found = [item for item in prepared.items if item.id == item_id]
    if not found:
        near = did_you_mean(item_id, (item.id for item in prepared.items))
        raise UsageError(f"there is no item {quoted(item_id)} in the dataset{near}")
    return found
