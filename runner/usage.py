"""What a run's replies took: calls, tokens in and out, what they cost, how long answers took; under each condition."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from .config.limits import PricesConfig
from .findings import ConditionUsage, Latency, Usage
from .plan import BASELINE
from .store.columns import VariantColumns
from .store.read import StoredRun
from .store.reply_columns import ReplyColumns, read_replies

QUANTILES = (0.5, 0.9, 0.99)


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
    read = list(read_replies(run))
    if not read:
        return None
    condition = np.concatenate([variants.condition[each.variant] for each in read])
    columns = joined(read)
    prices = prices_of(run)
    names = sorted(range(len(variants.conditions)), key=lambda at: variants.conditions[at] != BASELINE)
    every = [
        took(variants.conditions[at], columns, np.flatnonzero(condition == at), prices)
        for at in names
        if np.any(condition == at)
    ]
    total = took("", columns, np.arange(len(condition)), prices)
    return Usage(tuple(every), total, currency="" if prices is None else prices.currency)


def joined(read: Sequence[ReplyColumns]) -> ReplyColumns:
    """Several blocks as one."""
    return ReplyColumns(
        **{name: np.concatenate([getattr(each, name) for each in read]) for name in ReplyColumns.__slots__}
    )


def took(condition: str, columns: ReplyColumns, rows: NDArray[np.intp], prices: PricesConfig | None) -> ConditionUsage:
    """What some replies took together.

    Args:
        condition: What they have in common.
        columns: All replies.
        rows: Which of them.
        prices: What tokens cost; None where that is not known.
    """
    tokens_in, tokens_out = columns.prompt_tokens[rows], columns.completion_tokens[rows]
    said = (tokens_in >= 0) & (tokens_out >= 0)
    prompt, completion = int(tokens_in[said].sum(dtype=np.int64)), int(tokens_out[said].sum(dtype=np.int64))
    return ConditionUsage(
        condition=condition,
        replies=len(rows),
        failed=int(np.count_nonzero(columns.answered[rows] == 0)),
        reused=int(np.count_nonzero(columns.own[rows] == 0)),
        calls=int(columns.attempts[rows].sum(dtype=np.int64)),
        with_tokens=int(np.count_nonzero(said)),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=prices.cost(prompt, completion) if prices is not None and said.any() else None,
        latency=latency_of(columns.latency_s[rows]),
    )


def latency_of(seconds: NDArray[np.float64]) -> Latency:
    """The quantiles of the answers that were timed.

    Args:
        seconds: Seconds an answer; NaN where it was not timed.
    """
    timed = seconds[~np.isnan(seconds)]
    if not timed.size:
        return Latency(0, None, None, None)
    return Latency(timed.size, *map(float, np.quantile(timed, QUANTILES, method="inverted_cdf")))


def prices_of(run: StoredRun) -> PricesConfig | None:
    """The prices in a run's config, those of batches where it asked in batches; None where it has none."""
    config = run.record.config
    try:
        prices = PricesConfig.model_validate(config["prices"])
    except (KeyError, ValidationError):  # a config of another version may say otherwise what tokens cost
        return None
    model = config.get("model")
    return prices.in_batches if isinstance(model, dict) and model.get("mode") == "batch" else prices
