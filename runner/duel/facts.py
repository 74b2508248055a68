"""What is known of how a duel was made, and what its models refused."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..store.read import StoredRun
from .sides import SideName


def facts_of(
    runs: Mapping[SideName, StoredRun], models: Mapping[SideName, str], *, prompts: bool, items: int, judge: str = ""
) -> Sequence[tuple[str, str]]:
    """What is known of how a duel was made.

    Args:
        runs: The run of each side.
        models: The model of each side, as it was configured.
        prompts: Whether prompts are compared, not models.
        items: How many items the baseline was asked.
        judge: The model that judged; empty where none did.
    """
    told = [("compares", "two prompts" if prompts else "two models"), ("items", str(items))]
    for side, run in runs.items():
        resolved = ", ".join(run.resolved_models())
        answered = f" (answered as {resolved})" if resolved and resolved != models[side] else ""
        told.append((side, f"{models[side]}{answered}, run {run.record.id}"))
    return [*told, *([("judge", judge)] if judge else [])]


def refusals_of(runs: Iterable[StoredRun], others: Iterable[str] = ()) -> Iterator[str]:
    """Say which parameters the models refused, and what was done about it.

    Args:
        runs: The runs of both sides.
        others: What else is known to have been refused.
    """
    told = [*(each for run in runs for each in run.record.adaptations), *others]
    yield from (f"by `adapt`, {sentence}" for sentence in dict.fromkeys(told))
