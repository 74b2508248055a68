"""Answer agreement: does the model give the same answer under another wording, right or wrong?"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_fraction
from .clustered_rate import rate_of_items
from .clusters import Codes, Labels, cluster_codes, kept_codes
from .effective import Design
from .numeric import FloatArray
from .outcomes import Outcomes
from .rate import rate_interval
from .results import Estimate

UNREAD = -1
POOLED = "share of paired answers, no interval: answers of one item are not independent"

AnswerCodes = NDArray[np.int64]
AnswerRow = tuple[str, str, str | None]
RepeatedAnswerRow = tuple[str, str, int, str | None]


@dataclass(frozen=True, slots=True)
class AnswerAgreement:
    """How often a variant's answer is the baseline's.

    Attributes:
        by_variant: One estimate a variant, with its interval over items, in the order of the columns.
        pooled: The share over all variants; n counts cells, and there is no interval.
    """

    by_variant: tuple[Estimate, ...]
    pooled: Estimate


def answer_agreement(codes: ArrayLike, *, level: float = 0.95, clusters: Labels | None = None) -> AnswerAgreement:
    """Share of paired cells with the same canonical answer as the baseline, right or wrong.

    Beside stability it tells "steadily wrong" from "wavering": an item that fails everywhere with one and the same
    answer agrees, one that fails everywhere with changing answers does not.

    Args:
        codes: Items × conditions (× repeats), the baseline first: one integer an answer, equal where the answers are,
            negative where none was read. `code_answers` makes it. With repeats an item counts by the share of its pairs
            of read answers, one under the baseline and one under the variant, that are equal.
        level: Confidence level.
        clusters: One label an item; None or "" marks an item by itself. None: no clusters.

    Returns:
        The shares over the cells in which both answers were read.

    Raises:
        ValueError: If `codes` is not an array of integers of two or three dimensions with at least one column, the
            labels don't fit, or `level` is not between 0 and 1.

    Examples:
        >>> from prt.stats import answer_agreement
        >>> agreement = answer_agreement([[0, 0, 0], [2, 2, 1], [3, -1, 3]])
        >>> [(variant.count, variant.n) for variant in agreement.by_variant]
        [(2, 2), (2, 3)]
        >>> agreement.pooled.estimate
        0.8
    """
    check_fraction("level", level)
    given = np.asarray(codes)
    if given.ndim not in {2, 3} or 0 in given.shape[1:] or given.dtype.kind not in "iu":
        raise ValueError(
            f"codes must be an integer array items × conditions (× repeats), got {given.dtype} of shape {given.shape}; "
            "code_answers makes one from answer texts"
        )
    runs = given.reshape(*given.shape[:2], given.shape[2] if given.ndim == 3 else 1)
    groups = cluster_codes(clusters, given.shape[0])
    by_variant, same = [], 0.0
    for column in range(1, runs.shape[1]):
        agreeing = _agreeing(runs[:, 0], runs[:, column])
        by_variant.append(agreeing.interval(groups, level))
        same += float(np.sum(agreeing.values[agreeing.kept]))
    cells = sum(variant.n for variant in by_variant)
    count = round(same) if runs.shape[2] == 1 else None
    return AnswerAgreement(
        tuple(by_variant), Estimate(same / cells if cells else None, None, None, None, cells, POOLED, count)
    )


def code_answers(rows: Iterable[AnswerRow | RepeatedAnswerRow], outcomes: Outcomes) -> AnswerCodes:
    """Code canonical answers as integers, aligned with outcomes.

    Args:
        rows: (item id, condition name, canonical answer), the answer None where none was read; with repeats (item id,
            condition name, repeat, canonical answer), the repeat being its place among those of the outcomes, from 0.
            Rows of conditions that the outcomes don't hold are left out, as after `Outcomes.select`.
        outcomes: The outcomes whose items and conditions the codes shall follow.

    Returns:
        Items × conditions, with repeats × repeats too: equal codes for equal answers, −1 where no answer was read.

    Raises:
        ValueError: If an item or a repeat is unknown, a cell has two rows, or a row does not say its repeat where there
            are several.

    Examples:
        >>> from prt.stats import Outcomes, code_answers
        >>> outcomes = Outcomes.from_array([[1, 0]], items=["q1"], conditions=["baseline", "typo.1"])
        >>> code_answers([("q1", "baseline", "Paris"), ("q1", "typo.1", "Lyon")], outcomes).tolist()
        [[0, 1]]
    """
    codes = np.full(outcomes.cells.shape, UNREAD, dtype=np.int64)
    items = {item: place for place, item in enumerate(outcomes.items)}
    conditions = {condition: place for place, condition in enumerate(outcomes.conditions)}
    known: dict[str, int] = {}
    seen = np.zeros(codes.shape, dtype=bool)
    for row in rows:
        item, condition, answer = row[0], row[1], row[-1]
        if condition not in conditions:
            continue
        if item not in items:
            raise ValueError(f"no item is called {item!r}; answers belong to the {len(items)} items of the outcomes")
        cell = (items[item], conditions[condition], _repeat(row, outcomes.repeats))
        if seen[cell]:
            raise ValueError(f"item {item!r} under {condition!r} has two answers; each cell has one row")
        seen[cell] = True
        if answer is not None:
            codes[cell] = known.setdefault(str(answer), len(known))
    return codes[:, :, 0] if outcomes.repeats == 1 else codes


@dataclass(frozen=True, slots=True)
class _Agreeing:
    """Share of each item's pairs of read answers that are equal, and which items have such a pair."""

    values: FloatArray
    kept: NDArray[np.bool_]
    runs: NDArray[np.intp]

    def interval(self, groups: Codes | None, level: float) -> Estimate:
        values, n = self.values[self.kept], int(np.count_nonzero(self.kept))
        most = float(np.sum(self.runs[self.kept]))
        if groups is None and most == n:
            return rate_interval(np.count_nonzero(values), n, level=level)
        return rate_of_items(values, Design(kept_codes(groups, self.kept), most, level))


def _agreeing(baseline: AnswerCodes, variant: AnswerCodes) -> _Agreeing:
    """Compare items × repeats of answers, every run of the one with every run of the other."""
    read = np.count_nonzero(baseline >= 0, axis=1), np.count_nonzero(variant >= 0, axis=1)
    same = np.zeros(baseline.shape[0])
    for run in baseline.T[:, :, np.newaxis]:
        same += np.count_nonzero((run >= 0) & (variant == run), axis=1)
    pairs = read[0] * read[1]
    values = np.divide(same, pairs, out=np.zeros_like(same), where=pairs > 0)
    return _Agreeing(values, pairs > 0, np.maximum(*read))


def _repeat(row: AnswerRow | RepeatedAnswerRow, repeats: int) -> int:
    if len(row) == 3:
        if repeats > 1:
            raise ValueError(f"there are {repeats} repeats a cell; a row is (item, condition, repeat, answer)")
        return 0
    if not 0 <= row[2] < repeats:
        raise ValueError(f"repeat {row[2]} is none of the {repeats} repeats of the outcomes, counted from 0")
    return row[2]
