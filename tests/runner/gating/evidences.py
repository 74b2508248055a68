"""Results made by hand, or drawn, as gates see those of a run."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from prt.runner.config.gates import GateConfig
from prt.runner.findings import GateResult
from prt.runner.gating.evaluate import evaluate
from prt.runner.gating.evidence import Condition, Evidence, World
from prt.stats import Outcomes

ALPHA = 0.05


def make_evidence(
    cells: ArrayLike,
    *,
    conditions: Sequence[str] | None = None,
    clusters: Sequence[str] | None = None,
    statuses: ArrayLike | None = None,
    answers: ArrayLike | None = None,
    asked: ArrayLike | None = None,
    items: Sequence[str] | None = None,
    alpha: float = ALPHA,
) -> Evidence:
    """Results of items × conditions (× repeats); a condition's generator is its name without the number."""
    given = np.asarray(cells, dtype=np.int8)
    given = given[:, :, np.newaxis] if given.ndim == 2 else given
    names = tuple(conditions or ["baseline", *(f"typo.{at}" for at in range(1, given.shape[1]))])
    ids = tuple(items or [f"q{at}" for at in range(len(given))])
    outcomes = Outcomes(given, ids, names, None if clusters is None else tuple(clusters))
    read = None if statuses is None else np.asarray(statuses, dtype=np.int8).reshape(given.shape)
    world = World(
        conditions=tuple(
            Condition(name, name.rpartition(".")[0] or name, "rerun" if name.startswith("rerun") else "perturbation")
            for name in names
        ),
        items=ids,
        clusters=tuple(clusters or [""] * len(ids)),
        repeats=given.shape[2],
        alpha=alpha,
    )
    return Evidence(
        world,
        outcomes,
        outcomes,
        answers=None if answers is None else np.asarray(answers, dtype=np.int64).reshape(given.shape),
        statuses=read,
        asked=np.ones(given.shape[:2], dtype=bool) if asked is None else np.asarray(asked, dtype=bool),
    )


def table_cells(both: int, lost: int, gained: int, failing: int) -> list[list[int]]:
    """Items × (baseline, variant) of a paired table."""
    return [[1, 1]] * both + [[1, 0]] * lost + [[0, 1]] * gained + [[0, 0]] * failing


def make_gate(**keys: object) -> GateConfig:
    """A gate as a config says it."""
    return GateConfig.model_validate(keys)


def decided(evidence: Evidence, then: Evidence | None = None, /, **keys: object) -> tuple[GateResult, ...]:
    """The results of one gate."""
    return evaluate([make_gate(**keys)], evidence, lambda _: then)


def one(evidence: Evidence, then: Evidence | None = None, /, **keys: object) -> GateResult:
    """The only result of a gate of one subject."""
    (result,) = decided(evidence, then, **keys)
    return result
