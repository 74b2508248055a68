"""Failed and unreadable replies of two runs, kind by kind, paired cell by cell, with the item as the unit."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...stats import Estimate, clustered_newcombe_interval, decide_verdict, holm, signflip_exact
from ..store.columns import STATUS
from .aligning import Aligned, Statuses
from .findings import KINDS, Kind, KindChange

NO_LIMIT = Estimate(None, None, None, None, 0, "")
"""No margin is set for kinds of replies."""


def kind_changes(aligned: Aligned, *, alpha: float) -> tuple[KindChange, ...]:
    """Compare how often each kind of reply without a usable answer occurs.

    A cell counts where it has a status in both runs. With several repeats the first so many of each count, as many as
    both have. An item's sum over its cells is what may change sign if nothing changed: failures come in bursts, and
    items that are hard to read are so under every condition, so that cells are no independent units.

    Args:
        aligned: The two runs.
        alpha: Significance level over the kinds that occur (Holm).

    Returns:
        The kinds that occur in either run.
    """
    first, second = balanced(*aligned.statuses)
    clusters = aligned.counted[0].clusters
    found = [each for each in (_change(kind, first, second, clusters, alpha) for kind in KINDS) if each is not None]
    adjusted = holm([each.exact.pvalue for each in found])
    units = aligned.units
    return tuple(_judged(each, p, alpha, units) for each, p in zip(found, adjusted, strict=True))


def balanced(first: Statuses, second: Statuses) -> tuple[Statuses, Statuses]:
    """Items × cells: as many repeats of each run as both have, without the cells that have no status in one of them."""
    repeats = min(first.shape[2], second.shape[2])
    one, other = (_in_front(each)[:, :, :repeats].reshape(each.shape[0], -1) for each in (first, second))
    paired = (one >= 0) & (other >= 0)
    return np.where(paired, one, np.int8(-1)), np.where(paired, other, np.int8(-1))


def _in_front(statuses: Statuses) -> Statuses:
    """The repeats that have a status before those that have none, in their order."""
    ordered = np.empty_like(statuses)
    for at in range(statuses.shape[1]):  # an order takes eight times the room of what it orders
        order = np.argsort(statuses[:, at] < 0, axis=1, kind="stable")
        ordered[:, at] = np.take_along_axis(statuses[:, at], order, axis=1)
    return ordered


def _change(
    kind: Kind, first: Statuses, second: Statuses, clusters: tuple[object, ...] | None, alpha: float
) -> KindChange | None:
    code = STATUS[kind]
    before, after = (np.count_nonzero(each == code, axis=1) for each in (first, second))
    if not before.any() and not after.any():
        return None
    cells = np.count_nonzero(first >= 0, axis=1)
    kept = cells > 0
    labels = None if clusters is None else [label for label, stays in zip(clusters, kept, strict=True) if stays]
    shares = [_shares(each, cells, kept) for each in (before, after)]
    change = clustered_newcombe_interval(*shares, runs=float(cells[kept].mean()), clusters=labels, level=1.0 - alpha)
    test = signflip_exact((after - before)[kept].astype(np.int64), labels)
    return KindChange(kind, "inconclusive", int(before.sum()), int(after.sum()), int(cells.sum()), change, test, None)


def _shares(counts: NDArray[np.intp], cells: NDArray[np.intp], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(counts[kept] / cells[kept])


def _judged(each: KindChange, holm_p: float | None, alpha: float, units: int) -> KindChange:
    verdict = decide_verdict(mirrored(each.change), NO_LIMIT, holm_p, alpha=alpha, units=min(units, each.change.n))
    return replace(each, holm_p=holm_p, verdict=verdict)


def mirrored(change: Estimate) -> Estimate:
    """A change with the other sign: more failures are what fewer passes are."""

    def negative(value: float | None) -> float | None:
        return None if value is None else -value

    return replace(change, estimate=negative(change.estimate), low=negative(change.high), high=negative(change.low))
