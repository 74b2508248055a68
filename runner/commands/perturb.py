"""`prt perturb`: variants to look at, and the bundle that freezes them."""

import os
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from ...perturbations.bundle import write_bundle
from ..bundles import bundle_file
from ..errors import UsageError
from ..prepare import Prepared, prepare
from ..problems import counted, did_you_mean, quoted
from ..records import Item
from ..reports.variants import print_variants
from .outcomes import print_outcomes
from .printing import output_console, print_notes
from .stdout import reserved_stdout


def perturb_command(config: Path, *, out: Path | None, shown: int, item_id: str | None) -> None:
    """Show variants, count outcomes, freeze the bundle."""
    with reserved_stdout():
        prepared = prepare(config, env=os.environ, use_bundle=False)
    console = output_console()
    print_notes([*prepared.notes, *bundle_notes(prepared)], prepared.skipped, console)
    for item in chosen_items(prepared, shown, item_id):
        print_variants(item, prepared.variants[item.id], console)
    print_outcomes(prepared, console)
    target = out or bundle_file(prepared.loaded) or Path(f"{prepared.config.name}.bundle.jsonl")
    try:
        digest = write_bundle(target, prepared.bundle)
    except OSError as error:
        raise UsageError(
            f"{target}: the bundle can't be written ({error.strerror}); name another file by --out"
        ) from None
    console.print(
        Text(f"{target}: {counted(len(prepared.bundle.variants), 'variant')} frozen, hash {digest[:16]}"),
        soft_wrap=True,
    )


def bundle_notes(prepared: Prepared) -> list[str]:
    """Say that the bundle that the config names is not what is shown."""
    named = bundle_file(prepared.loaded)
    return (
        [f"the variants are made anew from `perturbations`; {named}, the config's `bundle`, is not read."]
        if named
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
