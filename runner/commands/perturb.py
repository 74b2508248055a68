"""`prt perturb`: variants to look at, and the bundle that freezes them."""

import os
from pathlib import Path

from rich.text import Text

from ...perturbations.bundle import write_bundle
from ..errors import UsageError
from ..prepare import Prepared, prepare
from ..problems import did_you_mean, quoted
from ..reports.variants import print_variants
from .outcomes import print_outcomes
from .printing import output_console, print_notes


def perturb_command(config: Path, *, out: Path | None, shown: int, item_id: str | None) -> None:
    """Show variants, count outcomes, freeze the bundle."""
    prepared = prepare(config, env=os.environ)
    console = output_console()
    print_notes(prepared.notes, prepared.skipped, console)
    for item in chosen_items(prepared, shown, item_id):
        print_variants(item, prepared.variants[item], console)
    print_outcomes(prepared, console)
    target = out or Path(f"{prepared.config.name}.bundle.jsonl")
    try:
        digest = write_bundle(target, prepared.bundle)
    except OSError as error:
        raise UsageError(
            f"{target}: the bundle can't be written ({error.strerror}); name another file by --out"
        ) from None
    console.print(
        Text(f"{target}: {len(prepared.bundle.variants)} variants frozen, hash {digest[:16]}"), soft_wrap=True
    )


def chosen_items(prepared: Prepared, shown: int, item_id: str | None) -> list[str]:
    """The items to show: the first ones, or the one that is named."""
    ids = [item.id for item in prepared.items]
    if item_id is None:
        return ids[:shown]
    if item_id not in prepared.variants:
        raise UsageError(f"there is no item {quoted(item_id)} in the dataset" + did_you_mean(item_id, ids))
    return [item_id]
