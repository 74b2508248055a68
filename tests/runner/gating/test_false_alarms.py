"""How often gates are wrong where the truth lies exactly at their bound; benchmarks/simulate_gates.py has it in full.

At 300 runs a rate of 5% shows as at most 9% in all but one of a thousand tries.
"""

from collections.abc import Callable

import numpy as np
import pytest
from prt.runner.gating.evidence import Evidence

from .evidences import decided, make_evidence

pytestmark = pytest.mark.storeless

RUNS = 300
MOST = 0.09
Draw = Callable[[np.random.Generator], Evidence]


def one_way(n: int, variants: int, loss: float) -> Draw:
    """All pass under the baseline, and each variant loses an item with this chance, by itself."""

    def draw(rng: np.random.Generator) -> Evidence:
        kept = rng.random((n, variants)) >= loss
        return make_evidence(np.hstack([np.ones((n, 1), dtype=bool), kept]))

    return draw


def first_loses(n: int, variants: int, loss: float) -> Draw:
    """The first of several variants loses items with this chance; the others nothing."""

    def draw(rng: np.random.Generator) -> Evidence:
        cells = np.ones((n, variants + 1), dtype=bool)
        cells[:, 1] = rng.random(n) >= loss
        return make_evidence(cells)

    return draw


def in_clusters(groups: int, size: int, loss: float) -> Draw:
    """Clusters whose items are lost all or not at all."""

    def draw(rng: np.random.Generator) -> Evidence:
        kept = np.repeat(rng.random(groups) >= loss, size)
        cells = np.stack([np.ones_like(kept), kept], axis=1)
        return make_evidence(cells, clusters=[f"c{at // size}" for at in range(groups * size)])

    return draw


def repeated(n: int, k: int, loss: float) -> Draw:
    """Items of every difficulty, of whose chance the variant takes the same share; several runs each."""

    def draw(rng: np.random.Generator) -> Evidence:
        p = rng.beta(4.0, 1.0, (n, 1, 1)) * np.array([1.0, 1.0 - loss / 0.8])[None, :, None]
        return make_evidence(rng.random((n, 2, k)) < p)

    return draw


def wrong(draw: Draw, gate: dict[str, object], verdict: str) -> tuple[float, float]:
    """How often a gate, and its twin that decides on the estimate, call what is not proven.

    Args:
        draw: Draws results whose truth lies at the bound.
        gate: The gate.
        verdict: What is wrong there: `failed` in any subject, or `passed` in all.
    """
    rng, found = np.random.default_rng(20), [0, 0]
    bound = next(float(str(value)) for key, value in gate.items() if key.startswith("fail_"))
    below = gate["figure"] in {"change", "pass_rate"}
    for _ in range(RUNS):
        results = decided(draw(rng), **gate)
        drops = [(-1.0 if below else 1.0) * (each.estimate or 0.0) for each in results]
        limit = -bound if gate["figure"] == "pass_rate" else bound
        called = [each.verdict == verdict for each in results]
        guessed = [drop > limit if verdict == "failed" else drop <= limit for drop in drops]
        every = any if verdict == "failed" else all
        found[0] += every(called)
        found[1] += every(guessed)
    return found[0] / RUNS, found[1] / RUNS


CASES: list[tuple[str, Draw, dict[str, object], str]] = [
    ("a change", one_way(100, 1, 0.05), {"figure": "change", "fail_if_worse_than": 0.05}, "failed"),
    ("one of ten changes", one_way(100, 10, 0.05), {"figure": "change", "fail_if_worse_than": 0.05}, "failed"),
    ("few items", one_way(20, 5, 0.1), {"figure": "change", "fail_if_worse_than": 0.1}, "failed"),
    ("comfort", first_loses(100, 3, 0.05), {"figure": "change", "fail_unless_no_worse_than": 0.05}, "passed"),
    ("flips", one_way(100, 5, 0.05), {"figure": "flip_rate", "fail_if_above": 0.05}, "failed"),
    ("a rate", one_way(50, 1, 0.1), {"figure": "pass_rate", "fail_if_below": 0.9}, "failed"),
    ("a rate's comfort", one_way(80, 1, 0.1), {"figure": "pass_rate", "fail_unless_at_least": 0.9}, "passed"),
    ("clusters", in_clusters(40, 5, 0.1), {"figure": "change", "fail_if_worse_than": 0.1}, "failed"),
    ("repeats", repeated(40, 3, 0.1), {"figure": "change", "fail_if_worse_than": 0.1}, "failed"),
    ("a generator", one_way(60, 3, 0.1), {"figure": "change", "generators": "*", "fail_if_worse_than": 0.1}, "failed"),
]


@pytest.mark.parametrize(("draw", "gate", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_gate_is_seldom_wrong_at_its_bound_and_one_that_decides_on_the_estimate_often(
    draw: Draw, gate: dict[str, object], verdict: str
) -> None:
    gates, twins = wrong(draw, gate, verdict)
    assert gates <= MOST
    assert twins > 3 * MOST


def test_without_a_shared_level_one_of_many_subjects_is_too_often_called() -> None:
    """The twin that gives each of twenty conditions the whole chance of a false alarm."""
    rng, alarms = np.random.default_rng(5), 0
    for _ in range(RUNS // 3):
        evidence = one_way(100, 20, 0.05)(rng)
        alone = (
            decided(evidence, figure="change", conditions=f"typo.{at}", fail_if_worse_than=0.05) for at in range(1, 21)
        )
        alarms += any(each.verdict == "failed" for (each,) in alone)
    assert 3 * alarms / RUNS > 3 * MOST
