"""Answer agreement: does the model give the same answer under another wording, right or wrong?"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .outcomes import Outcomes
from .results import Estimate
from .wilson import wilson_interval

UNREAD = -1
POOLED = "share of paired answers, no interval: answers of one item are not independent"

AnswerCodes = NDArray[np.int64]
AnswerRow = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class AnswerAgreement:
    """How often a variant's answer is the baseline's.

    Attributes:
        by_variant: One estimate a variant, with a Wilson interval over items, in the order of the columns.
        pooled: The share over all variants; n counts cells, and there is no interval.
    """

    by_variant: tuple[Estimate, ...]
    pooled: Estimate


def answer_agreement(codes: ArrayLike, *, level: float = 0.95) -> AnswerAgreement:
    """Share of paired cells with the same canonical answer as the baseline, right or wrong.

    Beside stability it tells "steadily wrong" from "wavering": an item that fails everywhere with one and the same
    answer agrees, one that fails everywhere with changing answers does not.

    Args:
        codes: Items × conditions, the baseline first: one integer an answer, equal where the answers are, negative
            where none was read. `code_answers` makes it.
        level: Confidence level.

    Returns:
        The shares over the cells in which both answers were read.

    Raises:
        ValueError: If `codes` is not a two-dimensional array of integers with at least one column, or `level` is not
            between 0 and 1.

    Examples:
        >>> from prt.stats import answer_agreement
        >>> agreement = answer_agreement([[0, 0, 0], [2, 2, 1], [3, -1, 3]])
        >>> [(variant.count, variant.n) for variant in agreement.by_variant]
        [(2, 2), (2, 3)]
        >>> agreement.pooled.estimate
        0.8
    """
    given = np.asarray(codes)
    if given.ndim != 2 or given.shape[1] < 1 or given.dtype.kind not in "iu":
        raise ValueError(
            f"codes must be an integer array items × conditions, got {given.dtype} of shape {given.shape}; "
            "code_answers makes one from answer texts"
        )
    paired = (given[:, 1:] >= 0) & (given[:, :1] >= 0)
    same = np.count_nonzero(paired & (given[:, 1:] == given[:, :1]), axis=0).tolist()
    cells = np.count_nonzero(paired, axis=0).tolist()
    by_variant = tuple(wilson_interval(count, n, level=level) for count, n in zip(same, cells, strict=True))
    share = sum(same) / sum(cells) if sum(cells) else None
    return AnswerAgreement(by_variant, Estimate(share, None, None, None, sum(cells), POOLED, sum(same)))


def code_answers(rows: Iterable[AnswerRow], outcomes: Outcomes) -> AnswerCodes:
    """Code canonical answers as integers, aligned with outcomes of a single repeat.

    Args:
        rows: (item id, condition name, canonical answer), the answer None where none was read. Rows of conditions that
            the outcomes don't hold are left out, as after `Outcomes.select`.
        outcomes: The outcomes whose items and conditions the codes shall follow.

    Returns:
        Items × conditions: equal codes for equal answers, −1 where no answer was read.

    Raises:
        ValueError: If an item is unknown, a cell has two rows, or there is more than one repeat.

    Examples:
        >>> from prt.stats import Outcomes, code_answers
        >>> outcomes = Outcomes.from_array([[1, 0]], items=["q1"], conditions=["baseline", "typo.1"])
        >>> code_answers([("q1", "baseline", "Paris"), ("q1", "typo.1", "Lyon")], outcomes).tolist()
        [[0, 1]]
    """
    codes = np.full(outcomes.matrix().shape, UNREAD, dtype=np.int64)
    items = {item: place for place, item in enumerate(outcomes.items)}
    conditions = {condition: place for place, condition in enumerate(outcomes.conditions)}
    known: dict[str, int] = {}
    seen = np.zeros(codes.shape, dtype=bool)
    for item, condition, answer in rows:
        if condition not in conditions:
            continue
        if item not in items:
            raise ValueError(f"no item is called {item!r}; answers belong to the {len(items)} items of the outcomes")
        cell = (items[item], conditions[condition])
        if seen[cell]:
            raise ValueError(f"item {item!r} under {condition!r} has two answers; each cell has one row")
        seen[cell] = True
        if answer is not None:
            codes[cell] = known.setdefault(answer, len(known))
    return codes
