"""What a run's replies took: calls, tokens in and out, what they cost, how long answers took; under each condition."""

from array import array
from collections.abc import Sequence
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .config.limits import PricesConfig
from .config.pricing import stored_prices
from .findings import ConditionUsage, Latency, Usage
from .plan import BASELINE
from .store.columns import VariantColumns
from .store.read import StoredRun
from .store.reply_columns import ReplyColumns, read_replies

QUANTILES = (0.5, 0.9, 0.99)
COUNTED = ("replies", "failed", "reused", "calls", "with_tokens", "prompt_tokens", "completion_tokens")


def usage_of(run: StoredRun, variants: VariantColumns) -> Usage | None:
    """Count what the current replies of a run took.

    Args:
        run: The run; its store must be open.
        variants: The variants of its suite.

    Returns:
        What each condition took, the baseline first, and all together; None where there is no reply yet.

    Raises:
        StoreError: The store can't be read.
    """
    counting = Counting(variants)
    for read in read_replies(run):
        counting.add(read)
    return counting.usage(prices_of(run))


class Grouped(Protocol):
    """What says which condition a reply is counted under.

    Attributes:
        conditions: The conditions.
        condition: The place in them of each variant, by the variant's position.
    """

    @property
    def conditions(self) -> Sequence[str]: ...  # noqa: D102 - as above

    @property
    def condition(self) -> NDArray[np.integer]: ...  # noqa: D102 - as above


class Counting:
    """Counts what the replies of each condition took while they are read; of each answer only its seconds are kept."""

    def __init__(self, variants: Grouped) -> None:
        """Count nothing yet.

        Args:
            variants: The variants of a run's suite, or what else replies are counted under.
        """
        self._variants = variants
        self._counts = np.zeros((len(COUNTED), len(variants.conditions)), dtype=np.int64)
        self._seconds = [array("d") for _ in variants.conditions]

    def add(self, replies: ReplyColumns) -> None:
        """Count some replies."""
        condition = self._variants.condition[replies.variant]
        tokens_in, tokens_out = replies.prompt_tokens, replies.completion_tokens
        said = (tokens_in >= 0) & (tokens_out >= 0)
        each = (
            np.ones_like(said),
            replies.answered == 0,
            replies.own == 0,
            replies.attempts,
            said,
            np.where(said, tokens_in, 0),
            np.where(said, tokens_out, 0),
        )
        for counts, numbers in zip(self._counts, each, strict=True):
            np.add.at(counts, condition, numbers)
        timed = ~np.isnan(replies.latency_s)
        for at in np.unique(condition[timed]).tolist():
            self._seconds[at].frombytes(replies.latency_s[timed & (condition == at)].tobytes())

    def usage(self, prices: PricesConfig | None) -> Usage | None:
        """What was counted; nothing can be added afterwards.

        Args:
            prices: What tokens cost; None where that is not known.

        Returns:
            What each condition with a reply took, the baseline first, and all together; None without a reply.
        """
        counts = self._counts
        if not counts.any():
            return None
        names = self._variants.conditions
        seconds = [np.frombuffer(each, dtype=np.float64) for each in self._seconds]
        for each in seconds:
            each.sort()
        places = sorted(np.flatnonzero(counts[0]).tolist(), key=lambda at: names[at] != BASELINE)
        conditions = tuple(took(names[at], counts[:, at], [seconds[at]], prices) for at in places)
        total = took("", counts.sum(axis=1), seconds, prices)
        return Usage(conditions, total, currency="" if prices is None else prices.currency)


def took(
    condition: str, counts: NDArray[np.int64], seconds: Sequence[NDArray[np.float64]], prices: PricesConfig | None
) -> ConditionUsage:
    """What some replies took together.

    Args:
        condition: What they have in common.
        counts: One number for each of `COUNTED`.
        seconds: The seconds of the answers that were timed, as for `latency_of`.
        prices: What tokens cost; None where that is not known.
    """
    known = dict(zip(COUNTED, counts.tolist(), strict=True))
    cost = None
    if prices is not None and known["with_tokens"]:
        cost = prices.cost(known["prompt_tokens"], known["completion_tokens"])
    return ConditionUsage(condition=condition, **known, cost=cost, latency=latency_of(seconds))


def latency_of(seconds: Sequence[NDArray[np.float64]]) -> Latency:
    """The quantiles of the answers that were timed, by nearest rank: each is the time of an answer.

    Args:
        seconds: Seconds an answer, all above 0; in several arrays, each in ascending order.
    """
    timed = sum(each.size for each in seconds)
    if not timed:
        return Latency(0, None, None, None)
    return Latency(timed, *(ranked(seconds, ceil(timed * share - 1) + 1) for share in QUANTILES))


def ranked(ascending: Sequence[NDArray[np.float64]], rank: int) -> float:
    """The number of a rank among those of several arrays together, which are not copied into one.

    Args:
        ascending: Numbers above 0; each array in ascending order.
        rank: From 1, the lowest, to as many as there are.
    """
    # The bits of numbers above 0, taken for integers, have the order of the numbers; 64 halvings find any of them.
    bits = [each.view(np.int64) for each in ascending if each.size]
    low, high = min(int(each[0]) for each in bits), max(int(each[-1]) for each in bits)
    while low < high:
        middle = (low + high) // 2
        if sum(int(np.searchsorted(each, middle, side="right")) for each in bits) >= rank:
            high = middle
        else:
            low = middle + 1
    return float(np.int64(low).view(np.float64))


def prices_of(run: StoredRun) -> PricesConfig | None:
    """What the tokens of a run's model cost by its config, in batches where it asked in them; None where unknown."""
    priced, model = stored_prices(run.record.config), run.record.config.get("model")
    prices = next((priced.price_of(block) for block in priced.tested), None) or priced.shared
    in_batches = isinstance(model, dict) and model.get("mode") == "batch"
    return prices.in_batches if prices is not None and in_batches else prices
