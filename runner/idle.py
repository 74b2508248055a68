"""Conditions that apply to no item: a run that consists of them alone would test nothing, and look well."""

from collections.abc import Iterable
from pathlib import Path

from ..perturbations.generators.rerun import Rerun
from .counting import is_busy, with_reason
from .errors import UsageError
from .perturb_stats import Tally
from .prepare import Prepared
from .problems import counted, listed
from .reviewing import NOT_REVIEWED


def idle_notes(conditions: Iterable[Tally]) -> list[str]:
    """Name the conditions that apply to no item, those of one reason together, with that reason.

    Args:
        conditions: What was counted of each; one that waits for paraphrases is not named.
    """
    groups: dict[str, list[str]] = {}
    for tally in conditions:
        if not is_busy(tally):
            groups.setdefault(f"none of {counted(tally.n, 'item')}: {main_reason(tally)}", []).append(tally.name)
    return [
        f"{listed(names)} {'applies' if len(names) == 1 else 'apply'} to {found}" for found, names in groups.items()
    ]


def refuse_idle(prepared: Prepared, config: Path) -> None:
    """Refuse a run whose perturbations apply to no item; one that has none, or controls and reruns alone, is let be.

    Raises:
        UsageError: No perturbation applies, with the reasons.
    """
    perturbing = [tally for tally in prepared.counts.conditions if is_perturbation(tally)]
    if perturbing and not any(map(is_busy, perturbing)):
        raise UsageError(
            f"{config}: no perturbation applies to any item, so a run would test nothing: "
            f"{'; '.join(idle_notes(perturbing))}; {advice(perturbing, config)}"
        )


def advice(conditions: Iterable[Tally], config: Path) -> str:
    """Say what to do where nothing applies: accept what waits for a review, or change the config."""
    if any(with_reason(tally, "rejected", NOT_REVIEWED) for tally in conditions):
        return f"`prt perturb --review {config}` lets you accept variants"
    return f"change `perturbations`, `protect` or the dataset (`prt perturb --stats {config}` lists every reason)"


def is_perturbation(tally: Tally) -> bool:
    """Whether a condition changes prompts and means to keep what they ask."""
    return tally.generator != Rerun.name and tally.tier != "control"


def main_reason(tally: Tally) -> str:
    """`12 not applicable (no options)`, and how many have another reason."""
    first = tally.reasons[0]
    reason = f" ({first.reason})" if first.reason else ""
    rest = f", {tally.n - first.n} for other reasons" if first.n < tally.n else ""
    return f"{first.n} {first.outcome.replace('_', ' ')}{reason}{rest}"
