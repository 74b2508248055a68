"""The score of a stored run: its pass/fail grades stand in the place of a judge."""

from collections.abc import Iterator

import numpy as np

from ...stats import Outcomes
from ..analysis import read_results_of
from ..errors import UsageError
from ..store.read import StoredRun
from .result import MissingPair, Pair, RowParts, Scored

NO_BASELINE = "its original has no result"
NO_PAIR = "none of its variants has a result"


def score_run(run: StoredRun) -> Iterator[Scored]:
    """Score the items of a run by their grades.

    The robustness of a pair is 1 where the variant has the same result as the original, else 0; with repeats it is the
    share of repeats of which that is true. Correctness is the share of repeats that pass.

    Args:
        run: The run.

    Raises:
        UsageError: It has no variants that a score could be made of.
    """
    results = read_results_of(run, usage=False)
    conditions = results.named("perturbation")
    if not conditions:
        raise UsageError(
            f"the run {run.record.id} has no perturbed variants, of which a robustness score is made; name another"
        )
    yield from score_outcomes(results.outcomes.select(conditions))


def score_outcomes(outcomes: Outcomes) -> Iterator[Scored]:
    """Score each item by passes and failures; the first condition is the original."""
    for at, item in enumerate(outcomes.items):
        cells = np.asarray(outcomes.cells[at])
        original = cells[0]
        present = original >= 0
        if not present.any():
            yield Scored(item, None, None, NO_BASELINE)
            continue
        base = float(original[present].mean())
        pairs: list[Pair] = []
        missing: list[MissingPair] = []
        for condition, variant in zip(outcomes.conditions[1:], cells[1:], strict=True):
            both = present & (variant >= 0)
            if not both.any():
                missing.append(MissingPair(condition, "it has no result beside one of the original"))
                continue
            passes, originally = variant[both], original[both]
            same, right = float((passes == originally).mean()), float(passes.mean())
            pairs.append(Pair(condition, "", "", right, same, float(originally.mean()) - right))
        if not pairs:
            yield Scored(item, None, None, NO_PAIR)
            continue
        cluster = "" if outcomes.clusters is None else str(outcomes.clusters[at])
        yield Scored(item, None, RowParts(1.0, "", base, tuple(pairs), tuple(missing), cluster=cluster))
