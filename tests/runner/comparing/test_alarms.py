"""How often a comparison calls anything where nothing changed: at most alpha; a wrong twin does far more often."""

import numpy as np
import pytest
from numpy.typing import NDArray
from prt.runner.comparing.aligning import Aligned
from prt.runner.comparing.claims import claims_of, condition_changes
from prt.runner.comparing.evidence import gather
from prt.runner.store.columns import STATUS
from prt.stats import Outcomes, PairedTable, mcnemar_exact

pytestmark = pytest.mark.storeless

ALPHA, SAMPLES, ITEMS, CONDITIONS = 0.05, 150, 40, 6
TOLERATED = 0.05 + 3 * (0.05 * 0.95 / SAMPLES) ** 0.5
"""alpha, and three standard errors of a share of so many samples."""
CALLED = {"regressed", "improved"}


def drawn(rng: np.random.Generator, kind: str) -> Aligned:
    """Two runs of one model: each item has luck of its own in each run, which all wordings share."""
    level = rng.random((ITEMS, 1))
    first, second = (np.clip(level + rng.normal(0.0, 0.6, (ITEMS, 1)), 0.0, 1.0) for _ in range(2))
    lost = 0.2 * (np.arange(CONDITIONS) > 0) if kind == "fragile in both" else 0.0
    runs = [made(rng, np.clip(each - lost, 0.0, 1.0), bursts=kind == "bursts of failures") for each in (first, second)]
    (one, cut), (other, other_cut) = runs
    counted = Outcomes.from_array(one), Outcomes.from_array(other)
    read = Outcomes.from_array(np.where(cut, -1, one)), Outcomes.from_array(np.where(other_cut, -1, other))
    return Aligned(counted, read, (status_of(cut), status_of(other_cut)), ("",) * CONDITIONS)


def made(
    rng: np.random.Generator, chances: NDArray[np.float64], *, bursts: bool
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Results, and which replies are cut off: all of an item's or none."""
    shape = (ITEMS, CONDITIONS)
    cut = (rng.random((ITEMS, 1)) < (0.2 if bursts else 0.0)) & np.ones(shape, dtype=np.bool_)
    return np.where(cut, 0, rng.random(shape) < chances).astype(np.int8), cut


def status_of(cut: NDArray[np.bool_]) -> NDArray[np.int8]:
    return np.where(cut, STATUS["truncated"], STATUS["graded"]).astype(np.int8)[:, :, np.newaxis]


def pooled_cells(aligned: Aligned) -> bool:
    """Deliberately wrong: McNemar's test with every cell for an item."""
    before, after = (each.cells.ravel() for each in aligned.counted)
    worse, better = int(np.sum(before > after)), int(np.sum(before < after))
    pvalue = mcnemar_exact(PairedTable(before.size - worse - better, worse, better, 0)).pvalue
    return pvalue is not None and pvalue <= ALPHA


def pooled_failures(aligned: Aligned) -> bool:
    """Deliberately wrong: the same of replies that are cut off."""
    cut = STATUS["truncated"]
    before, after = ((each == cut).ravel() for each in aligned.statuses)
    worse, better = int(np.sum(before < after)), int(np.sum(before > after))
    pvalue = mcnemar_exact(PairedTable(before.size - worse - better, worse, better, 0)).pvalue
    return pvalue is not None and pvalue <= ALPHA


@pytest.mark.parametrize("kind", ["shocks", "fragile in both", "bursts of failures"])
def test_nothing_is_called_in_more_than_alpha_of_comparisons_of_equals(kind: str) -> None:
    rng = np.random.default_rng(11)
    worse = better = questions = wordings = cells = failures = 0
    for _ in range(SAMPLES):
        aligned = drawn(rng, kind)
        evidence = [gather(aligned, alpha=ALPHA, margin=0.05, draws=1)]
        (claims,) = claims_of(evidence, alpha=ALPHA, margin=0.05)
        (conditions,) = condition_changes(evidence, [aligned.generators], alpha=ALPHA, margin=0.05)
        verdicts = {each.verdict for each in claims} | {each.verdict for each in conditions}
        worse += "regressed" in verdicts
        better += "improved" in verdicts
        questions += any(each.verdict in CALLED for each in claims)
        wordings += any(each.verdict in CALLED for each in conditions)
        cells += pooled_cells(aligned)
        failures += pooled_failures(aligned)
    assert max(worse, better, questions, wordings) / SAMPLES <= TOLERATED
    assert cells / SAMPLES > 2 * TOLERATED
    if kind == "bursts of failures":
        assert failures / SAMPLES > 2 * TOLERATED
