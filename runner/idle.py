"""Conditions that apply to no item: a run that consists of them alone would test nothing, and look well."""

from collections.abc import Iterable
from pathlib import Path

from ..perturbations.generators.rerun import Rerun
from ..perturbations.variant import Variant
from .errors import UsageError
from .perturb_stats import Tally, outcome_tallies
from .plan import BASELINE
from .prepare import Prepared, is_unwritten
from .problems import counted, listed
from .reviewing import NOT_REVIEWED


def idle_notes(variants: Iterable[Variant]) -> list[str]:
    """Name the conditions that apply to no item, those of one reason together, with that reason.

    Args:
        variants: All variants of a run; a condition that waits for paraphrases is not named.
    """
    groups: dict[str, list[str]] = {}
    for tally in idle(variants):
        groups.setdefault(f"none of {counted(tally.n, 'item')}: {main_reason(tally)}", []).append(tally.name)
    return [
        f"{listed(names)} {'applies' if len(names) == 1 else 'apply'} to {found}" for found, names in groups.items()
    ]


def refuse_idle(prepared: Prepared, config: Path) -> None:
    """Refuse a run whose perturbations apply to no item; one that has none, or controls and reruns alone, is let be.

    Raises:
        UsageError: No perturbation applies, with the reasons.
    """
    perturbing = [variant for variant in prepared.all_variants() if is_perturbation(variant)]
    found = idle(perturbing)
    if found and len(found) == len({variant.condition for variant in perturbing}):
        raise UsageError(
            f"{config}: no perturbation applies to any item, so a run would test nothing: "
            f"{'; '.join(idle_notes(perturbing))}; {advice(perturbing, config)}"
        )


def advice(variants: Iterable[Variant], config: Path) -> str:
    """Say what to do where nothing applies: accept what waits for a review, or change the config."""
    if any(variant.reason == NOT_REVIEWED for variant in variants):
        return f"`prt perturb --review {config}` lets you accept variants"
    return f"change `perturbations`, `protect` or the dataset (`prt perturb --stats {config}` lists every reason)"


def idle(variants: Iterable[Variant]) -> tuple[Tally, ...]:
    """Count the conditions that apply to no item and wait for no paraphrase."""
    every = tuple(variants)
    busy = {variant.condition for variant in every if variant.outcome == "applied" or is_unwritten(variant)}
    return outcome_tallies(variant for variant in every if variant.condition not in busy)


def is_perturbation(variant: Variant) -> bool:
    """Whether a variant changes a prompt and means to keep what it asks."""
    return variant.generator not in {BASELINE, Rerun.name} and variant.tier != "control"


def main_reason(tally: Tally) -> str:
    """`12 not applicable (no options)`, and how many have another reason."""
    first = tally.reasons[0]
    reason = f" ({first.reason})" if first.reason else ""
    rest = f", {tally.n - first.n} for other reasons" if first.n < tally.n else ""
    return f"{first.n} {first.outcome.replace('_', ' ')}{reason}{rest}"
