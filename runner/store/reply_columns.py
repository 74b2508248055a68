"""What the replies of a run took, in columns: tokens, seconds and calls, without their texts."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from .columns import NONE, Flags, Integers, blocks
from .read import StoredRun
from .rows import cells, replies

TOOK = ("run", "error_kind", "attempts", "prompt_tokens", "completion_tokens", "latency_s")
"""The columns of a reply that say what it took."""


@dataclass(frozen=True, slots=True, eq=False)
class ReplyColumns:
    """Some cells that have a reply, with what it took.

    Attributes:
        variant: The position of each cell's variant in the run's suite.
        own: 1 where this run asked for the reply, 0 where it took that of an earlier run.
        answered: 1 where there is an answer, 0 where the call failed.
        attempts: How many calls were made for it.
        prompt_tokens: Tokens in; −1 where unsaid.
        completion_tokens: Tokens out; −1 where unsaid.
        latency_s: Seconds of the attempt that answered; NaN where it failed, or nothing was timed.
    """

    variant: Integers
    own: Flags
    answered: Flags
    attempts: Integers
    prompt_tokens: Integers
    completion_tokens: Integers
    latency_s: NDArray[np.float64]


def read_replies(run: StoredRun) -> Iterator[ReplyColumns]:
    """Read what the current replies of a run took, some thousands at a time.

    Args:
        run: The run; its store must be open.

    Raises:
        StoreError: The store can't be read.
    """
    chosen = (
        select(cells.c.variant, *(replies.c[name] for name in TOOK))
        .join(replies, replies.c.id == cells.c.reply_id)
        .where(cells.c.run == run.record.number)
    )
    with run.store.reading() as connection:
        for variants, *block in blocks(connection, chosen):
            yield reply_columns(variants, block, own=(run.record.number,))


def reply_columns(variants: Sequence[int], block: Sequence[Sequence[Any]], *, own: Collection[int]) -> ReplyColumns:
    """Replies as columns.

    Args:
        variants: The position of the variant of each.
        block: The columns of `TOOK`.
        own: The runs whose replies were not taken from an earlier one.
    """
    askers, errors, attempts, tokens_in, tokens_out, seconds = block
    return ReplyColumns(
        variant=np.array(variants, dtype=np.int32),
        own=np.array([asker in own for asker in askers], dtype=np.int8),
        answered=np.array([error is None for error in errors], dtype=np.int8),
        attempts=np.array(attempts, dtype=np.int32),
        prompt_tokens=np.array([NONE if each is None else each for each in tokens_in], dtype=np.int32),
        completion_tokens=np.array([NONE if each is None else each for each in tokens_out], dtype=np.int32),
        latency_s=np.array(
            [latency if latency > 0 and error is None else nan for latency, error in zip(seconds, errors, strict=True)],
            dtype=np.float64,
        ),
    )
